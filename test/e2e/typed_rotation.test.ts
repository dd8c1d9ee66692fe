// A rotation of a root key whose passphrase an operator sends at each start: one passphrase opens the sealed
// files of both keys, and a killed rotation goes on after the next unseal.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import { readSealedKeyFile } from '../../src/gateway/root_key/passphrase.ts';
import { sealRootKey } from '../../src/gateway/root_key/sealed_key.ts';
import { readRotationStatus, rotationStatusPath } from '../../src/gateway/rotation/status_file.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import {
  makeWallet,
  requireNothingLost,
  requireRotated,
  sign,
  startLoad,
} from './rotated_service.ts';
import { type RunningService, startService, temporaryDirectory, until } from './service.ts';

const passphrase = 'a passphrase that is typed';
const signatures = 40;

test('a rotation with a typed passphrase ends despite a kill of the service', async () => {
  const data = temporaryDirectory();
  const sealed = join(data, 'root.key.sealed');
  const next = `${sealed}.next`;
  const plain = await startService({ dataDirectory: data });
  const made = await makeWallet(plain);
  for (let i = 0; i < signatures; i += 1) await sign(plain, made, `before ${i}`);
  await plain.stop();
  const earlier = Uint8Array.from(readFileSync(join(data, 'root.key')));
  await writeSealed(sealed, earlier);
  rmSync(join(data, 'root.key'));

  const first = await startUnsealed(data);
  await writeSealed(next, Uint8Array.from(randomBytes(32)));
  await sign(first, made, 'before the restart');
  await first.stop();
  const killed = await startUnsealed(data);
  await until(
    'the rotation begins',
    () => readRotationStatus(rotationStatusPath(data)) !== undefined,
  );
  await killed.kill();
  const again = await startUnsealed(data);
  const load = startLoad(again, made);
  await until('the rotation ends', () => !existsSync(next));
  await load.stop();
  await requireNothingLost(again, made);
  await again.stop();

  const last = await startUnsealed(data);
  await requireNothingLost(last, made);
  await last.stop();
  const current = await readSealedKeyFile(sealed).open(utf8(passphrase));
  assert.ok(current !== undefined);
  assert.ok((await requireRotated(data, earlier, current)) > signatures);
});

/** Seals with the least work that the service accepts. */
async function writeSealed(path: string, key: Uint8Array): Promise<void> {
  const random = (length: number) => Uint8Array.from(randomBytes(length));
  const cost = { memory: 19_456, passes: 1, lanes: 1 };
  writeFileSync(path, await sealRootKey(key, utf8(passphrase), random, cost), { mode: 0o600 });
}

/** Starts a service, and sends the passphrase by the command when the service waits for it. */
async function startUnsealed(data: string): Promise<RunningService> {
  const environment = { KEYWRIGHT_ROOT_KEY_PROVIDER: 'passphrase' };
  const socket = join(data, 'unseal.sock');
  // A killed service leaves its socket.
  rmSync(socket, { force: true });
  const starting = startService({ dataDirectory: data, environment });
  await until('the service waits for the passphrase', () => existsSync(socket));
  const { main, environment: env } = serviceProgram();
  const words = [main, 'unseal', '--data-dir', data];
  const { stdout, stderr } = spawnSync(process.execPath, words, { input: `${passphrase}\n`, env });
  assert.equal(String(stdout), 'Service  open\n', String(stderr));
  return starting;
}
