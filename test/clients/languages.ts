// How the examiner of each language is had: what must be installed, how its packages are fetched and
// built outside of the project, and what is run.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scheme } from './question.ts';

export type Command = readonly [program: string, ...values: string[]];

export type Language = {
  /** What is tried, for people. */
  readonly packages: string;
  /** Schemes of stamps that the package has. */
  readonly schemes: readonly Scheme[];
  /** Whether the package opens exports. */
  readonly opensExports: boolean;
  /** Fails, or cannot be run, where the toolchain is missing. */
  readonly probe: Command;
  /** Fetches and builds into a folder, which outlasts the run. */
  build(directory: string): readonly Command[];
  run(directory: string): Command;
};

const here = (...path: string[]) => join(import.meta.dirname, ...path);

export const languages: Readonly<Record<string, Language>> = {
  python: {
    packages: 'turnkey-http 0.2.0, turnkey-api-key-stamper 0.1.1 (PyPI)',
    schemes: ['p256'],
    opensExports: false,
    probe: ['python3', '-m', 'venv', '--help'],
    build: (directory) => [
      ['python3', '-m', 'venv', venv(directory)],
      [
        join(venv(directory), 'bin', 'pip'),
        'install',
        '--quiet',
        '--require-hashes',
        '--only-binary=:all:',
        `--requirement=${here('python', 'requirements.txt')}`,
      ],
    ],
    run: (directory) => [join(venv(directory), 'bin', 'python'), here('python', 'examine.py')],
  },
  rust: {
    packages:
      'turnkey_client 0.17.1, turnkey_api_key_stamper 0.17.1, turnkey_enclave_encrypt 0.17.1 (crates.io)',
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
    run: (directory) => [join(directory, 'debug', 'keywright-client-examiner')],
  },
  go: {
    packages: 'github.com/tkhq/go-sdk/v2 v2.0.0 (Go modules)',
    schemes: ['p256', 'secp256k1', 'ed25519'],
    opensExports: true,
    probe: ['go', 'version'],
    build: (directory) => [
      ['go', 'build', '-C', here('go'), '-mod=readonly', '-o', join(directory, 'examiner'), '.'],
    ],
    run: (directory) => [join(directory, 'examiner')],
  },
};

/** One environment for each list of packages, since pip does not take away what a list has no more. */
function venv(directory: string): string {
  const list = readFileSync(here('python', 'requirements.txt'));
  return join(directory, createHash('sha256').update(list).digest('hex').slice(0, 16));
}
