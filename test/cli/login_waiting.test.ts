// A login whose key waits for votes: it is stored, unusable until the approval, and can be continued.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandsOfThisFile } from './running_service.ts';
import { folderOfTests, runIn } from './terminal.ts';

const { service, run, json } = await commandsOfThisFile();
const folder = folderOfTests();
const at = ['--url', service.baseUrl];
const rootFile = join(service.dataDirectory, 'root-credentials.json');
const dave = join(folder, 'dave.json');
const login = ['login', '--with', dave, '--profile', 'dave', ...at];
const keptFile = join(folder, 'config', 'keywright', 'keys', 'dave.json');
const freshFile = `${keptFile}.new`;
const publicKeyIn = (file: string) => JSON.parse(readFileSync(file, 'utf8')).apiPublicKey;

const waiting = async () => {
  const { activities } = await json('activity list --status waiting');
  return activities as readonly { readonly id: string; readonly fingerprint: string }[];
};

/** The lines with the possible approvers and the deadline. */
const waits = /^May still approve: .*Root user.*\nThe votes so far count until \d{4}-.* UTC$/m;

test('a waiting login reports this, and leaves the current profile unchanged', async () => {
  await json(`user create dave --key-file ${dave}`);
  const condition = "activity.resource == 'CREDENTIAL' && activity.action == 'CREATE'";
  const consensus = 'approvers.count() >= 2';
  const policy = ['policy', 'create', 'two let in', '--condition', condition];
  assert.equal((await run([...policy, '--consensus', consensus])).code, 0);
  assert.equal((await runIn(folder, ['login', '--with', rootFile, ...at])).code, 0);

  const { code, err } = await runIn(folder, login);
  assert.equal(code, 3, err);
  const [{ id, fingerprint } = { id: '', fingerprint: '' }] = await waiting();
  assert.match(err, new RegExp(`waits for approval as activity ${id}; no profile uses it yet`));
  assert.match(err, new RegExp(`activity approve ${id} --fingerprint ${fingerprint}`));
  assert.match(err, /type the same login again/);
  assert.match(err, waits);
  assert(existsSync(freshFile) && !existsSync(keptFile));
  assert.equal((await runIn(folder, ['profile', 'list', '--quiet'])).out, 'default\n');
  const who = await runIn(folder, ['whoami', '--json']);
  assert.equal(JSON.parse(who.out).username, 'Root user');
});

test('a repeated login requests no second approval while the first one waits', async () => {
  const before = publicKeyIn(freshFile);
  const [{ id } = { id: '' }, ...none] = await waiting();
  const { code, err } = await runIn(folder, [...login, '--json']);
  assert.equal(code, 3);
  assert.equal(JSON.parse(err).error.activityId, id);
  assert.match((await runIn(folder, login)).err, waits);
  assert.deepEqual([(await waiting()).length, none.length], [1, 0]);
  assert.equal(publicKeyIn(freshFile), before);
});

test('a login of the same name for another user does not overwrite the waiting key', async () => {
  const before = publicKeyIn(freshFile);
  const other = ['login', '--with', rootFile, '--profile', 'dave', ...at];
  const { code, err } = await runIn(folder, other);
  assert.equal(code, 7, err);
  assert.match(err, /--profile NAME, or forget that key: rm /);
  assert.equal(publicKeyIn(freshFile), before);
});

test('after a rejection a repeated login requests again with the same key', async () => {
  const before = publicKeyIn(freshFile);
  const [{ id, fingerprint } = { id: '', fingerprint: '' }] = await waiting();
  const rejected = await run(['activity', 'reject', id, '--fingerprint', fingerprint]);
  assert.equal(rejected.code, 0, rejected.err);
  assert.equal((await runIn(folder, login)).code, 3);
  const [again] = await waiting();
  assert.notEqual(again?.id, id);
  assert.equal(publicKeyIn(freshFile), before);
});

test('after the approval a repeated login stores the profile', async () => {
  const before = publicKeyIn(freshFile);
  const [{ id, fingerprint } = { id: '', fingerprint: '' }] = await waiting();
  const approved = await run(['activity', 'approve', id, '--fingerprint', fingerprint]);
  assert.equal(approved.code, 0, approved.err);
  const { code, err } = await runIn(folder, login);
  assert.equal(code, 0, err);
  assert.equal(publicKeyIn(keptFile), before);
  assert(!existsSync(freshFile));
  const who = await runIn(folder, ['whoami', '--json']);
  assert.equal(JSON.parse(who.out).username, 'dave');
});

test('a login that policies refuse shows the position of the failed clause', async () => {
  const erin = join(folder, 'erin.json');
  await json(`user create erin --key-file ${erin}`);
  const condition = "'a' == 'a' && eth.tx.value > 5";
  const policy = ['policy', 'create', 'no own keys', '--effect', 'deny', '--condition'];
  const all = "activity.resource == 'CREDENTIAL' && activity.action == 'CREATE'";
  assert.equal((await run([...policy, all])).code, 0);
  const failing = ['policy', 'create', 'about transactions', '--condition', condition];
  assert.equal((await run(failing)).code, 0);
  const { code, err } = await runIn(folder, ['login', '--with', erin, '--profile', 'erin', ...at]);
  assert.equal(code, 4, err);
  const place = `      ${condition}\n${' '.repeat(6 + condition.indexOf('eth'))}^\n`;
  assert(err.includes(place), err);
});
