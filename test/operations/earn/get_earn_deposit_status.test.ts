import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { makeSender, startSend, tell, unsettled } from '../sending/send_requests.ts';
import { allow, startDeposit, startWithdrawal } from './earn_requests.ts';

const operation = 'get_earn_deposit_status';

test('get_earn_deposit_status: shows pending, then completed or failed', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const signWith = await makeSender(service);
  allow(service, signWith, 1_000n);
  const depositRequestId = await startDeposit(service, signWith);
  const answer = await checkQuery(service, {
    operation,
    body: { depositRequestId },
    malformed: [{ field: 'depositRequestId', parameters: { depositRequestId: 'x' } }],
  });
  const [send] = await unsettled(service);
  assert.deepEqual(answer, { status: 'PENDING', depositTxHash: send?.transactionHash });
  const inclusion = { number: 10, hash: `0x${'0b'.repeat(32)}` };
  await tell(service, depositRequestId, { inclusion, newest: 10 });
  const included = await service.query(operation, { depositRequestId });
  assert.equal(included.body.status, 'COMPLETED');
  const failing = await startDeposit(service, signWith);
  await tell(service, failing, {
    inclusion: { ...inclusion, error: 'execution reverted' },
    newest: 10,
  });
  const failed = await service.query(operation, { depositRequestId: failing });
  assert.equal(failed.body.status, 'FAILED');
  assert.match(failed.body.error, /reverted/);
});

test('get_earn_deposit_status: finds only deposits', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const signWith = await makeSender(service);
  for (const start of [startSend, startWithdrawal]) {
    const depositRequestId = await start(service, signWith);
    assertRefused(await service.query(operation, { depositRequestId }), 404, 5);
  }
});
