// Kills `keywright root-key rotate` before each of its steps. The repeated command ends the rotation: every
// row has the same content, and the earlier key opens no remaining row.
// KILL_ROUNDS=2 kills more than fifty runs.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { readKeyEpochRow } from '../../src/archive/offline_data.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { rootKeysOf } from '../../src/enclave/records/key_epochs.ts';
import { writeFilePrivately } from '../../src/store/data_directory/data_directory.ts';
import { sqliteSnapshot } from '../../src/store/sqlite/copy.ts';
import { contentsOf, opener, sealedValues } from '../rotation/rotated_world.ts';
import { startOn } from '../rotation/started_enclave.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { startTestService, testRootKey } from '../support/harness.ts';
import { temporaryDirectory } from './service.ts';

const folder = temporaryDirectory();
const at = (...names: readonly string[]) => join(folder, ...names);
const { main: program, environment: variables } = serviceProgram();
const killer = join(import.meta.dirname, 'kill_before_step.ts');
const original = at('original', 'keywright.sqlite');

/** More rows than one batch of the rotation has. */
const activities = 1_100;
const rounds = Number(process.env['KILL_ROUNDS'] ?? 1);

type Ended = { readonly killed: boolean; readonly code: number; readonly stderr: string };

/** Rotates the key of the data in a folder; it is killed before a step, or counts its steps (0). */
function rotate(data: string, killBefore: number): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...variables, KILL_BEFORE: String(killBefore), KILL_IN: folder };
    const words = ['root-key', 'rotate', '--yes', '--data-dir', data];
    execFile(
      process.execPath,
      ['--import', killer, program, ...words],
      { env },
      (error, _, stderr) => {
        const code = error === null ? 0 : Number(error.code ?? 1);
        resolve({ killed: error?.signal === 'SIGKILL', code, stderr });
      },
    );
  });
}

before(async () => {
  mkdirSync(at('original'), { mode: 0o700 });
  writeFilePrivately(at('original', 'root.key'), testRootKey());
  const service = await startTestService({ databaseFile: original, enablesAuthProxy: true });
  const accounts = [
    {
      curve: 'CURVE_SECP256K1',
      pathFormat: 'PATH_FORMAT_BIP32',
      path: "m/44'/60'/0'/0/0",
      addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    },
  ];
  const { body } = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'wallet',
    accounts,
  });
  const [signWith] = body.activity.result.createWalletResult.addresses;
  for (let i = 0; i < activities; i += 1) {
    const signed = await service.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith,
      payload: String(i),
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    });
    assert.equal(signed.status, 200);
  }
  await service.close();
});

const keyIn = (data: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(readFileSync(join(data, 'root.key')));

/** The content of the original database, which each rotated database must have. */
let originalContents: ReadonlyMap<string, string> | undefined;

async function requireRotated(data: string): Promise<void> {
  const file = join(data, 'keywright.sqlite');
  const rootKey = keyIn(data);
  assert.notDeepEqual(Buffer.from(rootKey), Buffer.from(testRootKey()));
  assert.equal(existsSync(join(data, 'root.key.next')), false);
  const snapshot = sqliteSnapshot(file);
  const row = await readKeyEpochRow(snapshot);
  await snapshot.close();
  assert.ok(row !== undefined);
  const rotated = contentsOf(file, rootKeysOf(row, Uint8Array.from(rootKey)));
  originalContents ??= contentsOf(original, createRootKeys(testRootKey()));
  assert.deepEqual(rotated, originalContents);
  const opensBefore = opener(testRootKey());
  assert.ok(sealedValues(file).every((value) => opensBefore(value) === undefined));
  assert.equal(await startOn(data, keyIn(data)), undefined);
}

test('a killed rotation loses nothing, and the repeated command ends it', async () => {
  cpSync(at('original'), at('whole'), { recursive: true });
  const { code, stderr } = await rotate(at('whole'), 0);
  assert.equal(code, 0, stderr);
  const steps = Number(/^steps: (\d+)$/m.exec(stderr)?.[1]);
  assert.ok(steps > 15, stderr);
  await requireRotated(at('whole'));
  const states = new Set<string>();
  let kills = 0;
  for (let round = 1; round <= rounds; round += 1) {
    for (let step = 1; step <= steps; step += 1) {
      const data = at(`killed-${round}-${step}`);
      cpSync(at('original'), data, { recursive: true });
      const first = await rotate(data, step);
      assert.ok(first.killed, `step ${step} of ${steps}: ${first.stderr}`);
      states.add((await startOn(data, keyIn(data))) ?? 'started');
      kills += 1;
      // In further rounds, the second run continues after the first kill and is killed too.
      const second = await rotate(data, round === 1 ? 0 : 1 + ((step * 5 + round) % 11));
      kills += second.killed ? 1 : 0;
      const last = second.killed ? await rotate(data, 0) : second;
      assert.equal(last.code, 0, `after a kill before step ${step}: ${last.stderr}`);
      await requireRotated(data);
      rmSync(data, { recursive: true });
    }
  }
  assert.ok(kills >= 20 * rounds, `${kills} kills`);
  // These kills are before the switch to the new key, and while rows of both keys exist.
  assert.deepEqual([...states].sort(), ['root_key_mismatch', 'root_key_rotating', 'started']);
});
