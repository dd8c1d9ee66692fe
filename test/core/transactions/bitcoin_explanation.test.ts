import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfHex } from '../../../src/core/base/bytes.ts';
import type {
  BitcoinTransaction,
  PlainTransaction,
  PsbtInput,
} from '../../../src/core/chains/bitcoin/transaction.ts';
import type { TransactionExplanation } from '../../../src/core/organization/records/transaction_explanation.ts';
import { bitcoinKind } from '../../../src/core/transactions/bitcoin/index.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../support/transaction_vectors.ts';
import { told } from './bitcoin_told.ts';

const vectors = readVectors<TransactionVector>('bitcoin');

for (const vector of vectors) {
  test(`${vector.name}: explained`, () => {
    const { summary, effects, fee, warnings } = explainVector(vector.name, {});
    const texts = {
      summary,
      effects: effects.map(({ text }) => text),
      fee: fee?.text,
      warnings: warnings.map(({ code, text }) => [code, text]),
    };
    assert.deepEqual(texts, told[vector.name]);
  });
}

test('every explanation belongs to a vector', () => {
  assert.deepEqual(
    Object.keys(told),
    vectors.map(({ name }) => name),
  );
});

const own = 'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3';
const ownScript = script('001487dee8919b73085a561dcaa52f7a3bb510b7f5a2');
const other = 'bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92';
const otherScript = script('0014108b4fabebc51d6ef5cb5598525b034c138c4021');
const single = 'p2wpkh, one input, mainnet';
const shared = 'p2wpkh and a foreign input';

test('effects name addresses, amounts and the asset', () => {
  const { effects, fee } = explainVector(single, {});
  const amounts = { from: own, asset: 'BTC' };
  assert.deepEqual(effects, [
    {
      kind: 'TRANSFER',
      text: `${own} sends 0.0005 BTC to ${other}.`,
      to: other,
      amount: '50000',
      ...amounts,
    },
    {
      kind: 'TRANSFER',
      text: `0.00049 BTC goes back to ${own}.`,
      to: own,
      amount: '49000',
      ...amounts,
    },
  ]);
  assert.deepEqual(fee, { maximum: '1000', asset: 'BTC', text: 'The fee is 0.00001 BTC.' });
});

test('a payment only to the own address is explained as such', () => {
  const { summary, warnings } = explainVector(single, {
    outputs: [{ value: 60_000n, script: ownScript }],
  });
  assert.equal(summary, `${own} sends 0.0006 BTC back to ${own}.`);
  assert.deepEqual(warnings, [
    {
      code: 'HIGH_FEE',
      text: 'The fee is more than a tenth of the amount that goes back to the address.',
    },
  ]);
});

test('an amount in an OP_RETURN output counts as destroyed', () => {
  const { effects, warnings, summary } = explainVector(single, {
    outputs: [{ value: 99_000n, script: script('6a0568656c6c6f') }],
  });
  assert.equal(summary, `${own} sends 0.00099 BTC to an output of data, which nobody can spend.`);
  assert.deepEqual(effects, [
    {
      kind: 'DATA',
      text: 'It publishes the script 6a0568656c6c6f with the text "hello" and destroys 0.00099 BTC.',
      from: own,
      amount: '99000',
      asset: 'BTC',
    },
  ]);
  assert.deepEqual(warnings, [
    {
      code: 'AMOUNT_DESTROYED',
      text: 'An output of data holds an amount that nobody can spend.',
    },
  ]);
});

test('a script without an address is shown, at most 80 bytes of it', () => {
  const texts = ['51', '', '52'.repeat(90)].map((text) => {
    const outputs = [{ value: 99_000n, script: script(text) }];
    return explainVector(single, { outputs }).effects[0]?.text;
  });
  assert.deepEqual(texts, [
    `${own} sends 0.00099 BTC to the script 51.`,
    `${own} sends 0.00099 BTC to the script of no bytes.`,
    `${own} sends 0.00099 BTC to the script ${'52'.repeat(80)}… of 90 bytes.`,
  ]);
});

