// The duties of a service when a file operation fails, for each kind of operation and of file.

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import {
  childrenOf,
  isRunning,
  type RunningService,
  startInVain,
  startService,
  temporaryDirectory,
  until,
} from '../e2e/service.ts';
import { auditInside, auditOrganization, auditRootSince } from './audit.ts';
import { createFileFaults, type Fault, type FileFaults } from './file_faults.ts';
import { ask, type Entry, type Member, rootOf, sendEntry, settle } from './ledger.ts';
import { newSubOrganization } from './load.ts';

export type Case = Fault & {
  /** True for cases of the usual tests; `npm run torture -- --after-tests` omits them. */
  readonly isCommon?: true;
};

/** A first start creates every file, and each of these faults ends it. */
export const firstStartCases: readonly Case[] = [
  { operation: 'open', path: 'data' },
  { operation: 'open', path: 'owner.lock', error: 'EDQUOT' },
  { operation: 'open', path: 'owner.lock-journal' },
  { operation: 'open', path: 'keywright.sqlite', error: 'ENOSPC' },
  { operation: 'open', path: 'sqlite-wal', error: 'EACCES' },
  { operation: 'open', path: 'sqlite-shm' },
  { operation: 'open', path: 'root.key' },
  { operation: 'open', path: '.tmp', error: 'ENOSPC' },
  { operation: 'open', path: 'pending.json' },
  { operation: 'read', path: 'owner.lock' },
  { operation: 'read', path: 'keywright.sqlite' },
  { operation: 'read', path: 'pending.json' },
  { operation: 'write', path: 'owner.lock-journal' },
  { operation: 'write', path: 'keywright.sqlite', error: 'ENOSPC' },
  { operation: 'write', path: 'sqlite-wal', action: 'short', error: 'ENOSPC' },
  { operation: 'write', path: 'sqlite-shm', error: 'ENOSPC' },
  { operation: 'write', path: '.tmp', action: 'short', error: 'ENOSPC', isCommon: true },
  { operation: 'write', path: '.tmp', error: 'EDQUOT' },
  { operation: 'sync', path: 'data' },
  { operation: 'sync', path: 'owner.lock' },
  { operation: 'sync', path: 'keywright.sqlite' },
  { operation: 'sync', path: 'sqlite-wal' },
  { operation: 'sync', path: '.tmp' },
  // The names of the lock and of the database are durable by then, so this call concerns the name of the
  // root key.
  { operation: 'sync', path: 'data', skip: 3, isCommon: true },
  { operation: 'truncate', path: 'sqlite-shm' },
  { operation: 'chmod', path: 'owner.lock' },
  { operation: 'chmod', path: 'keywright.sqlite' },
  { operation: 'chmod', path: '.tmp' },
  { operation: 'mmap', path: 'sqlite-shm', error: 'ENOMEM', isCommon: true },
  { operation: 'link', path: 'root.key', error: 'ENOSPC' },
  { operation: 'link', path: 'pending.json' },
  { operation: 'link', path: 'root-credentials.json', error: 'EDQUOT', isCommon: true },
  { operation: 'unlink', path: '.tmp' },
  { operation: 'unlink', path: 'pending.json' },
  { operation: 'lock', path: 'owner.lock' },
  { operation: 'lock', path: 'keywright.sqlite' },
  ...(['end', 'ended'] as const).flatMap((action): Case[] => [
    { operation: 'sync', path: 'sqlite-wal', action },
    { operation: 'link', path: 'root.key', action },
    { operation: 'link', path: 'pending.json', action },
    { operation: 'link', path: 'root-credentials.json', action },
    { operation: 'unlink', path: 'pending.json', action },
  ]),
  { operation: 'write', path: '.tmp', action: 'tear' },
  { operation: 'write', path: 'sqlite-wal', action: 'tear' },
];

