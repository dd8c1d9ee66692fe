// Bundles the public clients into scripts with the code that V8 compiled, and prints their folder. The
// packages are 775 modules, whose load takes most of the processor time of many test processes.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { withoutGivenNames } from './given_names.ts';
import { madeOnce } from './made_once.ts';

const root = join(import.meta.dirname, '../..');
const codeWriter = join(import.meta.dirname, 'write_code.ts');

/** The modules of each script. Most tests need only one. */
const scripts: Readonly<Record<string, string>> = {
  http: "export * from '@turnkey/http'; export * from '@turnkey/api-key-stamper';",
  server: "export * from '@turnkey/sdk-server';",
};

const hash = createHash('sha256').update(process.version);
for (const path of [import.meta.filename, codeWriter, join(root, 'package-lock.json')])
  hash.update(readFileSync(path));
const name = hash.digest('hex').slice(0, 32);
const folder = join(root, 'node_modules/.cache/compiled_clients', name);
await madeOnce(folder, (made) => {
  for (const [name, contents] of Object.entries(scripts)) {
    const script = join(made, `${name}.cjs`);
    const { outputFiles } = buildSync({
      stdin: { contents, resolveDir: root },
      write: false,
      bundle: true,
      platform: 'node',
      target: 'esnext',
      format: 'cjs',
      legalComments: 'none',
      // Errors of the packages contain class names.
      keepNames: true,
      banner: { js: '(function (require) { const module = { exports: {} };' },
      footer: { js: 'return module.exports; })' },
      logLevel: 'error',
    });
    writeFileSync(script, withoutGivenNames(outputFiles[0]?.text ?? ''));
    execFileSync(process.execPath, [codeWriter, join(made, `${name}.code`), script]);
  }
});
process.stdout.write(folder);
