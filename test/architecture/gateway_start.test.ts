// The modules that a start of the gateway loads determine its memory and the time until it is ready.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { filesBelow, importsOf } from './sources.ts';

/** Returns the packages that files reach by static imports. */
function packagesOf(entries: readonly string[]): readonly string[] {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    for (const { target, isType, isDynamic } of importsOf(file)) {
      if (isType || isDynamic) continue;
      if (target.startsWith('src/')) visit(target);
      else if (!target.startsWith('node:')) packages.add(target);
    }
  };
  for (const entry of entries) visit(entry);
  return [...packages].sort();
}

test('a start of the gateway loads no curves and no schemas', () => {
  assert.deepEqual(packagesOf(['src/gateway/serve.ts', 'src/gateway/http/http.ts']), [
    '@scure/base',
    'fastify',
    'pino',
  ]);
});

test('no file of the gateway imports node:http, whose members load undici', () => {
  const importers = filesBelow('src/gateway').filter((file) =>
    importsOf(file).some(({ target, isType }) => /^node:https?$/.test(target) && !isType),
  );
  assert.deepEqual(importers, []);
});

test('every server of the gateway loads no compiler of schemas', () => {
  const servers = filesBelow('src').filter((file) =>
    /\bfastify\(/.test(readFileSync(file, 'utf8')),
  );
  assert.deepEqual(servers.sort(), [
    'src/gateway/dashboard/serve_apart.ts',
    'src/gateway/http/server.ts',
    'src/holder_page/serve.ts',
  ]);
  for (const file of servers) {
    assert.match(readFileSync(file, 'utf8'), /fastify\(\{[^}]*schemaController: noSchemas,/, file);
  }
});
