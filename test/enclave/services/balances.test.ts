// Delivers the transfers of a block to organizations. A block and its events are one commit.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { textOfUtf8 } from '../../../src/core/base/bytes.ts';
import { createEnclave } from '../../../src/enclave/enclave.ts';
import type { EnclaveMessages, RequestOf } from '../../../src/ipc/messages.ts';
import { addChild } from '../../operations/other_callers.ts';
import {
  type Sender,
  seededRandom,
  startTestService,
  type TestService,
  testRootKey,
} from '../../support/harness.ts';
import { createTestOutside, testDeployment } from '../../support/outside.ts';
import { hostileStore } from '../hostile_store.ts';
import { startServiceOver } from '../service_over.ts';

const chain = { caip2: 'eip155:1', fromBlock: undefined };
const solana = { caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', fromBlock: undefined };
const confirmations = 1;
const asset = { symbol: 'ETH', name: 'Ether', decimals: 18, caip19: 'eip155:1/slip44:60' };
type Observed = RequestOf<EnclaveMessages['observe']>;

async function start(
  t: TestContext,
  options: Parameters<typeof startTestService>[0] = {},
): Promise<TestService> {
  const service = await startTestService(options);
  t.after(() => service.close());
  return service;
}

async function walletOf(service: TestService, as: Sender = {}) {
  const { status, body } = await service.submit(
    'create_wallet',
    'ACTIVITY_TYPE_CREATE_WALLET',
    {
      walletName: 'Watched',
      accounts: [
        {
          curve: 'CURVE_SECP256K1',
          pathFormat: 'PATH_FORMAT_BIP32',
          path: "m/44'/60'/0'/0/0",
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
        },
      ],
    },
    as,
  );
  assert.equal(status, 200, JSON.stringify(body));
  const { walletId, addresses } = body.activity.result.createWalletResult;
  return { walletId, address: String(addresses[0]).toLowerCase() };
}

async function endpointOf(service: TestService, filtersJson = ''): Promise<string> {
  const { status, body } = await service.submit(
    'create_webhook_endpoint',
    'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT',
    {
      url: 'https://receiver.example/',
      name: 'Hook',
      subscriptions: [
        { eventType: 'BALANCE_CONFIRMED_UPDATES', filtersJson },
        { eventType: 'BALANCE_FINALIZED_UPDATES', filtersJson },
      ],
    },
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createWebhookEndpointResult.endpointId;
}

const transfer = (address: string, operation = 'deposit', amount = '5') => ({
  ...asset,
  txHash: '0xf00',
  address,
  operation,
  amount,
  counterparty: undefined,
});

/** Takes one step from the enclave's own cursor. */
async function observe(
  { enclave }: Pick<TestService, 'enclave'>,
  step: string,
  block: Partial<Observed['block']> & { number: number; hash: string; parentHash?: string },
): Promise<string> {
  const { version } = await enclave.chainCursor(chain);
  const { number, parentHash = '' } = block;
  const parent = { number: number - 1, hash: parentHash };
  const whole = { parent, timestampMs: 1_000, transfers: [], transactions: [], ...block };
  const { outcome } = await enclave.observe({
    ...chain,
    version,
    confirmations,
    lag: 0,
    step,
    block: whole,
  });
  return outcome;
}

async function toldTo(service: TestService, endpointId: string, after = 0) {
  const page = { endpointId, after, limit: 100, eventIds: [] };
  const { deliveries } = await service.store.port.deliveryPage(page);
  return Promise.all(
    deliveries.map(async ({ organizationId, eventId, sequence, body }) => {
      const asked = { endpointId, organizationId, deliveries: [{ eventId, sequence, body }] };
      const [signed] = await service.enclave.signDeliveries(asked);
      return { eventId, ...JSON.parse(textOfUtf8(signed?.body ?? body) ?? '') };
    }),
  );
}

test('the parent receives transfers of its tree, and organizations only those of their own accounts', async (t) => {
  const service = await start(t);
  const own = await walletOf(service);
  const child = await addChild(service);
  const of = await walletOf(service, child);
  const endpointId = await endpointOf(service);
  assert.equal(await observe(service, 'begin', { number: 1, hash: '0x1' }), 'committed');
  const transfers = [
    ...[transfer(own.address, 'withdraw'), transfer(of.address)],
    transfer(`0x${'9'.repeat(40)}`),
  ];
  const block = { number: 2, hash: '0x2', parentHash: '0x1', transfers };
  assert.equal(await observe(service, 'confirm', block), 'committed');
  const told = await toldTo(service, endpointId);
  const parentOrganizationId = service.root.organizationId;
  assert.deepEqual(
    told.map(({ type, organizationId, msg }) => [type, organizationId, msg.operation, msg.address]),
    [
      ['balances:confirmed', parentOrganizationId, 'withdraw', own.address],
      ['balances:confirmed', child.organizationId, 'deposit', of.address],
    ],
  );
  for (const event of told) assert.equal(event.parentOrganizationId, parentOrganizationId);
  assert.equal(told[0].msg.block.timestamp, '1970-01-01T00:00:01.000Z');
});

test('of thousands of addresses in a block, those of accounts are reported, also on Solana', async (t) => {
  const service = await start(t);
  const { address } = await walletOf(service);
  const account = {
    curve: 'CURVE_ED25519',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/501'/0'/0'",
    addressFormat: 'ADDRESS_FORMAT_SOLANA',
  };
  const made = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Solana',
    accounts: [account],
  });
  const [ofSolana] = made.body.activity.result.createWalletResult.addresses;
  const endpointId = await endpointOf(service);
  await observe(service, 'begin', { number: 1, hash: '0x1' });
  const strangers = Array.from({ length: 3_000 }, (_, i) =>
    transfer(`0x${i.toString(16).padStart(40, '0')}`),
  );
  // The same address on another chain is another account.
  const transfers = [transfer(ofSolana), ...strangers, transfer(address)];
  await observe(service, 'confirm', { number: 2, hash: '0x2', parentHash: '0x1', transfers });
  const { version } = await service.enclave.chainCursor(solana);
  const rules = { confirmations, lag: 0, version };
  const parent = { number: 0, hash: '' };
  const block = { parent, timestampMs: 1_000, transfers: [], transactions: [] };
  const begin = { ...block, number: 7, hash: 'seven' };
  await service.enclave.observe({ ...solana, ...rules, step: 'begin', block: begin });
  const { outcome } = await service.enclave.observe({
    ...solana,
    ...rules,
    version: version + 1,
    step: 'confirm',
    // Some slots have no block.
    block: { ...block, number: 9, hash: 'nine', parent: { number: 7, hash: 'seven' }, transfers },
  });
  assert.equal(outcome, 'committed');
  const told = await toldTo(service, endpointId);
  assert.deepEqual(
    told.map(({ msg }) => [msg.caip2, msg.address, msg.block.number]),
    [
      ['eip155:1', address, 2],
      [solana.caip2, ofSolana, 9],
    ],
  );
});