/** A start after a kill, which reads and copies the log, and begins a new one. */
export const laterStartCases: readonly Case[] = [
  { operation: 'open', path: 'data' },
  { operation: 'sync', path: 'data', isCommon: true },
  { operation: 'open', path: 'owner.lock' },
  { operation: 'open', path: 'keywright.sqlite' },
  { operation: 'open', path: 'sqlite-wal' },
  { operation: 'open', path: 'root.key' },
  { operation: 'read', path: 'root.key' },
  { operation: 'read', path: 'keywright.sqlite' },
  { operation: 'read', path: 'sqlite-wal' },
  { operation: 'write', path: 'keywright.sqlite', error: 'ENOSPC' },
  { operation: 'sync', path: 'keywright.sqlite', isCommon: true },
  { operation: 'sync', path: 'sqlite-wal' },
  { operation: 'mmap', path: 'sqlite-shm', error: 'ENOMEM' },
  { operation: 'lock', path: 'sqlite-shm' },
  { operation: 'write', path: 'keywright.sqlite', action: 'tear' },
  { operation: 'sync', path: 'keywright.sqlite', action: 'ended' },
];

/** A service at work. It writes the database file only when it copies the log into it. */
export const workingCases: readonly Case[] = [
  { operation: 'write', path: 'sqlite-wal' },
  { operation: 'write', path: 'sqlite-wal', skip: 5, times: 1 },
  { operation: 'write', path: 'sqlite-wal', error: 'EDQUOT' },
  { operation: 'write', path: 'sqlite-wal', skip: 20, error: 'ENOSPC', isCommon: true },
  { operation: 'write', path: 'sqlite-wal', skip: 3, action: 'short', error: 'ENOSPC' },
  { operation: 'sync', path: 'sqlite-wal', isCommon: true },
  { operation: 'sync', path: 'sqlite-wal', skip: 2, times: 1 },
  { operation: 'read', path: 'sqlite-wal' },
  { operation: 'write', path: 'keywright.sqlite', error: 'ENOSPC', isCommon: true },
  { operation: 'write', path: 'keywright.sqlite', action: 'short', error: 'EDQUOT' },
  { operation: 'sync', path: 'keywright.sqlite' },
  { operation: 'write', path: 'sqlite-wal', skip: 7, action: 'tear', isCommon: true },
  { operation: 'sync', path: 'sqlite-wal', skip: 2, action: 'end' },
  { operation: 'sync', path: 'sqlite-wal', skip: 2, action: 'ended' },
  { operation: 'write', path: 'keywright.sqlite', skip: 9, action: 'tear' },
  { operation: 'sync', path: 'keywright.sqlite', action: 'end' },
  { operation: 'sync', path: 'keywright.sqlite', action: 'ended' },
];

export function nameOf({ operation, path, skip = 0, times, action = 'fail', error }: Case): string {
  const which = `${skip === 0 ? '' : `, after ${skip}`}${times === 1 ? ', once' : ''}`;
  return `${operation} of ${path}${which}: ${action === 'fail' ? (error ?? 'EIO') : action}`;
}

/** The restart of an enclave, which reads the root key again. */
const restartCase: Case = { operation: 'open', path: 'root.key', isCommon: true };

/** Each place of a fault, with its cases. */
const places: readonly {
  readonly place: string;
  readonly cases: readonly Case[];
  readonly run: (fault: Case) => Promise<void>;
}[] = [
  { place: 'first start', cases: firstStartCases, run: failFirstStart },
  { place: 'later start', cases: laterStartCases, run: failLaterStart },
  { place: 'at work', cases: workingCases, run: failWork },
  { place: 'restart of the enclave', cases: [restartCase], run: failRootKeyOfRestart },
];

