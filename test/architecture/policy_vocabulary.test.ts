import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityKinds, kindOfType } from '../../src/core/policy/activity_kinds.ts';
import { activityOperations } from '../../src/operations/index.ts';
import { versionsOf } from '../../src/operations/openapi/describe_operation.ts';

test('the policy language knows the kind and the subject of every operation that policies decide', () => {
  const rows = new Map(activityKinds.map((row) => [row.name, row]));
  const unknown = Object.entries(activityOperations).flatMap(([name, operation]) =>
    versionsOf(operation).flatMap(({ wire: { type } }) => {
      const { resource, action } = operation.subject;
      const row = rows.get(kindOfType(type) ?? '');
      // Policies do not decide about operations of the root quorum.
      if (row === undefined && operation.access.rule === 'root_quorum') return [];
      const isKnown =
        row !== undefined &&
        (row.resource ?? resource) === resource &&
        (row.action ?? action) === action;
      return isKnown ? [] : [`${name}: ${type} is ${resource}, ${action}`];
    }),
  );
  assert(Object.keys(activityOperations).length > 80);
  assert.deepEqual(unknown, []);
});
