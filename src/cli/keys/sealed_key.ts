// Seals private keys of key files by a passphrase, in the format of the sealed root key: Argon2id and
// AES-256-GCM, bound to the public key.

import {
  apiKeyLine,
  passphraseBytes,
  readSealed,
  type SealedKey,
  sealKey,
} from '../../gateway/root_key/sealed_key.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';
import { usage } from '../words/failures.ts';
import type { KeyFile, SealedKeyFile } from './stored_key.ts';

/**
 * Argon2id with 64 MiB, the second recommended option of RFC 9106 (section 4), because each command derives
 * the key anew.
 */
const cost = { memory: 65_536, passes: 3, lanes: 4 };

/** Parses the sealed private key of a file. Throws `usage` for another format or another public key. */
export async function sealedKeyOf(
  publicKey: string,
  text: string,
  source: string,
): Promise<SealedKey> {
  const sealed = readSealed(apiKeyLine(publicKey.toLowerCase()), text);
  if (sealed !== undefined) return sealed;
  throw usage(
    `${source} has no sealed key of version 1 for its public key`,
    'Put a copy of the file back.',
  );
}

/** Seals a key. Opens the result once to check it. */
export async function sealedKeyFile(
  { apiPrivateKey, ...members }: KeyFile,
  passphrase: Uint8Array,
): Promise<SealedKeyFile> {
  const firstLine = apiKeyLine(members.apiPublicKey.toLowerCase());
  const privateKey = Buffer.from(apiPrivateKey, 'hex');
  try {
    const sealedPrivateKey = await sealKey(
      firstLine,
      privateKey,
      passphrase,
      openKernelRandom(),
      cost,
    );
    const opened = await readSealed(firstLine, sealedPrivateKey)?.open(passphrase);
    const isSame = opened !== undefined && Buffer.compare(opened, privateKey) === 0;
    opened?.fill(0);
    if (!isSame) throw new Error('a key that was just sealed does not open');
    return { ...members, sealedPrivateKey };
  } finally {
    privateKey.fill(0);
  }
}

/** Throws `usage` if a new passphrase is too short. */
export function checkNewPassphrase({ length }: Uint8Array): void {
  if (length >= passphraseBytes.minimum) return;
  throw usage(
    `the passphrase has ${length} bytes, at least ${passphraseBytes.minimum} are needed`,
    'Take six random words.',
  );
}
