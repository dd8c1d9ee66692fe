// A rotation of the root key while the service signs: nothing is lost, and the earlier key opens nothing
// afterwards. KILLED_ROTATIONS=50 kills more than the 20 of every run.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readKeyEpochRow } from '../../src/archive/offline_data.ts';
import { rootKeysOf } from '../../src/enclave/records/key_epochs.ts';
import { sqliteSnapshot } from '../../src/store/sqlite/copy.ts';
import { contentsOf, opener, sealedValues } from '../rotation/rotated_world.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { accountParameters, createWallet, serverClient, timestampMs } from './clients.ts';
import {
  childrenOf,
  launch,
  type RunningService,
  readCredentials,
  startService,
  temporaryDirectory,
  until,
} from './service.ts';

const rotations = Number(process.env['KILLED_ROTATIONS'] ?? 20);
/** More rows than one batch of the rotation has. */
const activities = 560;
/** Rotations at a time: each waits for most of its seconds. */
const together = 4;

/** A wallet, and signatures of texts that were acknowledged. */
type Made = {
  readonly walletId: string;
  readonly address: string;
  readonly signed: Map<string, string>;
};

async function makeWallet(service: RunningService): Promise<Made> {
  const { walletId, addresses } = await createWallet(
    service,
    `Wallet ${randomBytes(4).toString('hex')}`,
    [accountParameters.ethereum],
  );
  return { walletId, address: addresses[0] ?? '', signed: new Map() };
}

async function sign(service: RunningService, { address, signed }: Made, payload: string) {
  const { r, s, v } = await serverClient(service).signRawPayload({
    timestampMs: timestampMs(),
    signWith: address,
    payload,
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  });
  const signature = `${r}${s}${v}`;
  // A key signs the same text always alike.
  assert.equal(signed.get(payload) ?? signature, signature);
  signed.set(payload, signature);
}

/** Signs and changes wallets until it is stopped. Failures count if they are not of a killed service. */
function startLoad(service: RunningService, made: Made, mayFail: () => boolean = () => false) {
  let isStopped = false;
  let count = 0;
  const run = async (worker: number): Promise<void> => {
    while (!isStopped) {
      count += 1;
      try {
        await sign(service, made, `load ${worker} ${count}`);
        if (count % 10 === 0) {
          await serverClient(service).updateWallet({
            timestampMs: timestampMs(),
            walletId: made.walletId,
            walletName: `Wallet ${worker} ${count}`,
          });
        }
      } catch (error) {
        if (!mayFail()) throw error;
        return;
      }
    }
  };
  const workers = [run(1), run(2)];
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(workers);
      return count;
    },
  };
}

/** Types a command. Returns what it prints. */
function runCommand(words: readonly string[]): Promise<string> {
  const { main, environment } = serviceProgram();
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [main, ...words], { env: environment }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(stderr, { cause: error }));
    });
  });
}

const keyIn = (data: string) => Uint8Array.from(readFileSync(join(data, 'root.key')));
const hasNext = (data: string) => existsSync(join(data, 'root.key.next'));

function giveNextKey(data: string): void {
  writeFileSync(join(data, 'root.key.next'), randomBytes(32), { mode: 0o600 });
}

/** Requires that the data of a stopped service belong to the new key alone. */
async function requireRotated(data: string, earlier: Uint8Array): Promise<number> {
  assert.notDeepEqual(Buffer.from(keyIn(data)), Buffer.from(earlier));
  const file = join(data, 'keywright.sqlite');
  const snapshot = sqliteSnapshot(file);
  const row = await readKeyEpochRow(snapshot);
  await snapshot.close();
  const contents = contentsOf(file, rootKeysOf(row, keyIn(data)));
  const opensBefore = opener(earlier);
  assert.ok(sealedValues(file).every((value) => opensBefore(value) === undefined));
  return contents.size;
}

/** Requires that each acknowledged signature is an activity, and that the key signs as before. */
async function requireNothingLost(service: RunningService, made: Made): Promise<void> {
  const activities = new Set<string>();
  const client = serverClient(service);
  let after: string | undefined;
  do {
    const { activities: page } = await client.getActivities({
      paginationOptions: { limit: '100', ...(after && { after }) },
      filterByType: ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'],
    });
    for (const { result } of page) {
      const { r, s, v } = result.signRawPayloadResult ?? {};
      activities.add(`${r}${s}${v}`);
    }
    after = page.length === 100 ? page.at(-1)?.id : undefined;
  } while (after !== undefined);
  for (const [payload, signature] of made.signed) {
    assert.ok(activities.has(signature), `${payload} was acknowledged`);
  }
  const [first] = made.signed.keys();
  await sign(service, made, first ?? 'first');
}

