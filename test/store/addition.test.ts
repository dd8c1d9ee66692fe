// Which changes are an addition, which a database decides about and writes in one step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { additionOf, changeOf as changeOfAddition } from '../../src/store/addition.ts';
import { noChange } from '../../src/store/port.ts';
import { activityOf, changeOf, home, idAt, organizationOf, recordOf } from './samples.ts';

const activity = { ...activityOf(1), version: 1 };
const condition = (n: number, version = 1) => ({
  organizationId: n === 0 ? home : idAt(n),
  version,
  orLater: false,
});
const alone = { activities: [activity], conditions: [condition(0)] };

test('one new activity under one or two versions is an addition, and the same change again', () => {
  for (const conditions of [[condition(0)], [condition(0), condition(1)]]) {
    const change = changeOf({ ...alone, conditions });
    const addition = additionOf(change);
    assert.deepEqual(addition, { activity, conditions, events: [] });
    assert.deepEqual(changeOfAddition(addition), { ...noChange, ...change });
  }
});

test('no version, more than two, or that of an organization that is not there: no addition', () => {
  for (const conditions of [
    [],
    [condition(0), condition(1), condition(2)],
    [condition(0, 0)],
    [condition(0), condition(1, 0)],
  ]) {
    assert.equal(additionOf(changeOf({ ...alone, conditions })), undefined);
  }
});

test('whatever else is written makes it more than an addition', () => {
  for (const more of [
    { organizations: [organizationOf()] },
    { records: [recordOf(1)] },
    { activities: [activity, { ...activityOf(2), version: 1 }] },
    { activities: [{ ...activity, version: 2 }] },
    { activities: [] },
  ]) {
    assert.equal(additionOf(changeOf({ ...alone, ...more })), undefined);
  }
});
