// Malformed answers of a service: wrong types, missing members, and texts that would control the terminal.
// Each command ends with a sentence and an exit code, and prints no control characters.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadAll } from '../../src/cli/commands.ts';
import { newKey } from '../../src/cli/service/new_key.ts';
import { exits } from '../../src/cli/words/failures.ts';
import { folderOfTests, runIn } from './terminal.ts';

const hostile = '\u001b[2J\u009b2J\u202e\r\n';
const id = '01a205ac-48e3-74b0-9a8f-4777ece305a4';

/** The names of members in answers. Each answer has all of them. */
const lists =
  'wallets accounts users activities policies privateKeys secrets apiKeys authenticators endpoints deliveries webhookEndpoints tags userTags organizationIds organizations keys balances votes messages';
const things = 'activity wallet user privateKey secret configs organization policy result decision';

const everywhere = (value: unknown) =>
  Object.fromEntries(`${lists} ${things}`.split(' ').map((name) => [name, value]));

/** A row with every id and name, whose other members have a wrong type. */
const row = (value: unknown) => ({
  ...Object.fromEntries(
    'id walletId userId privateKeyId secretId policyId endpointId walletAccountId organizationId'
      .split(' ')
      .map((name) => [name, id]),
  ),
  ...Object.fromEntries(
    'walletName userName username privateKeyName secretName policyName name type status createdAt effect'
      .split(' ')
      .map((name) => [name, value]),
  ),
});

const answers: Readonly<Record<string, unknown>> = {
  'an empty object': {},
  'a list': [],
  'a text': hostile,
  'lists that are texts': everywhere(hostile),
  'lists that are numbers': everywhere(1),
  'lists of nothing': everywhere([null]),
  'rows of texts': everywhere([row(hostile)]),
  'rows of lists': everywhere([row([hostile])]),
  'times that are none': everywhere([row({ seconds: hostile })]),
};

let answer: unknown;
let contentType = 'application/json';
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': contentType }).end(JSON.stringify(answer));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());

const folder = folderOfTests();
const keyFile = join(folder, 'key.json');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const stored = { ...(await newKey()), organizationId: id, baseUrl };
writeFileSync(keyFile, JSON.stringify(stored), { mode: 0o600 });

const config = join(folder, 'config', 'keywright');
mkdirSync(join(config, 'keys'), { recursive: true, mode: 0o700 });
writeFileSync(join(config, 'keys', 'source.json'), JSON.stringify(stored), { mode: 0o600 });
const profiles = { source: { url: baseUrl, organizationId: id } };
writeFileSync(join(config, 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 });

/** The options without which a command sends no request. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  'migrate plan': ['--from', 'source'],
  'migrate run': ['--from', 'source', '--reviewed', 'sha256:0f'],
  'migrate verify': ['--from', 'source'],
  'user tag': ['--add', 'tag'],
  'policy edit': ['--condition', 'true'],
};

/** Commands that wait for news, or need another answer than that of this service. */
const endless = ['activity watch', 'webhook listen'];

const typed = (await loadAll())
  .filter(({ reach, words }) => reach !== 'local' && !endless.includes(words.join(' ')))
  .filter(({ words }) => !/^(login|dev|serve|dashboard)/.test(words.join(' ')))
  .map((command) => ({
    name: command.words.join(' '),
    words: [
      ...command.words,
      ...(optionsOf[command.words.join(' ')] ?? []),
      ...command.arguments.map(({ name }) => (name === 'operation' ? 'list_users' : id)),
    ],
  }));

for (const [name, value] of Object.entries(answers)) {
  test(`${name} for an answer causes no internal error, and cannot control the terminal`, async () => {
    answer = value;
    for (const { name: command, words } of typed) {
      const { code, out, err } = await runIn(folder, [...words, '--credentials', keyFile]);
      const outcome = `keywright ${command}: ${code} ${out}${err}`;
      assert(Object.values<number>(exits).includes(code), outcome);
      assert.notEqual(code, exits.unexpected, outcome);
      if (Object.hasOwn(optionsOf, command)) assert.notEqual(code, exits.usage, outcome);
      for (const printed of [out, err]) {
        assert.doesNotMatch(printed.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}]/u, command);
      }
    }
  });
}

test('an answer of another content type is parsed by its type, or rejected', async () => {
  contentType = 'text/html';
  answer = `<html>${hostile}`;
  const { code, err } = await runIn(folder, ['whoami', '--credentials', keyFile]);
  contentType = 'application/json';
  assert.equal(code, 8, err);
  assert.match(err, /not a JSON object/);
});
