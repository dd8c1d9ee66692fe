// Log entries that wait in memory.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createSealedEntries } from '../../../src/enclave/records/sealed_entries.ts';

const sealed = (id: string, version = 1) =>
  ({
    organizationId: 'organization',
    id,
    version,
    status: 'ACTIVITY_STATUS_COMPLETED',
    updatedAtMs: 7,
  }) as const;

const take = (entries: ReturnType<typeof createSealedEntries>, id: string, version = 1) =>
  entries.take('organization', id, version);

test('an entry is taken once, and commits to the sealed text', () => {
  const entries = createSealedEntries();
  entries.begin();
  entries.sealed(sealed('a'), 'text');
  assert.equal(entries.take('another organization', 'a', 1), undefined);
  assert.deepEqual(take(entries, 'a'), {
    activityId: 'a',
    version: 1,
    status: 'ACTIVITY_STATUS_COMPLETED',
    atMs: 7,
    record: createHash('sha256').update('text').digest('hex'),
  });
  assert.equal(take(entries, 'a'), undefined);
});

test('nothing is cached before the first batch', () => {
  const entries = createSealedEntries();
  entries.sealed(sealed('a'), 'text');
  entries.begin();
  assert.equal(take(entries, 'a'), undefined);
});

test('only the database has the entry of an activity that was sealed twice or in a later version', () => {
  const entries = createSealedEntries();
  entries.begin();
  entries.sealed(sealed('twice'), 'first');
  entries.sealed(sealed('twice'), 'second');
  entries.sealed(sealed('twice'), 'third');
  entries.sealed(sealed('voted'), 'first');
  entries.sealed(sealed('voted', 2), 'second');
  entries.sealed(sealed('later', 2), 'second');
  for (const id of ['twice', 'voted', 'later']) {
    assert.equal(take(entries, id), undefined, id);
    assert.equal(take(entries, id, 2), undefined, id);
  }
});

test('at most the newest 4,096 entries are cached', () => {
  const entries = createSealedEntries();
  entries.begin();
  for (let i = 0; i <= 4_096; i += 1) entries.sealed(sealed(`${i}`), 'text');
  assert.equal(take(entries, '0'), undefined);
  assert.equal(take(entries, '1')?.activityId, '1');
  assert.equal(take(entries, '4096')?.activityId, '4096');
});
