// Questions, colours and widths in a pseudo-terminal.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { startDev } from '../e2e/dev_service.ts';
import { compileCache } from '../support/compile_cache.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { folderOfTests, runIn } from './terminal.ts';

const isThere = process.platform === 'linux' && existsSync('/usr/bin/script');
const { test } = testsThatNeed(
  isThere ? undefined : 'no /usr/bin/script of util-linux, which makes pseudo-terminals',
);

const folder = folderOfTests();
const dev = await startDev(folder);
const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** Time after which a command with an unanswered question is killed. */
const longestMs = 60_000;

type Said = {
  readonly question: RegExp;
  readonly answer: string;
  /** The key after the answer. Default: Enter. */
  readonly key?: string;
};

/** Runs a command in a pseudo-terminal of 60 columns. Types each answer when its question appears. */
async function runInTerminal(words: readonly string[], ...said: readonly Said[]) {
  const typed = [process.execPath, main, ...words].map((word) => `'${word}'`).join(' ');
  // `script` of util-linux creates the terminal, and ends with the exit code of the command.
  const after = 'code=$?; stty -a | grep -q " echo " && echo echo is on; exit $code';
  const child = spawn('script', ['-qefc', `stty cols 60; ${typed}; ${after}`, '/dev/null'], {
    cwd: folder,
    env: { ...compileCache, PATH: process.env['PATH'], HOME: folder, TERM: 'xterm' },
  });
  let shown = '';
  const left = [...said];
  let unread = '';
  child.stdout.on('data', (chunk) => {
    shown += chunk;
    unread += chunk;
    const [next] = left;
    if (next?.question.test(unread)) {
      left.shift();
      unread = '';
      child.stdin.write(`${next.answer}${next.key ?? '\n'}`);
    }
  });
  const tooLong = setTimeout(() => child.kill('SIGKILL'), longestMs);
  const [code] = await once(child, 'close');
  clearTimeout(tooLong);
  return { code, shown };
}

test('an approver reads the signed content and types eight digits', async () => {
  const list = await runIn(folder, ['activity', 'list', '--status', 'waiting', '--json']);
  const [{ id, fingerprint }] = JSON.parse(list.out).activities;
  const as = ['--credentials', '.keywright/bob.json'];
  const question = /Type the first eight digits of the comparison code: /;
  const words = ['activity', 'approve', id, ...as];
  const wrong = await runInTerminal(words, { question, answer: '00000000' });
  assert.equal(wrong.code, 10, wrong.shown);
  const right = await runInTerminal(words, { question, answer: fingerprint.slice(7, 15) });
  assert.equal(right.code, 0, right.shown);
  assert.match(right.shown, /requested by alice/);
  assert.match(right.shown, /State.*done/);
});

test('a typed passphrase is not shown, and seals and opens a key', async () => {
  const keyFile = join(folder, 'sealed.json');
  copyFileSync(join(folder, '.keywright', 'bob.json'), keyFile);
  chmodSync(keyFile, 0o600);
  const answer = 'correct horse battery staple';
  const sealed = await runInTerminal(
    ['passphrase', keyFile],
    { question: /Passphrase of the new key: /, answer },
    { question: /The same once more: /, answer },
  );
  assert.equal(sealed.code, 0, sealed.shown);
  assert(!readFileSync(keyFile, 'utf8').includes('apiPrivateKey'));
  const as = ['whoami', '--credentials', keyFile];
  const right = await runInTerminal(as, { question: /Passphrase of .*sealed.json: /, answer });
  assert.equal(right.code, 0, right.shown);
  assert.match(right.shown, /bob/);
  // Wait for the question, because the terminal shows typed text before it.
  const question = /Passphrase of .*sealed\.json: /;
  const wrong = [1, 2, 3].map(() => ({ question, answer: 'another passphrase' }));
  const refused = await runInTerminal(as, ...wrong);
  assert.equal(refused.code, 2, refused.shown);
  assert.match(refused.shown, /does not open .*sealed.json/);
  for (const { shown } of [sealed, right]) assert(!shown.includes('horse'), shown);
  assert(!refused.shown.includes('another'), refused.shown);
});

/** Writes the key of a demo person into a file, sealed by a passphrase. */
async function sealedKey(name: string, passphrase: string): Promise<string> {
  const keyFile = join(folder, name);
  copyFileSync(join(folder, '.keywright', 'bob.json'), keyFile);
  const askSecret = async () => Buffer.from(passphrase);
  const { code, err } = await runIn(folder, ['passphrase', keyFile], { askSecret });
  assert.equal(code, 0, err);
  return keyFile;
}

/** Matches the end of the line after its answer. Opening the key then takes a while. */
const isTried = /\r\n/;

test('a passphrase that is typed before its question answers it, and is not shown', async () => {
  const keyFile = await sealedKey('ahead.json', 'correct horse battery staple');
  const question = /Passphrase of .*ahead\.json: /;
  const { code, shown } = await runInTerminal(
    ['passphrase', keyFile],
    { question, answer: 'wrong' },
    { question: isTried, answer: 'correct horse battery staple' },
    { question: isTried, answer: 'paper clip stapler\nSix random words' },
  );
  assert.equal(code, 2, shown);
  for (const typed of ['horse', 'clip', 'random']) assert(!shown.includes(typed), shown);
  assert.match(shown, /The same once more: \r\n/);
});

test('Control-C between two questions ends the command, and the terminal shows typed text again', async () => {
  const keyFile = await sealedKey('interrupted.json', 'correct horse battery staple');
  const question = /Passphrase of .*interrupted\.json: /;
  const { code, shown } = await runInTerminal(
    ['whoami', '--credentials', keyFile],
    { question, answer: 'wrong' },
    { question: isTried, answer: '', key: '\u0003' },
  );
  assert.equal(code, 130, shown);
  assert.match(shown, /echo is on/);
});

test('a table has colours and fits the terminal with all columns and IDs, and a pipe gets full texts', async () => {
  const { code, shown } = await runInTerminal(['policy', 'list']);
  assert.equal(code, 0, shown);
  assert(shown.includes('\u001b[1mName'), shown);
  // With a slow service a spinner appears. A return to the start of the line erases its frames.
  const lines = stripVTControlCharacters(shown)
    .split('\r\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1));
  assert(
    lines.every((line) => line.length <= 60),
    shown,
  );
  assert.match(shown, /Name +Effect +Condition +Consensus/);
  const ids = lines.filter((line) => /^ {2}[0-9a-f-]{36}$/.test(line));
  assert.equal(ids.length, lines.filter((line) => / (?:allow|deny) /.test(line)).length, shown);
  assert(ids.length > 0 && lines.some((line) => line.includes('…')), shown);
  const piped = await runIn(folder, ['policy', 'list']);
  assert(!piped.out.includes('\u001b') && !piped.out.includes('…'));
});

test('--color never takes effect in a terminal', async () => {
  const { shown } = await runInTerminal(['wallet', 'list', '--color', 'never']);
  assert(!shown.includes('\u001b[1m'), shown);
  await dev.stop();
});
