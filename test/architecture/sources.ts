// The project's own sources and their imports, for tests of the architecture.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** Returns the source files below a folder, as paths from the project's root. */
export function filesBelow(folder: string): string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).sort();
}

export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

export type Import = {
  /** The path from the project's root for own files, else the package or `node:` module. */
  readonly target: string;
  /** Erased before the program runs. */
  readonly isType: boolean;
  /** Loaded on demand while the program runs. */
  readonly isDynamic: boolean;
};

/** Returns every static, re-exporting and dynamic import of a file. */
export function importsOf(file: string): Import[] {
  const text = textOf(file).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const found: Import[] = [];
  const statements =
    /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?'([^']+)'|import\(\s*'([^']+)'\s*\)/g;
  for (const [statement, type, fixed, dynamic] of text.matchAll(statements)) {
    const specifier = fixed ?? dynamic ?? '';
    const onlyTypes = type !== undefined || isOnlyTypes(statement);
    found.push({
      target: resolve(file, specifier),
      isType: onlyTypes,
      isDynamic: dynamic !== undefined,
    });
  }
  return found;
}

/**
 * Returns every package, node module and file that the enclave's entry reaches at run time, one per line.
 */
export function trustedBase(): string {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    for (const { target, isType } of importsOf(file)) {
      if (isType) continue;
      if (target.startsWith('src/')) visit(target);
      else packages.add(packageOf(target));
    }
  };
  visit('src/enclave/main.ts');
  return `${[...[...packages].sort(), ...[...files].sort()].join('\n')}\n`;
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** A statement such as `import { type A, type B } from …` is erased. */
function isOnlyTypes(statement: string): boolean {
  const names = /^\s*(?:import|export)\s*\{([^}]*)\}\s*from/.exec(statement)?.[1]?.split(',') ?? [];
  const named = names.map((name) => name.trim()).filter((name) => name !== '');
  return named.length > 0 && named.every((name) => name.startsWith('type '));
}

/** Returns the path of an own file from the project's root, else the package or `node:` module. */
export function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return relative(root, join(root, dirname(file), specifier));
}
