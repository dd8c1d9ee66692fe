import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { makeSender } from '../sending/send_requests.ts';
import { startDeposit, startWrapper } from './earn_requests.ts';

const operation = 'get_earn_deploy_status';

test('get_earn_deploy_status: an opened vault is complete, and other activities are unknown', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const address = await makeSender(service);
  const deployRequestId = await startWrapper(service, address);
  const answer = await checkQuery(service, {
    operation,
    body: { deployRequestId },
    malformed: [{ field: 'deployRequestId', parameters: { deployRequestId: 'x' } }],
  });
  assert.deepEqual(answer, { status: 'COMPLETED' });
  const other = await startDeposit(service, address);
  assertRefused(await service.query(operation, { deployRequestId: other }), 404, 5);
});
