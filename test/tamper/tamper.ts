// Attacks a populated database, each time on a fresh copy, and then probes a service on it.

import assert from 'node:assert/strict';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { isSmallKind } from '../../src/core/organization/kinds.ts';
import type { StorePort } from '../../src/store/port.ts';
import { startServiceOver } from '../enclave/service_over.ts';
import type { TestAnswer } from '../support/harness.ts';
import type { Attack } from './attack.ts';
import { attacks } from './attacks.ts';
import { type Choice, createChoice } from './choice.ts';
import { type Baseline, damageOf, judge, type Verdict, verdicts } from './judge.ts';
import { type Probe, type Probes, probesOf } from './probes.ts';
import { type Cell, cell, cellText, changesBetween, type TableRow, type Tables } from './tables.ts';
import { type Mode, modes, type Target, type Targets } from './targets.ts';
import { bootstrapRequest, buildWorld, type World } from './world.ts';

export type Finding = { readonly attack: string; readonly complaint: string };

/** The number of answers with each verdict. */
export type Counts = Readonly<Partial<Record<Verdict, number>>>;

export type TamperResult = {
  /** The counts of each attack that was carried out alone, by its kind. */
  readonly kinds: ReadonlyMap<string, readonly Counts[]>;
  readonly counts: Counts;
  readonly findings: readonly Finding[];
};

/** The attacks of the usual tests: each kind once. */
export const attacksOfTests = {
  seed: 'keywright',
  from: 0,
  attacks: Object.keys(attacks).length,
} as const;

export type Tampering = {
  readonly world: World;
  /**
   * Replaces the tables of the world, and returns the wrong answers of the service. If `isAsked` is given,
   * it draws the probes to send.
   */
  attack(mode: Mode, tables: Tables, isAsked?: () => boolean): Promise<Outcome>;
};

export type Outcome = { readonly complaints: readonly string[]; readonly counts: Counts };

/** Builds the world, and sends each probe once for its untampered answer. */
export async function prepareTampering(targets: Targets): Promise<Tampering> {
  const opened = await targets.running.open();
  const world = await buildWorld(opened.store, opened.tables);
  await opened.close();
  const probes = probesOf(world);
  const asked = { world, probes, baseline: await baselineOf(targets.running, world, probes) };
  const carryOut = { stopped: attackStopped, running: attackRunning };
  return {
    world,
    attack: (mode, tables, isAsked = () => true) =>
      carryOut[mode](targets[mode], { ...asked, tables, isAsked }),
  };
}

/**
 * Carries out the attacks from number `from` on; each depends only on the seed and its number. After each,
 * one out of `askedOneIn` probes of the attacked organizations is sent.
 */
export async function tamper(
  tampering: Tampering,
  options: {
    readonly seed: string;
    readonly from: number;
    readonly attacks: number;
    readonly askedOneIn: number;
  },
): Promise<TamperResult> {
  const kinds = new Map<string, Counts[]>();
  const findings: Finding[] = [];
  let counts: Counts = {};
  for (let number = options.from; number < options.from + options.attacks; number += 1) {
    const choice = createChoice(`${options.seed}/${number}`);
    const mode = choice.of(modes);
    const { names, tables } = plan(tampering.world, choice, number, mode);
    const isAsked = () => choice.index(options.askedOneIn) === 0;
    const outcome = await tampering.attack(mode, tables, isAsked);
    const attack = `attack ${number} (${mode}): ${names.join(', then ')}`;
    findings.push(...outcome.complaints.map((complaint) => ({ attack, complaint })));
    counts = sumOf(counts, outcome.counts);
    for (const name of names) {
      const alone = names.length === 1 ? [outcome.counts] : [];
      kinds.set(name, [...(kinds.get(name) ?? []), ...alone]);
    }
  }
  return { kinds, counts, findings };
}

function sumOf(a: Counts, b: Counts): Counts {
  const sums = verdicts.map((verdict) => [verdict, (a[verdict] ?? 0) + (b[verdict] ?? 0)] as const);
  return Object.fromEntries(sums.filter(([, count]) => count > 0));
}

type Attacked = {
  readonly world: World;
  readonly probes: Probes;
  readonly baseline: Baselines;
  readonly tables: Tables;
  readonly isAsked: () => boolean;
};
type Baselines = { readonly before: Baseline; readonly after: Baseline; readonly known: Known };

