// A database or gateway that lies about unsettled Solana transactions can prevent their sending and report
// a wrong status. Nothing is signed twice.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { StoredRecord } from '../../src/store/port.ts';
import {
  describedSolanaSend,
  makeSolanaAccounts,
  solanaChain,
  solanaType,
  startSolanaSend,
  tellOfSolana,
  unsettledOfSolana,
} from '../operations/sending/solana_requests.ts';
import { startTestService, testKey } from '../support/harness.ts';
import { hostileStore } from './hostile_store.ts';
import { type ServiceOver, startServiceOver } from './service_over.ts';

const service = await startTestService();
after(() => service.close());
const addresses = await makeSolanaAccounts(service, { count: 2 });
const [address = ''] = addresses;
const store = hostileStore(service.store.port);
const { outside, now: clock } = service;
const over: ServiceOver = await startServiceOver({
  store: store.port,
  seed: 'hostile',
  clock,
  outside,
});
const { organizationId } = service.root;
const included = { slot: 1_500, level: 'confirmed', failure: undefined };

const rowOf = async (id: string): Promise<StoredRecord> => {
  const [row] = await service.store.port.records({ organizationId, kind: 'send', ids: [id] });
  assert(row !== undefined);
  return row;
};
const listed = async () => (await over.enclave.unsettledSends({ caip2: solanaChain })).length;
const statusOf = async (sendTransactionStatusId: string) => {
  const body = JSON.stringify({ organizationId, sendTransactionStatusId });
  const operation = 'get_send_transaction_status';
  return await over.send('query', operation, Buffer.from(body), testKey('root'));
};

test('a restored older row of a transaction is refused, and so is another row', async () => {
  const id = await startSolanaSend(service, describedSolanaSend([address]));
  const steps = [await rowOf(id)];
  await tellOfSolana(service, id, { inclusion: included });
  steps.push(await rowOf(id));
  await tellOfSolana(service, id, { slot: 1_600 });
  const other = await startSolanaSend(service, describedSolanaSend(addresses));
  assert.equal(await listed(), 2);
  const lies: readonly (readonly StoredRecord[])[] = [
    ...steps.map((step) => [step]),
    [{ ...(await rowOf(other)), id }],
  ];
  for (const rows of lies) {
    store.alter({ records: (honest) => honest.flatMap((row) => (row.id === id ? rows : [row])) });
    const refused = over.log.length;
    assert.equal((await statusOf(id)).status, 500);
    // The refusal hides all transactions of the organization, so no bytes are sent.
    assert.equal(await listed(), 0);
    assert(over.log.length > refused);
  }
  store.alter({ records: (honest) => honest.filter((row) => row.id !== id) });
  // The organization lists its unsettled transactions, so the missing row was withheld.
  assert.equal((await statusOf(id)).status, 500);
  assert.equal(await listed(), 0);
  store.alter({});
  assert.equal(await listed(), 2);
  // A settled transaction does not become unsettled again.
  const live = await rowOf(id);
  await tellOfSolana(service, id, { inclusion: { ...included, slot: 1_700, level: 'finalized' } });
  assert.equal(await listed(), 1);
  store.alter({
    records: (honest) => honest.map((row) => (row.id === id ? live : row)),
    lookup: (found, { index, blind }) =>
      index === 'unsettled_send'
        ? [...found, { organizationId, recordId: id, index, blind }]
        : found,
  });
  assert.equal((await statusOf(id)).status, 500);
  assert.equal(await listed(), 0);
  store.alter({});
});

test('a database that refuses a commit gets no second signature of a message', async () => {
  const before = await unsettledOfSolana(service);
  const parameters = describedSolanaSend([address]);
  const body = JSON.stringify({
    type: solanaType,
    timestampMs: String(clock()),
    organizationId,
    parameters,
  });
  const send = () =>
    over.send('submit', 'sol_send_transaction', Buffer.from(body), testKey('root'));
  let denials = 3;
  store.alter({
    commit: (outcome) => {
      denials -= 1;
      return denials >= 0 ? ('conflict' as const) : outcome;
    },
  });
  await send();
  store.alter({});
  const { status } = await send();
  assert.equal(status, 200);
  const known = new Set(before.map(({ sendId }) => sendId));
  const added = (await unsettledOfSolana(service)).filter(({ sendId }) => !known.has(sendId));
  assert(added.length > 0);
  assert.equal(new Set(added.map(({ signedTransaction }) => signedTransaction)).size, 1);
});