test('a payment to a script without an address, or to a future kind of address, is warned of', () => {
  const warned = (text: string, value = 99_000n) =>
    explainVector(single, { outputs: [{ value, script: script(text) }] }).warnings.map(
      ({ code, text }) => `${code}: ${text}`,
    );
  assert.deepEqual(warned('51'), [
    'UNKNOWN_CONTRACT: 1 output pays to a script without an address, whose owner is unknown.',
  ]);
  const future = `5220${'07'.repeat(32)}`;
  assert.deepEqual(warned(future), [
    'AMOUNT_DESTROYED: Anyone may spend 1 output until the network has rules for this kind of address.',
  ]);
  const outputs = [{ value: 99_000n, script: script(future) }];
  const { effects } = explainVector(single, { outputs });
  assert.match(String(effects[0]?.text), / to bc1z\w+, from which anyone may spend today\.$/);
  // Without an amount only the fee is unusual.
  assert.deepEqual(
    warned('51', 0n).map((text) => text.split(':')[0]),
    ['HIGH_FEE'],
  );
});

test('the form of a signed message (BIP-322) is named, because it does not show the message', () => {
  const isOfNothing = (input: PsbtInput): PsbtInput =>
    input.spent === undefined ? input : { ...input, spent: { ...input.spent, value: 0n } };
  const outputs = [{ value: 0n, script: script('6a') }];
  const explainInputs = (change: (inputs: readonly PsbtInput[]) => readonly PsbtInput[]) =>
    explainTransaction(single, (transaction) => ({
      ...transaction,
      inputs: change(transaction.inputs),
      unsigned: { ...transaction.unsigned, outputs },
    }));
  const { summary, warnings } = explainInputs((inputs) => inputs.map(isOfNothing));
  assert.equal(summary, `${own} sends no bitcoin to any address.`);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['HASH_ONLY'],
  );
  // A transaction that pays everything as its fee has no such form, even beside a coin of no amount.
  const proven = (input: PsbtInput): PsbtInput =>
    input.spent === undefined ? input : { ...input, spent: { ...input.spent, isProven: true } };
  for (const burned of [
    explainInputs((inputs) => inputs),
    explainInputs((inputs) => [...inputs.map(isOfNothing), ...inputs].map(proven)),
  ]) {
    assert.deepEqual(
      burned.warnings.map(({ code }) => code),
      ['HIGH_FEE'],
    );
  }
});

test('published data is shown as text if all of it is text', () => {
  const textOf = (text: string) =>
    explainVector(single, { outputs: [{ value: 0n, script: script(text) }] }).effects[0]?.text;
  const words = '3d3a4554482e4554483a30783030';
  assert.match(String(textOf(`6a0e${words}`)), / with the text "=:ETH\.ETH:0x00"\.$/);
  assert.match(String(textOf(`6a4c0e${words}`)), / with the text "=:ETH\.ETH:0x00"\.$/);
  assert.match(String(textOf('6a0268690133')), / with the text "hi3"\.$/);
  for (const data of ['6a', '6a02ff00', '6a0568', '6a5d01', '6a4c', '6a0200 68'.replace(' ', '')]) {
    assert.equal(textOf(data), `It publishes the script ${data}.`);
  }
  // A script of a megabyte may push nothing a million times.
  assert.match(String(textOf(`6a${'00'.repeat(1_000_000)}016f`)), / with the text "o"\.$/);
});

test('outputs after the hundredth are summed', () => {
  const outputs = Array.from({ length: 103 }, (_, i) => ({
    value: 10n,
    script: i === 102 ? ownScript : otherScript,
  }));
  const { effects, summary, warnings } = explainVector(single, { outputs });
  assert.deepEqual(warnings[0], {
    code: 'UNKNOWN_PAYLOAD',
    text: '2 outputs of other addresses are not shown here.',
  });
  assert.equal(summary, `${own} sends 0.0000102 BTC to 102 outputs of other addresses.`);
  assert.equal(effects.length, 101);
  assert.deepEqual(effects[100], {
    kind: 'TRANSFER',
    text: '0.0000003 BTC goes to 3 more outputs, 2 of them to other addresses.',
    amount: '30',
    asset: 'BTC',
  });
});

