// Kills the service repeatedly under load, and compares it with its acknowledgements.

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
  /** The names of the victims; if absent, all victims of the store. */
  readonly only?: readonly string[];
  /** Called after each kill, once the audit after it has passed. */
  readonly report?: (round: Round) => void;
};

export type Round = {
  readonly victim: string;
  readonly activities: number;
  /** The number of bodies without an answer when the load ended. */
  readonly cutOff: number;
  /** The number of answers with status 503 that asked for a retry. */
  readonly refusals: number;
};

/** The number of kills after which the load moves to a new organization, before the old one is full. */
const killsOfOrganization = 5;
const clientCount = 8;
const mostSteps = 20;
const longestRequestMs = 30;

/** Runs rounds of load, kill, start and audit; fails at the first fault. */
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
    // Only a process that ends normally stores its compiled code, which makes later starts faster.
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
      // The pause can end within a request, too.
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
    // Repeats every request in the original order: the answers are the same, without further effects.
    await settle(baseUrl, ledger);
    await auditRootSince(source(), ledger, 0);
    await auditOrganization(source(), root, ledger, undefined);
    await auditInside(source(), ledger.filter(isCreation), ledger);
    await service.stop();
  } catch (error) {
    await service?.kill();
    // The error is known by now; further errors of the clients are its consequences.
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

/** Creates an organization for the load, with each client as a root user. */
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

/** Returns the user who sent an entry, because an activity shows whether its reader may vote. */
function memberOf(entry: Entry, clients: readonly Client[], root: Member): Member {
  if (entry.organizationId === root.organizationId) return root;
  const client = clients.find(({ member }) => member.userId === entry.acknowledged.votes[0].userId);
  assert(client !== undefined);
  return client.member;
}
