// Drill: transfers during faults of all parts. The gateways and enclaves of two services on one database are
// killed, the database is killed and restarted, and three nodes of one chain disconnect, forget pending
// transactions, and reorganize.
// Each transfer must be on the chain once, and the history and balance of each sender must match the chain.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Anvil, startAnvil } from '../e2e/anvil.ts';
import { httpClient, serverClient, timestampMs } from '../e2e/clients.ts';
import { startRpcProxy } from '../e2e/rpc_proxy.ts';
import { type RunningService, startService, until } from '../e2e/service.ts';
import { type Nodes, post, type StampedRequest, startNodes } from '../e2e/two_nodes.ts';
import { newDatabase, type PostgresServer, startPostgresServer } from '../store/postgres_server.ts';

export type SendsResult = {
  readonly transfers: number;
  readonly seconds: number;
  /** Number of repeated requests, by the answer before. */
  readonly again: Readonly<Record<string, number>>;
  /** Number of faults by kind. */
  readonly faults: Readonly<Record<Fault, number>>;
  /** Number of transfers that are on the chain once, twice, or never. */
  readonly landedOnce: number;
  readonly landedTwice: number;
  readonly lost: number;
  /** Number of statuses that contradict the chain. */
  readonly wrongStatuses: number;
};

const faultNames = ['gateway', 'enclave', 'database', 'node', 'forgets', 'reorganizes'] as const;
type Fault = (typeof faultNames)[number];

const caip2 = 'eip155:31337' as 'eip155:1';
const confirmations = 4;
const recipient = `0x${'4e'.repeat(20)}`;
const accounts = 4;
/** Coins of each account at the start, in wei. */
const firstCoins = 100n * 10n ** 18n;
/** Number of concurrent clients. */
const clients = 6;
/** Interval between two faults, and between two blocks. */
const faultEveryMs = 400;
const patienceMs = 300_000;

/** Sends transfers. Faults end when the services have accepted all of them. */
export async function soakSends({
  transfers,
}: {
  readonly transfers: number;
}): Promise<SendsResult> {
  const startedAt = performance.now();
  const server = await startPostgresServer();
  const anvil = await startAnvil();
  const proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(anvil.url)));
  const chain = {
    rpcUrl: proxies.map(({ url }) => url),
    confirmations,
    pollMs: 50,
    coin: { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 },
  };
  const databaseUrl = await newDatabase(server.url);
  const environment = {
    KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
    KEYWRIGHT_CHAINS: JSON.stringify({ [caip2]: chain }),
  };
  const services: RunningService[] = [...(await startServices(databaseUrl, environment))];
  try {
    const senders = await makeSenders(services, anvil);
    const faults = Object.fromEntries(faultNames.map((name) => [name, 0])) as Record<Fault, number>;
    const stopping = new AbortController();
    const chaos = breakThings({
      services,
      anvil,
      proxies,
      server,
      databaseUrl,
      environment,
      faults,
      stopping,
    });
    const again: Record<string, number> = {};
    const ids = await sendAll({ services, senders, transfers, again });
    stopping.abort();
    await chaos;
    for (const proxy of proxies) proxy.is(undefined);
    const statuses = await settled(services, anvil, ids);
    return {
      transfers,
      again,
      faults,
      seconds: Math.round((performance.now() - startedAt) / 1000),
      ...(await compared({ services, anvil, senders, statuses, transfers })),
    };
  } finally {
    await Promise.all(services.map((service) => service.kill()));
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    anvil.stop();
    await server.remove();
  }
}

const startServices = (
  url: string,
  environment: Readonly<Record<string, string>>,
): Promise<Nodes> => startNodes(url, randomBytes(32), environment);

/** Creates addresses, and gives them coins. */
async function makeSenders(services: readonly RunningService[], anvil: Anvil) {
  const [service] = services;
  assert(service !== undefined);
  const { addresses } = await serverClient(service).createWallet({
    timestampMs: timestampMs(),
    walletName: 'Sends',
    accounts: Array.from({ length: accounts }, (_, i) => ({
      curve: 'CURVE_SECP256K1' as const,
      pathFormat: 'PATH_FORMAT_BIP32' as const,
      path: `m/44'/60'/0'/0/${i}`,
      addressFormat: 'ADDRESS_FORMAT_ETHEREUM' as const,
    })),
  });
  const coins = `0x${firstCoins.toString(16)}`;
  for (const address of addresses) await anvil.call('anvil_setBalance', address, coins);
  await anvil.mine(1);
  return addresses;
}

