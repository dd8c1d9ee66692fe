// Decisions and rows of a batch, without a database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import {
  activityKey,
  decideBatch,
  fingerprintKey,
  type Held,
} from '../../src/store/commits/batch.ts';
import {
  activityOf,
  changeOf,
  eventOf,
  home,
  idAt,
  lookupOf,
  organizationOf,
  recordOf,
} from './samples.ts';

const nothingHeld = (): Held => ({
  organizations: new Map(),
  activities: new Map(),
  fingerprints: new Set(),
  hasDeployment: false,
});

const creation = {
  conditions: [{ organizationId: home, version: 0, orLater: false }],
  organizations: [organizationOf()],
};
const onVersion = (version: number) => [{ organizationId: home, version, orLater: false }];

test('a change is decided on the result of the changes before it', () => {
  const renamed = organizationOf({ version: 2 });
  const { results, written } = decideBatch(
    [
      changeOf(creation),
      changeOf(creation),
      changeOf({ conditions: onVersion(1), organizations: [renamed], records: [recordOf(1)] }),
      changeOf({ conditions: onVersion(1), records: [recordOf(2)] }),
    ],
    nothingHeld(),
  );
  const outcomes = ['committed', 'conflict', 'committed', 'conflict'];
  assert.deepEqual(
    results,
    outcomes.map((outcome) => ({ outcome })),
  );
  assert.deepEqual(written.organizations, [renamed]);
  assert.deepEqual(written.records, [recordOf(1)]);
});

test('the last write of a record or look-up counts, and a put outlives its own deletion', () => {
  const [gone, kept, again] = [1, 2, 3].map((n) => recordOf(n));
  assert.ok(gone && kept && again);
  const [goneName, keptName, againName] = [1, 2, 3].map((n) => lookupOf(n));
  assert.ok(goneName && keptName && againName);
  const { written } = decideBatch(
    [
      changeOf({ records: [gone, kept], lookups: [goneName, keptName] }),
      changeOf({
        records: [again],
        deletedRecords: [again, gone],
        lookups: [againName],
        deletedLookups: [againName, goneName],
      }),
    ],
    nothingHeld(),
  );
  assert.deepEqual(written.records, [kept, again]);
  assert.deepEqual(
    written.deletedRecords.map(({ id }) => id),
    [gone.id],
  );
  assert.deepEqual(written.lookups, [keptName, againName]);
  assert.deepEqual(written.deletedLookups, [goneName]);
});

test('look-ups differ by index, value, organization and record; records also by kind', () => {
  const others = [
    lookupOf(1),
    lookupOf(1, { index: 'email' }),
    lookupOf(1, { blind: utf8('another value') }),
    lookupOf(1, { organizationId: idAt(7) }),
    lookupOf(2),
  ];
  const records = [
    recordOf(1),
    recordOf(1, { kind: 'wallet' }),
    recordOf(1, { organizationId: idAt(7) }),
    recordOf(2),
  ];
  const { written } = decideBatch([changeOf({ lookups: others, records })], nothingHeld());
  assert.equal(written.lookups.length, others.length);
  assert.equal(written.records.length, records.length);
});

test('an activity that the batch adds and updates is inserted once, in its last version', () => {
  const first = activityOf(1);
  const second = { ...first, version: 2 };
  const held = nothingHeld();
  const kept = { ...activityOf(2), version: 3 };
  held.activities.set(activityKey(kept), { ...kept, version: 2 });
  const { results, written } = decideBatch(
    [first, second, first, kept].map((activity) => changeOf({ activities: [activity] })),
    held,
  );
  assert.deepEqual(
    results.map((result) => ('outcome' in result ? result.outcome : result)),
    ['committed', 'committed', 'duplicate', 'committed'],
  );
  assert.deepEqual(written.insertedActivities, [second]);
  assert.deepEqual(written.updatedActivities, [kept]);
  assert.ok(held.fingerprints.has(fingerprintKey(first)));
});

test('activities of another day, organization or content are no duplicates', () => {
  const activities = [
    activityOf(1),
    activityOf(2),
    activityOf(3, { bucket: 1, fingerprint: activityOf(1).fingerprint }),
    activityOf(4, { organizationId: idAt(7), fingerprint: activityOf(1).fingerprint }),
  ];
  const { results, written } = decideBatch(
    [
      changeOf({ activities: activities.slice(0, 2) }),
      changeOf({ activities: activities.slice(2) }),
    ],
    nothingHeld(),
  );
  assert.deepEqual(results, [{ outcome: 'committed' }, { outcome: 'committed' }]);
  assert.equal(written.insertedActivities.length, activities.length);
});

test('a change that repeats a row has its own error, and leaves nothing', () => {
  const organization = organizationOf();
  const activity = activityOf(1);
  const sameFingerprint = { ...activity, id: idAt(9) };
  const twice = [
    { conditions: creation.conditions, organizations: [organization, organization] },
    { activities: [{ ...activity, version: 1 }, activity] },
    { activities: [activity, sameFingerprint] },
  ];
  for (const parts of twice) {
    const { results, written } = decideBatch([changeOf(parts)], nothingHeld());
    const [result] = results;
    assert.ok(result && 'error' in result, 'it is an error');
    assert.match(String(result.error), /names each row once/);
    assert.deepEqual(written.organizations, []);
    assert.deepEqual(written.insertedActivities, []);
  }
});

test('events and redeliveries keep the order of the changes, and the deployment is written once', () => {
  const redelivery = (n: number) => ({ endpointId: idAt(n), first: 1, last: 2, atMs: 3 });
  const [first, second] = [utf8('first'), utf8('second')];
  const { results, written } = decideBatch(
    [
      changeOf({ redeliveries: [redelivery(2)], events: [eventOf(2)], deployment: first }),
      changeOf({ redeliveries: [redelivery(1)], events: [eventOf(1), eventOf(3)] }),
      changeOf({ events: [eventOf(4)], deployment: second }),
    ],
    nothingHeld(),
  );
  assert.deepEqual(
    written.redeliveries.map(({ endpointId }) => endpointId),
    [idAt(2), idAt(1)],
  );
  assert.deepEqual(written.events, [eventOf(2), eventOf(1), eventOf(3)]);
  assert.equal(written.deployment, first);
  assert.deepEqual(results.at(-1), { outcome: 'conflict' });
  const none = decideBatch([changeOf({})], nothingHeld());
  assert.equal(none.written.deployment, undefined);
});
