import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { makeSender, startSend, tell, unsettled } from '../sending/send_requests.ts';
import { coin, startSwap, token } from './swap_requests.ts';

const operation = 'get_swap_status';

test('get_swap_status: shows pending, then failed with the reason', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const from = await makeSender(service);
  const startedAt = service.now();
  const swapRequestId = await startSwap(service, from);
  const answer = await checkQuery(service, {
    operation,
    body: { swapRequestId },
    malformed: [{ field: 'swapRequestId', parameters: { swapRequestId: 'x' } }],
  });
  const sends = await unsettled(service);
  const send = sends.find(({ sendId }) => sendId === swapRequestId);
  assert.deepEqual(answer, {
    status: 'PENDING',
    swapKind: 'SAME_CHAIN',
    provider: 'UNISWAP_V3',
    inputToken: token,
    outputToken: coin,
    inputAmount: '1000',
    originTxHash: send?.transactionHash,
    updatedAt: answer.updatedAt,
  });
  assert(Number(answer.updatedAt) >= startedAt && Number(answer.updatedAt) <= service.now());
  const inclusion = { number: 10, hash: `0x${'0b'.repeat(32)}`, error: 'execution reverted' };
  await tell(service, swapRequestId, { inclusion, newest: 10 });
  const { body } = await service.query(operation, { swapRequestId });
  assert.equal(body.status, 'FAILED');
  assert.equal(body.error.reason, 'ORIGIN_TRANSACTION_FAILED');
  assert.match(body.error.message, /reverted/);
  const { message } = body.error;
  assert.deepEqual(body.error.originTxError, {
    message,
    revertChain: [],
    eth: { revertChain: [] },
  });
  const other = await startSend(service, from);
  assertRefused(await service.query(operation, { swapRequestId: other }), 404, 5);
});
