// Two enclaves send for one address in turn, on one store, with clocks minutes apart. Each is killed
// between its commit and its answer. Transactions replace each other while the chain reorganizes. Each body
// is one transaction, each nonce is assigned once, and one transaction with it lands.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Transaction } from 'ethers';
import { hostileStore } from '../../enclave/hostile_store.ts';
import { activityBody, type ServiceOver, startServiceOver } from '../../enclave/service_over.ts';
import { startTestService } from '../../support/harness.ts';
import {
  describedSend,
  makeSender,
  recipient,
  sendChain,
  sendType,
  startSend,
  unsettled,
} from './send_requests.ts';

const operation = 'eth_send_transaction';
const minuteMs = 60_000;

async function start(t: TestContext) {
  const service = await startTestService();
  t.after(() => service.close());
  const from = await makeSender(service);
  const { organizationId, key } = service.root;
  const store = hostileStore(service.store.port);
  let lives = 0;
  /** Starts an enclave without memory of earlier ones, whose clock is ahead. */
  const begin = (aheadMs: number): Promise<ServiceOver> => {
    lives += 1;
    const clock = () => service.now() + aheadMs;
    const { outside } = service;
    return startServiceOver({ store: store.port, seed: `life ${lives}`, clock, outside });
  };
  return {
    service,
    from,
    organizationId,
    key,
    store,
    begin,
    nodeSays: (used: number) =>
      service.outside.amounts.set(
        `${sendChain}/${from.toLowerCase()}`,
        new Map([['nonce', String(used)]]),
      ),
  };
}

test('each body is one transaction, if either of two enclaves is killed before it answers', async (t) => {
  const { service, from, organizationId, key, store, begin, nodeSays } = await start(t);
  const ahead = [-4 * minuteMs, 4 * minuteMs];
  const enclaves = await Promise.all(ahead.map(begin));
  const ids: string[] = [];
  for (let i = 0; i < 24; i += 1) {
    service.advance(1);
    const calls = [{ to: recipient, value: String(i + 1) }];
    const body = activityBody(
      sendType,
      organizationId,
      { ...describedSend(from), calls },
      service.now(),
    );
    const [first, second] = [i % 2, (i + 1) % 2];
    const asked = (at: number) =>
      (enclaves[at] ?? assert.fail()).send('submit', operation, body, key);
    // The change is committed, but the answer is lost.
    const isKilled = i % 3 === 0;
    if (isKilled) {
      store.alter({
        commit: () => {
          throw new Error('killed');
        },
      });
      assert.notEqual((await asked(first)).status, 200);
      store.alter({});
      enclaves[first] = await begin(ahead[first] ?? 0);
    }
    const answers = await Promise.all(
      i % 2 === 0 ? [asked(first), asked(second)] : [asked(second)],
    );
    const told = answers.map(({ status, body: answer }) => {
      assert.equal(status, 200, JSON.stringify(answer));
      return answer.activity.result.ethSendTransactionResultV2.sendTransactionStatusId;
    });
    assert.equal(new Set(told).size, 1, 'one body is one transaction');
    ids.push(told[0]);
    // Some transactions land meanwhile; the node reports this late, or reports a lower count.
    if (i % 5 === 4) {
      const [oldest] = (await unsettled(service)).toSorted(
        (a, b) => Number(a.nonce) - Number(b.nonce),
      );
      assert(oldest !== undefined);
      const seen = {
        organizationId,
        sendId: oldest.sendId,
        confirmations: 3,
        solana: undefined,
        ethereum: {
          usedAtFinal: String(Number(oldest.nonce) + 1),
          newest: 90,
          isTaken: true,
          inclusion: { number: 5, hash: `0x${'ab'.repeat(32)}`, error: undefined },
        },
      };
      // Both gateways report it concurrently.
      await Promise.all(enclaves.map(({ enclave }) => enclave.sendSeen(seen)));
      nodeSays(i % 2);
    }
  }
  assert.equal(new Set(ids).size, 24);
  const waiting = await unsettled(service);
  assert.equal(waiting.length, 20);
  const nonces = waiting.map(({ nonce }) => Number(nonce)).toSorted((a, b) => a - b);
  assert.deepEqual(
    nonces,
    Array.from({ length: 20 }, (_, i) => i + 4),
  );
  const values = new Set(
    waiting.map(({ signedTransaction }) => Transaction.from(signedTransaction).value),
  );
  assert.equal(values.size, 20);
});

