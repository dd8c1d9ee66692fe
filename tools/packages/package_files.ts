// Collects the files of packages.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ArchivedFile } from './tar.ts';

export type Package = {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly lockfile: unknown;
  readonly files: readonly ArchivedFile[];
};

/** Returns text files from their texts, by path. */
export function textFiles(texts: Readonly<Record<string, string>>): readonly ArchivedFile[] {
  return Object.entries(texts).map(([path, text]) => ({
    path,
    bytes: Buffer.from(text),
    isExecutable: false,
  }));
}

/** Returns files of the project that a package contains unchanged. */
export function copies(root: string, paths: readonly string[]): readonly ArchivedFile[] {
  return paths.map((path) => ({
    path,
    bytes: readFileSync(join(root, path)),
    isExecutable: false,
  }));
}

/** Returns a value as JSON with a line for each member. */
export function textOfJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Matches files that no running service loads: source maps, settings of tools, shell scripts and web pages.
 */
const unloaded = /\.(map|sh|html)$|(^|\/)\.[^/]*$/;
const types = /\.[cm]?ts$/;
const unloadedFolders = /^(tests?|bench(marks?)?|examples?|docs|integration|scripts|\..*)$/;

/**
 * Returns the runtime files of an installed package, as published. Nested packages are not among them,
 * since they are separate entries of the lockfile.
 */
export function filesOfPackage(
  root: string,
  folder: string,
  { withTypes = false }: { readonly withTypes?: boolean } = {},
): readonly ArchivedFile[] {
  const { bin } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const programs: readonly string[] = typeof bin === 'string' ? [bin] : Object.values(bin ?? {});
  const executables = programs.map((path) => join(folder, path));
  const isLoaded = (path: string): boolean => {
    const [first = '', ...others] = path.slice(folder.length + 1).split('/');
    if (others.length > 0 && unloadedFolders.test(first)) return false;
    return !unloaded.test(path) && (withTypes || !types.test(path));
  };
  return namesBelow(root, folder)
    .filter(isLoaded)
    .map((path) => ({
      path,
      bytes: readFileSync(join(root, path)),
      isExecutable: executables.includes(path),
    }));
}

/** Returns the paths of the files below a folder, without nested packages. */
function namesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : namesBelow(root, path);
    assert(entry.isFile(), `${path} is a file`);
    return [path];
  });
}
