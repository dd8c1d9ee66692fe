// Checks which tests a change selects.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testsReaching } from './changed.ts';

const texts = new Map([
  ['src/core/base/bytes.ts', ''],
  ['src/core/keys.ts', "import { hex } from './base/bytes.ts';"],
  ['src/operations/users/create_users.ts', "import '../../core/keys.ts';"],
  ['src/operations/users/index.ts', "export * from './create_users.ts';"],
  ['src/operations/index.ts', "export * from './users/index.ts';"],
  ['src/pipeline/submit.ts', "import '../operations/index.ts';"],
  ['src/main.ts', "await import('./pipeline/submit.ts');"],
  ['test/core/keys.test.ts', "import '../../src/core/keys.ts';"],
  ['test/operations/users/create_users.test.ts', "import '../../support/harness.ts';"],
  ['test/operations/wallets/create_wallet.test.ts', "import '../../support/harness.ts';"],
  ['test/hostile/access.test.ts', "import '../../src/operations/index.ts';"],
  ['test/e2e/start.test.ts', "spawn(process.execPath, ['src/main.ts', 'serve']);"],
  ['test/architecture/tidy.test.ts', ''],
  ['test/standards/bip32.test.ts', "read('../vectors/bip32.json');"],
  ['test/dashboard/screens.test.ts', ''],
]);
const tests = [...texts.keys()].filter((path) => path.endsWith('.test.ts'));
const reaching = (...changed: readonly string[]) => testsReaching(changed, { texts, tests });

test('an operation reaches the tests of its resource and those that walk all operations', () => {
  assert.deepEqual(reaching('src/operations/users/create_users.ts'), [
    'test/operations/users/create_users.test.ts',
    'test/hostile/access.test.ts',
    'test/architecture/tidy.test.ts',
  ]);
});

test('a source below operations reaches its own tests and those of the resources', () => {
  assert.deepEqual(reaching('src/core/base/bytes.ts'), [
    'test/core/keys.test.ts',
    'test/operations/users/create_users.test.ts',
    'test/hostile/access.test.ts',
    'test/architecture/tidy.test.ts',
  ]);
});

test('a source above operations reaches the tests that start the program', () => {
  assert.deepEqual(reaching('src/pipeline/submit.ts'), [
    'test/e2e/start.test.ts',
    'test/architecture/tidy.test.ts',
  ]);
});

test('a list of operations reaches the program when the list itself changed', () => {
  assert.ok(reaching('src/operations/index.ts').includes('test/e2e/start.test.ts'));
});

test('a data file reaches the tests that name it, a folder of pages its tests', () => {
  assert.ok(reaching('test/vectors/bip32.json').includes('test/standards/bip32.test.ts'));
  assert.ok(reaching('dashboard/app/main.tsx').includes('test/dashboard/screens.test.ts'));
});

test('the list of packages reaches every test, no change reaches none', () => {
  assert.deepEqual(reaching('package-lock.json'), tests);
  assert.deepEqual(reaching(), []);
});
