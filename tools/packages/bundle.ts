// The commands that ask a service, in few files: each file that Node loads takes time.

import { relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { compiledPath } from './compile.ts';

export type Script = { readonly path: string; readonly text: string };

/**
 * Returns the program at `entry` (from the top of the project) as modules for the folder `folder` of the
 * package. What a module of `together` imports only when it needs it stays a module of its own if it is
 * one of them, and else is the file of the package that was compiled from it.
 */
export async function bundled(
  root: string,
  entry: string,
  folder: string,
  together: readonly string[],
): Promise<readonly Script[]> {
  const compiledFiles: Plugin = {
    name: 'compiled files of the package',
    setup: ({ onResolve }) => {
      onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir, kind }) => {
        const target = relative(root, resolve(resolveDir, path));
        if (kind !== 'dynamic-import' || together.some((each) => target.startsWith(each))) return;
        return { path: compiledPath(relative(folder, target)), external: true };
      });
    },
  };
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: folder,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    // Names and texts stay readable in a stack.
    keepNames: false,
    legalComments: 'none',
    packages: 'external',
    plugins: [compiledFiles],
    write: false,
    logLevel: 'silent',
  });
  return outputFiles
    .map(({ path, text }) => ({ path: relative(root, path), text }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
