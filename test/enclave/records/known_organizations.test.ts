// The cache of verified organizations holds the newest states, within a bound of bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrganizationHead, Tag } from '../../../src/core/organization/model.ts';
import { createDraft, newOrganizationState } from '../../../src/core/organization/state.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../../src/enclave/keys/sealing.ts';
import {
  createChangeWriter,
  type LoadedOrganization,
} from '../../../src/enclave/records/change_writer.ts';
import {
  createKnownOrganizations,
  maximumCachedBytes,
} from '../../../src/enclave/records/known_organizations.ts';
import { createRecordCodec } from '../../../src/enclave/records/record_codec.ts';
import { seededRandom, testRootKey } from '../../support/harness.ts';

const head: OrganizationHead = {
  name: 'Organization',
  rootQuorum: { threshold: 1, userIds: [] },
  features: [],
  createdAtMs: 1,
  updatedAtMs: 1,
};

const loadedOf = (id: string, bytes: number): LoadedOrganization => ({
  state: { ...newOrganizationState(id, undefined, head), version: 1 },
  marks: new Map(),
  bytes,
  recent: [],
});

test('known organizations: 10,000 small ones are cached, and large ones within a bound of bytes', () => {
  for (const [bytes, most] of [
    [1, 10_000],
    [8 * 1024 * 1024, maximumCachedBytes / (8 * 1024 * 1024)],
  ] as const) {
    const known = createKnownOrganizations();
    for (let i = 0; i < 10_100; i += 1) known.remember(loadedOf(String(i), bytes));
    const kept = Array.from({ length: 10_100 }, (_, i) => known.get(String(i)));
    const count = kept.filter((each) => each !== undefined).length;
    assert.ok(count <= most && count > most * 0.99, `${count} of ${bytes} bytes`);
    assert.ok(kept.at(-1) !== undefined, 'the newest is kept');
  }
});

test('known organizations: a change counts the bytes of its stored rows', () => {
  const keys = createRootKeys(testRootKey());
  const codec = createRecordCodec(createSealing('seal', keys, seededRandom('bytes')));
  const writer = createChangeWriter({ codec, keys, level: 1 });
  const tag = (id: string, name: string): Tag => ({
    id,
    name,
    type: 'TAG_TYPE_USER',
    createdAtMs: 1,
    updatedAtMs: 1,
  });
  const stored = new Map<string, number>();
  let loaded = loadedOf('019b76da-a800-7793-9071-27008df6a1f0', 0);
  const steps: ((draft: ReturnType<typeof createDraft>) => void)[] = [
    (draft) => draft.put('tag', tag('a', 'First ✓')),
    (draft) => draft.put('tag', tag('b', 'x'.repeat(1_000))),
    (draft) => draft.put('tag', tag('a', 'Ünger')),
    // Rows that are read by look-up are not cached.
    (draft) => draft.add('policy_set', { id: 'c', policyIds: [], createdAtMs: 1, updatedAtMs: 1 }),
    (draft) => draft.remove('tag', 'b'),
  ];
  for (const step of steps) {
    const draft = createDraft(loaded.state);
    step(draft);
    const { rows, after } = writer.write(loaded, draft.changes());
    for (const { kind, id, body } of rows.records) {
      if (kind === 'tag') stored.set(id, body.length);
    }
    for (const { id } of rows.deletedRecords) stored.delete(id);
    loaded = after;
    const bytes = [...stored.values()].reduce((sum, each) => sum + each, 0);
    assert.equal(loaded.bytes, bytes);
  }
});
