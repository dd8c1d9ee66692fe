// Users, their keys and the organization, in the commands of an administrator.

import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serviceOfThisFile } from '../e2e/service.ts';
import { folderOfTests, runIn } from './terminal.ts';

const service = await serviceOfThisFile();
const folder = folderOfTests();
const rootFile = join(service.dataDirectory, 'root-credentials.json');
const root = ['--credentials', rootFile, '--url', service.baseUrl];
const run = (words: readonly string[], more: Parameters<typeof runIn>[2] = {}) =>
  runIn(folder, [...words, ...root], more);
const json = async (words: readonly string[]) => {
  const { code, out, err } = await run([...words, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out);
};

test('a user is created with a key of this machine, and signs with it', async () => {
  const file = join(folder, 'dave.json');
  const created = await run(['user', 'create', 'dave', '--key-file', file]);
  assert.equal(created.code, 0, created.err);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const who = await runIn(folder, ['whoami', '--credentials', file, '--json']);
  assert.equal(JSON.parse(who.out).username, 'dave');
  // The file names the service and the organization, so no other option is needed.
  const refused = await runIn(folder, ['wallet', 'create', 'x', '--credentials', file]);
  assert.equal(refused.code, 4, refused.err);
});

test('a key file is never overwritten, and is removed if the user was refused', async () => {
  const file = join(folder, 'erin.json');
  assert.equal((await run(['user', 'create', 'erin', '--key-file', file])).code, 0);
  const again = await run(['user', 'create', 'frank', '--key-file', file]);
  assert.equal(again.code, 7);
  assert.match(again.err, /exists, and is never written over/);
  assert.doesNotMatch((await run(['user', 'list'])).out, /frank/);
  const other = join(folder, 'refused.json');
  const refused = await run(['user', 'create', '', '--key-file', other]);
  assert.equal(refused.code, 6, refused.err);
  assert(!existsSync(other));
  const dry = join(folder, 'dry.json');
  assert.equal((await run(['user', 'create', 'gina', '--key-file', dry, '--dry-run'])).code, 0);
  assert(!existsSync(dry));
});

test('tags are added and removed by name', async () => {
  await run(['api', 'create_user_tag', '--user-tag-name', 'ops']);
  assert.equal((await run(['user', 'tag', 'dave', '--add', 'ops'])).code, 0);
  assert.match((await run(['user', 'show', 'dave'])).out, /^Tags +ops$/m);
  assert.equal((await run(['user', 'tag', 'dave', '--remove', 'ops'])).code, 0);
  assert.doesNotMatch((await run(['user', 'show', 'dave'])).out, /^Tags/m);
  const missing = await run(['user', 'tag', 'dave', '--add', 'oops']);
  assert.equal(missing.code, 5);
  assert.match(missing.err, /Did you mean ops\?/);
});

test('keys are added, listed and removed', async () => {
  const file = join(folder, 'dave2.json');
  const added = await run(['user', 'key', 'add', 'dave', '--key-file', file, '--expires', '1d']);
  assert.equal(added.code, 0, added.err);
  const list = await run(['user', 'key', 'list', 'dave']);
  assert.match(list.out, /never\n.*UTC\n$/);
  const [, second = ''] = (await run(['user', 'key', 'list', 'dave', '--quiet'])).out.split('\n');
  assert.equal((await run(['user', 'key', 'remove', 'dave', second])).code, 10);
  assert.equal((await run(['user', 'key', 'remove', 'dave', second, '--yes'])).code, 0);
  assert.equal((await runIn(folder, ['whoami', '--credentials', file])).code, 4);
  assert.equal((await run(['user', 'passkey', 'list', 'dave'])).code, 0);
});

test('deleting a user requires its name', async () => {
  const created = await run(['user', 'create', 'henry', '--key-file', join(folder, 'henry.json')]);
  assert.equal(created.code, 0, created.err);
  const ask = async (question: string) => {
    assert.match(question, /henry and all its credentials are lost\.\nType henry to confirm: /);
    return 'henry';
  };
  assert.equal((await run(['user', 'delete', 'henry'], { ask })).code, 0);
  const other = await run(['user', 'delete', 'dave'], { ask: async () => 'dvae' });
  assert.equal(other.code, 10);
  const { users } = await json(['user', 'list']);
  const names = users.map(({ userName }: { userName: string }) => userName);
  assert(names.includes('dave') && !names.includes('henry'));
});

test('a sub-organization is created, entered, renamed and deleted', async () => {
  const { subOrganizationId } = await json(['org', 'create', 'customer']);
  const inside = ['--organization', subOrganizationId];
  assert.equal((await run(['org', 'list', '--quiet'])).out, `${subOrganizationId}\n`);
  assert.equal((await run(['org', 'list', '--name', 'nobody', '--quiet'])).out, '');
  const renamed = await run(['org', 'rename', 'Customer 1', ...inside]);
  assert.equal(renamed.code, 0, renamed.err);
  assert.match((await run(['org', 'show', ...inside])).out, /^Organization +Customer 1$/m);
  const deleted = await run(['org', 'delete', '--without-export', '--yes', ...inside]);
  assert.equal(deleted.code, 0, deleted.err);
  assert.equal((await run(['org', 'list', '--quiet'])).out, '');
});

test('the root quorum and features are shown, tried and set', async () => {
  assert.match((await run(['org', 'quorum', 'show'])).out, /^Threshold +1\nMembers +Root user\n/);
  const words = ['org', 'quorum', 'set', 'Root user', 'dave', '--threshold'];
  const dry = await run([...words, '2', '--dry-run']);
  assert.equal(dry.code, 0, dry.err);
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return 'no';
  };
  assert.equal((await run([...words, '2'], { ask })).code, 10);
  assert.match(questions[0] ?? '', /A single lost key then locks out the organization/);
  assert.equal((await run([...words, '1', '--yes'])).code, 0);
  assert.match((await run(['org', 'quorum', 'show'])).out, /Root user, dave/);
  assert.equal((await run([...words, 'two'])).code, 2);

  assert.equal((await run(['org', 'feature', 'set', 'otp-email-auth'])).code, 0);
  assert.match((await run(['org', 'feature', 'list'])).out, /FEATURE_NAME_OTP_EMAIL_AUTH/);
  assert.equal((await run(['org', 'feature', 'remove', 'otp-email-auth', '--yes'])).code, 0);
  assert.doesNotMatch((await run(['org', 'feature', 'list'])).out, /OTP_EMAIL_AUTH/);
  assert.match((await run(['org', 'feature', 'set', 'otp-email'])).err, /did you mean|One of/);
});

test('a reading command prints its requests for curl, which the service answers', async () => {
  const { code, out } = await run(['user', 'list', '--curl']);
  assert.equal(code, 0);
  const requests = out.split('curl -sS -X POST').slice(1);
  assert.equal(requests.map((request) => request.includes('/query/list_users')).indexOf(true), 0);
  for (const request of requests) {
    const headers = new Headers();
    for (const [, name = '', value = ''] of request.matchAll(/-H '([^:]+): ([^']*)'/g)) {
      headers.append(name, value);
    }
    const [, body = ''] = /--data-raw '([^']*)'/.exec(request) ?? [];
    const [, url = ''] = /(http:\/\/[^\s']+)/.exec(request) ?? [];
    const answer = await fetch(url, { method: 'POST', headers, body });
    assert.equal(answer.status, 200);
  }
  const refused = await run(['activity', 'watch', '--curl']);
  assert.equal(refused.code, 2);
});
