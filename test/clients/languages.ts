// The examiner of each language: the required programs, the commands that fetch and build its packages
// outside the project, and the command that runs it.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scheme } from './question.ts';

export type Command = readonly [program: string, ...values: string[]];

export type Language = {
  /** The name of the package, for display. */
  readonly packages: string;
  /** The schemes of stamps that the package supports. */
  readonly schemes: readonly Scheme[];
  /** True if the package opens exports. */
  readonly opensExports: boolean;
  /** Fails if the toolchain is missing. */
  readonly probe: Command;
  /** Fetches and builds into a folder that outlasts the run. The commands run in that folder. */
  build(directory: string, openApiDocument: string): readonly Command[];
  run(directory: string): Command;
  /** The program that decodes the answers of all operations, for packages with strict types. */
  decode?(directory: string): Command;
};

const here = (...path: string[]) => join(import.meta.dirname, ...path);

/** Published packages of others. */
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

/**
 * Clients that generators write from the OpenAPI document of the service. The examiners compute the stamps.
 */
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

/** Languages without a package. The examiner makes the stamp by the documents of the API family. */
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

/** A checkout of the Go modules, for machines on which the module proxy does not provide them. */
const goSource = process.env['GO_SDK_SOURCE'];

/** Returns the command that builds the examiner of Go, with the listed modules or those of the checkout. */
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

/** Returns the commands that create an environment with the packages of a list. */
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

/**
 * Each list of packages has its own environment, because pip does not remove packages that a list no longer
 * contains.
 */
function environmentOf(list: string, directory: string): string {
  const text = readFileSync(here(list, 'requirements.txt'));
  return join(directory, createHash('sha256').update(text).digest('hex').slice(0, 16));
}

function inPackages(directory: string, name: string): string {
  return join(directory, 'node_modules', '.bin', name);
}
