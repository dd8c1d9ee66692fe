import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maximumChangeRows, refusalOf } from '../../src/store/tables/refusal.ts';
import { activityOf, changeOf, home, organizationOf } from './samples.ts';

const nothing: Parameters<typeof refusalOf>[0] = {
  organization: () => undefined,
  activity: () => undefined,
  hasFingerprint: () => false,
  hasDeployment: () => false,
};

test('a change has a maximum number of rows, in all tables together', () => {
  const lookups = (count: number) => {
    const one = { index: 'name', blind: new Uint8Array(32), organizationId: home, recordId: home };
    return Array.from({ length: count }, () => one);
  };
  const half = maximumChangeRows / 2;
  const full = { lookups: lookups(half), deletedLookups: lookups(half) };
  assert.equal(refusalOf(nothing, changeOf(full)), undefined);
  const more = { ...full, organizations: [organizationOf()] };
  assert.throws(() => refusalOf(nothing, changeOf(more)), /at most 100000 rows/);
});

test('a duplicate has priority over a conflict, and only a new activity can be one', () => {
  const kept = { ...nothing, hasFingerprint: () => true };
  const conditions = [{ organizationId: home, version: 7, orLater: false }];
  const change = (version: number) =>
    changeOf({ conditions, activities: [{ ...activityOf(1), version }] });
  assert.equal(refusalOf(kept, change(1)), 'duplicate');
  assert.equal(refusalOf(kept, change(2)), 'conflict');
  assert.equal(refusalOf(nothing, change(1)), 'conflict');
});
