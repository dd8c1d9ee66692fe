// EIP-7702 authorizations: vectors, and random ones against viem and ethers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashAuthorization as hashWithEthers } from 'ethers';
import fc from 'fast-check';
import { hashAuthorization as hashWithViem } from 'viem/utils';
import { hex } from '../../src/core/base/bytes.ts';
import { hashAuthorization, readAuthorization } from '../../src/core/payload/eip7702.ts';
import { readVectors } from './vector_files.ts';

type Vector = {
  payload: string;
  authorization: { address: string; chainId: number; nonce: number };
  digest: string;
};

const { eip7702: vectors } = readVectors<{ eip7702: Vector[] }>('signing.json');

const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const address = fc.uint8Array({ minLength: 20, maxLength: 20 });

test('EIP-7702: every vector', () => {
  assert.equal(vectors.length, 6);
  for (const { payload, authorization: expected, digest } of vectors) {
    const authorization = readAuthorization(payload, 'parameters.payload');
    assert.equal(hex(hashAuthorization(authorization)), digest);
    assert.equal(hex(authorization.address), expected.address.slice(2).toLowerCase());
    assert.equal(authorization.chainId, BigInt(expected.chainId));
    assert.equal(authorization.nonce, BigInt(expected.nonce));
  }
});

test('EIP-7702: random authorizations hash as in ethers, however integers are written', () => {
  fc.assert(
    fc.property(address, uint256, uint64, fc.boolean(), (contract, chainId, nonce, asHex) => {
      const write = (value: bigint) => (asHex ? `0x${value.toString(16)}` : value.toString());
      const written = {
        address: `0x${hex(contract)}`,
        chainId: write(chainId),
        nonce: write(nonce),
      };
      const expected = hashWithEthers({ address: written.address, chainId, nonce });
      assert.equal(`0x${digestOf(written)}`, expected);
    }),
  );
});

test('EIP-7702: random authorizations with JSON numbers hash as in viem', () => {
  const safe = fc.nat({ max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(address, safe, safe, (contract, chainId, nonce) => {
      const authorization = { address: `0x${hex(contract)}` as const, chainId, nonce };
      assert.equal(`0x${digestOf(authorization)}`, hashWithViem(authorization));
    }),
  );
});

function digestOf(authorization: object): string {
  const read = readAuthorization(JSON.stringify(authorization), 'parameters.payload');
  return hex(hashAuthorization(read));
}