test('filters narrow the events by chain, address, asset and direction', async (t) => {
  const service = await start(t);
  const { address } = await walletOf(service);
  const heard = [
    '{"directions": ["deposit"]}',
    `{"addresses": ["${address.toUpperCase().replace('0X', '0x')}"]}`,
    '{"assets": ["eth"]}',
    '{"chains": ["eip155:1"]}',
  ];
  const unheard = [
    '{"directions": ["withdraw"]}',
    `{"addresses": ["0x${'1'.repeat(40)}"]}`,
    '{"assets": ["USDC"]}',
    '{"chains": ["eip155:2"]}',
  ];
  const endpoints: [string, number][] = [];
  for (const filter of heard) endpoints.push([await endpointOf(service, filter), 1]);
  for (const filter of unheard) endpoints.push([await endpointOf(service, filter), 0]);
  await observe(service, 'begin', { number: 1, hash: '0x1' });
  const transfers = [transfer(address)];
  await observe(service, 'confirm', { number: 2, hash: '0x2', parentHash: '0x1', transfers });
  for (const [endpointId, count] of endpoints) {
    assert.equal((await toldTo(service, endpointId)).length, count);
  }
});

test('a block that returns is reported once, once more at another height, and is final once', async (t) => {
  const service = await start(t);
  const { address } = await walletOf(service);
  const endpointId = await endpointOf(service);
  const transfers = [transfer(address)];
  const a = { number: 2, hash: '0xa', parentHash: '0x1', transfers };
  const b = { number: 2, hash: '0xb', parentHash: '0x1', transfers };
  const steps: [string, Parameters<typeof observe>[2], string][] = [
    ['begin', { number: 1, hash: '0x1' }, 'committed'],
    ['confirm', a, 'committed'],
    ['rewind', { number: 1, hash: '0x1' }, 'committed'],
    ['confirm', b, 'committed'],
    ['rewind', { number: 1, hash: '0x1' }, 'committed'],
    ['confirm', a, 'committed'],
    ['finalize', a, 'refused'],
    ['confirm', { number: 3, hash: '0x3', parentHash: '0xb' }, 'refused'],
    ['confirm', { number: 3, hash: '0x3', parentHash: '0xa' }, 'committed'],
    ['finalize', b, 'refused'],
    ['finalize', a, 'committed'],
    ['finalize', a, 'refused'],
  ];
  for (const [step, block, outcome] of steps) {
    assert.equal(await observe(service, step, block), outcome, step);
  }
  const told = await toldTo(service, endpointId);
  assert.deepEqual(
    told.map(({ type, msg }) => [type, msg.block.hash]),
    [
      ['balances:confirmed', '0xa'],
      ['balances:confirmed', '0xb'],
      ['balances:finalized', '0xa'],
    ],
  );
  const keys = told.map(({ msg }) => msg.idempotencyKey);
  assert.equal(new Set(keys).size, 3);
  for (const key of keys) assert.match(key, /^[0-9a-f]{64}:balances:(confirmed|finalized)$/);
});

