// EIP-712: vectors, and random types and values against ethers and viem.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TypedDataEncoder } from 'ethers';
import fc from 'fast-check';
import { hashTypedData as hashWithViem } from 'viem';
import { hex } from '../../src/core/base/bytes.ts';
import { hashTypedData, readTypedData, typedDataHashes } from '../../src/core/payload/eip712.ts';
import { encodeType } from '../../src/core/payload/eip712_types.ts';
import {
  type Member,
  type RandomTypedData,
  randomTypedData,
} from '../core/payload/random_typed_data.ts';
import { readVectors } from './vector_files.ts';

type Vector = {
  name: string;
  payloads: Record<'ethers' | 'viem' | 'withoutDomainType', string>;
  encodeType: string;
  domainSeparator: string;
  structHash: string;
  digest: string;
};

const { eip712: vectors } = readVectors<{ eip712: Vector[] }>('signing.json');

test('EIP-712: there are vectors', () => assert.equal(vectors.length, 12));

for (const vector of vectors) {
  for (const [writer, payload] of Object.entries(vector.payloads)) {
    // Clients that remove the members of a domain write the same text (test/e2e/viem.test.ts).
    if (vector.name === 'empty domain' && writer === 'withoutDomainType') continue;
    test(`EIP-712: ${vector.name}, as ${writer} writes it`, () => {
      const data = readTypedData(payload, 'parameters.payload');
      assert.equal(encodeType(data.primaryType, data.types), vector.encodeType);
      const { domain, message, signed } = typedDataHashes(data);
      assert.equal(hex(domain), vector.domainSeparator);
      assert.equal(hex(message), vector.structHash);
      assert.equal(hex(signed), vector.digest);
    });
  }
}

test('EIP-712: an empty domain whose type is not declared is refused', () => {
  const text = vectors.find(({ name }) => name === 'empty domain')?.payloads.withoutDomainType;
  assert.ok(text !== undefined);
  assert.throws(() => readTypedData(text, 'parameters.payload'), /types has no EIP712Domain/);
});

test('EIP-712: random typed data hashes as in ethers and viem', () => {
  fc.assert(
    fc.property(randomTypedData, fc.boolean(), (random, declaresDomain) => {
      const { types, domainType, primaryType, written, values } = random;
      const digest = digestOf({
        types:
          declaresDomain || domainType.length === 0
            ? { ...types, EIP712Domain: domainType }
            : types,
        primaryType,
        ...written,
      });
      assert.equal(digest, TypedDataEncoder.hash(values.domain, types, values.message));
      assert.equal(digest, digestWithViem(random));
    }),
    { numRuns: 300 },
  );
});

test('EIP-712: recursion through arrays hashes as in viem', () => {
  type Tree = { label: string; children: Tree[] };
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.record({
      label: fc.string({ maxLength: 4 }),
      children: fc.oneof(
        { depthSize: 'small' },
        fc.constant<Tree[]>([]),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }),
  }));
  const types = {
    Tree: [
      { name: 'label', type: 'string' },
      { name: 'children', type: 'Tree[]' },
    ],
  };
  fc.assert(
    fc.property(tree, (message) => {
      const declared = { ...types, EIP712Domain: [] };
      const data = { types: declared, primaryType: 'Tree', domain: {}, message };
      assert.equal(digestOf(data), hashWithViem({ ...data, primaryType: 'Tree' }));
    }),
  );
});

function digestOf(typedData: object): string {
  return `0x${hex(hashTypedData(readTypedData(JSON.stringify(typedData), 'parameters.payload')))}`;
}

function digestWithViem({ types, domainType, primaryType, values }: RandomTypedData): string {
  const withDomain: Record<string, Member[]> = { ...types, EIP712Domain: domainType };
  return hashWithViem({ types: withDomain, primaryType, ...values });
}
