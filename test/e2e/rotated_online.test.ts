// A rotation of the root key while the service signs: nothing is lost, and the earlier key opens nothing
// afterwards. KILLED_ROTATIONS=50 kills 50 rotations of each provider. By default 20 are killed, and their
// providers alternate. KILLED_PROVIDERS=file,tpm2 names some of the providers. By default a service starts
// with only the new key after one rotation of each provider, and with SOAK=true after all.

import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startOn } from '../rotation/started_enclave.ts';
import { casesOf } from '../support/bounds.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { hardwareProviders } from './rotated_hardware.ts';
import { type Provider, providers } from './rotated_providers.ts';
import {
  type Made,
  makeWallet,
  requireNothingLost,
  requireRotated,
  runCommand,
  sign,
  startLoad,
} from './rotated_service.ts';
import {
  childrenOf,
  launch,
  type RunningService,
  readCredentials,
  startService,
  temporaryDirectory,
  until,
} from './service.ts';

const named = Object.entries(providersOfThisMachine());
const wanted = process.env['KILLED_ROTATIONS'];
const rotations = wanted === undefined ? 20 : Number(wanted) * named.length;
/** More rows than one batch of the rotation has. */
const activities = 560;
/** With each provider, one rotation out of this many ends with a service that has only the new key. */
const lastStartEvery = casesOf({ usual: Math.ceil(rotations / named.length), soak: 1 });
/** Rotations at a time: each waits for most of its seconds. */
const together = 4;
const { file: ofFile, passphrase: ofPassphrase } = providers;

test('the root key is rotated while two enclaves sign', async () => {
  const data = temporaryDirectory();
  const environment = { KEYWRIGHT_ENCLAVES: '2', KEYWRIGHT_RECEIPTS: 'true' };
  const service = await startService({ dataDirectory: data, environment });
  const earlier = await ofFile.keyIn(data);
  const made = await makeWallet(service);
  for (let i = 0; i < 50; i += 1) await sign(service, made, `before ${i}`);
  const load = startLoad(service, made);
  const printed = await runCommand(['root-key', 'rotate', '--online', '--data-dir', data]);
  assert.match(printed, /^Epoch +1$/m);
  assert.match(printed, /^Rows +[1-9][0-9]* were sealed again$/m);
  assert.equal(ofFile.isRotating(data), false);
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
  assert.ok((await requireRotated(data, earlier, await ofFile.keyIn(data))) > 100);
  const again = await startService({ dataDirectory: data, environment });
  await requireNothingLost(again, made);
  await again.stop();
});

test('the command rotates a key under a passphrase despite a kill of the service', async () => {
  const data = temporaryDirectory();
  const plain = await startService({ dataDirectory: data });
  const made = await makeWallet(plain);
  for (let i = 0; i < 20; i += 1) await sign(plain, made, `before ${i}`);
  await plain.stop();
  await ofPassphrase.adopt(data);
  const earlier = await ofPassphrase.keyIn(data);
  const start = () =>
    startService({ dataDirectory: data, environment: ofPassphrase.environment(data) });
  const service = await start();
  const words = ['root-key', 'rotate', '--online', '--data-dir', data];
  const printed = runCommand(words, ofPassphrase.environment(data));
  printed.catch(() => undefined);
  await until('the next key is there', () => ofPassphrase.isRotating(data));
  await service.kill();
  const again = await start();
  const load = startLoad(again, made);
  assert.match(await printed, /^Epoch +1$/m);
  await load.stop();
  await requireNothingLost(again, made);
  await again.stop();
  assert.ok((await requireRotated(data, earlier, await ofPassphrase.keyIn(data))) > 20);
});

/** Returns the providers by name, and prints the emulators that are missing. */
function providersOfThisMachine(): Readonly<Record<string, Provider>> {
  const chosen = process.env['KILLED_PROVIDERS']?.split(',');
  const all: [string, Provider][] = Object.entries(providers);
  for (const [name, { provider, missing }] of Object.entries(hardwareProviders)) {
    if (missing === undefined) all.push([name, provider]);
    else process.stdout.write(`no rotation with ${name} is killed: ${missing}\n`);
  }
  return Object.fromEntries(all.filter(([name]) => chosen?.includes(name) ?? true));
}

/** Starts a service that is killed before a step of its files, or counts its steps (0). */
function startKilled(data: string, provider: Provider, killBefore: number) {
  const killer = join(import.meta.dirname, 'kill_before_step.ts');
  return launch({
    dataDirectory: data,
    program: ['--import', killer, serviceProgram().main],
    environment: {
      ...provider.environment(data),
      KILL_BEFORE: String(killBefore),
      KILL_IN: data,
    },
  });
}

