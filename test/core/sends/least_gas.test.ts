// The minimum gas of a transaction, by the numbers of EIP-2028, 2930, 3860, 7623 and 7702.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { leastGas, requireGas } from '../../../src/core/sends/least_gas.ts';

const to = new Uint8Array(20).fill(1);
const bytes = (zeros: number, others: number) =>
  Uint8Array.of(...new Uint8Array(zeros), ...new Uint8Array(others).fill(255));
const none = bytes(0, 0);
const entry = (keys: number) => ({ storageKeys: Array.from({ length: keys }, () => none) });

test('a transfer takes 21,000 gas, and each token of call data at least ten', () => {
  assert.equal(leastGas({ to, data: none }), 21_000n);
  assert.equal(leastGas({ to, data: bytes(1, 0) }), 21_010n);
  assert.equal(leastGas({ to, data: bytes(0, 1) }), 21_040n);
  // `transfer(address,uint256)` with 12 and 31 zeros in its arguments.
  assert.equal(leastGas({ to, data: bytes(43, 25) }), 21_000n + 10n * 143n);
});

test('lists and authorizations add to four gas per token, and the higher rule applies', () => {
  const data = bytes(0, 100);
  assert.equal(leastGas({ to, data }), 21_000n + 4_000n);
  assert.equal(leastGas({ to, data, accessList: [entry(0)] }), 21_000n + 1_600n + 2_400n);
  assert.equal(
    leastGas({ to, data, accessList: [entry(2), entry(1)] }),
    21_000n + 1_600n + 2n * 2_400n + 3n * 1_900n,
  );
  assert.equal(leastGas({ to, data, authorizationList: [{}, {}] }), 21_000n + 1_600n + 50_000n);
  assert.equal(
    leastGas({ to, data: bytes(0, 2_000), authorizationList: [{}] }),
    21_000n + 80_000n,
    'the floor of the call data is above both',
  );
});

test('a contract creation takes 32,000 gas, and two for each word of its code', () => {
  const noOne = none;
  assert.equal(leastGas({ to: noOne, data: none }), 53_000n);
  assert.equal(leastGas({ to: noOne, data: bytes(0, 32) }), 53_000n + 4n * 128n + 2n);
  assert.equal(leastGas({ to: noOne, data: bytes(0, 33) }), 53_000n + 4n * 132n + 4n);
});

test('less gas is refused with the expected and the given number', () => {
  requireGas(21_000n, 21_000n, 'parameters.gasLimit');
  assert.throws(
    () => requireGas(20_999n, 21_000n, 'parameters.gasLimit'),
    (error) =>
      error instanceof ServiceError &&
      error.fieldViolations[0]?.field === 'parameters.gasLimit' &&
      /expected 21000 gas or more, .* got 20999$/.test(error.fieldViolations[0].description),
  );
});
