// Builds the package `keywright`: the service, the command line and the dashboard as JavaScript, with the
// locked packages that they need, and without Node, development tools and tests.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledCommands, checkApart } from './bundle.ts';
import { checkImports, compiled, compiledPath, importsOf } from './compile.ts';
import { dashboardFiles } from './dashboard.ts';
import { copies, filesOfPackage, type Package, textFiles, textOfJson } from './package_files.ts';
import { lockfileOf, productionTree } from './production_tree.ts';
import { recoveryTool, recoveryToolOf } from './recovery_tool.ts';

const launcher = 'bin/keywright.cjs';
const manual = 'man/keywright.1';

/** Returns the package of the project at `root`, whose packages are installed. */
export async function servicePackage(root: string): Promise<Package> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const project = JSON.parse(read('package.json'));
  const { dependencies } = project;
  const tree = productionTree(JSON.parse(read('package-lock.json')), Object.keys(dependencies));
  const manifest = manifestOf(project);
  const lockfile = lockfileOf(manifest, tree);

  const sources = globSync('src/**/*.ts', { cwd: root }).map((path) => {
    const script = compiled(read(path));
    const sourceOf = (target: string) => target.replace(/\.js$/, '.ts');
    checkApart(path, importsOf(path, script).map(sourceOf));
    return [compiledPath(path), script] as const;
  });
  const scripts = [...sources, ...Object.entries(await bundledCommands(root, 'cli'))];
  const data = globSync('src/**/*.json', { cwd: root });
  const paths = new Set(['package.json', ...data, ...scripts.map(([path]) => path)]);
  for (const [path, text] of scripts) checkImports(path, text, paths);

  const files = [
    ...textFiles({
      'package.json': textOfJson(manifest),
      // The enclave reports the digest of this file.
      'package-lock.json': textOfJson(lockfile),
      // A standalone file.
      [recoveryTool]: await recoveryToolOf(root),
      // Only the launcher is executed directly.
      ...Object.fromEntries(scripts.map(([path, text]) => [path, text.replace(/^#!.*\n/, '')])),
    }),
    { path: launcher, bytes: readFileSync(join(root, 'packaging', launcher)), isExecutable: true },
    { path: manual, bytes: readFileSync(join(root, 'packaging/keywright.1')), isExecutable: false },
    ...copies(root, [...data, ...pages(root)]),
    ...(await dashboardFiles(root)),
    ...Object.keys(tree).flatMap((path) => filesOfPackage(root, path)),
  ];
  return { manifest, lockfile, files };
}

/** Returns the `package.json` of the package, from that of the project. */
function manifestOf(project: {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}) {
  const { name, version, description, license, dependencies } = project;
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { keywright: launcher },
    man: [manual],
    // The launcher informs an older Node, so npm need not refuse it.
    engines: { node: '>=18' },
    exports: { './package.json': './package.json' },
    dependencies,
    // The package contains its dependencies in the locked versions, so exactly the tested packages run.
    bundleDependencies: Object.keys(dependencies),
  };
}

/** Returns the pages about using the service. */
function pages(root: string): readonly string[] {
  return [
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...globSync(['docs/*.md', 'docs/operations/*.md'], { cwd: root }),
  ];
}
