// Kills `keywright root-key rewrap` before and after its replacement of the file. One of the two passphrases
// opens the file, and the key is the same.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import { readSealedKey } from '../../src/gateway/root_key/sealed_key.ts';
import { runIn } from '../cli/terminal.ts';
import { sealCheaply } from '../support/cheap_sealing.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { temporaryDirectory } from './service.ts';

const { main, environment: variables } = serviceProgram();
const killer = join(import.meta.dirname, 'kill_before_step.ts');
const rootKey = Uint8Array.from({ length: 32 }, (_, i) => 7 * i + 1);
const passphrases = { old: 'the earlier passphrase', new: 'the passphrase from now on' };
const sealed = await sealCheaply(rootKey, utf8(passphrases.old));

let folder = '';
let path = '';
beforeEach(() => {
  folder = temporaryDirectory();
  path = join(folder, 'root.key.sealed');
  writeFileSync(path, sealed, { mode: 0o600 });
  for (const [name, text] of Object.entries(passphrases))
    writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 });
});

type Ended = { readonly code: number | string; readonly stderr: string };

const wordsOf = (from: string, current: string, next: string): readonly string[] => [
  ...['root-key', 'rewrap', '--from', from],
  ...['--passphrase-file', current, '--new-passphrase-file', next],
];

/** Runs the command. It is killed before a step, or not at all (0). */
function rewrap(from: string, killBefore: number): Promise<Ended> {
  const env = { ...variables, KILL_BEFORE: String(killBefore), KILL_IN: folder };
  return new Promise((resolve) => {
    const given = ['--import', killer, main, ...wordsOf(from, 'old', 'new')];
    execFile(process.execPath, given, { env, cwd: folder }, (error, _, stderr) => {
      resolve({ code: error?.signal ?? Number(error?.code ?? 0), stderr });
    });
  });
}

/** Returns the passphrase that opens the file. Argon2id of a new file takes a second. */
async function opensWith(): Promise<'old' | 'new'> {
  const text = readFileSync(path, 'utf8');
  if (text === sealed) return 'old';
  const opened = await readSealedKey(text)?.open(utf8(passphrases.new));
  assert.deepEqual(Buffer.from(opened ?? []), Buffer.from(rootKey));
  return 'new';
}

test('a killed command leaves a file that one passphrase opens', async () => {
  const link = join(folder, 'link');
  symlinkSync(path, link);
  const whole = await rewrap(link, 0);
  assert.equal(whole.code, 0, whole.stderr);
  assert.equal(await opensWith(), 'new');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(lstatSync(link).isSymbolicLink(), true, 'the target of the link is replaced');
  const seen = new Set<string>();
  // These steps are before and after the rename. The other steps leave the file like these.
  for (const step of [2, 3]) {
    writeFileSync(path, sealed, { mode: 0o600 });
    assert.equal((await rewrap(path, step)).code, 'SIGKILL');
    seen.add(await opensWith());
  }
  assert.deepEqual([...seen].sort(), ['new', 'old']);
});

test('a wrong or short passphrase changes nothing', async () => {
  writeFileSync(join(folder, 'short'), 'too short\n', { mode: 0o600 });
  const files = readdirSync(folder).sort();
  const wrong = await runIn(folder, wordsOf(path, 'new', 'new'));
  assert.match(wrong.err, /does not open the sealed root key/);
  const short = await runIn(folder, wordsOf(path, 'old', 'short'));
  assert.match(short.err, /has 9 bytes, at least 12 are needed/);
  assert.equal(readFileSync(path, 'utf8'), sealed);
  assert.deepEqual(readdirSync(folder).sort(), files);
});

const root = testsThatNeed(process.getuid?.() === 0 ? undefined : 'needs the rights of root');
root.test('root does not take the file from the user of the service', async () => {
  chownSync(path, 65_534, 65_534);
  const { err } = await runIn(folder, wordsOf(path, 'old', 'new'));
  assert.match(err, /belongs to user 65534: run the command as that user/);
  assert.equal(readFileSync(path, 'utf8'), sealed);
});
