// Runs the code of docs/client.md in its order against a service, and compares its output with the comments
// in it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { root, textOf } from '../architecture/sources.ts';
import { serviceOfThisFile, temporaryDirectory } from '../e2e/service.ts';

const service = await serviceOfThisFile();
const page = textOf('docs/client.md');

/** The blocks of code, except those for pages. */
const blocks = [...page.matchAll(/(<!-- page -->\n)?```ts\n(.*?)```/gs)].flatMap(
  ([, isForPages, code = '']) => (isForPages === undefined ? [code] : []),
);

test('the code of the page runs in its order, and prints what it says', async () => {
  const code = blocks.join('\n');
  const imports = [...code.matchAll(/^import .*;$/gm)].map(([line]) => line);
  const file = join(temporaryDirectory(), 'page.ts');
  const client = join(root, 'src/client');
  writeFileSync(
    file,
    [
      ...imports,
      "import { newKey } from '@keywright/client';",
      "import { readFileSync } from 'node:fs';",
      `const rootCredentials = readFileSync('${service.dataDirectory}/root-credentials.json', 'utf8');`,
      "const print = (...words) => process.stdout.write([...words].join(' ') + '\\n');",
      code
        .replaceAll(/^import .*;$/gm, '')
        .replace('baseUrl: url,', `baseUrl: url = '${service.baseUrl}',`),
    ]
      .join('\n')
      .replaceAll("'@keywright/client'", `'${client}/index.ts'`)
      .replaceAll(/'@keywright\/client\/(\w+)'/g, `'${client}/$1.ts'`),
  );
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    cwd: root,
    timeout: 60_000,
  });
  const printed = stdout.split('\n');
  const said = [...code.matchAll(/^\s*(?:else if \(.*?\) )?print\(.*?\);(?: \/\/ (.*))?$/gm)];
  assert(said.length >= 9, 'the page prints');
  for (const [, text] of said) if (text !== undefined) assert(printed.includes(text), text);
});

test('the code for pages is what a browser runs in a test', () => {
  const [, code = ''] = /<!-- page -->\n```ts\n(.*?)```/s.exec(page) ?? [];
  const lines = (text: string) => text.split('\n').map((line) => line.trim());
  const program = lines(readFileSync(join(root, 'test/e2e/browser/pages/client.ts'), 'utf8'));
  const wanted = lines(code).filter((line) => line !== '');
  assert(wanted.length > 2);
  assert(program.join('\n').includes(wanted.join('\n')));
});
