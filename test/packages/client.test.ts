// The package of the client: its types as a user's compiler sees them, and what a browser would fetch.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { projectWithClient } from './packed.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');
const stranger = await projectWithClient();
const home = join(stranger, 'node_modules', '@keywright', 'client');
const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));

const entries = Object.keys(manifest.exports).filter((name) => name !== './package.json');

test('every part of the client is an export', () => {
  const parts = ['index', 'bundles', 'proofs', 'webhooks'];
  const there = parts.filter(
    (part) => globSync(`src/client/${part}.ts`, { cwd: projectDirectory }).length > 0,
  );
  assert.deepEqual(
    entries,
    there.map((part) => (part === 'index' ? '.' : `./${part}`)),
  );
});

test('the types are accepted by a strict compiler that knows the platform of browsers alone', () => {
  const imports = entries.map((name, i) => {
    const path = `@keywright/client${name.slice(1)}`;
    return `import * as entry${i} from '${path}';\nexport const used${i}: object = entry${i};\n`;
  });
  const program = `${imports.join('')}
import { apiKey, connect } from '@keywright/client';

export async function firstAddress(): Promise<string | undefined> {
  const stamp = await apiKey({ apiPublicKey: '', apiPrivateKey: '' });
  const keywright = connect({ url: 'http://localhost:8080', organizationId: '', stamp });
  const accounts = [keywright.account('ethereum')];
  const { addresses } = await keywright.submit('create_wallet', { walletName: 'shop', accounts });
  return addresses[0];
}
`;
  writeFileSync(join(stranger, 'program.ts'), program);
  const compiler = join(projectDirectory, 'node_modules', 'typescript', 'bin', 'tsc');
  const words = [
    ...['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--types', ''],
    ...['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'],
  ];
  const check = () =>
    execFileSync(process.execPath, [compiler, ...words, 'program.ts'], {
      cwd: stranger,
      encoding: 'utf8',
    });
  assert.equal(check(), '');
  writeFileSync(join(stranger, 'program.ts'), program.replace("'create_wallet'", "'create_walet'"));
  assert.throws(check, ({ stdout }) => /create_walet/.test(stdout));
});

test('a browser gets it without a module of Node and without a package at the root', async () => {
  const bundle = async (name: string) => {
    const { outputFiles, metafile } = await build({
      stdin: {
        contents: `export * from '@keywright/client${name.slice(1)}'`,
        resolveDir: stranger,
      },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      metafile: true,
    });
    assert.ok(outputFiles.length === 1);
    return Object.keys(metafile.inputs).filter((path) => path.includes('node_modules'));
  };
  for (const name of entries) await bundle(name);
  const root = await bundle('.');
  assert.deepEqual(
    root.filter((path) => !path.includes('@keywright/client/lib/')),
    [],
  );
});
