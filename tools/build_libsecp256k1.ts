// Compiles libsecp256k1 to WebAssembly, and writes it as src/core/crypto/libsecp256k1_module.ts:
//
//   git clone https://github.com/bitcoin-core/secp256k1
//   pip download ziglang==0.17.1 --no-deps && python3 -m zipfile -e ziglang-*.whl .
//   node tools/build_libsecp256k1.ts secp256k1 ziglang/zig [--check]
//
// The same sources and compiler give the same bytes on each machine; --check compares them.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../test/architecture/sources.ts';

/** The release, by its commit hash, which covers every byte of its sources. */
const release = { version: '0.8.0', commit: '6e2c8bc4ecdc6e71dbe7a368f360d8d453ce435d' };
const compilerVersion = '0.17.1';

const exported = [
  'context_preallocated_create',
  'context_preallocated_size',
  'context_randomize',
  'ec_pubkey_create',
  'ec_pubkey_parse',
  'ec_pubkey_serialize',
  'ec_pubkey_tweak_add',
  'ec_pubkey_tweak_mul',
  'ec_seckey_tweak_add',
  'ec_seckey_tweak_mul',
  'ecdsa_recover',
  'ecdsa_recoverable_signature_parse_compact',
  'ecdsa_recoverable_signature_serialize_compact',
  'ecdsa_sign_recoverable',
  'ecdsa_signature_normalize',
  'ecdsa_signature_parse_compact',
  'ecdsa_verify',
];

/**
 * The largest table of the release for multiples of the generator (88 kB), and a smaller one for other
 * points. Small code is faster than `-O3` here.
 */
const options = [
  '--target=wasm32-wasi',
  '-mexec-model=reactor',
  '-Os',
  '-msimd128',
  '-DNDEBUG',
  '-DENABLE_MODULE_RECOVERY=1',
  '-DUSE_EXTERNAL_DEFAULT_CALLBACKS=1',
  '-DUSE_FORCE_WIDEMUL_INT64=1',
  '-DCOMB_BLOCKS=43',
  '-DCOMB_TEETH=6',
  '-DECMULT_WINDOW_SIZE=10',
  '-Iinclude',
  '-I.',
];

/** The memory has a fixed size, with a stack of 64 KiB. */
const linking = [
  '--strip-all',
  '-z,stack-size=65536',
  '--initial-memory=262144',
  '--max-memory=262144',
  '--export=__heap_base',
  ...exported.map((name) => `--export=secp256k1_${name}`),
].map((option) => `-Wl,${option}`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
});
const [sources = '', compiler = ''] = positionals.map((path) => resolve(path));
if (compiler === '') throw new Error('usage: build_libsecp256k1.ts SOURCES ZIG [--check]');

const target = join(root, 'src/core/crypto/libsecp256k1_module.ts');
const text = moduleText(compile());
if (values.check) {
  if (readFileSync(target, 'utf8') !== text) throw new Error(`${target} is another library`);
} else writeFileSync(target, text);

function compile(): Uint8Array {
  const version = run(compiler, ['version']).trim();
  if (version !== compilerVersion) throw new Error(`zig ${compilerVersion} is required`);
  const directory = mkdtempSync(join(tmpdir(), 'libsecp256k1-'));
  try {
    const archive = join(directory, 'sources.tar');
    run('git', ['-C', sources, 'archive', '--output', archive, release.commit]);
    run('tar', ['-xf', archive, '-C', directory]);
    copyFileSync(join(root, 'tools/libsecp256k1/library.c'), join(directory, 'library.c'));
    run(compiler, ['cc', ...options, 'library.c', '-o', 'library.wasm', ...linking], directory);
    return readFileSync(join(directory, 'library.wasm'));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function moduleText(bytes: Uint8Array): string {
  return `// libsecp256k1 ${release.version} as WebAssembly, written by tools/build_libsecp256k1.ts from commit
// ${release.commit} with zig ${compilerVersion}.
// SHA-256: ${createHash('sha256').update(bytes).digest('hex')}

export const libsecp256k1Base64 =
  '${Buffer.from(bytes).toString('base64')}';
`;
}

function run(command: string, words: readonly string[], cwd?: string): string {
  return execFileSync(command, words, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