async function baselineOf(target: Target, world: World, probes: Probes): Promise<Baselines> {
  const opened = await target.open();
  await opened.tables.write(world.tables);
  const service = await startService(opened.store, world);
  const before = new Map<string, TestAnswer>();
  const after = new Map<string, TestAnswer>();
  for (const probe of [...probes.reads, ...probes.shown]) {
    before.set(probe.name, await service.ask(probe));
  }
  const known = idsIn([...before.values()], world);
  for (const probe of [...probes.signatures, ...probes.repetitions, ...probes.writes]) {
    before.set(probe.name, await service.ask(probe));
  }
  for (const probe of probes.shown) after.set(probe.name, await service.ask(probe));
  assert.deepEqual(service.log, [], 'nothing is refused in an untampered database');
  await opened.close();
  return { before: withoutNewIds(before, known), after: withoutNewIds(after, known), known };
}

/** Returns the tables after the attack with this number, sometimes combined with one or two drawn ones. */
function plan(
  world: World,
  choice: Choice,
  number: number,
  mode: Mode,
): { readonly names: readonly string[]; readonly tables: Tables } {
  const all = Object.keys(attacks);
  const [first = ''] = all.slice(number % all.length);
  const history = world.history.slice(0, -1);
  const maximumTries = 50;
  for (let i = 0; i < maximumTries; i += 1) {
    const more = choice.of([0, 0, 0, 1, 2]);
    const names = [first, ...Array.from({ length: more }, () => choice.of(all))];
    const tables = names.reduce<Tables | undefined>((before, name) => {
      const attack: Attack | undefined = attacks[name];
      return before === undefined ? undefined : attack?.(before, choice, history);
    }, world.tables);
    if (tables === undefined || changesBetween(world.tables, tables).length === 0) continue;
    // A service that never saw a newer state cannot detect that a whole organization was restored.
    if (mode === 'stopped' && isRolledBack(world, tables)) continue;
    return { names, tables };
  }
  // No possible attack was found that the service must notice, so a row is deleted instead.
  const name = 'delete a row';
  const tables = attacks[name]?.(world.tables, choice, history);
  assert(tables !== undefined);
  return { names: [name], tables };
}

function isRolledBack(world: World, tables: Tables): boolean {
  return world.tables.organizations.some((row) => {
    const id = cell(row, 'id');
    const now = smallStateOf(tables, id);
    return (
      now !== smallStateOf(world.tables, id) &&
      now !== '' &&
      world.history.some((then) => smallStateOf(then, id) === now)
    );
  });
}

/** Caches states, because tables never change and each attack compares with the same history. */
const smallStates = new WeakMap<Tables, Map<Cell, string>>();

/** Returns the head of an organization with all rows that the head covers. */
function smallStateOf(tables: Tables, id: Cell): string {
  const known = smallStates.get(tables) ?? new Map<Cell, string>();
  smallStates.set(tables, known);
  return known.getOrInsertComputed(id, () => readSmallState(tables, id));
}

function readSmallState(tables: Tables, id: Cell): string {
  const heads = tables.organizations.filter((row) => cell(row, 'id') === id);
  if (heads.length === 0) return '';
  const records = tables.records.filter(
    (row) => cell(row, 'organization_id') === id && isSmallKind(String(cell(row, 'kind'))),
  );
  const textOf = (row: TableRow) =>
    ['kind', 'id', 'version', 'body', 'head'].map((column) => cellText(cell(row, column))).join();
  return [...heads, ...records].map(textOf).sort().join('\n');
}

/** Stops the service, attacks the file, and starts the service again. */
async function attackStopped(target: Target, attacked: Attacked): Promise<Outcome> {
  const attacker = await target.open();
  await attacker.tables.write(attacked.tables);
  await attacker.close();
  const opened = await target.open();
  try {
    const service = await startService(opened.store, attacked.world);
    const hasChanged = changesBetween(attacked.world.tables, attacked.tables).some(
      ({ table, before, after }) =>
        table === 'deployment' ||
        [before, after].some((row) => row !== undefined && cell(row, 'id') === 'custody'),
    );
    const started = await service.start();
    const [expected] = attacked.world.tenants;
    if (started !== expected?.organizationId) {
      if (!hasChanged) return { complaints: [`started as ${started}`], counts: { wrong: 1 } };
      if (started === undefined) return { complaints: [], counts: { refused: 1 } };
      const isKnown = attacked.baseline.known.has(started);
      if (isKnown) return { complaints: [`started as ${started}`], counts: { wrong: 1 } };
    }
    return await askAll(service, attacked);
  } finally {
    await opened.close();
  }
}

/** Attacks the database while a running service has parts of it in memory. */
async function attackRunning(target: Target, attacked: Attacked): Promise<Outcome> {
  const opened = await target.open();
  try {
    await opened.tables.write(attacked.world.tables);
    const service = await startService(opened.store, attacked.world);
    const warming = attacked.probes.reads.filter(({ operation }) => isWarming.has(operation));
    for (const probe of warming) await service.ask(probe);
    await opened.tables.write(attacked.tables);
    return await askAll(service, attacked);
  } finally {
    await opened.close();
  }
}

