// Changes that count as an addition, which a database decides and writes in one step.

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

test('one new activity under one or two versions is an addition, also when repeated', () => {
  for (const conditions of [[condition(0)], [condition(0), condition(1)]]) {
    const change = changeOf({ ...alone, conditions });
    const addition = additionOf(change);
    assert.deepEqual(addition, { activity, conditions, events: [] });
    assert.deepEqual(changeOfAddition(addition), { ...noChange, ...change });
  }
});

test('a change under no version, more than two, or that of an absent organization is no addition', () => {
  for (const conditions of [
    [],
    [condition(0), condition(1), condition(2)],
    [condition(0, 0)],
    [condition(0), condition(1, 0)],
  ]) {
    assert.equal(additionOf(changeOf({ ...alone, conditions })), undefined);
  }
});

test('any other written row makes a change more than an addition', () => {
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
