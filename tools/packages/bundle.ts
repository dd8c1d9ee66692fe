// The commands in few files: each file that Node loads takes time, which a person waits for.

import assert from 'node:assert/strict';
import { relative, resolve } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { compiledPath } from './compile.ts';

/** Modules that are bundled. All others stay the files of the package that were compiled from them. */
const together = /^src\/(main\.ts$|cli\/|client\/)/;

/**
 * Files that may import modules that are bundled, and load them from files of their own: development, and the
 * program of a page. They pass no values of these modules to a command.
 */
const besides = /^src\/(dev|gateway\/development|holder_page)\//;

/** Modules that are bundled as well: they keep nothing that two copies in one run would not share. */
const copied = ['src/core/base/edit_distance.ts', 'src/system/unblocked_output.ts'];

/**
 * Every command that asks a service loads these, and all that they import, before its first request. The
 * program itself stays apart, because it awaits them while it is loaded.
 */
const atStart = ['src/cli/run.ts', 'src/cli/service/service.ts', 'src/client/p256.ts'];

/**
 * Returns the program at `src/main.ts` as modules for the folder `folder` of the package, by their paths.
 * No module but those that are copied is in the package twice for one run: what is not bundled may not
 * import what is.
 */
export async function bundledCommands(
  root: string,
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const program = resolve(root, 'src/main.ts');
  const loadedFirst = new Set(atStart.map((path) => resolve(root, path)));
  const fromFolder = (target: string) => relative(folder, compiledPath(target));
  const ownFiles: Plugin = {
    name: 'the commands, and the compiled files of the package besides them',
    resolveId(path, importer) {
      if (importer === undefined || !/^\.{1,2}\//.test(path)) return;
      const target = relative(root, resolve(importer, '..', path));
      if (together.test(target) && target.endsWith('.ts')) return;
      if (copied.includes(target)) return;
      return { id: fromFolder(target), external: 'relative' };
    },
    transform(code, importer) {
      const targetOf = (path: string) => relative(root, resolve(importer, '..', path));
      const isLoaded = (path: string) => importer !== program && atStart.includes(targetOf(path));
      // Imports with attributes keep the words they are written with.
      return withLoaded(code, isLoaded).replaceAll(
        /(?<=\bimport\(')\.{1,2}\/[^']+\.json(?=')/g,
        (path) => fromFolder(targetOf(path)),
      );
    },
    buildEnd() {
      // The set grows while it is walked.
      for (const module of loadedFirst) {
        for (const id of this.getModuleInfo(module)?.importedIds ?? []) loadedFirst.add(id);
      }
    },
  };
  const bundle = await rolldown({
    cwd: root,
    input: program,
    platform: 'node',
    external: /^[^./]/,
    plugins: [ownFiles],
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Imports of a command when it runs stay apart, and the others do not load them.
    codeSplitting: { groups: [{ name: 'start', test: (module) => loadedFirst.has(module) }] },
  });
  await bundle.close();
  return Object.fromEntries(
    output
      .filter((file): file is OutputChunk => file.type === 'chunk')
      .map(({ fileName, code }) => {
        assert(!code.includes('import.meta'), `${fileName} asks where it is, and was moved`);
        return [`${folder}/${fileName}`, code] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/**
 * Returns a module that imports at its top what it would import when it runs, where that is loaded by then
 * anyway: each import that is left for later is a file more.
 */
function withLoaded(code: string, isLoaded: (path: string) => boolean): string {
  const names = new Map<string, string>();
  const text = code.replaceAll(/\bawait import\('(\.{1,2}\/[^']+\.ts)'\)/g, (asked, path) => {
    if (!isLoaded(path)) return asked;
    const name = names.get(path) ?? `loaded${names.size}`;
    names.set(path, name);
    return name;
  });
  const imports = [...names].map(([path, name]) => `import * as ${name} from '${path}';`);
  return [text, ...imports].join('\n');
}

/** Raises where a module that is not bundled imports one that is. `imports` are targets from the top. */
export function checkApart(path: string, imports: readonly string[]): void {
  if (together.test(path) || besides.test(path)) return;
  const shared = imports.find((target) => together.test(target));
  assert(shared === undefined, `${path} imports ${shared}, which is bundled with the commands`);
}
