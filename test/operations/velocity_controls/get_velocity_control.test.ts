import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestampObject } from '../../../src/core/base/compatibility.ts';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { describedControl, makeControl } from './velocity_control_requests.ts';

test('get_velocity_control: shows the control as it was created', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const velocityControlId = await makeControl(service);
  const createdAt = timestampObject(service.now());
  const answer = await checkQuery(service, {
    operation: 'get_velocity_control',
    body: { velocityControlId: velocityControlId.toUpperCase() },
    malformed: [{ field: 'velocityControlId', parameters: { velocityControlId: 'x' } }],
  });
  assert.deepEqual(answer, {
    velocityControl: {
      velocityControlId,
      organizationId: service.root.organizationId,
      ...describedControl(),
      createdAt,
      updatedAt: createdAt,
    },
  });
});

test('get_velocity_control: an unknown id is not found', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { status, body } = await service.query('get_velocity_control', {
    velocityControlId: '00000000-0000-7000-8000-000000000000',
  });
  assert.equal(status, 404);
  assert.match(body.message, /^unable to find velocity control /);
});
