// The program of the enclave: the files that its entry imports, directly or indirectly.

import { hex, textOfUtf8 } from '../core/base/bytes.ts';
import { sha256 } from '../core/crypto/hashes.ts';
import { assert } from '../core/errors/errors.ts';
import type { Program } from '../core/proofs/boot_proofs.ts';

/** Matches a relative import or re-export, with or without names, and the end of one over several lines. */
const imports =
  /^(?:import\b.*?|export\b.*?|\} )from '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

/**
 * Returns the digests of all files that `entry` imports. `read` returns a file by its path from the top of
 * the project, or undefined.
 */
export function readProgram(
  entry: string,
  read: (path: string) => Uint8Array | undefined,
  runtime: string,
): Program {
  const digests = new Map<string, string>();
  const ahead = [entry];
  for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
    if (digests.has(path)) continue;
    const bytes = read(path);
    assert(bytes !== undefined, 'a file that is imported exists');
    digests.set(path, hex(sha256(bytes)));
    ahead.push(...importsOf(path, textOfUtf8(bytes) ?? ''));
  }
  const lines = [...digests].map(([path, digest]) => `${digest}  ${path}\n`);
  const lockfile = read('package-lock.json');
  return {
    version: versionOf(read('package.json')),
    runtime,
    lockfileDigest: lockfile === undefined ? '' : hex(sha256(lockfile)),
    sources: lines.sort((a, b) => (pathIn(a) < pathIn(b) ? -1 : 1)).join(''),
  };
}

function importsOf(path: string, text: string): readonly string[] {
  const base = `file:///${path}`;
  return [...text.matchAll(imports)].map(([, named, bare, dynamic]) =>
    new URL(named ?? bare ?? dynamic ?? '', base).pathname.slice(1),
  );
}

const digestCharacters = 64;
const pathIn = (line: string): string => line.slice(digestCharacters);

function versionOf(manifest: Uint8Array | undefined): string {
  const text = manifest && textOfUtf8(manifest);
  const { version }: { version?: unknown } = text === undefined ? {} : JSON.parse(text);
  return typeof version === 'string' ? version : '';
}
