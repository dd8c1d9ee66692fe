// The commands in few files: each file that Node loads takes time, which a person waits for.

import assert from 'node:assert/strict';
import { relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { compiledPath } from './compile.ts';

/** Modules that are bundled. All others stay the files of the package that were compiled from them. */
const together = /^src\/(main\.ts$|cli\/|client\/)/;

/**
 * Files that may import modules that are bundled, and load them from files of their own: development alone,
 * which hands nothing of them to a command.
 */
const besides = /^src\/(dev|gateway\/development)\//;

/**
 * Returns the program at `src/main.ts` as modules for the folder `folder` of the package, by their paths.
 * No module is in the package twice for one run: what is not bundled may not import what is.
 */
export async function bundledCommands(
  root: string,
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const compiledFiles: Plugin = {
    name: 'compiled files of the package',
    setup: ({ onResolve }) => {
      onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
        const target = relative(root, resolve(resolveDir, path));
        if (together.test(target) && target.endsWith('.ts')) return;
        return { path: relative(folder, compiledPath(target)), external: true };
      });
    },
  };
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outdir: folder,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    // Imports of a command when it runs stay apart, and the others do not load them.
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    plugins: [compiledFiles],
    logLevel: 'silent',
  });
  return Object.fromEntries(
    outputFiles
      .map(({ path, text }) => {
        assert(!text.includes('import.meta'), `${path} asks where it is, and was moved`);
        return [relative(root, path), text] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Raises where a module that is not bundled imports one that is. `imports` are targets from the top. */
export function checkApart(path: string, imports: readonly string[]): void {
  if (together.test(path) || besides.test(path)) return;
  const shared = imports.find((target) => together.test(target));
  assert(shared === undefined, `${path} imports ${shared}, which is bundled with the commands`);
}
