// The search for different behaviour in applications of this test.

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { differences } from '../../src/cli/migration/differences.ts';
import { bounds, marksIn } from '../../src/cli/migration/find_differences.ts';
import { unservedOperations } from '../../src/core/base/unserved_operations.ts';
import { activityOperations, queryOperations } from '../../src/operations/index.ts';
import { folderOfTests, runIn } from './terminal.ts';

const folder = folderOfTests();

/** Writes an application, and returns the name of its folder. */
function application(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return name;
}

const check = async (name: string) => {
  const { code, out, err } = await runIn(folder, ['migrate', 'check', name, '--json']);
  assert.equal(code, 0, err);
  return { ...JSON.parse(out), err };
};

const idsIn = (name: string, text: string) => marksIn(name, text).map(({ of }) => of.id);

test('migrate check names packages, operations, members and hosts with their places', async () => {
  const name = application('shop', {
    'package.json': '{\n  "dependencies": {\n    "@turnkey/gas-station": "1.0.0"\n  }\n}\n',
    'src/send.ts': [
      "const baseUrl = 'https://api.turnkey.com';",
      'await client.earnDeposit({ vault });',
      'await client.solSendTransaction({ ...transaction, sponsor: true });',
    ].join('\n'),
    'worker/main.go': 'ActivityTypeEarnWithdraw := "ACTIVITY_TYPE_EARN_WITHDRAW_V2"\n',
    'node_modules/other/index.js': 'execute_swap()',
    '.hidden/index.js': 'execute_swap()',
    'picture.bin': 'execute_swap()',
  });
  const found = await check(name);
  const places = found.differences.map((each: { id: string; places: string[] }) => [
    each.id,
    ...each.places,
  ]);
  assert.deepEqual(places, [
    ['address', 'src/send.ts:1'],
    ['earn', 'src/send.ts:2', 'worker/main.go:1'],
    ['ethereum-sponsor', 'package.json:3'],
    ['sponsor', 'src/send.ts:3'],
  ]);
  assert.equal(found.files, 3);
  const { out } = await runIn(folder, ['migrate', 'check', name]);
  assert.match(out, /Sponsors name an account .*upsert_gas_usage_config/);
});

test('migrate check reports an application without differences, and a missing folder', async () => {
  const name = application('plain', { 'index.ts': 'await client.getWhoami();\n' });
  const plain = await runIn(folder, ['migrate', 'check', name]);
  assert.equal(plain.out, '');
  assert.match(plain.err, /Nothing in 1 files is known to differ\./);
  const none = await runIn(folder, ['migrate', 'check', 'gone']);
  assert.equal(none.code, 2);
  assert.match(none.err, /cannot read the folder gone/);
});

test('migrate check skips and names long files, deep folders and links', async () => {
  const deep = 'a/'.repeat(bounds.depth + 1);
  const name = application('large', {
    'long.ts': 'x'.repeat(bounds.bytesOfFile + 1),
    [`${deep}index.ts`]: 'execute_swap()',
    'index.ts': '\n',
  });
  symlinkSync(join(folder, 'shop'), join(folder, name, 'linked'));
  const { differences: found, leftOut } = await check(name);
  assert.deepEqual(found, []);
  assert.equal(leftOut.length, 2);
  assert.match(leftOut[0], /: deeper than 16 folders$/);
  assert.match(leftOut[1], /^long\.ts: not readable, or longer than 1 MiB$/);
});

test('marks are whole words in any spelling, and packages only in a manifest', () => {
  for (const text of ['earn_deposit', 'earnDeposit', 'EarnDeposit', 'ACTIVITY_TYPE_EARN_DEPOSIT']) {
    assert.deepEqual(idsIn('index.ts', text), ['earn'], text);
  }
  assert.deepEqual(idsIn('index.ts', 'earnDepositor = learnDeposit'), []);
  assert.deepEqual(idsIn('package.json', '"sponsor": "x"'), []);
  assert.deepEqual(idsIn('index.ts', "'@turnkey/gas-station'"), []);
});

test('releases of the Go SDK without a header are named by their module', () => {
  const module = '\tgithub.com/tkhq/go-sdk';
  const old = `${module} v0.0.0-20240813203011-ed45fe0d5c27`;
  assert.deepEqual(idsIn('go.mod', old), ['activity-times']);
  for (const newer of [`${module} v0.17.0`, `${module}/v2 v2.0.0`]) {
    assert.deepEqual(idsIn('go.mod', newer), [], newer);
  }
});

test('exactly the operations in the list of missing ones are missing', () => {
  const served = new Set([...Object.keys(activityOperations), ...Object.keys(queryOperations)]);
  for (const { id, words = '', isUnserved } of differences) {
    if (isUnserved !== true) continue;
    for (const word of words.split(' ')) assert(!served.has(word), `${id}: ${word} is served`);
  }
  const missing = differences.flatMap(({ words = '', isUnserved }) =>
    isUnserved === true ? words.split(' ') : [],
  );
  assert.deepEqual([...unservedOperations.keys()].toSorted(), missing.toSorted());
  const ids = differences.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});
