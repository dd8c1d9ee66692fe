// Bundles the commands into few files, since each file that Node loads delays the user.

import assert from 'node:assert/strict';
import { relative, resolve } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { compiledPath } from './compile.ts';

/** The bundled modules. All others stay separate compiled files of the package. */
const together = /^src\/(main\.ts$|cli\/|client\/)/;

/**
 * Files that may import bundled modules, in separate copies: development, and programs of pages. They pass
 * no values of these modules to a command.
 */
const besides = /^src\/(dev|gateway\/development|holder_page|frame_pages)\//;

/**
 * Modules that are bundled and also stay separate: they have no state that two copies would have to share.
 */
const copied = ['src/core/base/edit_distance.ts', 'src/system/unblocked_output.ts'];

/**
 * Modules that every command with a request loads first, with all their imports. The program itself is
 * separate, because it awaits them while it loads.
 */
const atStart = ['src/cli/run.ts', 'src/cli/service/service.ts', 'src/client/p256.ts'];

/**
 * Returns the program at `src/main.ts` as modules for the folder `folder` of the package, by path. In one
 * run no module is loaded twice, except the copied ones: separate modules may not import bundled ones.
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
      // Imports with attributes keep their specifiers.
      return withLoaded(code, isLoaded).replaceAll(
        /(?<=\bimport\(')\.{1,2}\/[^']+\.json(?=')/g,
        (path) => fromFolder(targetOf(path)),
      );
    },
    buildEnd() {
      // The set grows during the iteration.
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
    // Dynamic imports of a command stay separate, and other commands do not load them.
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
 * Returns a module whose dynamic imports become static if their target is loaded by then anyway, since each
 * dynamic import costs a file.
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

/** Throws if a separate module imports a bundled one. `imports` are paths from the root. */
export function checkApart(path: string, imports: readonly string[]): void {
  if (together.test(path) || besides.test(path)) return;
  const shared = imports.find((target) => together.test(target));
  assert(shared === undefined, `${path} imports ${shared}, which is bundled with the commands`);
}
