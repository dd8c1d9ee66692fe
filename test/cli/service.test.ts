// Commands against a running service after `npm start`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceOfThisFile } from '../e2e/service.ts';
import { runIn as run } from './terminal.ts';

const service = await serviceOfThisFile();
const runIn = (words: readonly string[], more: Parameters<typeof run>[2] = {}) =>
  run(service.dataDirectory, words, {
    environment: {
      KEYWRIGHT_DATA_DIR: '.',
      KEYWRIGHT_URL: service.baseUrl,
      XDG_CONFIG_HOME: service.dataDirectory,
    },
    ...more,
  });

test('the root credentials of the folder suffice for the first command', async () => {
  const { code, out } = await runIn(['whoami', '--json']);
  assert.equal(code, 0);
  assert.equal(JSON.parse(out).userId, service.credentials.userId);
});

test('a new wallet is listed as a table, a document and ids', async () => {
  const created = await runIn(['wallet', 'create', 'shop', '--account', 'ethereum', '--json']);
  assert.equal(created.code, 0, created.err);
  const { walletId } = JSON.parse(created.out);
  const table = await runIn(['wallet', 'list']);
  assert.match(table.out, /^Name +ID .*\nshop +0/);
  const document = JSON.parse((await runIn(['wallet', 'list', '--json'])).out);
  assert.deepEqual(
    document.wallets.map((wallet: { walletId: string }) => wallet.walletId),
    [walletId],
  );
  assert.equal((await runIn(['wallet', 'list', '--quiet'])).out, `${walletId}\n`);
});

test('a wallet is shown by its name and by its id; another name is not found', async () => {
  const byName = await runIn(['wallet', 'show', 'shop']);
  assert.match(byName.out, /^Wallet +shop\n(.*\n)+ETHEREUM +0x[0-9a-fA-F]{40} m\/44/);
  const [id = ''] = (await runIn(['wallet', 'list', '--quiet'])).out.split('\n');
  assert.equal((await runIn(['wallet', 'show', id])).out, byName.out);
  const missing = await runIn(['wallet', 'show', 'shp']);
  assert.equal(missing.code, 5);
  assert.match(missing.err, /no wallet shp in this organization\.\nnext: Did you mean shop\?/);
});

test('a warning names an unknown member', async () => {
  const parameters = { privateKeyTagName: 'newer', privateKeyIds: [], colour: 'blue' };
  const input = JSON.stringify(parameters);
  const { code, err } = await runIn(['api', 'create_private_key_tag', '--params', '-'], { input });
  assert.equal(code, 0, err);
  assert.match(err, /^warning: this service does not know `parameters\.colour`, and left it out$/m);
});

test('api calls an operation by flags, by paths and by a document', async () => {
  const byFlag = await runIn(['api', 'create_user_tag', '--user-tag-name', 'flag']);
  assert.equal(byFlag.code, 0, byFlag.err);
  const byPath = await runIn([
    'api',
    'create_user_tag',
    ...['--param', 'userTagName=path', '--param', `userIds.0=${service.credentials.userId}`],
  ]);
  assert.deepEqual(JSON.parse(byPath.out).userIds, [service.credentials.userId]);
  const input = JSON.stringify({ userTagName: 'document', userIds: [] });
  assert.equal((await runIn(['api', 'create_user_tag', '--params', '-'], { input })).code, 0);
  const { out } = await runIn(['api', 'list_user_tags']);
  assert.deepEqual(
    JSON.parse(out).userTags.map(({ tagName }: { tagName: string }) => tagName),
    ['flag', 'path', 'document'],
  );
});

test('a dry run shows the outcome, and changes nothing', async () => {
  const { code, out } = await runIn(['wallet', 'create', 'dry', '--dry-run', '--json']);
  assert.equal(code, 0);
  assert.equal(JSON.parse(out).outcome, 'done');
  assert.doesNotMatch((await runIn(['wallet', 'list'])).out, /dry/);
});

test('--curl prints a valid request', async () => {
  const { out } = await runIn(['wallet', 'create', 'curled', '--curl']);
  assert.doesNotMatch((await runIn(['wallet', 'list'])).out, /curled/);
  const [, stamp] = /-H 'x-stamp: (\S+)'/.exec(out) ?? [];
  // Run the command in a shell.
  const body = /--data-raw '(.*)'/.exec(out)?.[1]?.replaceAll("'\\''", "'");
  assert(stamp !== undefined && body !== undefined, out);
  const url = `${service.baseUrl}/public/v1/submit/create_wallet`;
  const answer = await fetch(url, { method: 'POST', headers: { 'x-stamp': stamp }, body });
  assert.equal(answer.status, 200);
  assert.match((await runIn(['wallet', 'list'])).out, /curled/);
});

test('--verbose shows requests and no stamp', async () => {
  const { err } = await runIn(['whoami', '--verbose']);
  assert.match(err, /^POST \/public\/v1\/query\/whoami 200 in \d+ ms [0-9a-f-]{36}\n$/);
});

test('an invalid request names the member and ends with 6', async () => {
  const { code, err } = await runIn(['api', 'create_user_tag', '--param', 'userTagName=']);
  assert.equal(code, 6);
  assert.match(err, /parameters\.userTagName/);
});

test('a command about a missing resource ends with 5', async () => {
  const id = '01900000-0000-7000-8000-000000000000';
  const { code, err } = await runIn(['api', 'get_wallet', '--wallet-id', id, '--json']);
  assert.equal(code, 5, err);
  assert.equal(JSON.parse(err).error.code.length > 0, true);
});

test('a missing service ends with 8', async () => {
  const { code, err } = await runIn(['whoami', '--url', 'http://127.0.0.1:9']);
  assert.equal(code, 8);
  assert.match(err, /cannot be reached: .*\nnext: /);
});
