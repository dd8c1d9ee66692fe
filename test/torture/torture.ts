// Kills the service again and again under load, and holds it to what it has acknowledged.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type RunningService, startService, temporaryDirectory, until } from '../e2e/service.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { testKey } from '../support/harness.ts';
import {
  auditActivities,
  auditEvents,
  auditInside,
  auditOrganization,
  auditRootSince,
  isCreation,
  subOrganizationIdOf,
} from './audit.ts';
import { openDatabase } from './databases.ts';
import { type Entry, type Member, randomOf, rootOf, settle } from './ledger.ts';
import { type Client, type Load, newEndpoint, newSubOrganization, startLoad } from './load.ts';
import { orderVariable, type StoreName } from './steps.ts';
import { victimsOf } from './victims.ts';

export type TortureOptions = {
  readonly store: StoreName;
  readonly kills: number;
  readonly seed: string;
  /** Names of victims; absent: all that the store has. */
  readonly only?: readonly string[];
  /** Told of every kill once all that was found after it is as it should be. */
  readonly report?: (round: Round) => void;
};

export type Round = {
  readonly victim: string;
  readonly activities: number;
  /** Bodies that had no answer yet when the load ended. */
  readonly cutOff: number;
  /** Answers that asked to come again, 503. */
  readonly refusals: number;
};

/** Organizations are left for a new one before they are full. */
const killsOfOrganization = 5;
const clientCount = 8;
const mostSteps = 20;
const longestRequestMs = 30;

/** Runs so many rounds of load, kill, start and audit; fails at the first thing that is not so. */
export async function torture(options: TortureOptions): Promise<void> {
  const { store, kills, seed, report = () => undefined } = options;
  const random = randomOf(seed);
  const nextVictim = victimsOf(store, random, options.only);
  const ledger: Entry[] = [];
  const dataDirectory = temporaryDirectory();
  const orderFile = join(temporaryDirectory(), 'order.json');
  const cache = serviceProgram().environment['NODE_COMPILE_CACHE'] ?? temporaryDirectory();
  const database = await openDatabase(store);
  const start = () =>
    startService({
      dataDirectory,
      environment: {
        ...database.environment,
        KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
        NODE_COMPILE_CACHE: cache,
        NODE_OPTIONS: `--import=${join(import.meta.dirname, 'dying_gateway.ts')}`,
        [orderVariable]: orderFile,
      },
    });
  let service: RunningService | undefined;
  let load: Load | undefined;
  try {
    // Only a process that ends by itself keeps what it compiled, which makes later starts quicker.
    await (await start()).stop();
    service = await start();
    let { baseUrl } = service;
    const root = await rootOf(service);
    const source = () => ({ baseUrl, root });
    let arena: Arena | undefined;
    for (let kill = 0; kill < kills; kill += 1) {
      const before = ledger.length;
      if (arena === undefined || kill % killsOfOrganization === 0) {
        arena = await newArena(`Round ${kill}`, baseUrl, root, ledger);
      }
      const { clients, creation, endpoint } = arena;
      load = startLoad({
        baseUrl: () => baseUrl,
        root,
        clients,
        ledger,
        random,
        enoughSteps: 5 + random(mostSteps),
      });
      await load.enough;
      // Anywhere within a request, not just after one.
      await pause(random(longestRequestMs));
      const victim = nextVictim();
      await victim.kill({ service, database, orderFile, random });
      await load.stop();
      if (victim.endsGateway) service = await start();
      else await readyAgain(service);
      baseUrl = service.baseUrl;

      const open = ledger.filter((entry) => entry.acknowledged === undefined);
      const cutOff = open.length;
      await settle(baseUrl, open);
      const made = ledger.slice(before);
      const others = made.filter((entry) => entry !== creation);
      const sample = made.filter((_, i) => i % 10 === 0);
      await Promise.all([
        auditRootSince(source(), ledger, before),
        auditOrganization(source(), arena, ledger, creation),
        auditEvents(source(), arena, ledger, endpoint),
        auditInside(source(), others.filter(isCreation), ledger),
        auditActivities(
          source(),
          sample.map((entry) => ({ entry, by: memberOf(entry, clients, root) })),
        ),
      ]);
      const refusals = made.reduce((all, entry) => all + entry.refusals, 0);
      report({ victim: victim.name, activities: made.length, cutOff, refusals });
    }
    // Everything once more, in the order of asking: the same answers, and no further effect.
    await settle(baseUrl, ledger);
    await auditRootSince(source(), ledger, 0);
    await auditOrganization(source(), root, ledger, undefined);
    await auditInside(source(), ledger.filter(isCreation), ledger);
    await service.stop();
  } catch (error) {
    await service?.kill();
    // The faults are known by now; whatever the clients still run into comes of the end.
    await load?.stop().catch(() => undefined);
    throw error;
  } finally {
    await database.remove();
  }
}

type Arena = {
  readonly organizationId: string;
  readonly key: Member['key'];
  readonly creation: Entry;
  readonly endpoint: Entry;
  readonly clients: readonly Client[];
};

/** An organization for the load: each client is one of its root users. */
async function newArena(
  name: string,
  baseUrl: string,
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
    return { name: clientName, member, wallets: [], apiKeyIds: [], privateKeyIds: [] };
  });
  const key = testKey(names[0] ?? '');
  const endpoint = newEndpoint({ organizationId, key });
  ledger.push(endpoint);
  await settle(baseUrl, [endpoint]);
  return { organizationId, key, creation, endpoint, clients };
}

async function readyAgain({ baseUrl }: RunningService): Promise<void> {
  await until(
    'the service is ready again',
    async () => (await fetch(`${baseUrl}/health/ready`)).ok,
  );
}

/** The one who asked: activities show whether their reader may vote. */
function memberOf(entry: Entry, clients: readonly Client[], root: Member): Member {
  if (entry.organizationId === root.organizationId) return root;
  const client = clients.find(({ member }) => member.userId === entry.acknowledged.votes[0].userId);
  assert(client !== undefined);
  return client.member;
}
