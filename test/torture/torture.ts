// Kills the service again and again under load, and holds it to what it has acknowledged.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { childrenOf, type RunningService, startService, until } from '../e2e/service.ts';
import { testKey } from '../harness.ts';
import {
  auditActivities,
  auditOrganization,
  auditSubOrganizations,
  subOrganizationIdOf,
} from './audit.ts';
import { ask, type Entry, type Member, randomOf, sendEntry } from './ledger.ts';
import { type Client, type Load, newSubOrganization, startLoad } from './load.ts';

export type TortureOptions = {
  readonly kills: number;
  readonly seed: string;
  readonly dataDirectory: string;
  /** Told of every kill and of what was found after it. */
  readonly report?: (line: string) => void;
};

export type TortureResult = {
  readonly activities: number;
  /** Bodies whose first sending was cut off. */
  readonly cutOff: number;
};

/** Organizations are left for a new one before they are full. */
const killsOfOrganization = 5;
const clientCount = 8;
const mostSteps = 60;
const longestRequestMs = 30;
const settleTimeoutMs = 60_000;

/** Runs so many rounds of load, kill, start and audit; fails at the first thing that is not so. */
export async function torture(options: TortureOptions): Promise<TortureResult> {
  const { kills, seed, dataDirectory, report = () => undefined } = options;
  const random = randomOf(seed);
  const ledger: Entry[] = [];
  let service = await startService({ dataDirectory });
  const root = await rootOf(service);
  const source = () => ({ baseUrl: service.baseUrl, root });
  let arena: Arena | undefined;
  let load: Load | undefined;
  let cutOff = 0;
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      if (arena === undefined || kill % killsOfOrganization === 0) {
        arena = await newArena(`Round ${kill}`, service, root, ledger);
      }
      const before = ledger.length;
      const { clients } = arena;
      load = startLoad({
        baseUrl: () => service.baseUrl,
        root,
        clients,
        ledger,
        random,
        enoughSteps: 5 + random(mostSteps),
      });
      await load.enough;
      // Anywhere within a request, not just after one.
      await pause(random(longestRequestMs));
      const victim = victims[random(victims.length)] ?? 'gateway';
      await Promise.all([killOf[victim](service, random), load.stop()]);
      if (victim === 'enclave') await readyAgain(service);
      else service = await startService({ dataDirectory });

      const open = ledger.filter((entry) => entry.acknowledged === undefined);
      cutOff += open.length;
      await settle(service.baseUrl, open);
      const made = ledger.slice(before);
      await auditOrganization(source(), root, ledger, undefined);
      await auditOrganization(source(), arena, ledger, arena.creation);
      const children = made.filter((entry) => entry.operation === 'create_sub_organization');
      await auditSubOrganizations(source(), ledger, children);
      const sample = made.filter((_, i) => i % 10 === 0);
      await auditActivities(
        source(),
        sample.map((entry) => ({ entry, by: memberOf(entry, arena, root) })),
      );
      report(`${kill + 1}: ${victim} killed, ${made.length} activities, ${open.length} cut off`);
    }
    // Everything once more, in the order of asking: the same answers, and no further effect.
    await settle(service.baseUrl, ledger);
    const creations = ledger.filter((entry) => entry.operation === 'create_sub_organization');
    await auditSubOrganizations(source(), ledger, creations);
    await auditOrganization(source(), root, ledger, undefined);
    await service.stop();
  } catch (error) {
    await service.kill();
    // What is wrong is known by now; whatever the clients still run into comes of the end.
    await load?.stop().catch(() => undefined);
    throw error;
  }
  return { activities: ledger.length, cutOff };
}

type Arena = {
  readonly organizationId: string;
  readonly key: Member['key'];
  readonly creation: Entry;
  readonly clients: readonly Client[];
};

/** An organization for the load: each client is one of its root users. */
async function newArena(
  name: string,
  { baseUrl }: RunningService,
  root: Member,
  ledger: Entry[],
): Promise<Arena> {
  const names = Array.from({ length: clientCount }, (_, i) => `${name} client ${i}`);
  const creation = newSubOrganization(name, names, root);
  ledger.push(creation);
  await settle(baseUrl, [creation]);
  const organizationId = subOrganizationIdOf(creation);
  const { rootUserIds } = creation.acknowledged.result.createSubOrganizationResultV8;
  const clients = names.map((clientName, i) => {
    const member = { organizationId, userId: rootUserIds[i], key: testKey(clientName) };
    return { name: clientName, member, wallets: [], apiKeyIds: [] };
  });
  return { organizationId, key: testKey(names[0] ?? ''), creation, clients };
}

const victims = ['gateway', 'gateway', 'enclave', 'both'] as const;

const killOf: Readonly<
  Record<
    (typeof victims)[number],
    (service: RunningService, random: (below: number) => number) => Promise<void>
  >
> = {
  gateway: (service) => service.kill(),
  enclave: async (service) => killEnclave(service),
  // The gateway while it is without an enclave, or starts another.
  both: async (service, random) => {
    killEnclave(service);
    await pause(random(400));
    await service.kill();
  },
};

function killEnclave({ pid }: RunningService): void {
  const [enclave] = childrenOf(pid);
  assert(enclave !== undefined);
  process.kill(enclave, 'SIGKILL');
}

async function readyAgain({ baseUrl }: RunningService): Promise<void> {
  await until(
    'the service is ready again',
    async () => (await fetch(`${baseUrl}/health/ready`)).ok,
  );
}

/** Sends until every one is acknowledged; each acknowledgement must be as the first one was. */
async function settle(baseUrl: string, entries: readonly Entry[]): Promise<void> {
  const waiting = [...entries];
  const sendNext = async (): Promise<void> => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const deadlineMs = performance.now() + settleTimeoutMs;
      while ((await sendEntry(baseUrl, entry)) === undefined) {
        assert.ok(performance.now() < deadlineMs, 'the service does not come back');
        await pause(20);
      }
    }
  };
  await Promise.all(Array.from({ length: clientCount }, sendNext));
}

/** The one who asked: activities show whether their reader may vote. */
function memberOf(entry: Entry, arena: Arena | undefined, root: Member): Member {
  if (entry.organizationId === root.organizationId) return root;
  const client = arena?.clients.find(
    ({ member }) => member.userId === entry.acknowledged.votes[0].userId,
  );
  assert(client !== undefined);
  return client.member;
}

async function rootOf({ baseUrl, credentials }: RunningService): Promise<Member> {
  const { organizationId, userId, apiPrivateKey, apiPublicKey } = credentials;
  const key = { privateKey: Uint8Array.fromHex(apiPrivateKey), publicKey: apiPublicKey };
  const member = { organizationId, userId, key };
  assert.equal((await ask(baseUrl, 'whoami', {}, member)).userId, userId);
  return member;
}
