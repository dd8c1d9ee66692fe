import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOfType, typesOfKind } from '../../src/core/policy/activity_kinds.ts';
import { activityOperations } from '../../src/operations/index.ts';

test('the versions that policies are warned of are those that are taken', () => {
  const types = Object.values(activityOperations).flatMap(({ wire, older }) =>
    [wire, ...older.map((version) => version.wire)].map(({ type }) => type),
  );
  for (const [kind, taken] of Map.groupBy(types, kindOfType)) {
    assert.deepEqual(typesOfKind(kind ?? '').toSorted(), taken.toSorted());
  }
});
