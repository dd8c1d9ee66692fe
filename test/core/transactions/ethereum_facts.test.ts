import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serializeTransaction, toFunctionSelector } from 'viem';
import { otherBitcoinSpellings } from '../../../src/core/address/bitcoin_spellings.ts';
import { compileClause } from '../../../src/core/policy/language/clause.ts';
import type { Scope } from '../../../src/core/policy/language/values.ts';
import { readStruct } from '../../../src/core/policy/simulator/policy_scenario_facts.ts';
import type { JsonObject } from '../../../src/core/schema/json.ts';
import type { InterfaceTexts } from '../../../src/core/transactions/described.ts';
import { ethereumKind } from '../../../src/core/transactions/ethereum/index.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../support/transaction_vectors.ts';

const vectors = readVectors<TransactionVector>('ethereum');

function factsOf(vector: TransactionVector): Scope {
  const account = accountOf(vector);
  const transaction = ethereumKind.format.read(vectorBytes(vector.unsignedTransaction), account);
  return ethereumKind.facts(transaction, account, interfacesOf(vector, transaction));
}

/** Returns the stored interface like the service: by the address, in any letter case. */
function interfacesOf(
  vector: TransactionVector,
  transaction: Parameters<typeof ethereumKind.contracts>[0],
): InterfaceTexts {
  const { smartContractAddress = '', smartContractInterface: text = '' } = vector.interface ?? {};
  const found = ethereumKind
    .contracts(transaction)
    .filter((address) => address.toLowerCase() === smartContractAddress.toLowerCase());
  return new Map(found.map((address) => [address, { digest: text, text }]));
}

/** Removes members that are undefined. */
function present(scope: Scope): Scope {
  const { tx } = scope['eth'] as { readonly tx: Scope };
  return {
    eth: { tx: Object.fromEntries(Object.entries(tx).filter(([, of]) => of !== undefined)) },
  };
}

/**
 * Facts in which the code deviates from the vectors: if the stored interface names a function whose data
 * does not fit, an empty name would let a DENY on this function pass a call that some contracts execute.
 */
const unlikeVectors: Readonly<Record<string, readonly string[]>> = {
  'type 2, selector alone where arguments belong': ['function_name', 'function_signature'],
  'type 2, address argument with dirty upper bytes': ['function_name', 'function_signature'],
};

for (const vector of vectors) {
  test(`${vector.name}: policies see its contents`, () => {
    const { tx } = vector.facts['eth'] as { readonly tx: JsonObject };
    const expected = readStruct(
      'Condition',
      { eth: { tx: { ...tx, ...vector.extension } } },
      '',
      otherBitcoinSpellings,
    );
    const absent = unlikeVectors[vector.name] ?? [];
    assert.ok(absent.every((name) => tx[name] === ''));
    const facts = factsOf(vector);
    const { tx: got } = facts['eth'] as { readonly tx: Scope };
    assert.ok(absent.every((name) => got[name] === undefined));
    const emptied = Object.fromEntries(absent.map((name) => [name, '']));
    assert.deepEqual(present({ eth: { tx: { ...got, ...emptied } } }), expected);
  });
}

type Policy = {
  readonly name: string;
  readonly condition: string;
  readonly cases: readonly {
    readonly chain: string;
    readonly vector: string;
    readonly expected: 'applies' | 'does_not_apply' | 'fails';
    readonly code?: string;
  }[];
};

const cases = readVectors<Policy>('policies').flatMap(({ name, condition, cases }) =>
  cases
    .filter(({ chain }) => chain === 'ethereum')
    .map((expected) => ({ name, condition, ...expected })),
);

test('some policies are on Ethereum', () => assert.equal(cases.length, 67));

for (const { name, condition, vector: vectorName, expected, code } of cases) {
  test(`${name}, ${vectorName}: ${expected}`, () => {
    const vector = vectors.find((each) => each.name === vectorName);
    assert.ok(vector !== undefined);
    const scope = factsOf(vector);
    const outcome = compileClause('condition', condition).evaluate(scope);
    if ('failure' in outcome) {
      assert.equal(expected, 'fails');
      assert.equal(outcome.failure.code, code);
    } else {
      assert.equal(expected, outcome.value ? 'applies' : 'does_not_apply');
    }
  });
}

const nft = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';
const nftAbi = JSON.stringify([
  functionOf(
    'safeTransferFrom',
    ['from', 'address'],
    ['to', 'address'],
    ['id', 'uint256'],
    ['data', 'bytes'],
  ),
  functionOf('setApprovalForAll', ['operator', 'address'], ['approved', 'bool']),
  functionOf('name', ['text', 'string']),
  // Its selector is 0x81674500.
  functionOf('sweep290'),
]);

function functionOf(name: string, ...inputs: readonly (readonly [string, string])[]) {
  return {
    type: 'function',
    name,
    inputs: inputs.map(([argument, type]) => ({ name: argument, type })),
  };
}

