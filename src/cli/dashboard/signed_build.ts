// The list of a release's files, and its signature: whether a build is what was released.

import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { BuiltDashboard } from '../../gateway/dashboard/built_files.ts';
import { usage } from '../words/failures.ts';

/** The list of the files with their SHA-256, which the build writes. */
const integrityFile = 'integrity.json';

/** The Ed25519 public key (SPKI) in a PEM text. Raises `usage`. */
export function releaseKeyIn(pem: Uint8Array): KeyObject {
  try {
    const key = createPublicKey(Buffer.from(pem));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below, for keys of other kinds too.
  }
  throw usage('--release-key holds no Ed25519 public key in PEM');
}

/**
 * Returns why a build is not the one that the key signed; undefined where it is. `signature` is that of
 * RFC 8032 over the bytes of `integrity.json`, which has the SHA-256 of each file.
 */
export async function unsignedBecause(
  build: BuiltDashboard,
  key: KeyObject,
  signature: Uint8Array,
): Promise<string | undefined> {
  const list = await build.files.get(integrityFile)?.encoded('identity');
  if (list === undefined || !verify(null, list, key, signature)) {
    return `${integrityFile} of this package is not what the release key signed`;
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
