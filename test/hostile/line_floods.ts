// Floods that try to delay the changes of an organization: refused requests, stamps by unknown keys,
// sign-ups of strangers, allowed changes and votes of one user. During each flood the root user sends one
// change. All run in one process, on a store in memory, with the turns of the real enclave.

import { createFairTurns, eventLoop } from '../../src/enclave/turns/fair_turns.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { callProxy, nobody } from '../operations/auth_proxy/proxy_requests.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { describedKey, makeUser } from '../operations/users/user_requests.ts';
import { accountsOf } from '../operations/wallets/deep_accounts.ts';
import { startTestService, type TestService } from '../support/harness.ts';
import { approve, by, changeQuorum, rename } from '../votes/voting.ts';

export type LineBounds = { readonly requests: number };

export type Measured = {
  /** The numbers of answers to the flood, by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly rootStatus: number;
  /** Changes that were committed between the root user's request and its answer, without its own. */
  readonly changesBefore: number;
  /** Answers to the flood between the root user's request and its answer. */
  readonly answersBefore: number;
  readonly rootMs: number;
};

export type Flood = {
  readonly name: string;
  readonly run: (bounds: LineBounds) => Promise<Measured>;
};

type Send = (i: number) => Promise<{ readonly status: number }>;

export const floods: readonly Flood[] = [
  flood('refused changes of a user without rights', async (service) => {
    await makeUser(service, 'Powerless');
    return (i) => rename(service, `Refused ${i}`, by('Powerless'));
  }),
  flood('changes stamped by keys that no user has', async (service) => {
    return (i) => rename(service, `Unknown ${i}`, by(`unknown ${i % 8}`));
  }),
  flood('sign-ups of strangers with many accounts', async (service) => {
    const wallet = { walletName: 'Wallet', accounts: accountsOf(8) };
    return (i) =>
      callProxy(service, 'signup_v2', {
        ...nobody,
        userName: `Stranger ${i}`,
        apiKeys: [describedKey(`stranger ${i}`)],
        wallet,
      });
  }),
  flood('allowed changes of one user', async (service) => {
    await makeUser(service, 'Busy');
    await makePolicy(service, 'wallets', {
      condition: "activity.resource == 'WALLET'",
      consensus: 'approvers.count() >= 1',
    });
    const type = 'ACTIVITY_TYPE_CREATE_WALLET';
    return (i) => {
      const parameters = { walletName: `Wallet ${i}`, accounts: accountsOf(8) };
      return service.submit('create_wallet', type, parameters, by('Busy'));
    };
  }),
  flood('votes of a user without rights', async (service) => {
    await makeUser(service, 'Powerless');
    const second = await makeUser(service, 'Second');
    const rootQuorum = { threshold: 2, userIds: [service.root.userId, second] };
    await changeQuorum(service, rootQuorum);
    const { body } = await rename(service, 'Waits for votes');
    await changeQuorum(service, { ...rootQuorum, threshold: 1 }, [{}, by('Second')]);
    return () => approve(service, body.activity, by('Powerless'));
  }),
];

/** Declares a flood; `prepare` returns the function that sends one request. */
function flood(name: string, prepare: (service: TestService) => Promise<Send>): Flood {
  const run: Flood['run'] = async ({ requests }) => {
    const turns = createFairTurns({ ...eventLoop, clock: countedClock() });
    const counted = countingStore();
    const { store } = counted;
    const service = await startTestService({
      turns,
      store,
      enablesAuthProxy: true,
      usesThreadPool: false,
    });
    try {
      const send = await prepare(service);
      return await besideFlood({ service, send, requests, changes: counted.changes });
    } finally {
      service.close();
    }
  };
  return { name, run };
}

/** Returns a clock that advances at each read, so that the order of pieces is equal on every machine. */
function countedClock(): () => number {
  let now = 0;
  return () => {
    now += 1;
    return now;
  };
}

/** Opens a store in memory that counts the commits of organization changes. */
function countingStore(): { readonly store: Store; readonly changes: () => number } {
  const store = openSqliteStore({ file: ':memory:' });
  let changes = 0;
  const commit: Store['port']['commit'] = async (change) => {
    const outcome = await store.port.commit(change);
    if (outcome === 'committed' && change.organizations.length > 0) changes += 1;
    return outcome;
  };
  return { store: { ...store, port: { ...store.port, commit } }, changes: () => changes };
}

async function besideFlood({
  service,
  send,
  requests,
  changes,
}: {
  readonly service: TestService;
  readonly send: Send;
  readonly requests: number;
  readonly changes: () => number;
}): Promise<Measured> {
  const statuses: Record<string, number> = {};
  let answers = 0;
  const all = Array.from({ length: requests }, async (_, i) => {
    const { status } = await send(i);
    answers += 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
  });
  // The flood is running before the root user's request.
  while (answers < Math.min(4, requests)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  service.remoteAddress = '192.0.2.77';
  const before = { changes: changes(), answers };
  const startedAt = performance.now();
  const { status } = await rename(service, 'Renamed by the root user');
  const rootMs = performance.now() - startedAt;
  const measured = {
    rootStatus: status,
    changesBefore: changes() - before.changes - 1,
    answersBefore: answers - before.answers,
    rootMs,
  };
  await Promise.all(all);
  return { statuses, ...measured };
}