/** If there are at most this many probes, all are sent. */
const fewQuestions = 30;

const isWarming: ReadonlySet<string> = new Set(['whoami', 'get_wallet_account']);

async function askAll(service: Service, attacked: Attacked): Promise<Outcome> {
  const { world, baseline, tables } = attacked;
  const damage = damageOf(changesBetween(world.tables, tables));
  const isTouched = (probe: Probe) =>
    damage.organizationIds.size === 0 ||
    probe.organizationIds.some((id) => damage.organizationIds.has(id));
  const { reads, repetitions, signatures, writes, shown } = attacked.probes;
  const complaints: string[] = [];
  const done = new Set<string>();
  let counts: Counts = {};
  const ask = async (probe: Probe, expected: Baseline): Promise<void> => {
    const from = service.log.length;
    const raw = await service.ask(probe);
    const got = withoutNewIdsIn(raw, baseline.known);
    const lines = service.log.slice(from);
    const untampered = expected.get(probe.name);
    assert(untampered !== undefined);
    const judged = judge(probe, untampered, got, lines, baseline.before, damage);
    if (judged.complaint !== undefined) complaints.push(`${probe.name}: ${judged.complaint}`);
    if (got.status === 200) done.add(probe.name);
    counts = sumOf(counts, { [judged.verdict]: 1 });
  };
  const independent = [...reads, ...signatures, ...repetitions].filter(isTouched);
  const isAll = independent.length <= fewQuestions;
  const chosen = new Set(independent.filter(() => isAll || attacked.isAsked()));
  // The other probes show the change of a write, so either all or none of them are sent.
  if (isAll || attacked.isAsked()) {
    for (const probe of [...writes, ...shown].filter(isTouched)) chosen.add(probe);
  }
  for (const probe of [...reads, ...shown, ...signatures, ...repetitions, ...writes]) {
    if (chosen.has(probe)) await ask(probe, baseline.before);
  }
  for (const probe of shown) {
    const isWritten = probe.shows !== undefined && done.has(probe.shows);
    if (chosen.has(probe)) await ask(probe, isWritten ? baseline.after : baseline.before);
  }
  return { complaints, counts };
}

type Service = Awaited<ReturnType<typeof startService>>;

async function startService(store: StorePort, world: World) {
  const clock = () => world.nowMs + 10_000;
  const service = await startServiceOver({ store, seed: 'tampered', clock });
  let serial = 0;
  return {
    log: service.log,
    /**
     * Starts the service and returns the id of the first organization; undefined if the service refuses to
     * start.
     */
    start: async (): Promise<string | undefined> => {
      try {
        return (await service.enclave.bootstrap(bootstrapRequest)).organizationId;
      } catch (error) {
        if (error instanceof ServiceError && startRefusals.has(error.code)) return undefined;
        throw error;
      }
    },
    ask: async ({ kind, operation, body, stamp }: Probe): Promise<TestAnswer> => {
      serial += 1;
      const answer = await service.ask({
        requestId: `request-${serial}`,
        kind,
        operation,
        headers: [stamp],
        timestampObjects: false,
        remoteAddress: '127.0.0.1',
        body,
      });
      return { status: answer.status, body: JSON.parse(textOfUtf8(answer.body) ?? '') };
    },
  };
}

const startRefusals: ReadonlySet<string> = new Set([
  'root_key_mismatch',
  'deployment_missing',
  'custody_missing',
]);

type Known = ReadonlySet<string>;

const idPattern = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Returns the ids that existed before any probe, because later ids differ from run to run. */
function idsIn(answers: readonly TestAnswer[], { tables, history }: World): Known {
  const rows = [tables, ...history].flatMap((then) =>
    Object.values(then)
      .flat()
      .flatMap((row: TableRow) => Object.values(row)),
  );
  const texts = rows.filter((value) => typeof value === 'string');
  return new Set(
    [JSON.stringify(answers), ...texts].flatMap((text) => text.match(idPattern) ?? []),
  );
}

function withoutNewIds(answers: ReadonlyMap<string, TestAnswer>, known: Known): Baseline {
  return new Map([...answers].map(([name, answer]) => [name, withoutNewIdsIn(answer, known)]));
}

function withoutNewIdsIn({ status, body }: TestAnswer, known: Known): TestAnswer {
  const text = JSON.stringify(body).replace(idPattern, (id) => (known.has(id) ? id : 'new'));
  return { status, body: JSON.parse(text) };
}
