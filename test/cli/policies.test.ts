// Policies from a terminal: written, checked, pulled to a file, compared, and applied from it.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
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
const file = join(folder, 'policies.json');

test('a policy is created, shown, edited and deleted by its name', async () => {
  const words = ['policy', 'create', 'two approve', '--consensus', 'approvers.count() >= 2'];
  const created = await run([...words, '--notes', 'by hand']);
  assert.equal(created.code, 0, created.err);
  const edited = await run(['policy', 'edit', 'two approve', '--effect', 'deny']);
  assert.equal(edited.code, 0, edited.err);
  const shown = await run(['policy', 'show', 'two approve']);
  assert.match(shown.out, /^Effect +deny$/m);
  assert.match(shown.out, /^Consensus +approvers\.count\(\) >= 2$/m);
  assert.match(shown.out, /^Notes +by hand$/m);
  assert.equal((await run(['policy', 'edit', 'two approve'])).code, 2);
  assert.equal((await run(['policy', 'delete', 'two approve'])).code, 10);
  assert.equal((await run(['policy', 'delete', 'two approve', '--yes'])).code, 0);
  assert.doesNotMatch((await run(['policy', 'list'])).out, /two approve/);
});

test('a wrong expression is refused with the position, and a wrong effect with the valid ones', async () => {
  const slip = await run(['policy', 'create', 'slip', '--condition', 'activty.resource == 1']);
  assert.equal(slip.code, 6, slip.err);
  assert.match(slip.err, /parameters\.condition.*activity/);
  const effect = await run(['policy', 'create', 'slip', '--effect', 'alow']);
  assert.equal(effect.code, 2);
  assert.match(effect.err, /did you mean allow\?/);
});

test('pulled policies show no difference, and their file works with policy test', async () => {
  await run(['policy', 'create', 'wallet rule', '--condition', "activity.resource == 'WALLET'"]);
  const pulled = await run(['policy', 'pull']);
  writeFileSync(file, pulled.out);
  assert.equal((await run(['policy', 'diff', file])).code, 0);
  const tested = await runIn(folder, ['policy', 'test', file]);
  assert.equal(tested.code, 0, tested.out);
  const checked = await runIn(folder, ['policy', 'check', file]);
  assert.equal(checked.code, 0, checked.err);
});

test('a changed file is compared, tried and applied', async () => {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  const remaining = content.policies.find(
    ({ policyName }: { policyName: string }) => policyName === 'wallet rule',
  );
  remaining.consensus = 'approvers.count() >= 2';
  content.policies.push({
    policyName: 'no deletions',
    effect: 'EFFECT_DENY',
    condition: "activity.action == 'DELETE'",
  });
  writeFileSync(file, JSON.stringify(content));
  const diff = await run(['policy', 'diff', file]);
  assert.equal(diff.code, 1);
  assert.equal(
    diff.out,
    '~ wallet rule\n    - consensus: \n    + consensus: approvers.count() >= 2\n+ no deletions\n',
  );
  assert.equal((await run(['policy', 'apply', file])).code, 10);
  const dry = await run(['policy', 'apply', file, '--dry-run']);
  assert.equal(dry.code, 0, dry.err);
  assert.equal((await run(['policy', 'diff', file])).code, 1, 'a dry run changes nothing');
  const applied = await run(['policy', 'apply', file, '--yes']);
  assert.equal(applied.code, 0, applied.err);
  assert.equal((await run(['policy', 'diff', file])).code, 0);
  assert.match((await run(['policy', 'apply', file, '--yes'])).out, /^Changed +0$/m);
});

test('policies that the file lacks are deleted only on request', async () => {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  content.policies = content.policies.filter(
    ({ policyName }: { policyName: string }) => policyName !== 'no deletions',
  );
  writeFileSync(file, JSON.stringify(content));
  assert.equal((await run(['policy', 'apply', file, '--yes'])).code, 0);
  assert.match((await run(['policy', 'list'])).out, /no deletions/);
  const applied = await run(['policy', 'apply', file, '--delete', '--yes']);
  assert.equal(applied.code, 0, applied.err);
  assert.doesNotMatch((await run(['policy', 'list'])).out, /no deletions/);
});

test('a file is simulated on past activities, and nothing is stored', async () => {
  const key = join(folder, 'erin.json');
  assert.equal((await run(['user', 'create', 'erin', '--key-file', key])).code, 0);
  const asErin = ['--credentials', key];
  const refused = await runIn(folder, [
    ...['api', 'create_user_tag', '--user-tag-name', 'erin', ...asErin],
  ]);
  assert.equal(refused.code, 4, refused.err);
  const content = JSON.parse((await run(['policy', 'pull'])).out);
  const before = content.policies.length;
  content.policies.push({
    policyName: 'anybody tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_USER_TAG'",
  });
  const wider = join(folder, 'wider.json');
  writeFileSync(wider, JSON.stringify(content));
  const simulated = await run(['policy', 'simulate', wider]);
  assert.equal(simulated.code, 0, simulated.err);
  assert.match(simulated.err, /^1 of \d+ decisions change/m);
  assert.match(simulated.out, /Create user tag +refuse +allow/);
  const { out } = await run(['policy', 'pull']);
  assert.equal(JSON.parse(out).policies.length, before);
  assert.equal((await run(['policy', 'simulate', wider, '--limit', '0'])).code, 2);
});

test('files without policies are refused with the name of the member', async () => {
  for (const [text, said] of [
    ['{', /is not JSON/],
    ['[]', /policies is not a list/],
    ['{"policies":[1]}', /policies\[0\] is not an object/],
    ['{"policies":[{"policyName":"a"}]}', /policies\[0\]\.effect is not text/],
    ['{"policies":[{"policyName":"a","effect":"ALLOW"}]}', /neither EFFECT_ALLOW nor EFFECT_DENY/],
    [
      '{"policies":[{"policyName":"a","effect":"EFFECT_DENY"},{"policyName":"a","effect":"EFFECT_DENY"}]}',
      /two policies are named a/,
    ],
  ] as const) {
    const wrong = join(folder, 'wrong.json');
    writeFileSync(wrong, text);
    const { code, err } = await run(['policy', 'diff', wrong]);
    assert.equal(code, 2, text);
    assert.match(err, said);
  }
  const wrong = join(folder, 'slip.json');
  const policies = [{ policyName: 'a', effect: 'EFFECT_ALLOW', condition: 'activty.kind' }];
  writeFileSync(wrong, JSON.stringify({ policies, users: [], cases: [] }));
  const { code, err } = await runIn(folder, ['policy', 'check', wrong]);
  assert.equal(code, 6);
  assert.match(err, /policies\[0\]\.condition/);
});
