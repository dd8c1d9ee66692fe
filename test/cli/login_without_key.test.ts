// Logins on a terminal without a key: another user approves them, or a mailed code does.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startDev } from '../e2e/dev_service.ts';
import { until } from '../e2e/service.ts';
import { startLoopbackServer } from '../support/loopback_server.ts';
import { type Forward, startForwardingServer } from './forwarding_server.ts';
import { folderOfTests, runIn } from './terminal.ts';

const folder = folderOfTests();
const dev = await startDev(folder);
const root = dev.credentials('root-credentials');
const at = ['--url', dev.baseUrl, '--organization', root.organizationId];
const asRoot = ['--credentials', join(folder, '.keywright', 'root-credentials.json')];

/** Starts a login, and returns its output so far. */
function begin(home: string, words: readonly string[], signal = new AbortController().signal) {
  let written = '';
  const err = (text: string) => {
    written += text;
  };
  const ended = runIn(home, ['login', ...words], { err, signal });
  return { ended, written: () => written };
}

const keyIn = (home: string, name: string) =>
  join(home, 'config', 'keywright', 'keys', `${name}.json`);

test('the printed command of a login registers its key', async () => {
  const home = folderOfTests();
  // The service reports the organization to commands on its own machine.
  const { ended, written } = begin(home, ['--url', dev.baseUrl, '--expires', '8h']);
  await until('it waits', () => /Waiting for ten minutes/.test(written()));
  const [, link = ''] = /^ {2}(http\S+)$/m.exec(written()) ?? [];
  const { apiPublicKey } = JSON.parse(readFileSync(`${keyIn(home, 'default')}.new`, 'utf8'));
  const [page, query] = link.split('?');
  // Passkeys need a host name.
  assert.equal(page, `${dev.baseUrl.replace('127.0.0.1', 'localhost')}/dashboard/#/pair`);
  const members = Object.fromEntries(new URLSearchParams(query));
  assert.equal(members['publicKey'], apiPublicKey);
  assert.equal(members['expirationSeconds'], String(8 * 3600));
  assert.match(written(), /requires the fourth: [a-z]+ [a-z]+ [a-z]+ [a-z]+$/m);
  assert.doesNotMatch(written(), /PRIVATE/i);

  const [, typed = ''] = /^ {2}keywright (user key add .*)$/m.exec(written()) ?? [];
  const words = typed.replace('USER', 'alice').match(/'[^']*'|\S+/g) ?? [];
  const plain = words.map((word) => word.replaceAll("'", ''));
  const added = await runIn(folder, [...plain, ...asRoot, '--url', dev.baseUrl]);
  assert.equal(added.code, 0, added.err);

  const { code, out } = await ended;
  assert.equal(code, 0, written());
  assert.match(out, /^User +alice$/m);
  assert.equal(statSync(keyIn(home, 'default')).mode & 0o777, 0o600);
  assert(!existsSync(`${keyIn(home, 'default')}.new`));
  assert.match((await runIn(home, ['whoami'])).out, /alice/);
});

test('an interrupted login continues with the same key and words', async () => {
  const home = folderOfTests();
  const wordsOf = (text: string) =>
    /requires the fourth: (.*)$/m.exec(text)?.[1] ?? assert.fail(text);
  const interrupt = new AbortController();
  const first = begin(home, at, interrupt.signal);
  await until('it waits', () => /Waiting for/.test(first.written()));
  interrupt.abort();
  assert.equal((await first.ended).code, 130);
  const again = new AbortController();
  const second = begin(home, at, again.signal);
  await until('it waits', () => /Waiting for/.test(second.written()));
  again.abort();
  await second.ended;
  assert.equal(wordsOf(second.written()), wordsOf(first.written()));
});

/** The codes that were already typed. Another mail to the same address has a new code. */
const typed = new Set<string>();

async function codeSentTo(address: string): Promise<string> {
  type Message = { readonly to: string; readonly text: string };
  let found: string | undefined;
  await until('a new code is there', async () => {
    const { messages } = await (await dev.ask('/dev/inbox')).json();
    found = (messages as readonly Message[])
      .filter(({ to }) => to === address)
      .map(({ text }) => /^([0-9A-Z]{6,9})$/m.exec(text)?.[1])
      .find((code) => code !== undefined && !typed.has(code));
    return found !== undefined;
  });
  const code = found ?? assert.fail();
  typed.add(code);
  return code;
}

