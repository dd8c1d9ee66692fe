import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfHex } from '../../../src/core/base/bytes.ts';
import type { TempoTransaction } from '../../../src/core/chains/tempo/transaction.ts';
import { writeTempo } from '../../../src/core/chains/tempo/write.ts';
import { UnreadableTransaction } from '../../../src/core/chains/unreadable.ts';
import { tempoKind } from '../../../src/core/transactions/tempo/index.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../support/transaction_vectors.ts';
import { told } from './tempo_told.ts';

const vectors = readVectors<TransactionVector>('tempo');
const [firstVector] = vectors;
assert.ok(firstVector !== undefined);
const account = accountOf(firstVector);
const plain = read(vectorBytes(firstVector.unsignedTransaction));
const token = '0x20C0000000000000000000000000000000000001';
const receiver = '0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA';

for (const vector of vectors) {
  test(`${vector.name}: explained`, () => {
    const transaction = read(vectorBytes(vector.unsignedTransaction));
    const { summary, effects, fee, warnings } = explain(transaction);
    assert.deepEqual(
      {
        summary,
        effects: effects.map(({ text }) => text),
        fee: fee?.text,
        warnings: warnings.map(({ code, text }) => [code, text]),
      },
      told[vector.name],
    );
  });
}

test('every explanation belongs to a vector', () => {
  assert.deepEqual(
    Object.keys(told),
    vectors.map(({ name }) => name),
  );
});

test('effects name addresses, amounts and assets', () => {
  const [call, transfer] = explain(plain).effects;
  assert.deepEqual(call, {
    kind: 'CALL',
    text: `${account.address} calls the contract ${token} with data that looks like transfer(address,uint256).`,
    from: account.address,
    contract: token,
  });
  assert.deepEqual(transfer, {
    kind: 'TOKEN_TRANSFER',
    text: `If ${token} is a token, 1000000 of its units go from ${account.address} to ${receiver}.`,
    from: account.address,
    to: receiver,
    amount: '1000000',
    asset: token,
    contract: token,
  });
  assert.deepEqual(explain(plain).fee, {
    maximum: '2400000000000000',
    asset: 'USD',
    text: 'At most 0.0024 dollars, in the usual fee token of the account.',
  });
});

test('a fee payer who already signed is named, without a fee for the account', () => {
  const { fee, warnings } = explain(changed({ feePayer: { yParity: 1n, r: 7n, s: 8n } }));
  assert.equal(fee, undefined);
  assert.deepEqual(warnings.at(-1), {
    code: 'FEE_PAYER_IS_ANOTHER',
    text: 'Another account pays the fee, at most 0.0024 dollars, and chooses the token for it.',
  });
});

test('a fee of ten dollars or more is warned of, unless another account pays', () => {
  const codes = (changes: Partial<TempoTransaction>) =>
    explain(changed({ gas: 10n, maxPriorityFeePerGas: 0n, ...changes })).warnings.map(
      ({ code }) => code,
    );
  const dollar = 10n ** 18n;
  assert(codes({ maxFeePerGas: dollar }).includes('HIGH_FEE'));
  assert(!codes({ maxFeePerGas: dollar - 1n }).includes('HIGH_FEE'));
  const paid = { feePayer: 'unsigned', feeToken: new Uint8Array(0) } as const;
  assert(!codes({ maxFeePerGas: dollar, ...paid }).includes('HIGH_FEE'));
});

test('a validity with one bound shows this bound', () => {
  const last = (changes: Partial<TempoTransaction>) =>
    explain(changed(changes)).effects.at(-1)?.text;
  assert.equal(last({ validBefore: 1n }), 'It is valid before 1970-01-01T00:00:01Z.');
  assert.equal(last({ validAfter: 1n }), 'It is valid after 1970-01-01T00:00:01Z.');
});

