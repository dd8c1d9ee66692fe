// Verifies the signed list of files of a release.

import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { BuiltDashboard } from '../../gateway/dashboard/built_files.ts';
import { usage } from '../words/failures.ts';

/** The build writes this list of files with their SHA-256. */
const integrityFile = 'integrity.json';

/** Parses an Ed25519 public key (SPKI) in PEM. Throws `usage`. */
export function releaseKeyIn(pem: Uint8Array): KeyObject {
  try {
    const key = createPublicKey(Buffer.from(pem));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The error below covers other kinds of keys and invalid PEM.
  }
  throw usage('--release-key has no Ed25519 public key in PEM');
}

/**
 * Returns a reason if the key did not sign this build; undefined if it did. `signature` is an Ed25519
 * signature (RFC 8032) over the bytes of `integrity.json`, which contains the SHA-256 of each file.
 */
export async function unsignedBecause(
  build: BuiltDashboard,
  key: KeyObject,
  signature: Uint8Array,
): Promise<string | undefined> {
  const list = await build.files.get(integrityFile)?.encoded('identity');
  if (list === undefined || !verify(null, list, key, signature)) {
    return `${integrityFile} of this package differs from the signed one`;
  }
  const { files } = JSON.parse(new TextDecoder().decode(list));
  for (const [path, file] of build.files) {
    if (path === integrityFile) continue;
    const digest = createHash('sha256')
      .update(await file.encoded('identity'))
      .digest('hex');
    if (digest !== files[path]) return `${path} of this package is not in the signed list`;
  }
  return undefined;
}
