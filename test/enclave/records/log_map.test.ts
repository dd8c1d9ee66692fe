// Pages of the map: their root, their proofs, and restored older pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import {
  emptyMapRoot,
  isMapped,
  type MapPage,
  type MapValue,
  mapKey,
  readMapEntry,
  textOfMapEntry,
} from '../../../src/core/log/map.ts';
import { growMap, readMapPath } from '../../../src/enclave/records/log_map.ts';
import { RecordRefusedError } from '../../../src/enclave/records/record_codec.ts';

const empty = emptyMapRoot(sha256).toHex();
const idAt = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const valueAt = (n: number, version = 1): MapValue => ({
  organizationId: idAt(n),
  version,
  head: '11'.repeat(32),
  entries: version,
  last: '22'.repeat(32),
});

function createPages() {
  const stored = new Map<string, MapPage>();
  let reads = 0;
  const rows = {
    mapPages: async (paths: readonly string[]) => {
      reads += 1;
      const found = paths.flatMap((path) => {
        const page = stored.get(path);
        return page === undefined ? [] : [[path, page] as const];
      });
      return new Map(found);
    },
  };
  const put = async (root: string, values: readonly MapValue[]) => {
    const map = await growMap(
      rows,
      root,
      values.map((value) => value.organizationId),
    );
    for (const value of values) map.put(value);
    const finished = map.finish();
    for (const [path, page] of finished.pages) stored.set(path, page);
    return finished;
  };
  return { stored, rows, put, reads: () => reads };
}

test('the root depends only on the organizations, not on their order or batches', async () => {
  const count = 600;
  const all = Array.from({ length: count }, (_, n) => valueAt(n));
  const together = (await createPages().put(empty, all)).root;
  const { put } = createPages();
  let root = empty;
  for (let n = count - 1; n >= 0; n -= 30) {
    root = (await put(root, all.slice(Math.max(0, n - 29), n + 1).toReversed())).root;
  }
  assert.equal(root, together);
  const changed = (await put(root, [valueAt(7, 2)])).root;
  assert.notEqual(changed, together);
  assert.equal((await put(changed, [valueAt(7)])).root, together);
});

test('each organization has a proof, which proves no other value, organization or root', async () => {
  const { put, rows } = createPages();
  const all = Array.from({ length: 300 }, (_, n) => valueAt(n));
  const root = (await put(empty, all)).root;
  const bytes = Uint8Array.fromHex(root);
  for (const value of all) {
    const { value: found, pages } = await readMapPath(rows, root, value.organizationId);
    assert.deepEqual(found, value);
    const shown = { root: bytes, value, pages };
    assert.ok(isMapped(sha256, shown));
    assert.ok(!isMapped(sha256, { ...shown, value: { ...value, entries: 2 } }));
    assert.ok(!isMapped(sha256, { ...shown, value: { ...value, organizationId: idAt(999) } }));
    assert.ok(!isMapped(sha256, { ...shown, root: bytes.toReversed() }));
    assert.ok(!isMapped(sha256, { ...shown, pages: pages.slice(0, -1) }));
    assert.ok(!isMapped(sha256, { ...shown, pages: [...pages, ...pages] }));
  }
  assert.equal((await readMapPath(rows, root, idAt(1_000))).value, undefined);
  assert.equal((await readMapPath(createPages().rows, empty, idAt(1))).value, undefined);
});

test('a restored older page or a withheld page is refused by name', async () => {
  const { put, rows, stored } = createPages();
  const all = Array.from({ length: 100 }, (_, n) => valueAt(n));
  const older = (await put(empty, all)).root;
  const before = new Map(stored);
  const { root, pages } = await put(older, [valueAt(5, 2)]);
  const path = mapKey(sha256, idAt(5));
  assert.ok(pages.size >= 2 && [...pages.keys()].every((each) => path.startsWith(each)));
  for (const name of pages.keys()) {
    const newest = stored.get(name);
    assert.ok(newest);
    const old = before.get(name);
    for (const put of old === undefined ? [undefined] : [old, undefined]) {
      if (put === undefined) stored.delete(name);
      else stored.set(name, put);
      const isNamed = (error: unknown) =>
        error instanceof RecordRefusedError && error.place.id === `/${name}`;
      await assert.rejects(readMapPath(rows, root, idAt(5)), isNamed);
      await assert.rejects(growMap(rows, root, [idAt(5)]), isNamed);
    }
    stored.set(name, newest);
  }
  assert.equal((await readMapPath(rows, root, idAt(5))).value?.version, 2);
});

test('a batch reads and writes only the pages on its paths', async () => {
  const { put, reads } = createPages();
  const all = Array.from({ length: 4_096 }, (_, n) => valueAt(n));
  const { root } = await put(empty, all);
  const before = reads();
  const { pages } = await put(root, [valueAt(1, 2)]);
  // 16^3 organizations are three or four pages deep; a few share more digits.
  assert.ok(pages.size <= 6, `${pages.size} pages`);
  assert.ok(reads() - before <= 6, `${reads() - before} reads`);
});

test('the entry of a root is read back', () => {
  const root = sha256(Uint8Array.of(1));
  assert.deepEqual(readMapEntry(textOfMapEntry(root)), root);
  assert.equal(readMapEntry(`${textOfMapEntry(root)}\n`), undefined);
});
