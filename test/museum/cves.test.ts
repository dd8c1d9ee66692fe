// Faults with a CVE that no test elsewhere shows to be absent.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hex, utf8 } from '../../src/core/base/bytes.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { deterministicScalars } from '../../src/core/crypto/rfc6979.ts';
import { isIncluded, leafHash, nodeHash } from '../../src/core/log/inclusion.ts';
import { emptyFrontier, rootOf, withLeaf } from '../../src/core/log/tree.ts';
import {
  activityCount,
  bytesOf,
  der,
  p256Order,
  p256Signature,
  renameEnvelope,
  stampHeader,
} from '../pipeline/requests.ts';
import { readWycheproof } from '../standards/wycheproof_files.ts';
import { startTestService } from '../support/harness.ts';
import { knownFaults } from './faults.ts';

const isCve = (text: string): boolean => /^CVE-\d{4}-\d{4,}$/.test(text);

test('each CVE has one row, and there are at least 32', () => {
  const cves = knownFaults.map(({ report }) => report).filter(isCve);
  assert(cves.length >= 32, `${cves.length} rows`);
  assert.equal(new Set(cves).size, cves.length);
});

test('each CVE that Wycheproof names has vectors here, and a row', () => {
  type File = {
    readonly notes: Readonly<Record<string, { readonly cves?: readonly string[] }>>;
    readonly testGroups: readonly { readonly tests: readonly { readonly flags: string[] }[] }[];
  };
  const rows = new Set(knownFaults.map(({ report }) => report));
  const folder = join(import.meta.dirname, '..', 'vectors', 'wycheproof');
  let found = 0;
  for (const name of readdirSync(folder).filter((each) => each.endsWith('_test.json'))) {
    const file = readWycheproof(name.replace('_test.json', '')) as unknown as File;
    const flags = new Set(
      file.testGroups.flatMap(({ tests }) => tests.flatMap((each) => each.flags)),
    );
    for (const [flag, { cves = [] }] of Object.entries(file.notes)) {
      for (const cve of cves.filter(isCve)) {
        assert(rows.has(cve), `${cve} has no row`);
        assert(flags.has(flag), `${name} has no vector for ${cve}`);
        found += 1;
      }
    }
  }
  assert(found > 12, `${found} notes name a CVE`);
});

test('another encoding of a stamp repeats the request', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const body = bytesOf(renameEnvelope(service));
  const { r, s } = p256Signature(body, service.root.key);
  const send = (signature: Uint8Array) =>
    service.send('submit', 'update_organization_name', body, [
      stampHeader({
        publicKey: service.root.key.publicKey,
        scheme: 'SIGNATURE_SCHEME_TK_API_P256',
        signature: hex(signature),
      }),
    ]);
  const first = await send(der(r, s));
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const count = await activityCount(service);
  for (const other of [der(r, p256Order - s), der(r, s, 1)]) {
    const { status, body: answer } = await send(other);
    assert.equal(status, 200, JSON.stringify(answer));
    assert.equal(answer.activity.id, first.body.activity.id);
  }
  assert.equal(await activityCount(service), count);
});

test('a nonce with leading zeros gives the signature of another implementation', () => {
  const privateKey = sha256(utf8('a key with short nonces'));
  for (const [curve, noble] of [
    [curves.CURVE_P256, p256],
    [curves.CURVE_SECP256K1, secp256k1],
  ] as const) {
    const order = Uint8Array.fromHex(noble.Point.Fn.ORDER.toString(16).padStart(64, '0'));
    let short = 0;
    for (let index = 0; index < 600; index += 1) {
      const digest = sha256(utf8(`message ${index}`));
      const [nonce] = deterministicScalars(privateKey, digest, order, 1);
      if (nonce?.[0] === 0) short += 1;
      const { r, s } = curve.sign(privateKey, digest);
      const expected = noble.sign(digest, privateKey, { prehash: false, lowS: true });
      assert.equal(hex(r) + hex(s), hex(expected));
    }
    assert(short > 0, 'a nonce has leading zeros');
  }
});

/** Returns the root of a list of entries. */
function rootOfEntries(entries: readonly Uint8Array[]): Uint8Array {
  const add = (tree: typeof emptyFrontier, entry: Uint8Array) =>
    withLeaf(sha256, tree, leafHash(sha256, entry)).frontier;
  return rootOf(sha256, entries.reduce(add, emptyFrontier));
}

test('lists that repeat their last entries have different roots', () => {
  const entries = Array.from({ length: 12 }, (_, index) => Uint8Array.of(index));
  for (let size = 1; size <= entries.length; size += 1) {
    const list = entries.slice(0, size);
    for (let repeated = 1; repeated <= size; repeated += 1) {
      const longer = [...list, ...list.slice(-repeated)];
      assert.notDeepEqual(rootOfEntries(longer), rootOfEntries(list), `${repeated} of ${size}`);
    }
  }
});

test('an inner node of the log is no entry of it', () => {
  const leaves = ['a', 'b', 'c', 'd'].map((text) => leafHash(sha256, utf8(text)));
  const [a = utf8(''), b = a, c = a, d = a] = leaves;
  const [left, right] = [nodeHash(sha256, a, b), nodeHash(sha256, c, d)];
  const root = nodeHash(sha256, left, right);
  assert.deepEqual(root, rootOfEntries(['a', 'b', 'c', 'd'].map(utf8)));
  const asEntry = leafHash(sha256, Uint8Array.of(...a, ...b));
  const place = { index: 0, size: 2, root, proof: [right] };
  assert.equal(isIncluded(sha256, { leaf: asEntry, ...place }), false);
  // The hash of the node itself fits, so a verifier has to compute the hash of an entry.
  assert.equal(isIncluded(sha256, { leaf: left, ...place }), true);
});