/** Returns the facts of a call of `nft`. */
function factsOfCall(data: string): Scope {
  const [vector] = vectors;
  assert.ok(vector !== undefined);
  const account = accountOf(vector);
  const unsigned = serializeTransaction({
    ...({ type: 'eip1559', chainId: 1, to: nft, gas: 90_000n, maxFeePerGas: 1n } as const),
    data: `0x${data}`,
  });
  const transaction = ethereumKind.format.read(Uint8Array.fromHex(unsigned.slice(2)), account);
  const called = ethereumKind.contracts(transaction).filter((address) => address === nft);
  const interfaces = new Map(called.map((at) => [at, { digest: nftAbi, text: nftAbi }] as const));
  return ethereumKind.facts(transaction, account, interfaces);
}

/** Returns the outcomes of a DENY and an ALLOW with this condition for a call. */
function decided(condition: string, data: string) {
  const scope = factsOfCall(data);
  const ofAllow = compileClause('condition', condition).evaluate(scope);
  const ofDeny = compileClause('condition', condition).evaluate(scope, undefined, 'three_valued');
  const isOdd = 'failure' in ofDeny && ofDeny.failure.code !== 'namespace_absent';
  return {
    allows: 'value' in ofAllow && ofAllow.value,
    denies: isOdd || ('value' in ofDeny && ofDeny.value),
  };
}

const word = (value: bigint) => value.toString(16).padStart(64, '0');
const safeTransfer = `b88d4fde${word(1n)}${word(2n)}${word(3n)}`;

const executedAnyhow: Readonly<Record<string, string>> = {
  'data that is not filled up': `${safeTransfer}${word(128n)}${word(2n)}abcd`,
  'data without a byte to fill up': `${safeTransfer}${word(128n)}${word(0n)}`,
  'data whose length stands in the number before': `${safeTransfer}${word(64n)}abcdef`,
  'bytes after the arguments': `${safeTransfer}${word(128n)}${word(0n)}abcd`,
  'data that lies behind other bytes': `${safeTransfer}${word(161n)}${word(0n)}ff${word(2n)}abcd`,
  'data that is filled up with others': `${safeTransfer}${word(128n)}${word(1n)}${'ab'.repeat(32)}`,
  'an address with dirty upper bytes': `b88d4fde${'f'.repeat(24)}${word(1n).slice(24)}${safeTransfer.slice(72)}${word(128n)}${word(0n)}`,
  'an offset that is cut off': safeTransfer,
  'an offset of many bytes': `${safeTransfer}${word(2n ** 64n - 1n)}`,
};

for (const [what, data] of Object.entries(executedAnyhow)) {
  test(`${what} does not hide the function from a DENY`, () => {
    assert.ok(decided("eth.tx.function_name == 'safeTransferFrom'", data).denies);
    assert.ok(decided("eth.tx.function_signature == '0xb88d4fde'", data).denies);
    assert.ok(decided("eth.tx.contract_call_args['id'] == 3", data).denies);
    assert.ok(!decided("eth.tx.function_name != 'safeTransferFrom'", data).allows);
  });
}

const undecoded: Readonly<Record<string, string>> = {
  'a bool of 2': `a22cb465${word(1n)}${word(2n)}`,
  'a bool with upper bytes': `a22cb465${word(1n)}${word(257n)}`,
  'text that is no UTF-8': `${toFunctionSelector('name(string)').slice(2)}${word(32n)}${word(1n)}ff`,
};

for (const [what, data] of Object.entries(undecoded)) {
  test(`${what}: every clause on the function and its arguments fails`, () => {
    for (const condition of [
      "eth.tx.function_name == 'other'",
      "eth.tx.function_name != 'other'",
      "eth.tx.function_signature != '0x00000000'",
      "eth.tx.contract_call_args['approved'] != true",
      "eth.tx.function_name in ['setApprovalForAll', 'name']",
    ]) {
      assert.deepEqual(decided(condition, data), { allows: false, denies: true }, condition);
    }
  });
}

test('a selector without trailing zeros does not hide the function from a DENY', () => {
  // Contracts of old compilers read a whole first word, padded with zeros behind the data.
  assert.ok(decided("eth.tx.function_name == 'sweep290'", '81674500').allows);
  assert.deepEqual(decided("eth.tx.function_name == 'sweep290'", '816745'), {
    allows: false,
    denies: true,
  });
  assert.ok(!decided("eth.tx.function_name == ''", '816745').allows);
  for (const other of ['8167', '816746', '']) {
    assert.ok(decided("eth.tx.function_name == ''", other).allows, other);
  }
});

test('data without padding is decoded like contracts do', () => {
  const data = executedAnyhow['data that is not filled up'] ?? '';
  const exact =
    "eth.tx.function_name == 'safeTransferFrom' && eth.tx.contract_call_args['data'] == '0xabcd'";
  assert.ok(decided(exact, data).allows);
});

test('a function outside of the stored interface has an empty name', () => {
  assert.deepEqual(decided("eth.tx.function_name == ''", '12345678'), {
    allows: true,
    denies: true,
  });
});
