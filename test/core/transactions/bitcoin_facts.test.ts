import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherBitcoinSpellings } from '../../../src/core/address/bitcoin_spellings.ts';
import { compileClause } from '../../../src/core/policy/language/clause.ts';
import type { FactStruct, SpelledText } from '../../../src/core/policy/language/values.ts';
import { readStruct } from '../../../src/core/policy/simulator/policy_scenario_facts.ts';
import { bitcoinKind } from '../../../src/core/transactions/bitcoin/index.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../support/transaction_vectors.ts';

/** Vectors with unproven input amounts, since BIP-143 signatures commit only to their own input. */
const withoutFee: readonly string[] = [
  'p2wpkh, three inputs',
  'p2wpkh and a foreign input',
  'p2wpkh, the foreign input is signed already',
  'p2wpkh and p2tr of the same key: the address decides',
];

for (const vector of readVectors<TransactionVector>('bitcoin')) {
  test(`${vector.name}: policies see its contents`, () => {
    const account = accountOf(vector);
    const transaction = bitcoinKind.format.read(vectorBytes(vector.unsignedTransaction), account);
    const facts = bitcoinKind.facts(transaction, account, new Map());
    const expected = readStruct('Condition', vector.facts, '', otherBitcoinSpellings);
    const { tx } = expected['bitcoin'] as { readonly tx: FactStruct };
    const known = withoutFee.includes(vector.name) ? { ...tx, fee: undefined } : tx;
    assert.deepEqual(facts, { bitcoin: { tx: known } });
  });
}

type ExamplePolicy = {
  readonly name: string;
  readonly condition: string;
  readonly cases: readonly {
    readonly chain: string;
    readonly vector: string;
    readonly expected: 'applies' | 'does_not_apply' | 'fails';
    readonly code?: string;
  }[];
};

for (const { name, condition, cases } of readVectors<ExamplePolicy>('policies')) {
  for (const { chain, vector, expected, code } of cases) {
    if (chain !== 'bitcoin') continue;
    test(`policy "${name}" ${expected} to ${vector}`, () => {
      const outcome = compileClause('condition', condition).evaluate(factsOf(vector));
      assert.deepEqual(
        'failure' in outcome ? { fails: outcome.failure.code } : outcome,
        expected === 'fails' ? { fails: code } : { value: expected === 'applies' },
      );
    });
  }
}

test('twenty cases of example policies are of Bitcoin', () => {
  const cases = readVectors<ExamplePolicy>('policies').flatMap((policy) => policy.cases);
  assert.equal(cases.filter(({ chain }) => chain === 'bitcoin').length, 20);
});

test('without the amount of an input there is no fee, and a policy on the fee fails', () => {
  const { transaction, account } = readVector('p2wpkh and a foreign input');
  const [own, other] = transaction.inputs;
  assert.ok(own !== undefined && other !== undefined);
  const { spent: _, ...silent } = other;
  const unknown = { ...transaction, inputs: [own, silent] };
  const facts = bitcoinKind.facts(unknown, account, new Map());
  const outcome = compileClause('condition', 'bitcoin.tx.fee <= 10000').evaluate(facts);
  assert.ok('failure' in outcome);
  assert.equal(outcome.failure.code, 'member_missing');
});

test('limits count every output to others, and the fee', () => {
  const from = 'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3';
  const { transaction, account } = readVector('p2wpkh, one input, mainnet');
  const to = 'bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92';
  assert.deepEqual(bitcoinKind.transfers(transaction, account), [
    { token: '', from, to, amount: 50_000n },
    { token: '', from, to: '', amount: 1000n },
  ]);
  const data = readVector('p2wpkh, OP_RETURN');
  assert.deepEqual(bitcoinKind.transfers(data.transaction, data.account), [
    { token: '', from, to: '', amount: 0n },
    { token: '', from, to, amount: 99_000n },
    { token: '', from, to: '', amount: 1000n },
  ]);
});