/** Sends transfers of 1, 2, 3 … units. Returns the IDs of their statuses in that order. */
async function sendAll(of: {
  readonly services: readonly RunningService[];
  readonly senders: readonly string[];
  readonly transfers: number;
  readonly again: Record<string, number>;
}): Promise<readonly string[]> {
  const { services, senders, transfers, again } = of;
  const ids: string[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < transfers) {
        const i = next;
        next += 1;
        ids[i] = await sendOne(services, senders[i % senders.length] ?? '', i, again);
      }
    }),
  );
  return ids;
}

/** Sends the same bytes to the services by turns until one completes the activity. */
async function sendOne(
  services: readonly RunningService[],
  from: string,
  i: number,
  again: Record<string, number>,
): Promise<string> {
  const [service] = services;
  assert(service !== undefined);
  const { organizationId } = service.credentials;
  const request: StampedRequest = await httpClient(service).stampEthSendTransaction({
    type: 'ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { from, caip2, calls: [{ to: recipient, value: String(i + 1) }] },
  });
  let id: string | undefined;
  let attempt = 0;
  await until(
    `transfer ${i} is taken`,
    async () => {
      attempt += 1;
      const service = services[(i + attempt) % services.length];
      assert(service !== undefined);
      const answer = await post(request, service).catch(() => undefined);
      const name = String(answer?.status ?? 'no answer');
      if (answer?.status !== 200) {
        again[name] = (again[name] ?? 0) + 1;
        return false;
      }
      const { activity } = JSON.parse(answer.text);
      id = activity.result.ethSendTransactionResultV2.sendTransactionStatusId;
      return true;
    },
    { timeoutMs: patienceMs, everyMs: 100 },
  );
  assert(id !== undefined);
  return id;
}

/** Causes one fault after the other and mines blocks until `stopping` aborts. Then repairs all parts. */
async function breakThings(of: {
  readonly services: RunningService[];
  readonly anvil: Anvil;
  readonly proxies: readonly Awaited<ReturnType<typeof startRpcProxy>>[];
  readonly server: PostgresServer;
  readonly databaseUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly faults: Record<Fault, number>;
  readonly stopping: AbortController;
}): Promise<void> {
  const { services, anvil, proxies, server, databaseUrl, environment, faults, stopping } = of;
  const deeds: Readonly<Record<Fault, (turn: number) => Promise<void>>> = {
    gateway: async (turn) => {
      const at = turn % services.length;
      const service = services[at];
      assert(service !== undefined);
      await service.kill();
      const { dataDirectory, credentials } = service;
      const started = await startService({
        dataDirectory,
        environment: { ...environment, KEYWRIGHT_DATABASE_URL: databaseUrl },
      });
      services[at] = { ...started, credentials: { ...credentials, baseUrl: started.baseUrl } };
    },
    enclave: async (turn) => {
      const service = services[turn % services.length];
      for (const pid of childrenOf(service?.pid ?? 0)) process.kill(pid, 'SIGKILL');
    },
    database: async () => {
      for (const pid of server.processes()) process.kill(pid, 'SIGKILL');
      await server.stop();
      await server.start();
    },
    node: async (turn) => {
      // On some turns, two of the three nodes are disconnected.
      for (const [i, proxy] of proxies.entries()) {
        proxy.is(i === turn % 3 || (turn % 4 === 0 && i === (turn + 1) % 3) ? 'gone' : undefined);
      }
    },
    forgets: async () => {
      await anvil.call('anvil_dropAllTransactions');
    },
    reorganizes: async (turn) => {
      const newest = Number(await anvil.call('eth_blockNumber'));
      const depth = 1 + (turn % (confirmations - 1));
      if (newest > depth) await anvil.call('anvil_reorg', depth, []);
    },
  };
  for (let turn = 0; !stopping.signal.aborted; turn += 1) {
    // A killed gateway takes longest to restart.
    const order = [
      'node',
      'enclave',
      'reorganizes',
      'database',
      'node',
      'forgets',
      'gateway',
    ] as const;
    const fault = order[turn % order.length] ?? 'node';
    await deeds[fault](Math.floor(turn / order.length));
    faults[fault] += 1;
    await anvil.mine(1);
    await passed(faultEveryMs);
  }
}

/** Waits for a time. */
async function passed(ms: number): Promise<void> {
  const since = performance.now();
  await until('time passes', () => performance.now() - since >= ms, { everyMs: 50 });
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').flatMap((word) => (word === '' ? [] : [Number(word)]));
}

type Status = { readonly txStatus: string; readonly txHash: string };