test('a gateway that reports false node answers shows a wrong status, and gets no signature', async () => {
  const id = await startSolanaSend(service, describedSolanaSend(addresses));
  const bytesOf = async () =>
    (await unsettledOfSolana(service)).find(({ sendId }) => sendId === id);
  const { signedTransaction } = (await bytesOf()) ?? {};
  const named = { organizationId, sendId: id, confirmations: 0 };
  const ethereum = { usedAtFinal: '99', inclusion: undefined, newest: 1, isTaken: true };
  await service.enclave.sendSeen({ ...named, ethereum, solana: undefined });
  await service.enclave.sendSeen({ ...named, ethereum: undefined, solana: undefined });
  assert.equal((await bytesOf())?.status, 'INITIALIZED', 'of another family, or of nothing');
  await tellOfSolana(service, id, { inclusion: { ...included, level: 'certain' } });
  assert.equal((await bytesOf())?.status, 'BROADCASTING', 'an unknown level is the least');
  const noise = `\u0000\u202e${'x'.repeat(100_000)}`;
  const failure = {
    source: noise,
    transactionErrorJson: noise,
    logs: Array.from({ length: 10_000 }, () => noise),
    unitsConsumed: noise,
    innerInstructionsJson: noise,
  };
  await tellOfSolana(service, id, { inclusion: { ...included, failure } });
  const told = await statusOf(id);
  assert.equal(told.body.txStatus, 'INCLUDED');
  assert.match(told.body.error.message, /^[ -~]{1,300}$/);
  const size = JSON.stringify(told.body).length;
  assert(size < 40_000, `${size} characters`);
  const end = { slot: 1_900, firstSlot: 0, height: 10_000, nonce: undefined };
  await tellOfSolana(service, id, { end });
  assert.equal((await statusOf(id)).body.txStatus, 'FAILED');
  // A settled transaction stays settled, and the same request returns it.
  await tellOfSolana(service, id, { inclusion: included });
  assert.equal((await statusOf(id)).body.txStatus, 'FAILED');
  assert.equal(await bytesOf(), undefined);
  const again = await startSolanaSend(service, describedSolanaSend(addresses));
  const sends = await unsettledOfSolana(service);
  assert.equal(sends.find(({ sendId }) => sendId === again)?.signedTransaction, signedTransaction);
});

test('answers of the gateway before a signature do not change the signed bytes', async () => {
  const filled: Awaited<ReturnType<typeof outside.fetchSolanaFields>> = {
    slot: 0,
    height: Number.MAX_SAFE_INTEGER - 1_000,
    isRecent: true,
    nonce: 'anything',
  };
  const lying = await startServiceOver({
    store: service.store.port,
    seed: 'filled',
    clock,
    outside: { ...outside, fetchSolanaFields: async () => filled },
  });
  const parameters = describedSolanaSend(addresses);
  const message = Buffer.from(parameters.unsignedTransaction, 'hex').subarray(1 + 2 * 64);
  const timestampMs = String(clock() + 1);
  const body = JSON.stringify({ type: solanaType, timestampMs, organizationId, parameters });
  const sent = await lying.send(
    ...(['submit', 'sol_send_transaction', Buffer.from(body), testKey('root')] as const),
  );
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const { sendTransactionStatusId } = sent.body.activity.result.solSendTransactionResultV2;
  const send = (await unsettledOfSolana(service)).find(
    ({ sendId }) => sendId === sendTransactionStatusId,
  );
  const signed = Buffer.from(send?.signedTransaction ?? '', 'base64');
  assert.deepEqual(signed.subarray(1 + 2 * 64), message);
});
