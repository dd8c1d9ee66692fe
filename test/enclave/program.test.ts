import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import { readProgram } from '../../src/enclave/program.ts';
import { root, trustedBase } from '../architecture/sources.ts';

const read = (path: string) => readFileSync(join(root, path));
const entry = 'src/enclave/main.ts';
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('every file of the enclave is listed with its digest, in the form of sha256sum', () => {
  const { sources, version, lockfileDigest } = readProgram(entry, read, 'runtime');
  const lines = new Set(sources.split('\n'));
  const files = trustedBase()
    .split('\n')
    .filter((line) => line.startsWith('src/'));
  assert.ok(files.length > 100);
  const missing = files.filter((file) => !lines.has(`${digestOf(read(file))}  ${file}`));
  assert.deepEqual(missing, []);
  assert.equal(version, JSON.parse(String(read('package.json'))).version);
  assert.equal(lockfileDigest, digestOf(read('package-lock.json')));
});

test('imports of every form are followed, and comments are not', () => {
  const files: Readonly<Record<string, string>> = {
    'src/enclave/main.ts':
      "// from './nowhere.ts'\nimport { a } from '../a.ts';\nimport {\n  b,\n} from './b.ts';\nimport './c.ts';\nconst d = await import('./d.ts');\nimport { e } from 'package';\n",
    'src/a.ts': "export { f } from './f.ts';\n",
    'src/enclave/b.ts': "import { a } from '../a.ts';\n",
    'src/enclave/c.ts': '',
    'src/enclave/d.ts': '',
    'src/f.ts': '',
  };
  const sources = (changed: string) => {
    const given = (path: string) => {
      const text = files[path];
      return text === undefined ? undefined : utf8(path === changed ? `${text}\n` : text);
    };
    return readProgram(entry, given, '').sources;
  };
  const paths = sources('')
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(66));
  assert.deepEqual(paths, Object.keys(files).sort());
  assert.notEqual(sources('src/f.ts'), sources(''));
  assert.equal(
    readProgram(entry, (path) => utf8(path.endsWith('.json') ? '{}' : ''), '').version,
    '',
  );
});