test('an unlimited allowance anywhere in a batch is the first warning, and each warning appears once', () => {
  const approve = { to: addressBytes(token), input: callData('095ea7b3', receiver, 2n ** 128n) };
  const { summary, warnings } = explain(
    changed({ calls: [...plain.calls, ...plain.calls, approve] }),
  );
  assert.equal(summary, `${account.address} makes 3 calls, all or none of them.`);
  assert.deepEqual(
    warnings.map(({ code, text }) => [code, text]),
    [
      [
        'UNLIMITED_APPROVAL',
        `If ${token} is a token, ${receiver} may spend all that the owner ever has of it.`,
      ],
      ['UNKNOWN_CONTRACT', `The transaction does not prove that ${token} is a token.`],
    ],
  );
});

test('calls that resemble token transfers count as transfers, with and without a memo', () => {
  const transfers = (changes: Partial<TempoTransaction>) =>
    tempoKind.transfers(changed(changes), account);
  const expected = { token, from: account.address, to: receiver, amount: 1_000_000n };
  assert.deepEqual(transfers({}), [expected]);
  const memo = '00'.repeat(32);
  const withMemo = bytesOfHex(`95777d59${callData('', receiver, 1_000_000n).toHex()}${memo}`);
  assert.ok(withMemo !== undefined);
  assert.deepEqual(transfers({ calls: [{ to: addressBytes(token), input: withMemo }] }), [
    expected,
  ]);
  const created = [{ to: new Uint8Array(0), input: callData('a9059cbb', receiver, 1n) }];
  assert.deepEqual(transfers({ calls: created }), []);
  const approval = [{ to: addressBytes(token), input: callData('095ea7b3', receiver, 1n) }];
  assert.deepEqual(transfers({ calls: approval }), [{ ...expected, amount: 1n }]);
  assert.equal(tempoKind.chain(plain, account), 'eip155:42431');
  assert.deepEqual(tempoKind.contracts(plain), []);
});

/** Values that RLP allows but Tempo does not, or that a signature would not cover. */
const refused: readonly (readonly [Partial<TempoTransaction>, string])[] = [
  [{ chainId: 0n }, 'chainId: expected at least 1'],
  [{ maxFeePerGas: 1n }, 'maxPriorityFeePerGas: expected at most maxFeePerGas'],
  [{ validBefore: 5n, validAfter: 5n }, 'validBefore: expected more than validAfter'],
  [
    { feePayer: 'unsigned', feeToken: addressBytes(token) },
    'feeToken: expected none where another pays the fee',
  ],
  [{ feePayer: { yParity: 2n, r: 1n, s: 1n } }, 'feePayer.yParity: expected 0 or 1'],
  [{ feePayer: { yParity: 0n, r: 0n, s: 1n } }, 'feePayer.r: expected an integer above 0'],
  [{ feePayer: { yParity: 0n, r: 1n, s: 0n } }, 'feePayer.s: expected an integer above 0'],
  [{ gas: 2n ** 64n }, 'gas: expected an integer of at most 8 bytes, got 9 bytes'],
  [{ calls: Array(33).fill(plain.calls[0]) }, 'calls: expected at most 32 items'],
];

for (const [changes, message] of refused) {
  test(`refused: ${message}`, () => {
    assert.throws(
      () => changed(changes),
      (error) => error instanceof UnreadableTransaction && error.message === message,
    );
  });
}

test('the maximum number of calls that nodes accept is read', () => {
  assert.equal(changed({ calls: Array(32).fill(plain.calls[0]) }).calls.length, 32);
});

function read(bytes: Uint8Array): TempoTransaction {
  return tempoKind.format.read(bytes, account);
}

function changed(changes: Partial<TempoTransaction>): TempoTransaction {
  return read(writeTempo({ ...plain, ...changes }));
}

function explain(transaction: TempoTransaction) {
  return tempoKind.explain(transaction, account, new Map());
}

function addressBytes(address: string): Uint8Array {
  return vectorBytes(address.slice(2));
}

function callData(selector: string, address: string, amount: bigint): Uint8Array {
  const words = [address.slice(2), amount.toString(16)].map((word) => word.padStart(64, '0'));
  return vectorBytes(selector + words.join(''));
}
