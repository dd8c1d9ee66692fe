import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeControl, shownControlIds } from './velocity_control_requests.ts';

const wire = {
  operation: 'delete_velocity_control',
  type: 'ACTIVITY_TYPE_DELETE_VELOCITY_CONTROL',
  intent: 'deleteVelocityControlIntent',
  result: 'deleteVelocityControlResult',
};

test('delete_velocity_control: deletes the control, and frees its identifier', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const id = await makeControl(service);
  const other = await makeControl(service, { identifier: 'other' });
  const result = await checkActivity(service, {
    ...wire,
    parameters: { velocityControlId: id.toUpperCase() },
    malformed: [{ field: 'parameters.velocityControlId', parameters: { velocityControlId: 'x' } }],
  });
  assert.deepEqual(result, { velocityControlId: id });
  assert.deepEqual(await shownControlIds(service), [other]);
  await makeControl(service);
});

test('delete_velocity_control: takes only controls of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ofChild = await makeControl(service, {}, await addChild(service));
  for (const velocityControlId of [unknownId, ofChild]) {
    await checkRefused(
      service,
      { ...wire, parameters: { velocityControlId } },
      { status: 404, code: 5, text: /^unable to find velocity control / },
    );
  }
});

for (const condition of ['!controls.hourly', '[[controls]].any(l, l.all(c, !c.hourly))']) {
  test(`delete_velocity_control: refuses while a policy reads it as ${condition}`, async (t) => {
    const service = await startTestService();
    t.after(() => service.close());
    const velocityControlId = await makeControl(service);
    const policyId = await makePolicy(service, 'Reads it', { condition });
    await checkRefused(
      service,
      { ...wire, parameters: { velocityControlId } },
      {
        status: 400,
        code: 9,
        text: new RegExp(`the velocity control \`hourly\` is read by the policy ${policyId}`),
      },
    );
    await service.submit('delete_policy', 'ACTIVITY_TYPE_DELETE_POLICY', { policyId });
    const { status } = await service.submit(wire.operation, wire.type, { velocityControlId });
    assert.equal(status, 200);
  });
}