/** Returns the steps of a start and a stop, with a rotation if there is a next key. */
async function stepsOf(data: string, provider: Provider): Promise<number> {
  const rotates = provider.isRotating(data);
  const { child, output, ended } = startKilled(data, provider, 0);
  await until('the service is ready', () => /^keywright is ready at/m.test(output().stderr));
  await until('the rotation ends', () => !rotates || !provider.isRotating(data));
  child.kill('SIGTERM');
  const { stderr } = await ended;
  return Number(/^steps: (\d+)$/m.exec(stderr)?.[1] ?? assert.fail(stderr));
}

/** Signs until a service is killed. */
async function signUntilKilled(
  data: string,
  { provider, made, killBefore }: { provider: Provider; made: Made; killBefore: number },
): Promise<void> {
  const { child, output, ended } = startKilled(data, provider, killBefore);
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const address = () => /^keywright is ready at (\S+)$/m.exec(output().stderr)?.[1];
  await until('the service is ready or killed', () => !isAlive() || address() !== undefined);
  const baseUrl = address()?.replace('localhost', '127.0.0.1');
  if (baseUrl !== undefined && isAlive()) {
    const credentials = { ...readCredentials(data), baseUrl };
    const service = { baseUrl, dataDirectory: data, credentials } as RunningService;
    const load = startLoad(service, made, { mayFail: () => true });
    await until('the service is killed', () => !isAlive(), { timeoutMs: 30_000 });
    await load.stop();
  }
  await ended;
  assert.equal(child.signalCode, 'SIGKILL', `step ${killBefore}: ${output().stderr}`);
}

/** A stopped service with more rows than one batch. */
const prepared = { data: temporaryDirectory(), made: undefined as Made | undefined };
/** The steps of a start without and with a rotation, by provider. */
const steps = new Map<Provider, { readonly plain: number; readonly all: number }>();

async function copyOfPrepared(provider: Provider): Promise<string> {
  const data = join(temporaryDirectory(), 'data');
  cpSync(prepared.data, data, { recursive: true });
  await provider.adopt(data);
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
  for (const [name, provider] of named) {
    const plain = await stepsOf(await copyOfPrepared(provider), provider);
    const rotated = await copyOfPrepared(provider);
    await provider.giveNextKey(rotated);
    const all = await stepsOf(rotated, provider);
    assert.ok(all - plain >= 6, `${name}: ${plain} and ${all} steps`);
    steps.set(provider, { plain, all });
  }
});

/** The rotations with a last start are at different steps of the providers. */
const startsLast = (round: number): boolean =>
  (Math.floor(round / named.length) - (round % named.length)) % lastStartEvery === 0;

/** Kills a rotation, and requires that the next start ends it. Returns a diagnostic line. */
async function killOne(round: number): Promise<string> {
  const [name, provider] = named[round % named.length] ?? assert.fail('there are providers');
  const counted = steps.get(provider);
  assert.ok(prepared.made !== undefined && counted !== undefined, 'the service was prepared');
  const data = await copyOfPrepared(provider);
  const earlier = await provider.keyIn(data);
  await provider.giveNextKey(data);
  const ofRotation = counted.all - counted.plain - 2;
  const step = counted.plain + Math.round((ofRotation * (round + 0.5)) / rotations) - 2;
  const made: Made = { ...prepared.made, signed: new Map(prepared.made.signed) };
  await signUntilKilled(data, { provider, made, killBefore: Math.max(1, step) });
  const again = await startService({
    dataDirectory: data,
    environment: provider.environment(data),
  });
  // No request meets a kill here. Without a rest, the load would take most of both cores.
  const load = startLoad(again, made, { restMs: 20 });
  await until(
    `the rotation ends after a kill before step ${step}`,
    () => !provider.isRotating(data),
  );
  await load.stop();
  await requireNothingLost(again, made);
  await again.stop();
  const current = await provider.keyIn(data);
  // Each provider has only the new key from now on.
  assert.equal(await startOn(data, Uint8Array.from(current)), undefined);
  if (startsLast(round)) {
    const environment = provider.environment(data);
    const last = await startService({ dataDirectory: data, environment });
    await requireNothingLost(last, made);
    await last.stop();
  }
  assert.ok((await requireRotated(data, earlier, current)) > activities);
  return `${name} killed before step ${step} of ${counted.all}: ${made.signed.size} signatures`;
}

for (let first = 0; first < rotations; first += together) {
  const last = Math.min(rotations, first + together);
  test(`killed rotations ${first + 1} to ${last} lose nothing, and end after the next start`, async (t) => {
    const rounds = Array.from({ length: last - first }, (_, more) => killOne(first + more));
    for (const line of await Promise.all(rounds)) t.diagnostic(line);
  });
}
