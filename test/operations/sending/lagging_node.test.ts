// A lagging node reports nonces as free that final transactions have used. No enclave takes them again, on
// both stores.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { StorePort } from '../../../src/store/port.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { activityBody, startServiceOver } from '../../enclave/service_over.ts';
import { clock, newDatabase, newSchema, postgresForTests } from '../../store/postgres_server.ts';
import { startTestService, type TestService } from '../../support/harness.ts';
import { assertViolation } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import {
  describedSend,
  foreignTransaction,
  makeSender,
  sendChain,
  sendType,
  startSend,
  tell,
  unsettled,
} from './send_requests.ts';

const hash = `0x${'ab'.repeat(32)}`;
const operation = 'eth_send_transaction';
const undelegate = 'ACTIVITY_TYPE_ETH_UNDELEGATE_7702';
const raw = 'ACTIVITY_TYPE_ETH_SEND_RAW_TRANSACTION';

/** Sets the transaction count that the node reports for an address. */
const nodeSays = ({ outside }: TestService, address: string, used: number) =>
  outside.amounts.set(`${sendChain}/${address.toLowerCase()}`, new Map([['nonce', String(used)]]));

const noncesOf = async (service: TestService, address: string) =>
  (await unsettled(service))
    .filter((send) => send.address === address.toLowerCase())
    .map(({ nonce }) => Number(nonce))
    .sort((a, b) => a - b);

/** Reports a transaction in a final block; `used` is the node's count by then. */
const lands = (service: TestService, id: string, used: string) =>
  tell(service, id, { inclusion: { number: 5, hash }, newest: 8, usedAtFinal: used });

checkOn('SQLite', async () => openSqliteStore({ file: ':memory:' }));

const server = await postgresForTests();
if (server !== undefined) {
  after(() => server.remove());
  checkOn('PostgreSQL', async () => {
    const url = await newSchema(await newDatabase(server.url));
    return await openPostgresStore({ clock, url, log: () => {} });
  });
}

function checkOn(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    async function started() {
      const service = await startTestService({ store: await open() });
      return { service, from: await makeSender(service) };
    }

    test('a nonce that a final transaction used is not taken again', async (t) => {
      const { service, from } = await started();
      t.after(() => service.close());
      const first = await startSend(service, from);
      await lands(service, first, '1');
      nodeSays(service, from, 0);
      const second = await startSend(service, from);
      assert.deepEqual(await noncesOf(service, from), [1]);
      // A failed transaction counts as well, since its nonce was used by another.
      await tell(service, second, { usedAtFinal: '2', newest: 8 });
      await startSend(service, from);
      assert.deepEqual(await noncesOf(service, from), [2]);
      // The higher count of a node is accepted.
      nodeSays(service, from, 7);
      await startSend(service, from);
      assert.deepEqual(await noncesOf(service, from), [2, 7]);
    });

    test('a used nonce is refused in a request, and in a transaction signed elsewhere', async (t) => {
      const { service, from } = await started();
      t.after(() => service.close());
      await lands(service, await startSend(service, from, {}, { nonce: '3' }), '4');
      nodeSays(service, from, 2);
      for (const nonce of ['2', '3']) {
        const parameters = describedSend(from, { nonce });
        const refused = await service.submit(operation, sendType, parameters);
        assertViolation(refused, 'parameters.nonce');
        assert.match(JSON.stringify(refused.body), /expected nonce 4 or a higher one.*got [23]/);
      }
      const asked = { caip2: sendChain };
      const foreign = { ...asked, signedTransaction: foreignTransaction() };
      const sent = await service.submit('eth_send_raw_transaction', raw, foreign);
      const { sendTransactionStatusId } = sent.body.activity.result.ethSendRawTransactionResult;
      await lands(service, sendTransactionStatusId, '1');
      const other = { ...asked, signedTransaction: foreignTransaction({ value: 2 }) };
      const refused = await service.submit('eth_send_raw_transaction', raw, other);
      assertViolation(refused, 'parameters.signedTransaction');
      assert.deepEqual(await unsettled(service), []);
    });

    test('a used authorization counts as far as nodes counted it', async (t) => {
      const { service, from } = await started();
      t.after(() => service.close());
      const sent = await service.submit('eth_undelegate_7702', undelegate, {
        from,
        caip2: sendChain,
      });
      const { sendTransactionStatusId } = sent.body.activity.result.ethUndelegate7702Result;
      // The stored count rises at most by the nonces that the transaction can use.
      await lands(service, sendTransactionStatusId, '1000000');
      nodeSays(service, from, 0);
      await startSend(service, from);
      assert.deepEqual(await noncesOf(service, from), [2]);
    });

    test('each address and chain has its own count', async (t) => {
      const { service, from } = await started();
      t.after(() => service.close());
      const child = await addChild(service);
      const other = await makeSender(service, child);
      await lands(service, await startSend(service, from), '1');
      nodeSays(service, other, 0);
      await startSend(service, other, child);
      assert.deepEqual(await noncesOf(service, other), [0]);
    });

    test('another enclave on the store takes no used nonce, also if it started later', async (t) => {
      const { service, from } = await started();
      t.after(() => service.close());
      for (const used of ['1', '2']) await lands(service, await startSend(service, from), used);
      nodeSays(service, from, 0);
      const store: StorePort = service.store.port;
      const over = await startServiceOver({
        store,
        seed: 'second',
        clock: service.now,
        outside: service.outside,
      });
      const { organizationId, key } = service.root;
      const body = activityBody(sendType, organizationId, describedSend(from), service.now() + 1);
      const sent = await over.send('submit', operation, body, key);
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
      assert.deepEqual(await noncesOf(service, from), [2]);
    });
  });
}

test('a database that withholds the row causes one failed transaction', async (t) => {
  const store = openSqliteStore({ file: ':memory:' });
  let withholds = false;
  const lying: StorePort = {
    ...store.port,
    lookup: async (asked) =>
      withholds && asked.index === 'sent_nonce' ? [] : store.port.lookup(asked),
  };
  const service = await startTestService({ store: { ...store, port: lying } });
  t.after(() => service.close());
  const from = await makeSender(service);
  await lands(service, await startSend(service, from, {}, { nonce: '4' }), '5');
  nodeSays(service, from, 0);
  withholds = true;
  const doomed = await startSend(service, from);
  assert.deepEqual(await noncesOf(service, from), [0]);
  // The failure writes another row, and the higher count is stored.
  await tell(service, doomed, { usedAtFinal: '5', newest: 8 });
  withholds = false;
  await startSend(service, from);
  assert.deepEqual(await noncesOf(service, from), [5]);
});
