// A rotation of the root key while the enclave runs as a user of its own. Its process reads both keys at its
// start, and is killed during the rotation.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chownSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { readRotationStatus, rotationStatusPath } from '../../src/gateway/rotation/status_file.ts';
import {
  makeWallet,
  requireNothingLost,
  requireRotated,
  sign,
  startLoad,
} from './rotated_service.ts';
import { until } from './service.ts';
import { isRoot, makePlace, startEnclaveSide, startGateway, users } from './two_users.ts';

test('the process of the enclaves rotates its root key, though it is killed meanwhile', async (context) => {
  const place = makePlace();
  let enclaves = await startEnclaveSide(place);
  context.after(() => enclaves.kill());
  const gateway = await startGateway(place);
  context.after(() => gateway.kill());
  const ready = () =>
    until('the gateway is ready', async () => (await fetch(`${gateway.baseUrl}/health/ready`)).ok);
  /** Kills the process and its enclaves, and starts it again. */
  const restart = async () => {
    const started = enclaves.started();
    await enclaves.kill();
    for (const pid of started) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The enclave ended with its process.
      }
    }
    enclaves = await startEnclaveSide(place);
    await ready();
  };
  const status = () => readRotationStatus(rotationStatusPath(place.data));

  const made = await makeWallet(gateway);
  for (let i = 0; i < 100; i += 1) await sign(gateway, made, `before ${i}`);
  const earlier = Uint8Array.from(readFileSync(place.rootKeyFile));
  const next = `${place.rootKeyFile}.next`;
  writeFileSync(next, randomBytes(32), { mode: 0o600 });
  if (isRoot) chownSync(next, users.enclave, users.enclave);
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
