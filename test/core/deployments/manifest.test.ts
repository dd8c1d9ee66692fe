import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import {
  type DeploymentManifest,
  encodeManifest,
  manifestDigest,
  manifestText,
} from '../../../src/core/deployments/manifest.ts';
import { manifestForm, Reader } from './borsh.ts';

const keyOf = (byte: number): string => Buffer.alloc(33, byte).toString('hex');
const pcrOf = (byte: number): string => Buffer.alloc(48, byte).toString('hex');

/** The bytes with which QuorumOS tests that its encoding is stable (qos_core 0.13, `stable_manifest`). */
const published: DeploymentManifest = {
  namespace: { name: 'stable-namespace', nonce: 7, quorumKey: keyOf(1) },
  pivot: {
    hash: '02'.repeat(32),
    restart: 'Always',
    bridgeConfig: [],
    debugMode: false,
    args: ['--flag', 'value'],
  },
  manifestSet: {
    threshold: 2,
    members: [
      { alias: 'manifest-a', pubKey: keyOf(3) },
      { alias: 'manifest-b', pubKey: keyOf(4) },
    ],
  },
  shareSet: { threshold: 1, members: [{ alias: 'share-a', pubKey: keyOf(5) }] },
  enclave: {
    pcr0: pcrOf(6),
    pcr1: pcrOf(7),
    pcr2: pcrOf(8),
    pcr3: pcrOf(9),
    awsRootCertificate: hex(utf8('stable-aws-root')),
    qosCommit: 'stable-qos-commit',
  },
  patchSet: { threshold: 1, members: [{ pubKey: keyOf(10) }] },
};

test('a published manifest has its published length and digest', () => {
  assert.equal(encodeManifest(published).length, 581);
  const digest = '742855f098e7019ae4240d598eb43559bf50c7516191a4c97d492a38dab81944';
  assert.equal(hex(manifestDigest(published)), digest);
});

test('a published program has its published bytes within a manifest', () => {
  const pivot: DeploymentManifest['pivot'] = {
    ...published.pivot,
    bridgeConfig: [{ type: 'server', port: 3000, host: '127.0.0.1' }],
    debugMode: true,
  };
  const start = 4 + 'stable-namespace'.length + 4 + 4 + 33;
  const bytes = encodeManifest({ ...published, pivot }).subarray(start, start + 77);
  const digest = 'b0926ecb535f6113d439a83e6df930f6e87bf30bb29c142815ee2949390aa424';
  assert.equal(createHash('sha256').update(bytes).digest('hex'), digest);
});

const hexText = (constraints: fc.IntArrayConstraints) =>
  fc.uint8Array(constraints).map((bytes) => hex(bytes));
const anyText = fc.string({ unit: 'grapheme', maxLength: 30 });
const anyNumber = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const anyQuorum = fc.record({
  threshold: anyNumber,
  members: fc.array(fc.record({ alias: anyText, pubKey: hexText({ maxLength: 130 }) }), {
    maxLength: 4,
  }),
});
const anyManifest: fc.Arbitrary<DeploymentManifest> = fc.record({
  namespace: fc.record({ name: anyText, nonce: anyNumber, quorumKey: hexText({ maxLength: 130 }) }),
  pivot: fc.record({
    hash: hexText({ minLength: 32, maxLength: 32 }),
    restart: fc.constantFrom('Never', 'Always'),
    bridgeConfig: fc.array(
      fc.record({
        type: fc.constant('server' as const),
        port: fc.integer({ min: 0, max: 65_535 }),
        host: anyText,
      }),
      { maxLength: 3 },
    ),
    debugMode: fc.boolean(),
    args: fc.array(anyText, { maxLength: 4 }),
  }),
  manifestSet: anyQuorum,
  shareSet: anyQuorum,
  enclave: fc.record({
    pcr0: hexText({ maxLength: 48 }),
    pcr1: hexText({ maxLength: 48 }),
    pcr2: hexText({ maxLength: 48 }),
    pcr3: hexText({ maxLength: 48 }),
    awsRootCertificate: hexText({ maxLength: 60 }),
    qosCommit: anyText,
  }),
  patchSet: fc.record({
    threshold: anyNumber,
    members: fc.array(fc.record({ pubKey: hexText({ maxLength: 65 }) }), { maxLength: 3 }),
  }),
});

test('an encoded manifest is read back whole', () => {
  fc.assert(
    fc.property(anyManifest, (manifest) => {
      const reader = new Reader(encodeManifest(manifest));
      assert.deepEqual(manifestForm.read(reader), plain(manifest));
      assert.equal(reader.isAtEnd, true);
    }),
    { numRuns: 300 },
  );
});

test('the text and the encoding have the same content', () => {
  fc.assert(
    fc.property(anyManifest, (manifest) => {
      const bytes = manifestForm.write(JSON.parse(manifestText(manifest)));
      assert.equal(bytes.toString('hex'), hex(encodeManifest(manifest)));
      const digest = createHash('sha256').update(bytes).digest('hex');
      assert.equal(hex(manifestDigest(manifest)), digest);
    }),
    { numRuns: 300 },
  );
});

test('different manifests have different digests', () => {
  fc.assert(
    fc.property(anyManifest, anyManifest, (a, b) => {
      const isSame = manifestText(a) === manifestText(b);
      assert.equal(hex(manifestDigest(a)) === hex(manifestDigest(b)), isSame);
    }),
    { numRuns: 300 },
  );
});

test('a manifest with a number out of range is refused', () => {
  const nonce = 2 ** 32;
  const namespace = { ...published.namespace, nonce };
  assert.throws(() => encodeManifest({ ...published, namespace }), /a number fits/);
});

/** Removes the prototypes of generated values. */
const plain = (manifest: DeploymentManifest): unknown => JSON.parse(JSON.stringify(manifest));
