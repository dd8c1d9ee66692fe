// How the examiner of each language is had: what must be installed, how its packages are fetched and
// built outside of the project, and what is run.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scheme } from './question.ts';

export type Command = readonly [program: string, ...values: string[]];

export type Language = {
  /** The name of the package, for people. */
  readonly packages: string;
  /** Schemes of stamps that the package has. */
  readonly schemes: readonly Scheme[];
  /** True if the package opens exports. */
  readonly opensExports: boolean;
  /** Fails, or cannot be run, where the toolchain is missing. */
  readonly probe: Command;
  /** Fetches and builds into a folder, which outlasts the run, and in which the commands are run. */
  build(directory: string, openApiDocument: string): readonly Command[];
  run(directory: string): Command;
  /** The program that decodes the answers of all operations, of a package that takes types at their word. */
  decode?(directory: string): Command;
};

const here = (...path: string[]) => join(import.meta.dirname, ...path);

/** Packages that others publish. */
const published: Readonly<Record<string, Language>> = {
  python: {
    packages: 'turnkey-http 0.2.2, turnkey-api-key-stamper 0.1.1 (PyPI)',
    schemes: ['p256'],
    opensExports: false,
    probe: ['python3', '-m', 'venv', '--help'],
    build: (directory) => pythonWith('python', directory),
    run: (directory) => [programOf('python', directory, 'python'), here('python', 'examine.py')],
  },
  rust: {
    packages: 'turnkey_client, turnkey_api_key_stamper, turnkey_enclave_encrypt 0.17.1 (crates.io)',
    schemes: ['p256', 'secp256k1'],
    opensExports: true,
    probe: ['cargo', '--version'],
    build: (directory) => [
      [
        'cargo',
        'build',
        '--quiet',
        '--locked',
        `--manifest-path=${here('rust', 'Cargo.toml')}`,
        `--target-dir=${directory}`,
      ],
    ],
    run: (directory) => [join(directory, 'debug', 'examine')],
    decode: (directory) => [join(directory, 'debug', 'decode')],
  },
  go: {
    packages: 'github.com/tkhq/go-sdk/v2 v2.0.0 (Go modules)',
    schemes: ['p256', 'secp256k1', 'ed25519'],
    opensExports: true,
    probe: ['go', 'version'],
    build: goFrom,
    run: (directory) => [join(directory, 'examiner')],
  },
};

/** Clients that generators write from the OpenAPI document of the service; they stamp by hand. */
const generated: Readonly<Record<string, Language>> = {
  'generated-typescript': {
    packages: 'a client by @hey-api/openapi-ts 0.99.0 (npm)',
    schemes: ['p256'],
    opensExports: false,
    probe: ['npm', '--version'],
    build: (directory, document) => [
      ['cp', '-R', `${here('generated_typescript')}/.`, directory],
      ['npm', 'ci', '--ignore-scripts', '--silent'],
      [inPackages(directory, 'openapi-ts'), '--input', document, '--output', 'client'],
      [inPackages(directory, 'tsc'), '--project', 'tsconfig.json'],
    ],
    run: (directory) => [process.execPath, join(directory, 'built', 'examine.js')],
  },
  'generated-python': {
    packages: 'a client by openapi-python-client 0.29.1 (PyPI)',
    schemes: ['p256'],
    opensExports: false,
    probe: ['python3', '-m', 'venv', '--help'],
    build: (directory, document) => [
      ...pythonWith('generated_python', directory),
      [
        programOf('generated_python', directory, 'openapi-python-client'),
        'generate',
        '--overwrite',
        '--fail-on-warning',
        '--meta=none',
        `--config=${here('generated_python', 'config.yaml')}`,
        `--path=${document}`,
        `--output-path=${join(directory, 'generated_client')}`,
      ],
    ],
    run: (directory) => [
      'env',
      `PYTHONPATH=${directory}`,
      programOf('generated_python', directory, 'python'),
      here('generated_python', 'examine.py'),
    ],
  },
};

/** Languages without a package: the stamp is made as the documents of the API family describe it. */
const documented: Readonly<Record<string, Language>> = {
  ruby: {
    packages: "the documented stamp, by Ruby's own libraries",
    schemes: ['p256'],
    opensExports: false,
    probe: ['ruby', '--version'],
    build: () => [],
    run: () => ['ruby', here('ruby', 'examine.rb')],
  },
  java: {
    packages: 'the documented stamp, by the Java platform, as on Android',
    schemes: ['p256'],
    opensExports: false,
    probe: ['java', '--version'],
    build: () => [],
    run: () => ['java', here('java', 'Examine.java')],
  },
  kotlin: {
    packages: 'the documented stamp, by Kotlin 2.1.0 (Maven)',
    schemes: ['p256'],
    opensExports: false,
    probe: ['mvn', '--version'],
    build: (directory) => [
      ['mvn', '--quiet', '--file', here('kotlin', 'pom.xml'), `-Dfolder=${directory}`, 'compile'],
    ],
    run: (directory) => [
      'java',
      '--class-path',
      `${join(directory, 'classes')}:${join(directory, 'dependency')}/*`,
      'ExamineKt',
    ],
  },
};

export const languages: Readonly<Record<string, Language>> = {
  ...published,
  ...generated,
  ...documented,
};

/** A checkout of the modules of Go, for where their proxy does not give them. */
const goSource = process.env['GO_SDK_SOURCE'];

/** The command that builds the examiner of Go, with the modules of its list or of the checkout. */
function goFrom(directory: string): readonly Command[] {
  const build = ['build', '-C', here('go'), '-o', join(directory, 'examiner')] as const;
  if (goSource === undefined) return [['go', ...build, '-mod=readonly', '.']];
  const list = join(directory, 'checkout.mod');
  const replaced = ['/v2=', '/crypto=/crypto', '/encoding=/encoding'].map((module) => {
    const [name = '', folder = ''] = module.split('=');
    return `-replace=github.com/tkhq/go-sdk${name}=${goSource}${folder}`;
  });
  return [
    ['cp', here('go', 'go.mod'), list],
    ['cp', here('go', 'go.sum'), join(directory, 'checkout.sum')],
    ['go', 'mod', 'edit', ...replaced, list],
    ['go', ...build, '-mod=mod', `-modfile=${list}`, '.'],
  ];
}

/** The commands that make an environment with the packages of a list. */
function pythonWith(list: string, directory: string): readonly Command[] {
  return [
    ['python3', '-m', 'venv', environmentOf(list, directory)],
    [
      programOf(list, directory, 'pip'),
      'install',
      '--quiet',
      '--require-hashes',
      '--only-binary=:all:',
      `--requirement=${here(list, 'requirements.txt')}`,
    ],
  ];
}

function programOf(list: string, directory: string, name: string): string {
  return join(environmentOf(list, directory), 'bin', name);
}

/** One environment for each list of packages, since pip does not take away what a list has no more. */
function environmentOf(list: string, directory: string): string {
  const text = readFileSync(here(list, 'requirements.txt'));
  return join(directory, createHash('sha256').update(text).digest('hex').slice(0, 16));
}

function inPackages(directory: string, name: string): string {
  return join(directory, 'node_modules', '.bin', name);
}
