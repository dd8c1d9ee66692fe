import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeControl, shownControlIds } from './velocity_control_requests.ts';

const wire = {
  operation: 'delete_velocity_controls',
  type: 'ACTIVITY_TYPE_DELETE_VELOCITY_CONTROLS',
  intent: 'deleteVelocityControlsIntent',
  result: 'deleteVelocityControlsResult',
};

test('delete_velocity_controls: deletes all of a list, in its order', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ids = [];
  for (const identifier of ['one', 'two', 'three']) {
    ids.push(await makeControl(service, { identifier }));
  }
  const [one = '', two = '', three = ''] = ids;
  const parametersOf = (velocityControlIds: readonly string[]) => ({ velocityControlIds });
  const result = await checkActivity(service, {
    ...wire,
    parameters: parametersOf([three.toUpperCase(), one]),
    malformed: [
      { field: 'parameters.velocityControlIds', parameters: parametersOf([]) },
      { field: 'parameters.velocityControlIds.0', parameters: parametersOf(['x']) },
    ],
  });
  assert.deepEqual(result, parametersOf([three, one]));
  assert.deepEqual(await shownControlIds(service), [two]);
});

test('delete_velocity_controls: deletes none if one is unknown, repeated or read by a policy', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const read = await makeControl(service);
  const other = await makeControl(service, { identifier: 'other' });
  await makePolicy(service, 'Reads it', { condition: '!controls.hourly' });
  const refused = (velocityControlIds: readonly string[], status: number, code: number) =>
    checkRefused(
      service,
      { ...wire, parameters: { velocityControlIds } },
      { status, code, text: /velocity control/ },
    );
  await refused([other, other], 404, 5);
  await refused([other, read], 400, 9);
  assert.deepEqual(await shownControlIds(service), [read, other]);
});
