import assert from 'node:assert/strict';
import type { Sender, TestService } from '../../support/harness.ts';

export const method = 'VELOCITY_CONTROL_AGGREGATION_METHOD_';
export const operator = 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_';

/** Returns a control: by default a number of raw-payload signatures per user and hour. */
export const describedControl = (changes: object = {}) => ({
  name: 'Signatures in an hour',
  identifier: 'hourly',
  dataSource: {
    activityExecution: {
      filter: {
        activity: [
          { activityType: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' },
          { activityType: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS' },
        ],
      },
    },
  },
  aggregation: aggregationOf('3'),
  ...changes,
});

/** Returns an aggregation with this threshold: by default activities per user and hour. */
export const aggregationOf = (threshold: string, changes: object = {}) => ({
  method: `${method}COUNT`,
  operator: `${operator}LESS_THAN_OR_EQUAL`,
  threshold,
  window: { rolling: { duration: '3600' } },
  groupBy: { user: {} },
  ...changes,
});

/** Creates a control as the root user; returns its id. */
export async function makeControl(
  service: TestService,
  changes: object = {},
  as: Sender = {},
): Promise<string> {
  const type = 'ACTIVITY_TYPE_CREATE_VELOCITY_CONTROL';
  const parameters = describedControl(changes);
  const { status, body } = await service.submit('create_velocity_control', type, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createVelocityControlResult.velocityControlId;
}

/** Returns the ids of the shown controls, in their order. */
export async function shownControlIds(service: TestService, as: Sender = {}): Promise<string[]> {
  const { status, body } = await service.query('list_velocity_controls', {}, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.velocityControls.map(
    (found: { velocityControlId: string }) => found.velocityControlId,
  );
}