/** Runs the chosen cases, `lanes` at a time, and returns their number. Stops at the first failure. */
export async function faultFiles({
  lanes,
  isChosen,
  report,
}: {
  readonly lanes: number;
  readonly isChosen: (fault: Case) => boolean;
  readonly report: (name: string) => void;
}): Promise<string> {
  const waiting = places.flatMap(({ place, cases, run }) =>
    cases
      .filter(isChosen)
      .map((fault) => ({ name: `${place}, ${nameOf(fault)}`, run: () => run(fault) })),
  );
  const count = waiting.length;
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      report(next.name);
      await next.run();
    }
  };
  await Promise.all(Array.from({ length: lanes }, runNext));
  return `, ${count} faults`;
}

/**
 * Requires that a first start fails with one sentence, and that the next start, without the fault, creates
 * what is missing.
 */
export async function failFirstStart(fault: Case): Promise<void> {
  const dataDirectory = join(temporaryDirectory(), 'data');
  const faults = createFileFaults();
  await failStart(fault, faults, dataDirectory);
  const service = await startService({ dataDirectory });
  await rootOf(service);
  await service.stop();
}

/**
 * Requires that a later start fails with one sentence, and that the next start, without the fault, has all
 * data.
 */
export async function failLaterStart(fault: Case): Promise<void> {
  const { dataDirectory, ledger } = await killedService();
  const faults = createFileFaults();
  await failStart(fault, faults, dataDirectory);
  const service = await startService({ dataDirectory });
  await auditEverything(service, ledger);
  await service.stop();
}

async function failStart(fault: Case, faults: FileFaults, dataDirectory: string): Promise<void> {
  faults.arm(fault);
  const { stdout, stderr, code } = await startInVain({
    dataDirectory,
    environment: faults.environment,
  });
  assert.ok(faults.hits() > 0, 'the start did not come to it');
  assert.equal(stdout, '');
  if (endsProcess(fault)) return;
  assert.equal(code, 1);
  assert.match(stderr, /^keywright: [^\n]+\n$/, 'one sentence');
  assert.ok(stderr.includes(dataDirectory), stderr);
  assert.match(stderr, errorWords);
}

/**
 * Requires that the service refuses what it cannot store, with the reason, and has all acknowledged data
 * after the next start.
 */
export async function failWork(fault: Case): Promise<void> {
  const dataDirectory = join(temporaryDirectory(), 'data');
  const faults = createFileFaults();
  const service = await startService({ dataDirectory, environment: faults.environment });
  const root = await rootOf(service);
  const ledger: Entry[] = [];
  await makeUntil(service, root, ledger, () => ledger.length >= clients);

  faults.arm(fault);
  let refusals = 0;
  const isOver = (): boolean => refusals >= 2 * clients || !isRunning(service.pid);
  await makeUntil(service, root, ledger, isOver, () => {
    refusals += 1;
  });
  assert.ok(faults.hits() > 0, 'the service did not come to it');
  if (endsProcess(fault)) {
    await service.kill();
  } else {
    const response = await fetch(`${service.baseUrl}/health/ready`);
    const { reasons } = (await response.json()) as { readonly reasons: readonly string[] };
    assert.equal(response.status, 503);
    assert.match(reasons.join(), errorWords);
    // The database is trusted again only after a recovery.
    faults.disarm();
    const late = newSubOrganization('Late', ['User'], root);
    ledger.push(late);
    assert.equal(await sendEntry(service.baseUrl, late), undefined);
    await service.stop();
    assertReported(service, dataDirectory);
  }
  faults.disarm();
  const again = await startService({ dataDirectory });
  await settle(again.baseUrl, ledger);
  await auditEverything(again, ledger);
  await again.stop();
}

/** Requires that the log of an ended service has exactly one line about the disk. */
function assertReported(service: RunningService, dataDirectory: string): void {
  const lines = service
    .output()
    .stdout.split('\n')
    .filter((line) => line.includes('"level":"error"'));
  assert.equal(lines.length, 1, lines.join('\n'));
  const line = JSON.parse(lines[0] ?? '');
  assert.match(line.msg, /refusing further writes: check the disk and restart/);
  assert.equal(line.file, join(dataDirectory, 'keywright.sqlite'));
  assert.match(line.reason, errorWords);
}

