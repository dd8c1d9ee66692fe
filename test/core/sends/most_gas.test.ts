// The maximum gas of a transaction, by EIP-7825.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { mostGas, requireNoMoreGas } from '../../../src/core/sends/most_gas.ts';

const field = 'parameters.gasLimit';

test('Ethereum and its test chains accept 16,777,216 gas, and other chains are not bounded', () => {
  for (const chainId of [1n, 17_000n, 560_048n, 11_155_111n]) {
    assert.equal(mostGas(chainId), 16_777_216n);
    requireNoMoreGas(16_777_216n, chainId, field);
  }
  assert.equal(mostGas(8_453n), undefined);
  requireNoMoreGas(30_000_000n, 8_453n, field);
});

test('more gas is refused with the expected and the given number', () => {
  assert.throws(
    () => requireNoMoreGas(16_777_217n, 1n, field),
    (error) =>
      error instanceof ServiceError &&
      error.fieldViolations[0]?.field === field &&
      /expected 16777216 gas or less, .* got 16777217$/.test(error.fieldViolations[0].description),
  );
});
