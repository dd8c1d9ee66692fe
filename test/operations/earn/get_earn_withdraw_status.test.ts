import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { makeSender, tell, unsettled } from '../sending/send_requests.ts';
import { startDeposit, startWithdrawal } from './earn_requests.ts';

const operation = 'get_earn_withdraw_status';

test('get_earn_withdraw_status: shows pending, then completed', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const signWith = await makeSender(service);
  const withdrawRequestId = await startWithdrawal(service, signWith);
  const answer = await checkQuery(service, {
    operation,
    body: { withdrawRequestId },
    malformed: [{ field: 'withdrawRequestId', parameters: { withdrawRequestId: 'x' } }],
  });
  const [send] = await unsettled(service);
  assert.deepEqual(answer, { status: 'PENDING', withdrawTxHash: send?.transactionHash });
  const inclusion = { number: 10, hash: `0x${'0b'.repeat(32)}` };
  await tell(service, withdrawRequestId, { inclusion, newest: 10 });
  const included = await service.query(operation, { withdrawRequestId });
  assert.equal(included.body.status, 'COMPLETED');
  const deposit = await startDeposit(service, signWith);
  assertRefused(await service.query(operation, { withdrawRequestId: deposit }), 404, 5);
});
