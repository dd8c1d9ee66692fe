import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { makeSender, startSend, tell, unsettled } from './send_requests.ts';

const operation = 'get_send_transaction_status';
const hash = `0x${'ab'.repeat(32)}`;
const unknownId = '0198a000-0000-7000-8000-000000000000';

async function started() {
  const service = await startTestService();
  const id = await startSend(service, await makeSender(service));
  const [send] = await unsettled(service);
  return { service, id, txHash: send?.transactionHash ?? '' };
}

async function statusOf(service: TestService, sendTransactionStatusId: string) {
  const { status, body } = await service.query(operation, { sendTransactionStatusId });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

test('get_send_transaction_status: shows a transaction before a node has it', async (t) => {
  const { service, id, txHash } = await started();
  t.after(() => service.close());
  const answer = await checkQuery(service, {
    operation,
    body: { sendTransactionStatusId: id },
    malformed: [
      { field: 'sendTransactionStatusId', parameters: { sendTransactionStatusId: 'first' } },
    ],
  });
  assert.deepEqual(answer, { txStatus: 'INITIALIZED', eth: { txHash } });
  const unknown = await service.query(operation, { sendTransactionStatusId: unknownId });
  assertRefused(unknown, 404, 5);
});

test('get_send_transaction_status: shows inclusion, a reorganization and finality', async (t) => {
  const { service, id, txHash } = await started();
  t.after(() => service.close());
  const eth = { txHash };
  await tell(service, id, { isTaken: true });
  assert.deepEqual(await statusOf(service, id), { txStatus: 'BROADCASTING', eth });
  await tell(service, id, { inclusion: { number: 5, hash }, newest: 7 });
  assert.deepEqual(await statusOf(service, id), { txStatus: 'INCLUDED', eth });
  await tell(service, id, { newest: 7 });
  assert.deepEqual(await statusOf(service, id), { txStatus: 'BROADCASTING', eth });
  const error = 'execution reverted';
  await tell(service, id, { inclusion: { number: 6, hash, error }, newest: 9 });
  const included = {
    txStatus: 'INCLUDED',
    eth,
    txError: error,
    error: { message: error, revertChain: [], eth: { revertChain: [] } },
  };
  assert.deepEqual(await statusOf(service, id), included);
  assert.deepEqual(await unsettled(service), []);
  // A final status never changes, whatever a node reports.
  for (const seen of [{ newest: 9 }, { usedAtFinal: '9' }, { isTaken: true }]) {
    await tell(service, id, seen);
    assert.deepEqual(await statusOf(service, id), included);
  }
});

test('get_send_transaction_status: failed only once its nonce is finally used by another', async (t) => {
  const { service, id, txHash } = await started();
  t.after(() => service.close());
  await tell(service, id, { usedAtFinal: '0', isTaken: true });
  assert.equal((await statusOf(service, id)).txStatus, 'BROADCASTING');
  await tell(service, id, { usedAtFinal: '1' });
  const message = 'another transaction of the address has nonce 0';
  assert.deepEqual(await statusOf(service, id), {
    txStatus: 'FAILED',
    eth: { txHash },
    txError: message,
    error: { message, revertChain: [], eth: { revertChain: [] } },
  });
  assert.deepEqual(await unsettled(service), []);
});
