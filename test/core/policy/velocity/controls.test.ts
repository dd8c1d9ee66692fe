// Several controls in an organization, and the bounds of their members.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/core/errors/errors.ts';
import { createDraft, newOrganizationState } from '../../../../src/core/organization/state.ts';
import {
  type ControlParameters,
  createControl,
  deleteControl,
} from '../../../../src/core/policy/velocity/controls.ts';

const times = { createdAtMs: 1, updatedAtMs: 1 };

function newDraft() {
  const head = { name: 'One', rootQuorum: { threshold: 1, userIds: [] }, features: [], ...times };
  return createDraft(newOrganizationState('organization', undefined, head));
}

const described: ControlParameters = {
  name: 'Signatures in an hour',
  identifier: 'hourly',
  dataSource: { activityExecution: {} },
  aggregation: {
    method: 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT',
    operator: 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL',
    threshold: '3',
    window: { rolling: { duration: '1' } },
    groupBy: { user: {} },
  },
};

test('a deleted control loses its own counters, and no others', () => {
  const draft = newDraft();
  let ids = 0;
  const context = { now: 1, newId: () => `id ${ids++}` };
  const deleted = createControl(described, draft, context);
  const kept = createControl({ ...described, identifier: 'other' }, draft, context);
  for (const { id: controlId } of [deleted, kept]) {
    for (const groupId of ['alice', 'bob']) {
      draft.put('velocity_counter', {
        id: context.newId(),
        controlId,
        groupId,
        counts: [{ stretch: 0, amount: '2' }],
        ...times,
      });
    }
  }
  deleteControl(deleted.id, draft);
  assert.deepEqual(
    draft.list('velocity_counter').map(({ controlId, groupId }) => [controlId, groupId]),
    [
      [kept.id, 'alice'],
      [kept.id, 'bob'],
    ],
  );
});

test('a refused control is named with the expected form', () => {
  const { aggregation } = described;
  const transfers = (changes: object) => ({
    dataSource: { chainAssetTransfer: { definition: [], ...changes } },
  });
  const unknown = { activity: [{ activityType: 'ACTIVITY_TYPE_OF_NOTHING' }] };
  const word =
    'expected a name for policies: letters, digits and `_`, no digit first, and no word of the language';
  const rows: readonly (readonly [object, string, string])[] = [
    [{ identifier: 'true' }, 'identifier', word],
    [{ identifier: 'false' }, 'identifier', word],
    [{ identifier: 'in' }, 'identifier', word],
    [
      { dataSource: {} },
      'dataSource',
      'expected exactly one of chainAssetTransfer, activityExecution',
    ],
    [
      transfers({ phase: {} }),
      'dataSource.chainAssetTransfer.phase',
      'expected exactly one of signature, submission',
    ],
    [
      transfers({ filter: unknown }),
      'dataSource.chainAssetTransfer.filter.activity.0.activityType',
      'expected a known activity type',
    ],
    [
      { aggregation: { ...aggregation, window: {} } },
      'aggregation.window',
      'expected exactly one of rolling, infinite',
    ],
    [
      { aggregation: { ...aggregation, groupBy: {} } },
      'aggregation.groupBy',
      'expected exactly one of organization, user, wallet',
    ],
    [
      { aggregation: { ...aggregation, window: { rolling: { duration: '0' } } } },
      'aggregation.window.rolling.duration',
      'expected an integer from 1 to 31622400 in decimal digits',
    ],
  ];
  for (const [changes, member, description] of rows) {
    assert.throws(
      () => createControl({ ...described, ...changes }, newDraft(), { now: 1, newId: () => 'id' }),
      (error) => {
        assert(error instanceof ServiceError);
        const field = `parameters.${member}`;
        assert.deepEqual(error.fieldViolations, [{ field, description }]);
        return true;
      },
    );
  }
});
