import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeErrorResult, parseAbi } from 'viem';
import { revertOf } from '../../../src/core/sends/revert.ts';

const address = `0x${'12'.repeat(20)}`;
const abi = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error Full(uint256)']);

test('Solidity errors are shown in their own words', () => {
  const text = encodeErrorResult({ abi, errorName: 'Error', args: ['too late'] });
  assert.deepEqual(revertOf(address, text), {
    address,
    errorType: 'native',
    displayMessage: 'too late',
    native: { nativeType: 'error_string', message: 'too late' },
  });
  const panic = encodeErrorResult({ abi, errorName: 'Panic', args: [0x11n] });
  assert.deepEqual(revertOf(address, panic).native, {
    nativeType: 'panic',
    message: 'panic 0x11',
    panicCode: '0x11',
  });
  assert.equal(revertOf(address, '').native?.nativeType, 'execution_reverted');
  const custom = encodeErrorResult({ abi, errorName: 'Full', args: [5n] });
  assert.deepEqual(revertOf(address, custom).unknown, {
    selector: custom.slice(0, 10),
    data: custom,
  });
});

test('any revert data is shown in printable characters of bounded length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4_096 }), fc.boolean(), (bytes, isError) => {
      const data = `0x${isError ? '08c379a0' : ''}${Buffer.from(bytes).toString('hex')}`;
      const { displayMessage } = revertOf(address, data);
      assert.match(displayMessage, /^[ -~]{0,512}$/);
      assert(JSON.stringify(revertOf(address, data)).length < 4_096);
    }),
  );
});