/** Requires that an ended enclave is replaced as soon as the root key can be read again. */
export async function failRootKeyOfRestart(): Promise<void> {
  const dataDirectory = join(temporaryDirectory(), 'data');
  const faults = createFileFaults();
  const service = await startService({ dataDirectory, environment: faults.environment });
  const root = await rootOf(service);
  faults.arm(restartCase);
  const [enclave] = childrenOf(service.pid);
  assert(enclave !== undefined);
  process.kill(enclave, 'SIGKILL');
  const line = `"detail":"EIO: i/o error, open '${join(dataDirectory, 'root.key')}'","msg":"the enclave could not be restarted"`;
  await until('the log has the failed restart', () => service.output().stdout.includes(line), {
    seen: () => `; ${faults.hits()} calls failed, and the log has\n${service.output().stdout}`,
  });
  const entry = newSubOrganization('Child', ['User'], root);
  assert.equal(await sendEntry(service.baseUrl, entry), undefined);
  faults.disarm();
  await settle(service.baseUrl, [entry]);
  await auditEverything(service, [entry]);
  await service.stop();
}

const clients = 8;
const mostEntries = 2_000;
const errorWords =
  /EIO|ENOSPC|EDQUOT|EACCES|disk I\/O error|is full|unable to open|out of memory|locking protocol|locked|refuses to be durable|malformed|Input\/output/;

function endsProcess({ action = 'fail' }: Case): boolean {
  return ['tear', 'end', 'ended'].includes(action);
}

/** Runs clients that create sub-organizations until `isEnough`. Refused entries stay open in the ledger. */
async function makeUntil(
  { baseUrl }: RunningService,
  root: Member,
  ledger: Entry[],
  isEnough: () => boolean,
  refused: () => void = () => undefined,
): Promise<void> {
  const make = async (): Promise<void> => {
    while (!isEnough()) {
      assert.ok(ledger.length < mostEntries, 'it goes on and on');
      const name = `Child ${ledger.length}`;
      const entry = newSubOrganization(name, [`User of ${name}`], root);
      ledger.push(entry);
      if ((await sendEntry(baseUrl, entry)) === undefined) refused();
    }
  };
  await Promise.all(Array.from({ length: clients }, make));
}

/**
 * Requires all acknowledged data and nothing else, and checks the contents of the newest sub-organization.
 */
async function auditEverything(service: RunningService, ledger: readonly Entry[]): Promise<void> {
  const source = { baseUrl: service.baseUrl, root: await rootOf(service) };
  for (const entry of ledger) await sendEntry(source.baseUrl, entry);
  await auditRootSince(source, ledger, 0);
  await auditOrganization(source, source.root, ledger, undefined);
  await auditInside(source, ledger.slice(-clients), ledger);
  const { userId } = source.root;
  assert.equal((await ask(source.baseUrl, 'whoami', {}, source.root)).userId, userId);
}

let killed: Promise<{ readonly dataDirectory: string; readonly ledger: readonly Entry[] }>;

/** Returns a copy of the data of a service that was killed at work. */
async function killedService(): Promise<{ dataDirectory: string; ledger: readonly Entry[] }> {
  killed ??= (async () => {
    const dataDirectory = join(temporaryDirectory(), 'data');
    const service = await startService({ dataDirectory });
    const ledger: Entry[] = [];
    const root = await rootOf(service);
    await makeUntil(service, root, ledger, () => ledger.length >= clients);
    await service.kill();
    return { dataDirectory, ledger };
  })();
  const { dataDirectory: original, ledger } = await killed;
  const dataDirectory = join(temporaryDirectory(), 'data');
  cpSync(original, dataDirectory, { recursive: true });
  return { dataDirectory, ledger };
}
