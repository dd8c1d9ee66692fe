// The policy language in a web page: the code that the editor, the linter and the tests of policies fetch.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type RolldownOutput, rolldown } from 'rolldown';
import { root } from './sources.ts';

/** The parts of `src/core/policy` that a page may use. */
const entries = [
  'language/lexer.ts',
  'language/parser.ts',
  'language/checker.ts',
  'language/compiler.ts',
  'language/clause.ts',
  'language/printer.ts',
  'lint/lint.ts',
  'decision/decision.ts',
  'simulator/policy_scenario.ts',
  'simulator/policy_scenario_file.ts',
];

const maximumBytes = 40_000;

test('lexer, parser, checker, compiler, lint, decision and policy tests are at most 40 kB', async () => {
  const { code } = await bundle(entries);
  const size = gzipSync(code).length;
  assert(size <= maximumBytes, `${size} bytes`);
  // A smaller bundle does not contain all entries, because unused code was removed.
  assert(size >= 20_000, `${size} bytes`);
});

test('they reach no curve, no hash, no package and nothing of Node', async () => {
  const { modules, imports } = await bundle(entries);
  assert.deepEqual(imports, []);
  assert.deepEqual(modules.filter(isForbidden), []);
  assert(modules.includes('src/core/policy/decision/decision.ts'));
});

test('a reader of transactions is found out', async () => {
  const { modules, imports } = await bundle(['test_readers/case_transaction.ts']);
  assert(modules.some(isForbidden));
  assert(imports.includes('node:crypto'));
});

function isForbidden(module: string): boolean {
  return module.includes('node_modules/') || module.startsWith('src/core/crypto/');
}

/** Bundles the entries for browsers. Returns the code, its modules and its imports. */
async function bundle(names: readonly string[]) {
  const virtual = '\0entries';
  const built = await rolldown({
    input: virtual,
    cwd: root,
    platform: 'browser',
    logLevel: 'silent',
    external: /^node:/,
    plugins: [
      {
        name: 'entries',
        resolveId: (id) => (id === virtual ? id : null),
        load: (id) =>
          id === virtual
            ? names
                .map((name, i) => {
                  const path = join(root, 'src/core/policy', name);
                  return `export * as entry${i} from ${JSON.stringify(path)};`;
                })
                .join('\n')
            : null,
      },
    ],
  });
  const output: RolldownOutput = await built.generate({ format: 'esm', minify: true });
  await built.close();
  const [chunk, ...others] = output.output;
  assert.deepEqual(others, []);
  return {
    code: chunk.code,
    imports: chunk.imports,
    modules: chunk.moduleIds.filter((id) => id !== virtual).map((id) => id.slice(root.length + 1)),
  };
}
