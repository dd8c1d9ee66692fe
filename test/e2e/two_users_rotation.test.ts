// A rotation of the root key while the enclave runs as a user of its own. Its process reads both keys at its
// start, and is killed during the rotation. KILLED_ROTATIONS=50 kills the gateway in 50 rotations, instead of
// the two of every run; in every other one, the process of the enclaves is killed as well.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chownSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRotationStatus, rotationStatusPath } from '../../src/gateway/rotation/status_file.ts';
import {
  makeWallet,
  requireNothingLost,
  requireRotated,
  sign,
  startLoad,
} from './rotated_service.ts';
import { launch, until } from './service.ts';
import {
  asGateway,
  type EnclaveSide,
  isRoot,
  main,
  makePlace,
  noCache,
  type Place,
  startEnclaveSide,
  startGateway,
  users,
} from './two_users.ts';

const rotations = Number(process.env['KILLED_ROTATIONS'] ?? 2);
/** Signatures before a rotation. */
const signatures = 40;

/** Kills the process of the enclaves, and its enclaves. */
async function killSide(side: EnclaveSide): Promise<void> {
  const started = side.started();
  await side.kill();
  for (const pid of started) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The enclave ended with its process.
    }
  }
}

function giveNextKey(place: Place): string {
  const next = `${place.rootKeyFile}.next`;
  writeFileSync(next, randomBytes(32), { mode: 0o600 });
  if (isRoot) chownSync(next, users.enclave, users.enclave);
  return next;
}

const statusIn = (place: Place) => readRotationStatus(rotationStatusPath(place.data));

test('the process of the enclaves rotates its root key despite a kill', async (context) => {
  const place = makePlace();
  let enclaves = await startEnclaveSide(place);
  context.after(() => enclaves.kill());
  const gateway = await startGateway(place);
  context.after(() => gateway.kill());
  const ready = () =>
    until('the gateway is ready', async () => (await fetch(`${gateway.baseUrl}/health/ready`)).ok);
  /** Kills the process and its enclaves, and starts it again. */
  const restart = async () => {
    await killSide(enclaves);
    enclaves = await startEnclaveSide(place);
    await ready();
  };
  const status = () => statusIn(place);

  const made = await makeWallet(gateway);
  for (let i = 0; i < 100; i += 1) await sign(gateway, made, `before ${i}`);
  const earlier = Uint8Array.from(readFileSync(place.rootKeyFile));
  const next = giveNextKey(place);
  await restart();
  await until('the rotation begins', () => status() !== undefined);
  await restart();
  const load = startLoad(gateway, made);
  await until('the rotation ends', () => status()?.state === 'ended');
  await load.stop();
  assert.equal(status()?.epoch, 1);
  await requireNothingLost(gateway, made);

  // The gateway cannot replace the key of another user.
  assert.deepEqual(Uint8Array.from(readFileSync(place.rootKeyFile)), earlier);
  renameSync(next, place.rootKeyFile);
  await restart();
  await requireNothingLost(gateway, made);
  await gateway.stop();
  const current = Uint8Array.from(readFileSync(place.rootKeyFile));
  assert.ok((await requireRotated(place.data, earlier, current)) > 100);
});

/** Starts a gateway that is killed before a step of its files, or counts its steps (0). */
function launchKilled(place: Place, killBefore: number) {
  const killer = join(import.meta.dirname, 'kill_before_step.ts');
  return launch({
    dataDirectory: place.data,
    command: [...asGateway(), process.execPath, '--import', killer, main, 'serve'],
    environment: {
      ...noCache,
      KEYWRIGHT_ENCLAVE_SOCKET: place.socket,
      KILL_BEFORE: String(killBefore),
      KILL_IN: place.data,
    },
  });
}

/** A stopped service that has signed, and its next key. */
async function placeWithNextKey() {
  const place = makePlace();
  const side = await startEnclaveSide(place);
  const gateway = await startGateway(place);
  const made = await makeWallet(gateway);
  for (let i = 0; i < signatures; i += 1) await sign(gateway, made, `before ${i}`);
  await gateway.stop();
  await killSide(side);
  return { place, made, next: giveNextKey(place) };
}

/** Returns the steps of a gateway from its start to the end of a rotation. */
async function stepsOfRotation(): Promise<number> {
  const { place } = await placeWithNextKey();
  const side = await startEnclaveSide(place);
  const { child, output, ended } = launchKilled(place, 0);
  await until('the rotation ends', () => statusIn(place)?.state === 'ended');
  child.kill('SIGTERM');
  await ended;
  await killSide(side);
  return Number(/^steps: (\d+)$/m.exec(output().stderr)?.[1] ?? assert.fail(output().stderr));
}

/**
 * Kills a rotation before a step, and requires that the next start ends it. Returns false if the rotation
 * ended before that step. It is then killed after its end.
 */
async function killOne(step: number, killsEnclaves: boolean): Promise<boolean> {
  const { place, made, next } = await placeWithNextKey();
  const earlier = Uint8Array.from(readFileSync(place.rootKeyFile));
  let side = await startEnclaveSide(place);
  const { child, output, ended } = launchKilled(place, step);
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const hasEnded = () => statusIn(place)?.state === 'ended';
  await until(`the gateway is killed before step ${step}`, () => !isAlive() || hasEnded());
  const isKilledAtStep = !isAlive();
  if (!isKilledAtStep) child.kill('SIGKILL');
  await ended;
  assert.equal(child.signalCode, 'SIGKILL', `step ${step}: ${output().stderr}`);
  if (killsEnclaves) {
    await killSide(side);
    side = await startEnclaveSide(place);
  }
  const gateway = await startGateway(place);
  const load = startLoad(gateway, made);
  await until(`the rotation ends after a kill before step ${step}`, hasEnded);
  await load.stop();
  await requireNothingLost(gateway, made);
  await gateway.stop();
  renameSync(next, place.rootKeyFile);
  await killSide(side);
  const current = Uint8Array.from(readFileSync(place.rootKeyFile));
  assert.ok((await requireRotated(place.data, earlier, current)) > signatures);
  const last = await startEnclaveSide(place);
  const again = await startGateway(place);
  await requireNothingLost(again, made);
  await again.stop();
  await killSide(last);
  return isKilledAtStep;
}

test(`a gateway that is killed in ${rotations} rotations loses nothing`, async (context) => {
  const steps = await stepsOfRotation();
  let killed = 0;
  for (let round = 0; round < rotations; round += 1) {
    const step = Math.max(1, Math.round((steps * (round + 0.5)) / rotations));
    const isKilledAtStep = await killOne(step, round % 2 === 1);
    if (isKilledAtStep) killed += 1;
    const end = isKilledAtStep ? '' : ' after its end';
    context.diagnostic(`killed before step ${step} of ${steps}${end}`);
  }
  // A slow rotation shows its progress more often, so the counted rotation may have had more steps.
  assert.ok(
    killed >= rotations / 2,
    `${killed} of ${rotations} gateways were killed at their step`,
  );
});