test('of an original, a bump and a cancellation one lands, also after a reorganization', async (t) => {
  const { service, from, organizationId, begin, nodeSays } = await start(t);
  const terms = (fee: string, tip: string) => ({
    nonce: '0',
    maxFeePerGas: fee,
    maxPriorityFeePerGas: tip,
  });
  const first = await startSend(service, from, {}, terms('1000', '100'));
  const bump = await startSend(service, from, {}, terms('1100', '110'));
  const cancel = await startSend(
    service,
    from,
    {},
    {
      ...terms('1210', '121'),
      calls: [{ to: from, value: '0' }],
    },
  );
  const next = await startSend(service, from);
  const gateways = await Promise.all([begin(0), begin(-minuteMs)]);
  let turn = 0;
  const tell = async (
    sendId: string,
    block: number | undefined,
    { newest, usedAtFinal = '0' }: { readonly newest: number; readonly usedAtFinal?: string },
  ) => {
    turn += 1;
    const hash = `0x${String(block ?? 0).padStart(64, '0')}`;
    const inclusion = block === undefined ? undefined : { number: block, hash, error: undefined };
    await (gateways[turn % 2] ?? assert.fail()).enclave.sendSeen({
      organizationId,
      sendId,
      confirmations: 3,
      solana: undefined,
      ethereum: { usedAtFinal, newest, isTaken: true, inclusion },
    });
  };
  const statuses = async () => {
    const all = [first, bump, cancel, next].map(async (sendTransactionStatusId) => {
      const asked = { sendTransactionStatusId };
      return (await service.query('get_send_transaction_status', asked)).body.txStatus;
    });
    return await Promise.all(all);
  };
  for (const id of [first, bump, cancel, next]) await tell(id, undefined, { newest: 4 });
  await tell(bump, 5, { newest: 5 });
  await tell(next, 5, { newest: 5 });
  assert.deepEqual(await statuses(), ['BROADCASTING', 'INCLUDED', 'BROADCASTING', 'INCLUDED']);
  // The chain loses block 5, and includes the replaced transaction instead.
  for (const id of [bump, next]) await tell(id, undefined, { newest: 5 });
  await tell(first, 6, { newest: 6 });
  assert.deepEqual(await statuses(), ['INCLUDED', 'BROADCASTING', 'BROADCASTING', 'BROADCASTING']);
  // Until it is final the others may return, so all of them reserve the nonce.
  nodeSays(1);
  const later = await startSend(service, from);
  await tell(next, 7, { newest: 7 });
  await tell(first, 6, { newest: 9, usedAtFinal: '1' });
  for (const id of [bump, cancel]) await tell(id, undefined, { newest: 9, usedAtFinal: '1' });
  assert.deepEqual(await statuses(), ['INCLUDED', 'FAILED', 'FAILED', 'INCLUDED']);
  // Late reports do not change a final status.
  await tell(bump, 5, { newest: 9 });
  await tell(first, undefined, { newest: 9 });
  assert.deepEqual(await statuses(), ['INCLUDED', 'FAILED', 'FAILED', 'INCLUDED']);
  nodeSays(0);
  const last = await startSend(service, from);
  const nonces = new Map((await unsettled(service)).map(({ sendId, nonce }) => [sendId, nonce]));
  assert.deepEqual(
    [next, later, last].map((id) => nonces.get(id)),
    ['1', '2', '3'],
  );
});
