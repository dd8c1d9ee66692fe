// A transaction whose row was rolled back or withheld by the database is not reported, not sent, and not
// replaced by a cheaper one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityBody, queryBody, startServiceOver } from '../../enclave/service_over.ts';
import { startTestService } from '../../support/harness.ts';
import {
  describedSend,
  makeSender,
  sendChain,
  sendType,
  startSend,
  tell,
} from './send_requests.ts';

const hash = `0x${'ab'.repeat(32)}`;

test('an older step of a transaction is refused', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const sendTransactionStatusId = await startSend(service, await makeSender(service));
  const { organizationId, key } = service.root;
  const { port } = service.store;
  const asked = { organizationId, kind: 'send', ids: [sendTransactionStatusId] };
  const steps = [await port.records(asked)];
  await tell(service, sendTransactionStatusId, { isTaken: true });
  steps.push(await port.records(asked));
  await tell(service, sendTransactionStatusId, { inclusion: { number: 5, hash }, newest: 6 });
  steps.push(await port.records(asked));
  const [clock, { outside }] = [service.now, service];

  const statuses: (string | number)[] = [];
  const sent: number[] = [];
  for (const [step, older] of steps.entries()) {
    const store = {
      ...port,
      records: async (of: typeof asked) => (of.kind === 'send' ? older : port.records(of)),
    };
    const over = await startServiceOver({ store, seed: `step ${step}`, clock, outside });
    const body = queryBody(organizationId, { sendTransactionStatusId });
    const answer = await over.send('query', 'get_send_transaction_status', body, key);
    statuses.push(answer.body.txStatus ?? answer.status);
    sent.push((await over.enclave.unsettledSends({ caip2: sendChain })).length);
    const refusals = over.log.filter(({ level }) => level === 'error');
    assert.equal(refusals.length > 0, step < 2, JSON.stringify(over.log));
  }
  assert.deepEqual(statuses, [500, 500, 'INCLUDED']);
  assert.deepEqual(sent, [0, 0, 1]);
});

test('a withheld row lets no cheaper transaction take its nonce', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const from = await makeSender(service);
  const fees = (maxFeePerGas: string, maxPriorityFeePerGas: string) => ({
    maxFeePerGas,
    maxPriorityFeePerGas,
    nonce: '0',
  });
  const hidden = await startSend(service, from, {}, fees('1000', '100'));
  const { organizationId, key } = service.root;
  const { port } = service.store;
  let withholds = true;
  const store = {
    ...port,
    records: async (of: Parameters<typeof port.records>[0]) =>
      (await port.records(of)).filter(({ id }) => !(withholds && id === hidden)),
  };
  const over = await startServiceOver({
    store,
    seed: 'withheld',
    clock: service.now,
    outside: service.outside,
  });
  let sent = 0;
  const replaced = async (terms: object) => {
    sent += 1;
    const parameters = describedSend(from, terms);
    const body = activityBody(sendType, organizationId, parameters, service.now() + sent);
    return await over.send('submit', 'eth_send_transaction', body, key);
  };
  assert.equal((await replaced(fees('10', '1'))).status, 500);
  assert.equal(
    (await replaced(fees('2000', '200'))).status,
    500,
    'nor a dearer one: it is unknown',
  );
  const [line, ...more] = over.log.filter(({ level }) => level === 'error');
  assert.equal(more.length, 1);
  assert.deepEqual([line?.fields['kind'], line?.fields['id']], ['send', hidden]);
  // Other nonces of the address are unaffected.
  assert.equal((await replaced({})).status, 200);
  withholds = false;
  assert.equal((await replaced(fees('1099', '200'))).status, 400);
  assert.equal((await replaced(fees('1100', '110'))).status, 200);
});
