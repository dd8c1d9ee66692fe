// The shared parts of races: a seeded schedule, a store that delays and reorders, and enclaves on it.

import assert from 'node:assert/strict';
import { createEnclave } from '../../src/enclave/enclave.ts';
import type { StorePort } from '../../src/store/port.ts';
import { type Choice, createChoice } from '../simulation/choice.ts';
import { type Faults, weathers } from '../simulation/faults.ts';
import { createSchedule, type Schedule } from '../simulation/schedule.ts';
import { createSimulatedStore, type SimulatedStore } from '../simulation/simulated_store.ts';
import { askOver, seededRandom, startMs, testKey, testRootKey } from '../support/harness.ts';
import { createTestOutside, testDeployment } from '../support/outside.ts';
import type { RaceResult } from '../support/race_command.ts';
import { createRecord, type RaceRecord, type Step } from './race_record.ts';

const maximumEvents = 20_000;

/** Age limits of requests in races. */
export const liveness = { maximumAgeMs: 3_600_000, maximumAheadMs: 300_000 };

/** One race under way. */
export type Track = {
  readonly seed: string;
  readonly choice: Choice;
  readonly schedule: Schedule;
  readonly counts: ReadonlyMap<string, number>;
  /** Counts an outcome. */
  count(what: string): void;
  /** Records a violation, which ends the race. */
  complain(what: string): void;
  /** The time of all clocks in milliseconds, before their skew. */
  now: number;
  faults: Faults;
  /** Runs the next event. Raises an error after a complaint. */
  step(): Promise<void>;
  /** Runs events until no request is under way. */
  settle(underWay: () => number): Promise<void>;
  /** Runs events until none is left. */
  drain(): Promise<void>;
  /** Runs the race to its end or its first complaint. */
  run(race: () => Promise<void>): Promise<RaceResult>;
};

/** Creates the track of one race. Everything on it follows from `kind` and `seed`. */
export function createTrack(kind: string, seed: string): Track {
  const choice = createChoice(`${kind} ${seed}`);
  const schedule = createSchedule(choice);
  const complaints: string[] = [];
  const counts = new Map<string, number>();

  const track: Track = {
    seed,
    choice,
    schedule,
    counts,
    count: (what) => counts.set(what, (counts.get(what) ?? 0) + 1),
    complain: (what) => {
      complaints.push(what);
      schedule.note(`WRONG: ${what}`);
    },
    now: startMs,
    faults: weathers.calm,
    step: async () => {
      await schedule.step();
      assert.deepEqual(complaints, []);
    },
    settle: async (underWay) => {
      for (let events = 0; underWay() > 0; events += 1) {
        assert(events < maximumEvents && !schedule.isEmpty(), 'all comes to rest');
        await track.step();
      }
    },
    drain: async () => {
      while (!schedule.isEmpty()) await track.step();
    },
    run: async (race) => {
      try {
        await race();
      } catch (error) {
        const detail = error instanceof Error ? error.stack : String(error);
        if (complaints.length === 0) track.complain(`the race failed: ${detail}`);
      }
      return { complaints, log: schedule.log, counts };
    },
  };
  return track;
}

/** Opens the store of a race. `changed` receives each durable change of an organization. */
export function openRaceStore(
  track: Track,
  changed: (step: Step) => void,
): { readonly record: RaceRecord; readonly store: SimulatedStore } {
  const record = createRecord(changed);
  const store = createSimulatedStore({
    schedule: track.schedule,
    choice: track.choice,
    faults: () => track.faults,
    committed: record.observe,
    overtaken: () => track.count('overtaken'),
  });
  return { record, store };
}

/** An enclave of a race, and the way to send it requests. */
export type RaceNode = ReturnType<typeof createEnclave> & {
  readonly ask: ReturnType<typeof askOver>;
};

/** Starts an enclave on a store. Its clock differs from that of the race by `skewMs`. */
export async function startNode(
  track: Track,
  store: StorePort,
  name: string,
  skewMs = 0,
): Promise<RaceNode> {
  const enclave = createEnclave({
    store,
    external: createTestOutside(),
    clock: () => track.now + skewMs,
    random: seededRandom(`${track.seed} ${name}`),
    log: (_, message, fields) =>
      track.complain(`${name} logs: ${message} ${JSON.stringify(fields)}`),
    usesThreadPool: false,
  });
  await enclave.start({ rootKey: testRootKey(), liveness, deployment: testDeployment });
  return { ...enclave, ask: askOver(enclave, store) };
}

/** The request that founds the organization of a race. */
export function founding(apiPublicKey: string) {
  return {
    organizationName: 'Race',
    userName: 'admin',
    apiKeyName: 'admin',
    apiPublicKey,
    enablesAuthProxy: false,
  };
}

/** The parameters of a user of a race with its API keys. */
export function userWithKeys(
  userName: string,
  keys: readonly {
    readonly name: string;
    readonly publicKey: string;
    readonly curveType: string;
  }[],
) {
  return {
    userName,
    userTags: [],
    apiKeys: keys.map(({ name: apiKeyName, publicKey, curveType }) => ({
      apiKeyName,
      publicKey,
      curveType,
    })),
    authenticators: [],
    oauthProviders: [],
  };
}

/** The key of a test person, in the form of `userWithKeys`. */
export function keyNamed(name: string) {
  return { name, publicKey: testKey(name).publicKey, curveType: 'API_KEY_CURVE_P256' };
}
