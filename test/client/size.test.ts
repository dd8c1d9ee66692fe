// The number of bytes that a page fetches.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { root } from '../architecture/sources.ts';

/**
 * Returns the number of bytes of minified entries after gzip, with or without the modules that they fetch
 * on use.
 */
async function sizeOf(entries: readonly string[], fetched: 'with' | 'without'): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents: entries.map((entry) => `export * from './${entry}.ts';`).join('\n'),
      resolveDir: join(root, 'src/client'),
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    plugins: fetched === 'with' ? [] : [leavesOutWhatIsFetched],
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(0)).length;
}

const leavesOutWhatIsFetched: Plugin = {
  name: 'leaves out what is fetched',
  setup: ({ onResolve }) => {
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

test('the root is at most 5 kB, and 9 kB with what it fetches when it is used', async () => {
  assert((await sizeOf(['index'], 'without')) <= 5_000, `${await sizeOf(['index'], 'without')}`);
  assert((await sizeOf(['index'], 'with')) <= 9_000, `${await sizeOf(['index'], 'with')}`);
});

test('all of the library is at most 15 kB', async () => {
  const size = await sizeOf(['index', 'bundles', 'proofs', 'webhooks'], 'with');
  assert(size <= 15_000, `${size} bytes`);
});
