// All printed texts of a service. Every command runs against a service with characters in all answers that
// control the terminal, or hide or reorder others.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { loadAll } from '../../src/cli/commands.ts';
import { quoted } from '../../src/cli/files/files.ts';
import { createOutput, guarded, printed } from '../../src/cli/output/output.ts';
import { curlOf } from '../../src/cli/service/curl.ts';
import { newKey } from '../../src/cli/service/new_key.ts';
import { folderOfTests, runIn, terminalIn } from './terminal.ts';

const id = '01a205ac-48e3-74b0-9a8f-4777ece305a4';
/** Controls of C0 and C1, a bidirectional override, a zero-width joiner, and a hiding style. */
const hostile = '\u001b]0;owned\u0007 \u009b2J \u202e \u200b \r \u001b[8m';
const acts = /[\p{C}\p{Zl}\p{Zp}\p{DI}]/u;

/** Returns answers with the character in all members and in names of members. */
let answer: unknown;
const server = createServer((request, response) => {
  void text(request).then(() =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
  );
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());

const folder = folderOfTests();
const keyFile = join(folder, 'key.json');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const stored = { ...(await newKey()), organizationId: id, baseUrl };
writeFileSync(keyFile, JSON.stringify(stored), { mode: 0o600 });
const bodyFile = join(folder, 'body.json');

const ids =
  'id walletId userId privateKeyId secretId policyId endpointId walletAccountId organizationId';
const names =
  'walletName userName username privateKeyName secretName policyName name type status effect curve path address addressFormat publicKey url email message notes fingerprint';
const lists =
  'wallets accounts users activities policies privateKeys secrets apiKeys authenticators endpoints deliveries webhookEndpoints tags userTags keys balances votes messages features properties';

/** Returns a row with the text in each member except for IDs, and in the name of a member. */
function rowOf(hostile: string): Record<string, unknown> {
  const row = {
    ...Object.fromEntries(ids.split(' ').map((name) => [name, id])),
    ...Object.fromEntries(names.split(' ').map((name) => [name, `a${hostile}b`])),
    createdAt: { seconds: '0', nanos: '0' },
    [`a${hostile}b`]: `a${hostile}b`,
  };
  return { ...row, properties: [row], users: [row], tags: [`a${hostile}b`] };
}

function answerOf(hostile: string): unknown {
  const row = rowOf(hostile);
  const things = 'activity wallet user privateKey secret configs policy organization result';
  return {
    ...row,
    ...Object.fromEntries(lists.split(' ').map((name) => [name, [row]])),
    ...Object.fromEntries(things.split(' ').map((name) => [name, { ...row, votes: [row] }])),
  };
}

/** Commands that wait for news or for typed input. */
const endless = ['activity watch', 'webhook listen'];
const walked = (await loadAll())
  .filter(({ reach, words }) => reach !== 'local' && !endless.includes(words.join(' ')))
  .filter(({ words }) => words[0] !== 'dashboard')
  .map((command) => ({
    command,
    words: [
      ...command.words,
      ...command.arguments.map(({ name }) => (name === 'operation' ? 'list_users' : id)),
    ],
  }));

test('no command prints control or hiding characters of an answer', async () => {
  answer = answerOf(hostile);
  let shown = 0;
  for (const { command, words } of walked) {
    const more = {
      local: [],
      reads: [],
      submits: [['--curl']],
      votes: [],
      destroys: [['--curl', '--yes'], ['--yes']],
    }[command.reach];
    for (const flags of [[], ['--color', 'always'], ...more]) {
      const questions: string[] = [];
      const typed = [...words, ...flags];
      const ran = await runIn(folder, [...typed, '--credentials', keyFile], {
        outIsTerminal: true,
        ask: async (question) => {
          questions.push(question);
          return '';
        },
      });
      for (const text of [ran.out, ran.err, ...questions]) {
        // Only the styles of this program are allowed.
        const rest = text.replaceAll(/\p{Cc}\[(0|1|22|31|39)m|[\n\t]/gu, '');
        assert.doesNotMatch(rest, acts, `keywright ${typed.join(' ')}`);
        if (text.includes('\\u{')) shown += 1;
      }
    }
  }
  assert(shown > 20, `the text came to a person ${shown} times`);
});

test('names of rows from the service are escaped like their values', () => {
  let out = '';
  const terminal = terminalIn(folder, { out: (text) => (out += text) });
  const output = createOutput(terminal, { json: false, quiet: false, color: 'never' });
  output.thing({ 'a\u202eb': 'c\u200bd' }, { document: {}, ids: [] });
  output.list([{ 'e\u009bf': 'g' }], { document: {}, ids: [] });
  assert.equal(out, 'a\\u{202e}b  c\\u{200b}d\ne\\u{9b}f\ng\n');
});

test('the last step before a terminal passes only styles of this program', () => {
  const styled = '\u001b[1mname\u001b[22m\t1\n';
  assert.equal(printed(styled), styled);
  for (const own of ['\r⠋ waiting', '\r\u001b[K']) assert.equal(printed(own), own);
  assert.equal(printed('a\r\u001b[Kb'), 'a\\u{d}\\u{1b}[Kb');
  for (const code of ['\u001b[8m', '\u001b[2J', '\u001b]0;x\u0007', '\u009b1m', '\u202e']) {
    assert.doesNotMatch(printed(`a${code}b`), acts);
  }
  let err = '';
  guarded(terminalIn(folder, { err: (text) => (err += text) })).err('\u009b2J\n');
  assert.equal(err, '\\u{9b}2J\n');
});

test('a printed curl command has no control character, and sends the stamped bytes', () => {
  const body = JSON.stringify({ name: "it's \\ a\u009b2J\u202e\u200bé\u{e0041}" });
  const command = curlOf({
    method: 'POST',
    url: `${baseUrl}/x`,
    headers: { 'X-Stamp': 'e30' },
    body,
  });
  assert.doesNotMatch(command.replaceAll('\n', ''), acts);
  assert.match(command, /\\302\\2332J/);
  const printed = execFileSync('bash', ['-c', `printf %s ${quoted(body)}`], { encoding: 'utf8' });
  assert.equal(printed, body);
});

test('--curl prints such characters of a body as codes', async () => {
  writeFileSync(bodyFile, JSON.stringify({ userTagName: 'a\u009b\u202eb', userIds: [] }));
  const words = ['api', 'create_user_tag', '--params', bodyFile, '--curl'];
  const { code, out } = await runIn(folder, [...words, '--credentials', keyFile]);
  assert.equal(code, 0, out);
  assert.match(out, /--data-raw \$'/);
  assert.doesNotMatch(out.replaceAll('\n', ''), acts);
});

test('a warning appears only for a service on another machine without TLS', async () => {
  const submit = [
    'api',
    'create_user_tag',
    '--params',
    bodyFile,
    '--curl',
    '--credentials',
    keyFile,
  ];
  for (const [url, isWarned] of [
    ['http://keys.example', true],
    ['http://10.0.0.1:8080', true],
    ['https://keys.example', false],
    ['http://127.0.0.1:8080', false],
  ] as const) {
    const { code, err } = await runIn(folder, [...submit, '--url', url]);
    assert.equal(code, 0, err);
    assert.equal(err.includes(`warning: ${url} has no TLS`), isWarned, url);
  }
  const { err } = await runIn(folder, [...submit, '--url', 'http://keys.example', '--json']);
  assert.doesNotMatch(err, /warning/);
});