/** Mines blocks until each transfer is in a block, and then until the last of these is final. */
async function settled(
  services: readonly RunningService[],
  anvil: Anvil,
  ids: readonly string[],
): Promise<readonly Status[]> {
  const statusOf = async (sendTransactionStatusId: string, i: number): Promise<Status> => {
    const service = services[i % services.length];
    assert(service !== undefined);
    const client = serverClient(service);
    const { txStatus, eth } = await client.getSendTransactionStatus({ sendTransactionStatusId });
    return { txStatus, txHash: eth?.txHash ?? '' };
  };
  const statuses: Status[] = [];
  for (const [i, id] of ids.entries()) {
    await until(
      `transfer ${i} has ended`,
      async () => {
        const status = await statusOf(id, i);
        statuses[i] = status;
        const hasEnded = status.txStatus === 'INCLUDED' || status.txStatus === 'FAILED';
        if (!hasEnded) await anvil.mine(1);
        return hasEnded;
      },
      { timeoutMs: patienceMs, everyMs: 100 },
    );
  }
  await anvil.mine(confirmations + 1);
  const last: Status[] = [];
  // Requests run one after the other, because a service bounds its requests in progress.
  for (const [i, id] of ids.entries()) last.push(await statusOf(id, i));
  return last;
}

/** Compares all blocks of the chain with the statuses, and with the histories of the senders. */
async function compared(of: {
  readonly services: readonly RunningService[];
  readonly anvil: Anvil;
  readonly senders: readonly string[];
  readonly statuses: readonly Status[];
  readonly transfers: number;
}) {
  const { services, anvil, senders, statuses, transfers } = of;
  const landed = new Map<number, string[]>();
  const hashesOf = new Map(senders.map((address) => [address.toLowerCase(), [] as string[]]));
  const newest = Number(await anvil.call('eth_blockNumber'));
  let sum = 0n;
  for (let number = 0; number <= newest; number += 1) {
    const block = await anvil.call('eth_getBlockByNumber', `0x${number.toString(16)}`, true);
    for (const { from, to, value, hash } of block.transactions) {
      hashesOf.get(from)?.push(hash);
      if (!hashesOf.has(from) || to !== recipient) continue;
      sum += BigInt(value);
      landed.set(Number(value) - 1, [...(landed.get(Number(value) - 1) ?? []), hash]);
    }
  }
  assert.equal(sum, BigInt(await anvil.call('eth_getBalance', recipient, 'latest')));
  for (const [i, address] of senders.entries()) {
    const service = services[i % services.length];
    assert(service !== undefined);
    await historyAgrees(service, anvil, address, hashesOf.get(address.toLowerCase()) ?? []);
  }
  const all = Array.from({ length: transfers }, (_, i) => landed.get(i) ?? []);
  const isWrong = ({ txStatus, txHash }: Status, i: number) =>
    txStatus !== 'INCLUDED' || all[i]?.[0] !== txHash;
  return {
    landedOnce: all.filter(({ length }) => length === 1).length,
    landedTwice: all.filter(({ length }) => length > 1).length,
    lost: all.filter(({ length }) => length === 0).length,
    wrongStatuses: statuses.filter(isWrong).length,
  };
}

/**
 * Waits until the history of a sender is final. Asserts that it has exactly the transactions of the chain,
 * each once, and that the balance is the coins of the start less their amounts and fees.
 */
async function historyAgrees(
  service: RunningService,
  anvil: Anvil,
  address: string,
  hashes: readonly string[],
): Promise<void> {
  const client = serverClient(service);
  let items: Awaited<ReturnType<typeof wholeHistory>> = [];
  await until(
    `the history of ${address} is final`,
    async () => {
      items = await wholeHistory(service, address);
      const isFinal = items.every(({ status }) => status === 'FINALIZED');
      return isFinal && items.length >= hashes.length;
    },
    { timeoutMs: patienceMs, everyMs: 200 },
  );
  assert.deepEqual(items.map(({ transactionHash }) => transactionHash).sort(), [...hashes].sort());
  const paid = items.flatMap(({ fee, transfers }) => [
    BigInt(fee.amount),
    ...transfers.map(({ amount }) => BigInt(amount)),
  ]);
  const left = paid.reduce((rest, amount) => rest - amount, firstCoins);
  assert.equal(left, BigInt(await anvil.call('eth_getBalance', address, 'latest')));
  const { balances = [] } = await client.getWalletAddressBalances({ address, caip2 });
  assert.deepEqual(
    balances.map(({ balance }) => balance),
    [String(left)],
  );
}

/** Returns all pages of the transactions of an address. */
async function wholeHistory(service: RunningService, address: string) {
  const client = serverClient(service);
  const page = (after?: string) =>
    client.listEthTransactionHistory({
      address,
      caip2,
      paginationOptions: { limit: '100', ...(after === undefined ? {} : { after }) },
    });
  let { transactions, pageInfo } = await page();
  const all = [...transactions];
  while (pageInfo?.hasNextPage === true) {
    ({ transactions, pageInfo } = await page(pageInfo.endCursor));
    all.push(...transactions);
  }
  return all;
}