test('if the fee is unknown, limits count at least the excess of the own inputs', () => {
  const { transaction, account } = readVector('p2wpkh and a foreign input');
  const [own, other] = transaction.inputs;
  assert.ok(own?.spent !== undefined && other !== undefined);
  const { spent: _, ...silent } = other;
  const rich = { ...own, spent: { ...own.spent, value: 305_000n } };
  const unknown = { ...transaction, inputs: [rich, silent] };
  const amounts = bitcoinKind.transfers(unknown, account).map(({ amount }) => amount);
  assert.deepEqual(amounts, [105_000n, 200_000n]);
  const poor = { ...transaction, inputs: [own, silent] };
  const [, fee] = bitcoinKind.transfers(poor, account);
  const { address: from } = account;
  assert.deepEqual(fee, { token: '', from, to: '', amount: 0n, isAtLeast: true });
});

test('a transaction does not name its network, so a key signs the same for all networks', () => {
  const chains = ['mainnet', 'testnet', 'signet', 'regtest'].map((network) => {
    const { transaction, account } = readVector(`p2wpkh, one input, ${network}`);
    return bitcoinKind.chain(transaction, account);
  });
  assert.deepEqual(chains, ['bip122', 'bip122', 'bip122', 'bip122']);
});

function readVector(name: string) {
  const vector = readVectors<TransactionVector>('bitcoin').find((each) => each.name === name);
  assert.ok(vector !== undefined);
  const account = accountOf(vector);
  const bytes = vectorBytes(vector.unsignedTransaction);
  return { transaction: bitcoinKind.format.read(bytes, account), account };
}

function factsOf(name: string) {
  const { transaction, account } = readVector(name);
  return bitcoinKind.facts(transaction, account, new Map());
}

type Shown = {
  readonly tx: { readonly outputs: readonly { readonly address: SpelledText }[] };
};

const evil = {
  script: '0014751e76e8199196d454941c45d1b3a323f1433bd6',
  spellings: [
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  ],
};

for (const network of ['mainnet', 'testnet', 'signet', 'regtest']) {
  test(`an address is compared by its script if the account is of ${network}`, () => {
    const { transaction, account } = readVector(`p2wpkh, one input, ${network}`);
    const { unsigned } = transaction;
    const outputs = [{ value: 1n, script: Uint8Array.fromHex(evil.script) }];
    const paid = { ...transaction, unsigned: { ...unsigned, outputs } };
    const scope = { ...bitcoinKind.facts(paid, account, new Map()), activity: { kind: 'x' } };
    const value = (condition: string) =>
      (['strict', 'three_valued'] as const).map((logic) => {
        const outcome = compileClause('condition', condition).evaluate(scope, undefined, logic);
        return 'value' in outcome ? outcome.value : outcome;
      });
    const shown = bitcoinKind.facts(paid, account, new Map())['bitcoin'] as Shown;
    const [own] = shown.tx.outputs.map(({ address }) => address.spelled);
    for (const spelling of evil.spellings) {
      // An ALLOW compares only the shown spelling, as the example policies do.
      const isShown = spelling === own;
      const blind = `CaseInsensitiveString('${spelling}')`;
      for (const each of [
        `o.address == '${spelling}'`,
        `'${spelling}' == o.address`,
        `!(o.address != '${spelling}')`,
        `o.address in ['y', '${spelling}']`,
        `['y', '${spelling}'].contains(o.address)`,
        `o.address in [activity.kind, '${spelling}']`,
        `CaseInsensitiveString(o.address) == ${blind}`,
        `CaseInsensitiveString(o.address) in [${blind}]`,
      ]) {
        const isSame = each.startsWith('CaseI')
          ? isShown || spelling === own?.toUpperCase()
          : isShown;
        assert.deepEqual(value(`bitcoin.tx.outputs.any(o, ${each})`), [isSame, true], each);
        assert.deepEqual(value(`bitcoin.tx.outputs.all(o, !(${each}))`), [!isSame, false], each);
      }
      const other = `${spelling.slice(0, -1)}Q`;
      assert.deepEqual(value(`bitcoin.tx.outputs.any(o, o.address == '${other}')`), [false, false]);
    }
    const itself = 'bitcoin.tx.outputs.any(o, o.address in [bitcoin.tx.outputs[0].address])';
    assert.deepEqual(value(itself), [true, true]);
    const prefix = network === 'mainnet' ? 'bc1q' : network === 'regtest' ? 'bcrt' : 'tb1q';
    assert.deepEqual(value(`bitcoin.tx.outputs[0].address[0..4] == '${prefix}'`), [true, true]);
  });
}
