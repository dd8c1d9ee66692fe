import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  hashAuthorization,
  maxAuthorizationLength,
  readAuthorization,
} from '../../../src/core/payload/eip7702.ts';
import { doneOrRefused, refuses } from './refusals.ts';

const path = 'parameters.payload';
const good = { address: `0x${'Ab'.repeat(20)}`, chainId: 1, nonce: 0 };
const read = (authorization: unknown) => readAuthorization(JSON.stringify(authorization), path);

test('an authorization is read with its integers in every spelling', () => {
  for (const [written, value] of [
    [255, 255n],
    ['255', 255n],
    ['0xff', 255n],
    ['0x00FF', 255n],
    [Number.MAX_SAFE_INTEGER, 9007199254740991n],
    ['18446744073709551615', 18446744073709551615n],
  ] as const) {
    const { chainId, nonce } = read({ ...good, chainId: written, nonce: written });
    assert.deepEqual({ chainId, nonce }, { chainId: value, nonce: value });
  }
  assert.equal(read({ ...good, chainId: `0x${'f'.repeat(64)}` }).chainId, 2n ** 256n - 1n);
  assert.deepEqual(read(good).address, new Uint8Array(20).fill(0xab));
});

test('an invalid authorization is refused with its member', () => {
  const cases: [unknown, string, RegExp][] = [
    [[], path, /expected a JSON object, got an array/],
    [null, path, /expected a JSON object, got null/],
    ['0x', path, /expected a JSON object, got a string/],
    [{ chainId: 1, nonce: 0 }, `${path}.address`, /missing/],
    [{ address: good.address, nonce: 0 }, `${path}.chainId`, /missing/],
    [{ address: good.address, chainId: 1 }, `${path}.nonce`, /missing/],
    [{ ...good, contractAddress: good.address }, path, /unknown member `contractAddress`/],
    [{ ...good, address: good.address.slice(2) }, `${path}.address`, /after `0x`/],
    [{ ...good, address: `${good.address}00` }, `${path}.address`, /expected 20 bytes, got 21/],
    [{ ...good, address: 7 }, `${path}.address`, /expected a string of .* got a number/],
    [{ ...good, chainId: -1 }, `${path}.chainId`, /out of range for uint256/],
    [{ ...good, chainId: `0x1${'0'.repeat(64)}` }, `${path}.chainId`, /at most 256 bits/],
    [{ ...good, nonce: '18446744073709551616' }, `${path}.nonce`, /out of range for uint64/],
    [{ ...good, nonce: 1.5 }, `${path}.nonce`, /fraction/],
    [{ ...good, nonce: 2 ** 53 }, `${path}.nonce`, /beyond 2\^53 - 1/],
    [{ ...good, nonce: null }, `${path}.nonce`, /got null/],
    [{ ...good, nonce: '' }, `${path}.nonce`, /decimal digits/],
    [{ ...good, nonce: ' 1' }, `${path}.nonce`, /decimal digits/],
  ];
  for (const [authorization, field, reason] of cases) {
    refuses(() => read(authorization), field, reason, JSON.stringify(authorization));
  }
  refuses(() => readAuthorization('{', path), path, /expected JSON/);
  const padded = JSON.stringify(good).padEnd(maxAuthorizationLength + 1);
  refuses(() => readAuthorization(padded, path), path, /at most 1024 characters, got 1025/);
});

test('any JSON, and an authorization with anything in it, is read or refused', () => {
  const member = fc.constantFrom('address', 'chainId', 'nonce', '__proto__', 'extra');
  fc.assert(
    fc.property(member, fc.jsonValue({ maxDepth: 2 }), (name, value) => {
      doneOrRefused(() => hashAuthorization(read(value)));
      const changed = Object.fromEntries([...Object.entries(good), [name, value]]);
      doneOrRefused(() => hashAuthorization(read(changed)));
    }),
  );
});