test('a locktime is shown unless every input is final', () => {
  const textsOf = (sequence: number, locktime: number) =>
    locksOf({ locktime, version: 1 }, sequence);
  assert.deepEqual(textsOf(0xffffffff, 850_000), []);
  assert.deepEqual(textsOf(0xfffffffe, 499_999_999), [
    'It is valid only in blocks after block 499999999.',
  ]);
  assert.deepEqual(textsOf(0xfffffffe, 500_000_000), [
    'It is not valid before 1985-11-05T00:53:20Z.',
  ]);
});

test('BIP-68: relative locks are shown from version 2 on', () => {
  const textsOf = (version: number, sequence: number) => locksOf({ version }, sequence);
  const blocks = ['It is not valid until a coin that it spends is 144 blocks old.'];
  assert.deepEqual(textsOf(2, 144), blocks);
  assert.deepEqual(textsOf(1, 144), []);
  // Nodes compare the version as an unsigned number.
  assert.deepEqual(textsOf(-1, 144), blocks);
  assert.deepEqual(textsOf(2, 0x80000090), []);
  assert.deepEqual(textsOf(2, 0), []);
  assert.deepEqual(textsOf(2, 0x00400002), [
    'It is not valid until a coin that it spends is 1024 seconds old.',
  ]);
});

test('an unstated amount leaves the fee open', () => {
  const { fee, warnings } = explainTransaction(shared, (transaction) => {
    const [mine, theirs] = transaction.inputs;
    assert.ok(mine !== undefined && theirs !== undefined);
    const { spent: _, ...silent } = theirs;
    return { ...transaction, inputs: [mine, silent] };
  });
  assert.equal(fee, undefined);
  assert.deepEqual(warnings[0], {
    code: 'UNVERIFIED_AMOUNT',
    text: 'The PSBT leaves out the amount of 1 input. The fee is unknown until the PSBT has their previous transactions (non_witness_utxo).',
  });
});

test('amounts are certain if whole transactions prove those of other inputs', () => {
  const { fee, warnings } = explainTransaction(shared, (transaction) => ({
    ...transaction,
    inputs: transaction.inputs.map((input) =>
      input.isOurs || input.spent === undefined
        ? input
        : { ...input, spent: { ...input.spent, isProven: true } },
    ),
  }));
  assert.equal(fee?.text, 'The fee is 0.00005 BTC.');
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['OTHER_SIGNERS'],
  );
});

test('a fee of a tenth of the outputs is not high, one satoshi more is', () => {
  const codesOf = (value: bigint) =>
    explainVector(single, { outputs: [{ value, script: otherScript }] }).warnings.map(
      ({ code }) => code,
    );
  // The inputs sum to 100,000 satoshis.
  assert.deepEqual(codesOf(90_910n), []);
  assert.deepEqual(codesOf(90_909n), ['HIGH_FEE']);
});

function locksOf(changes: Partial<PlainTransaction>, sequence: number): readonly string[] {
  const { effects } = explainTransaction(single, (transaction) => {
    const inputs = transaction.unsigned.inputs.map((input) => ({ ...input, sequence }));
    return { ...transaction, unsigned: { ...transaction.unsigned, inputs, ...changes } };
  });
  return effects.filter(({ kind }) => kind === 'VALIDITY').map(({ text }) => text);
}

function explainVector(name: string, changes: Partial<PlainTransaction>): TransactionExplanation {
  return explainTransaction(name, (transaction) => ({
    ...transaction,
    unsigned: { ...transaction.unsigned, ...changes },
  }));
}

function explainTransaction(
  name: string,
  change: (transaction: BitcoinTransaction) => BitcoinTransaction,
): TransactionExplanation {
  const vector = vectors.find((each) => each.name === name);
  assert.ok(vector !== undefined);
  const account = accountOf(vector);
  const read = bitcoinKind.format.read(vectorBytes(vector.unsignedTransaction), account);
  return bitcoinKind.explain(change(read), account, new Map());
}

function script(text: string): Uint8Array {
  const bytes = bytesOfHex(text);
  assert.ok(bytes !== undefined);
  return bytes;
}
