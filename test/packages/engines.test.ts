// The programs of other projects that tests run are for development alone.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../architecture/sources.ts';

const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { packages } = json('package-lock.json') as {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly optional?: boolean }>
  >;
};

test('an installation without packages for development has no engine of tests', () => {
  const engines = Object.keys(json('test/engines/package.json').optionalDependencies);
  assert(engines.length >= 3);
  for (const name of engines) {
    const { dev, optional } = packages[`node_modules/${name}`] ?? assert.fail(name);
    assert.deepEqual({ dev, optional }, { dev: true, optional: true }, name);
  }
});

test('such an installation still has the Node that starts the service, and no other optional package', () => {
  const { optionalDependencies } = json('package.json');
  assert.deepEqual(
    Object.keys(optionalDependencies).filter((name) => !name.startsWith('node-')),
    [],
  );
  for (const name of Object.keys(optionalDependencies)) {
    const { dev, optional } = packages[`node_modules/${name}`] ?? assert.fail(name);
    assert.deepEqual({ dev, optional }, { dev: undefined, optional: true }, name);
  }
});

test('no package of an installation for service alone runs a script of its own', () => {
  const scripted = Object.entries(packages)
    .filter(([, entry]) => 'hasInstallScript' in entry && entry.dev !== true)
    .map(([path]) => path);
  assert.deepEqual(scripted, []);
});