test('a user logs in by a mailed code', async () => {
  const home = folderOfTests();
  const email = 'carol@example.com';
  const words = ['login', '--email', email, '--url', dev.baseUrl, '--expires', '2h'];
  const { code, err, out } = await runIn(home, words, {
    ask: async (question) => {
      assert.match(question, /carol@example\.com/);
      return `  ${(await codeSentTo(email)).toLowerCase()}\n`;
    },
  });
  assert.equal(code, 0, err);
  assert.match(out, /^User +carol$/m);
  assert.match((await runIn(home, ['whoami'])).out, /carol/);
  const config = JSON.parse(readFileSync(join(home, 'config', 'keywright', 'config.json'), 'utf8'));
  assert.equal(typeof config.profiles.default.pinnedKeys.verifier, 'string');
});

test('a wrong code is refused', async () => {
  const home = folderOfTests();
  const words = ['login', '--email', 'bob@example.com', ...at];
  const wrong = await runIn(home, words, { ask: async () => 'AAAAAAAAA' });
  assert.notEqual(wrong.code, 0);
  assert.match((await runIn(home, ['whoami'])).err, /no key to sign requests with/);
  const none = await runIn(home, words, { ask: async () => '--help' });
  assert.equal(none.code, 10);
});

/** Asserts that the login left no key and no profile on the machine. */
function assertNothingLeft(home: string) {
  assert(!existsSync(keyIn(home, 'default')));
  assert(!existsSync(`${keyIn(home, 'default')}.new`));
  assert(!existsSync(join(home, 'config', 'keywright', 'config.json')));
}

test('a login that is interrupted at the question for the code leaves no files', async () => {
  const home = folderOfTests();
  const interrupt = new AbortController();
  const { code } = await runIn(home, ['login', '--email', 'alice@example.com', ...at], {
    signal: interrupt.signal,
    ask: () => {
      interrupt.abort();
      return Promise.reject(interrupt.signal.reason);
    },
  });
  assert.equal(code, 130);
  assertNothingLeft(home);
});

/** Returns the words for a login over a server between the command and the service. */
async function over(forward: Forward): Promise<readonly string[]> {
  const to = ['--url', await startForwardingServer(dev.baseUrl, forward)];
  const proxy = ['--proxy', root.authProxyConfigId ?? ''];
  return [...to, '--organization', root.organizationId, ...proxy];
}

test('a login that is interrupted before the mail leaves no files', async () => {
  const home = folderOfTests();
  const interrupt = new AbortController();
  const held = await over(async (name, ask) => {
    if (name !== 'otp_init_v2') return ask();
    interrupt.abort();
    return 'held';
  });
  const words = ['login', '--email', 'alice@example.com', ...held];
  const { code } = await runIn(home, words, { signal: interrupt.signal });
  assert.equal(code, 130);
  assertNothingLeft(home);
});

test('a login that is interrupted after sending the code continues with its key', async () => {
  const home = folderOfTests();
  const email = 'carol@example.com';
  const interrupt = new AbortController();
  let holds = true;
  const held = await over(async (name, ask) => {
    if (name !== 'otp_verify_v2' || !holds) return ask();
    interrupt.abort();
    return 'held';
  });
  const words = ['login', '--email', email, ...held];
  const ask = () => codeSentTo(email);
  const first = await runIn(home, words, { ask, signal: interrupt.signal });
  assert.equal(first.code, 130, first.err);
  const { apiPublicKey } = JSON.parse(readFileSync(`${keyIn(home, 'default')}.new`, 'utf8'));
  assert(!existsSync(keyIn(home, 'default')));
  holds = false;
  const second = await runIn(home, words, { ask });
  assert.equal(second.code, 0, second.err);
  const stored = JSON.parse(readFileSync(keyIn(home, 'default'), 'utf8'));
  assert.equal(stored.apiPublicKey, apiPublicKey);
});

test('a code is not sealed to a key with the signature of another service', async () => {
  const home = folderOfTests();
  const requested: string[] = [];
  // The server answers like the service, except for its own keys.
  const lying = await over(async (name, ask) => {
    requested.push(name);
    const { status, text } = await ask();
    const altered = text.replaceAll(/"publicKey":"04.{4}/g, '"publicKey":"040000');
    return { status, text: name === 'keys' ? altered : text };
  });
  const words = ['login', '--email', 'alice@example.com', ...lying];
  const { code, err } = await runIn(home, words, { ask: async () => 'AAAAAAAAA' });
  assert.equal(code, 9, err);
  assert(!requested.includes('otp_verify_v2'), 'the code was sent');
});

test('a command with missing data names the flag for it', async () => {
  const home = folderOfTests();
  const silent = await startLoopbackServer((_request, response) => response.end('{}'));
  after(() => silent.stop());
  const untold = await runIn(home, ['login', '--url', silent.origin]);
  assert.equal(untold.code, 2);
  assert.match(untold.err, /--organization ID/);
  const both = await runIn(home, ['login', '--with', 'x.json', '--email', 'a@example.com']);
  assert.equal(both.code, 2);
  await dev.stop();
});
