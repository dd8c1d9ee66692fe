import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRootKeys, keyBytes } from '../../../src/enclave/keys/root_keys.ts';
import {
  activityOfChange,
  completenessKey,
  completenessOf,
  type RecentChanges,
  withChange,
} from '../../../src/enclave/records/completeness.ts';
import { seededRandom } from '../../support/harness.ts';

const keys = createRootKeys(seededRandom('root')(keyBytes));
const organization = 'organization';
const part = fc.stringMatching(/^[a-z0-9_-]{1,4}$/);
const rowName = fc.tuple(part, part).map(([kind, id]) => `${kind}/${id}`);
const mark = fc.tuple(fc.nat(9), fc.stringMatching(/^[0-9a-f]{4}$/)).map(([v, s]) => `${v}/${s}`);
const rows = fc.uniqueArray(fc.tuple(rowName, mark), { maxLength: 8, selector: ([name]) => name });
const of = (entries: readonly (readonly [string, string])[]) =>
  completenessOf(completenessKey(keys, organization), new Map(entries));

test('the order of rows does not matter', () => {
  fc.assert(
    fc.property(rows, (entries) => {
      const digest = of(entries);
      assert.match(digest, /^[0-9a-f]{64}$/);
      assert.equal(of(entries.toReversed()), digest);
      assert.equal(of(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))), digest);
    }),
  );
});

test('different sets of rows have different digests', () => {
  const asText = (entries: readonly (readonly [string, string])[]) =>
    JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  fc.assert(
    fc.property(rows, rows, (a, b) => {
      assert.equal(of(a) === of(b), asText(a) === asText(b));
    }),
  );
});

test('a missing, added or renamed row, or another version, changes the digest', () => {
  fc.assert(
    fc.property(rows, fc.nat(), rowName, mark, (entries, at, otherName, otherMark) => {
      const digest = of(entries);
      const names = entries.map(([name]) => name);
      if (!names.includes(otherName)) {
        assert.notEqual(of([...entries, [otherName, otherMark]]), digest);
      }
      const i = at % Math.max(1, entries.length);
      const row = entries[i];
      if (row === undefined) return;
      assert.notEqual(of(entries.toSpliced(i, 1)), digest);
      if (row[1] !== otherMark) {
        assert.notEqual(of(entries.toSpliced(i, 1, [row[0], otherMark])), digest);
      }
      if (!names.includes(otherName)) {
        assert.notEqual(of(entries.toSpliced(i, 1, [otherName, row[1]])), digest);
      }
    }),
  );
});

test('two rows with exchanged marks are another set', () => {
  assert.notEqual(
    of([
      ['user/a', '1/aa'],
      ['user/b', '1/bb'],
    ]),
    of([
      ['user/a', '1/bb'],
      ['user/b', '1/aa'],
    ]),
  );
});

test('the digest belongs to its organization and its root key', () => {
  const marks = new Map([['user/a', '1/aa']]);
  const other = createRootKeys(seededRandom('other')(keyBytes));
  const digests = [
    completenessOf(completenessKey(keys, organization), marks),
    completenessOf(completenessKey(keys, 'another'), marks),
    completenessOf(completenessKey(other, organization), marks),
    completenessOf(completenessKey(keys, organization), new Map()),
  ];
  assert.equal(new Set(digests).size, digests.length);
});

/** Returns the keyed fingerprint of a numbered request. */
const requestOf = (number: number) => new Uint8Array(32).fill(number);

const doneUpTo = (last: number) => {
  let recent: RecentChanges = [];
  for (let number = 1; number <= last; number++) {
    recent = withChange(recent, { fingerprint: requestOf(number), activityId: `did ${number}` });
  }
  return recent;
};

test('a request that changed the organization is stored with its activity', () => {
  const recent = doneUpTo(3);
  assert.equal(activityOfChange(recent, requestOf(1)), 'did 1');
  assert.equal(activityOfChange(recent, requestOf(3)), 'did 3');
  assert.equal(activityOfChange(recent, requestOf(4)), undefined);
  assert.equal(activityOfChange(recent, undefined), undefined);
  assert.equal(activityOfChange([], requestOf(1)), undefined);
});

test('the last 64 requests are stored, and a repeated request counts as new', () => {
  const full = doneUpTo(64);
  assert.equal(activityOfChange(full, requestOf(1)), 'did 1');
  const again = withChange(full, { fingerprint: requestOf(1), activityId: 'did 1 once more' });
  assert.equal(again.length, 64);
  assert.equal(activityOfChange(again, requestOf(1)), 'did 1 once more');
  const more = withChange(again, { fingerprint: requestOf(65), activityId: 'did 65' });
  assert.equal(more.length, 64);
  assert.equal(activityOfChange(more, requestOf(2)), undefined);
  assert.equal(activityOfChange(more, requestOf(1)), 'did 1 once more');
});