test('the root key is rotated while two enclaves sign', async () => {
  const data = temporaryDirectory();
  const environment = { KEYWRIGHT_ENCLAVES: '2', KEYWRIGHT_RECEIPTS: 'true' };
  const service = await startService({ dataDirectory: data, environment });
  const earlier = keyIn(data);
  const made = await makeWallet(service);
  for (let i = 0; i < 50; i += 1) await sign(service, made, `before ${i}`);
  const load = startLoad(service, made);
  const printed = await runCommand(['root-key', 'rotate', '--online', '--data-dir', data]);
  assert.match(printed, /^Epoch +1$/m);
  assert.match(printed, /^Rows +[1-9][0-9]* were sealed again$/m);
  assert.equal(hasNext(data), false);
  assert.ok((await load.stop()) > 5);
  const later = await makeWallet(service);
  await sign(service, later, 'after');
  const enclaves = childrenOf(service.pid);
  for (const enclave of enclaves) process.kill(enclave, 'SIGKILL');
  await until('both enclaves run again', () => {
    const now = childrenOf(service.pid);
    return now.length === 2 && now.every((pid) => !enclaves.includes(pid));
  });
  await until('the restarted enclaves sign', async () => {
    await sign(service, made, 'before 0');
    return true;
  });
  await requireNothingLost(service, made);
  assert.match(readFileSync(join(data, 'root-key-rotation.json'), 'utf8'), /"state":"ended"/);
  await service.stop();
  assert.ok((await requireRotated(data, earlier)) > 100);
  const again = await startService({ dataDirectory: data, environment });
  await requireNothingLost(again, made);
  await again.stop();
});

/** Starts a service that is killed before a step of its files, or counts its steps (0). */
function startKilled(data: string, killBefore: number) {
  const killer = join(import.meta.dirname, 'kill_before_step.ts');
  return launch({
    dataDirectory: data,
    program: ['--import', killer, serviceProgram().main],
    environment: { KILL_BEFORE: String(killBefore), KILL_IN: data },
  });
}

/** Returns the steps of a start and a stop, with a rotation if there is a next key. */
async function stepsOf(data: string): Promise<number> {
  const rotates = hasNext(data);
  const { child, output, ended } = startKilled(data, 0);
  await until('the service is ready', () => /^keywright is ready at/m.test(output().stderr));
  await until('the rotation ends', () => !rotates || !hasNext(data));
  child.kill('SIGTERM');
  const { stderr } = await ended;
  return Number(/^steps: (\d+)$/m.exec(stderr)?.[1] ?? assert.fail(stderr));
}

/** Signs as long as a service lives that is going to be killed. */
async function signUntilKilled(data: string, made: Made, killBefore: number): Promise<void> {
  const { child, output, ended } = startKilled(data, killBefore);
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const address = () => /^keywright is ready at (\S+)$/m.exec(output().stderr)?.[1];
  await until('the service is ready or killed', () => !isAlive() || address() !== undefined);
  const baseUrl = address()?.replace('localhost', '127.0.0.1');
  if (baseUrl !== undefined && isAlive()) {
    const credentials = { ...readCredentials(data), baseUrl };
    const service = { baseUrl, dataDirectory: data, credentials } as RunningService;
    const load = startLoad(service, made, () => true);
    await until('the service is killed', () => !isAlive(), { timeoutMs: 30_000 });
    await load.stop();
  }
  await ended;
  assert.equal(child.signalCode, 'SIGKILL', `step ${killBefore}: ${output().stderr}`);
}

/** A stopped service with more rows than one batch, and the steps of a start without and with a rotation. */
const prepared = {
  data: temporaryDirectory(),
  made: undefined as Made | undefined,
  plain: 0,
  all: 0,
};

function copyOfPrepared(): string {
  const data = join(temporaryDirectory(), 'data');
  cpSync(prepared.data, data, { recursive: true });
  return data;
}

test('a rotation takes several steps that can be killed', async () => {
  const service = await startService({ dataDirectory: prepared.data });
  const made = await makeWallet(service);
  for (let i = 0; i < activities; i += 20) {
    await Promise.all(
      Array.from({ length: 20 }, (_, more) => sign(service, made, `before ${i + more}`)),
    );
  }
  await service.stop();
  prepared.made = made;
  prepared.plain = await stepsOf(copyOfPrepared());
  const rotated = copyOfPrepared();
  giveNextKey(rotated);
  prepared.all = await stepsOf(rotated);
  assert.ok(prepared.all - prepared.plain >= 8, JSON.stringify(prepared));
});

/** Kills a rotation, and requires that the next start ends it. Returns a diagnostic line. */
async function killOne(round: number): Promise<string> {
  const { plain, all, made: before } = prepared;
  assert.ok(before !== undefined, 'the service was prepared');
  const data = copyOfPrepared();
  const earlier = keyIn(data);
  giveNextKey(data);
  const step = plain + Math.round(((all - plain - 2) * (round + 0.5)) / rotations) - 2;
  const made: Made = { ...before, signed: new Map(before.signed) };
  await signUntilKilled(data, made, Math.max(1, step));
  const again = await startService({ dataDirectory: data });
  const load = startLoad(again, made);
  await until(`the rotation ends after a kill before step ${step}`, () => !hasNext(data));
  await load.stop();
  await requireNothingLost(again, made);
  await again.stop();
  assert.ok((await requireRotated(data, earlier)) > activities);
  return `killed before step ${step} of ${all}: ${made.signed.size} signatures`;
}

for (let first = 0; first < rotations; first += together) {
  const last = Math.min(rotations, first + together);
  test(`killed rotations ${first + 1} to ${last} lose nothing, and end after the next start`, async (t) => {
    const rounds = Array.from({ length: last - first }, (_, more) => killOne(first + more));
    for (const line of await Promise.all(rounds)) t.diagnostic(line);
  });
}