test('accounts of deleted wallets and organizations cause no events', async (t) => {
  const service = await start(t);
  const { address, walletId } = await walletOf(service);
  const endpointId = await endpointOf(service);
  const deleted = await service.submit('delete_wallets', 'ACTIVITY_TYPE_DELETE_WALLETS', {
    walletIds: [walletId],
    deleteWithoutExport: true,
  });
  assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
  await observe(service, 'begin', { number: 1, hash: '0x1' });
  const transfers = [transfer(address)];
  await observe(service, 'confirm', { number: 2, hash: '0x2', parentHash: '0x1', transfers });
  assert.deepEqual(await toldTo(service, endpointId), []);
});

test('of two nodes one takes a step, and another enclave continues after the first one', async (t) => {
  const service = await start(t);
  await observe(service, 'begin', { number: 1, hash: '0x1' });
  const { version, blocks } = await service.enclave.chainCursor(chain);
  const other = createEnclave({
    store: service.store.port,
    external: createTestOutside(),
    clock: service.now,
    random: seededRandom('another enclave'),
    log: () => undefined,
  });
  await other.start({
    rootKey: testRootKey(),
    liveness: { maximumAgeMs: 3_600_000, maximumAheadMs: 300_000 },
    deployment: testDeployment,
  });
  assert.deepEqual(await other.chainCursor(chain), { version, blocks });
  const parent = { number: 1, hash: '0x1' };
  const place = { number: 2, hash: '0x2', parent };
  const block = { ...place, timestampMs: 0, transfers: [], transactions: [] };
  const step = { ...chain, version, confirmations, lag: 0, step: 'confirm', block };
  const outcomes = await Promise.all([service.enclave.observe(step), other.observe(step)]);
  assert.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ['committed', 'overtaken']);
  const elsewhere = await other.chainCursor({ ...chain, fromBlock: 7 });
  assert.deepEqual(elsewhere, { version: 0, blocks: [] });
});

