// A rotation of the root key of operators with shares. They combine the key, rotate it while the service is
// stopped, and split the new key. The test kills the rotation and repeats it.
// KILLED_ROTATIONS=50 kills 50 rotations instead of the three of every run.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { serviceProgram } from '../support/compiled_service.ts';
import {
  type Made,
  makeWallet,
  requireNothingLost,
  requireRotated,
  sign,
} from './rotated_service.ts';
import { startService, temporaryDirectory } from './service.ts';

const rotations = Number(process.env['KILLED_ROTATIONS'] ?? 3);
const signatures = 40;
const killer = join(import.meta.dirname, 'kill_before_step.ts');
const { main, environment: variables } = serviceProgram();
const original = join(temporaryDirectory(), 'data');
let made: Made | undefined;

type Ended = { readonly isKilled: boolean; readonly code: number; readonly stderr: string };

/** Runs a command in the folder above the data. It is killed before a step, if that is not 0. */
function type(
  data: string,
  words: readonly string[],
  killBefore = 0,
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const env = {
    ...variables,
    KEYWRIGHT_DATA_DIR: data,
    ...(existsSync(combined(data)) && {
      KEYWRIGHT_ROOT_KEY_PROVIDER: 'file',
      KEYWRIGHT_ROOT_KEY_FILE: combined(data),
    }),
    KILL_BEFORE: String(killBefore),
    KILL_IN: data,
    ...more,
  };
  return new Promise((resolve) => {
    const node = ['--import', killer, main, ...words];
    execFile(process.execPath, node, { env, cwd: join(data, '..') }, (error, _, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      resolve({ isKilled: error?.signal === 'SIGKILL', code, stderr });
    });
  });
}

async function mustEnd(data: string, ...words: readonly string[]): Promise<Ended> {
  const ended = await type(data, words);
  assert.equal(ended.code, 0, `${words.join(' ')}: ${ended.stderr}`);
  return ended;
}

const combined = (data: string) => join(data, 'combined.key');
const rotation = ['root-key', 'rotate', '--yes'];

/** Splits a key among three operators, and destroys its file. */
async function split(data: string, key: string, shares: string): Promise<void> {
  const words = ['--threshold', '2', '--recipients', 'operators.txt', '--to', shares];
  await mustEnd(data, 'root-key', 'split', ...words, '--from', key, '--sharing', `${shares}.txt`);
  rmSync(key);
}

const combine = (data: string, shares: string) =>
  mustEnd(
    data,
    ...['root-key', 'combine', '--identities', 'identities.txt', '--from', shares],
    ...['--to', combined(data)],
  );

before(async () => {
  const service = await startService({ dataDirectory: original });
  made = await makeWallet(service);
  for (let i = 0; i < signatures; i += 1) await sign(service, made, `before ${i}`);
  await service.stop();
});

/** A folder of operators whose service has no other copy of its key than their shares. */
async function sharedCopy(): Promise<string> {
  const top = temporaryDirectory();
  const data = join(top, 'data');
  cpSync(original, data, { recursive: true });
  const identities = await Promise.all([1, 2, 3].map(() => generateIdentity()));
  const recipients = await Promise.all(identities.map(identityToRecipient));
  writeFileSync(join(top, 'identities.txt'), identities.slice(1).join('\n'), { mode: 0o600 });
  writeFileSync(join(top, 'operators.txt'), recipients.join('\n'));
  await split(data, join(data, 'root.key'), 'shares');
  await combine(data, 'shares');
  return data;
}

test(`${rotations} killed rotations with shares lose nothing, and end when repeated`, async (context) => {
  const whole = await sharedCopy();
  const { stderr } = await mustEnd(whole, ...rotation);
  const steps = Number(/^steps: (\d+)$/m.exec(stderr)?.[1] ?? assert.fail(stderr));
  for (let round = 0; round < rotations; round += 1) {
    const data = await sharedCopy();
    const earlier = Uint8Array.from(readFileSync(combined(data)));
    const step = Math.max(1, Math.round((steps * (round + 0.5)) / rotations));
    const killed = await type(data, rotation, step);
    assert.ok(killed.isKilled, `step ${step} of ${steps}: ${killed.stderr}`);
    await mustEnd(data, ...rotation);
    const current = Uint8Array.from(readFileSync(combined(data)));
    await split(data, combined(data), 'new-shares');
    await combine(data, 'new-shares');
    assert.deepEqual(Uint8Array.from(readFileSync(combined(data))), current);
    assert.ok((await requireRotated(data, earlier, current)) > signatures);
    renameSync(combined(data), join(data, 'root.key'));
    const service = await startService({ dataDirectory: data });
    assert.ok(made !== undefined);
    await requireNothingLost(service, { ...made, signed: new Map(made.signed) });
    await service.stop();
    context.diagnostic(`killed before step ${step} of ${steps}`);
  }
});

test('a command that cannot collect shares names the settings that let it run', async () => {
  const data = await sharedCopy();
  renameSync(combined(data), join(data, 'elsewhere.key'));
  const refused = await type(data, rotation, 0, { KEYWRIGHT_ROOT_KEY_PROVIDER: 'shares' });
  assert.equal(refused.code, 1, refused.stderr);
  assert.match(refused.stderr, /set KEYWRIGHT_ROOT_KEY_PROVIDER=file and KEYWRIGHT_ROOT_KEY_FILE /);
  const ended = await type(data, rotation, 0, {
    KEYWRIGHT_ROOT_KEY_PROVIDER: 'file',
    KEYWRIGHT_ROOT_KEY_FILE: join(data, 'elsewhere.key'),
  });
  assert.equal(ended.code, 0, ended.stderr);
});
