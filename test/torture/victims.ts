// The victims, how they are killed, and the order of their turns.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { childrenOf, isRunning, type RunningService, until } from '../e2e/service.ts';
import type { Database, TorturedServer } from './databases.ts';
import { armingSignal, type Order, type Step, type StoreName, serviceSteps } from './steps.ts';

export type Victim = {
  readonly name: string;
  /** If false, the service must recover without a new start. */
  readonly endsGateway: boolean;
  kill(stage: Stage): Promise<void>;
};

export type Stage = {
  readonly service: RunningService;
  readonly database: Database;
  /** The gateway reads it when it is armed. */
  readonly orderFile: string;
  readonly random: (below: number) => number;
};

/** The longest time in ms for which something is missing, or between two deaths. */
const longestAbsenceMs = 300;
/** An armed service dies when it reaches its step for at most this many times. */
const mostComings = 6;

/** Yields victims endlessly: each victim of a store has its turn before any is repeated. */
export function victimsOf(
  store: StoreName,
  random: (below: number) => number,
  only?: readonly string[],
): () => Victim {
  const all = allOf(store).filter(({ name }) => only?.includes(name) ?? true);
  let deck: Victim[] = [];
  return () => {
    if (deck.length === 0) deck = shuffled(all, random);
    const victim = deck.pop();
    assert(victim !== undefined);
    return victim;
  };
}

function allOf(store: StoreName): Victim[] {
  const steps = serviceSteps.filter(({ only = store }) => only === store).map(atStep);
  const gateway = [atRandom.gateway, atRandom.both, atRandom.gateway, atRandom.enclave];
  if (store === 'sqlite') return [...gateway, ...steps];
  const { crash, session, sessions } = ofServer;
  return [...gateway, ...steps, ...Object.values(ofServer), crash, session, sessions];
}

const atRandom = {
  gateway: {
    name: 'gateway',
    endsGateway: true,
    kill: ({ service }) => service.kill(),
  },
  enclave: {
    name: 'enclave',
    endsGateway: false,
    kill: async ({ service }) => killEnclave(service),
  },
  // Kills the gateway while it has no enclave, or starts another.
  both: {
    name: 'both',
    endsGateway: true,
    kill: async ({ service, random }) => {
      killEnclave(service);
      await pause(random(longestAbsenceMs));
      await service.kill();
    },
  },
} satisfies Record<string, Victim>;

const ofServer = {
  crash: {
    name: 'database server',
    endsGateway: false,
    kill: async ({ database, random }) => {
      const server = serverOf(database);
      await server.stop('crash');
      await pause(random(longestAbsenceMs));
      await server.start();
    },
  },
  crashOfBoth: {
    name: 'database server and gateway',
    endsGateway: true,
    kill: async ({ database, service }) => {
      const server = serverOf(database);
      await Promise.all([server.stop('crash'), service.kill()]);
      await server.start();
    },
  },
  session: {
    name: 'process of a session',
    endsGateway: false,
    kill: ({ database }) => serverOf(database).killSession(),
  },
  sessions: {
    name: 'sessions',
    endsGateway: false,
    kill: async ({ database, random }) => {
      for (let cut = 0; cut < 3; cut += 1) {
        await serverOf(database).cutSessions();
        await pause(random(50));
      }
    },
  },
} satisfies Record<string, Victim>;

function atStep(step: Step): Victim {
  return {
    name: step.name,
    endsGateway: step.dies !== 'enclave',
    kill: async ({ service, orderFile, random }) => {
      const { pid } = service;
      const dying = step.dies === 'enclave' ? enclaveOf(service) : pid;
      const order: Order = { step: step.name, count: 1 + random(mostComings) };
      writeFileSync(orderFile, JSON.stringify(order));
      process.kill(pid, armingSignal);
      await until(`the service dies ${step.name}`, () => !isRunning(dying));
      if (step.dies !== 'enclave') await service.kill();
    },
  };
}

function serverOf({ server }: Database): TorturedServer {
  assert(server !== undefined);
  return server;
}

function enclaveOf({ pid }: RunningService): number {
  const [enclave] = childrenOf(pid);
  assert(enclave !== undefined);
  return enclave;
}

function killEnclave(service: RunningService): void {
  process.kill(enclaveOf(service), 'SIGKILL');
}

function shuffled<Item>(items: readonly Item[], random: (below: number) => number): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random(left.length), 1));
}