test('the thread is yielded between the rows and the events of a block', async (t) => {
  let pauses = 0;
  const turns = {
    run: <Result>(_: unknown, work: () => Promise<Result>) => work(),
    chargeTo: () => undefined,
    holdTurnOf: () => () => undefined,
    workFor: () => () => undefined,
    pause: async () => {
      pauses += 1;
    },
  };
  const service = await start(t, { turns });
  const { address } = await walletOf(service);
  await endpointOf(service);
  const count = 40;
  const transactions = Array.from({ length: count }, (_, i) => ({
    txHash: `0x${i}`,
    from: '0xaa',
    to: address,
    fee: '1',
    hasFailed: false,
    signers: [],
  }));
  const transfers = transactions.map(({ txHash }) => ({ ...transfer(address), txHash }));
  const block = { number: 2, hash: '0x2', parentHash: '0x1', transfers, transactions };
  assert.equal(await observe(service, 'begin', { number: 1, hash: '0x1' }), 'committed');
  for (const step of ['confirm', 'finalize']) {
    pauses = 0;
    assert.equal(await observe(service, step, block), 'committed');
    // Each event pauses when it is created, sealed and reported.
    assert.ok(pauses >= 3 * count, `${step}: ${pauses}`);
    if (step === 'confirm') {
      const next = { number: 3, hash: '0x3', parentHash: '0x2' };
      assert.equal(await observe(service, 'confirm', next), 'committed');
    }
  }
});

for (const withheldRead of [1, 2, Number.POSITIVE_INFINITY]) {
  test(`a block is not reported while the parent has no row in the database, from read ${withheldRead}`, async (t) => {
    const service = await start(t);
    const child = await addChild(service);
    const { address } = await walletOf(service, child);
    const endpointId = await endpointOf(service);
    await observe(service, 'begin', { number: 1, hash: '0x1' });
    const store = hostileStore(service.store.port);
    const { now: clock } = service;
    const another = await startServiceOver({ store: store.port, seed: 'withheld', clock });
    const parentId = service.root.organizationId;
    const block = { number: 2, hash: '0x2', parentHash: '0x1', transfers: [transfer(address)] };
    let reads = 0;
    store.alter({
      organization: (answer, { organizationId }) => {
        if (organizationId !== parentId) return answer;
        reads += 1;
        const isWithheld = reads === withheldRead || withheldRead === Number.POSITIVE_INFINITY;
        if (!isWithheld) return answer;
        return { ...answer, version: undefined, organization: undefined, records: [] };
      },
    });
    await assert.rejects(observe(another, 'confirm', block), /stored record was refused|internal/);
    store.alter({});
    assert.equal(await observe(another, 'confirm', block), 'committed');
    assert.equal((await toldTo(service, endpointId)).length, 1);
  });
}

test('of a block with too many transfers each organization receives some, and small ones receive all', async (t) => {
  const log: string[] = [];
  const service = await start(t, { log });
  const crowd = await walletOf(service);
  const child = await addChild(service);
  const of = await walletOf(service, child);
  const endpoints: string[] = [];
  while (endpoints.length < 10) endpoints.push(await endpointOf(service));
  const transfers = [
    ...Array.from({ length: 2_100 }, (_, i) => ({
      ...transfer(crowd.address),
      txHash: `0x${i}`,
    })),
    transfer(of.address),
  ];
  assert.equal(await observe(service, 'begin', { number: 1, hash: '0x1' }), 'committed');
  const block = { number: 2, hash: '0x2', parentHash: '0x1', transfers };
  assert.equal(await observe(service, 'confirm', block), 'committed');
  const last = await Promise.all(endpoints.map((each) => toldTo(service, each, 1_998)));
  for (const told of last) {
    const addresses = told.map(({ msg }) => msg.address);
    assert.deepEqual(addresses, [crowd.address, of.address]);
  }
  const warned = log.filter((line) => line.includes('more transfers of accounts'));
  assert.equal(warned.length, 1, warned.join());
});
