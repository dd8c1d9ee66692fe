import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { makeSender, tell, unsettled } from '../sending/send_requests.ts';
import { startClaim, startDeposit } from './earn_requests.ts';

const operation = 'get_earn_claim_rewards_status';

test('get_earn_claim_rewards_status: shows pending, then included, and only for claims', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const signWith = await makeSender(service);
  const claimRequestId = await startClaim(service, signWith);
  const [send] = await unsettled(service);
  const answer = await checkQuery(service, {
    operation,
    body: { claimRequestId },
    malformed: [{ field: 'claimRequestId', parameters: { claimRequestId: 'x' } }],
  });
  assert.deepEqual(answer, { status: 'PENDING', claimTxHash: send?.transactionHash });
  const inclusion = { number: 10, hash: `0x${'0b'.repeat(32)}` };
  await tell(service, claimRequestId, { inclusion, newest: 10 });
  const { body } = await service.query(operation, { claimRequestId });
  assert.equal(body.status, 'COMPLETED');
  const other = await startDeposit(service, signWith);
  assertRefused(await service.query(operation, { claimRequestId: other }), 404, 5);
});
