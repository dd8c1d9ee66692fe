// Opens the secrets of an organization with its own key, using the passphrase of a key holder.

import { createDecipheriv, createHmac, scryptSync } from 'node:crypto';
import type { Line } from './read_archive.ts';

const nonceBytes = 12;
const tagBytes = 16;
const secretBytes = 32;

type Key = {
  readonly id: string;
  readonly holders: readonly {
    readonly id: string;
    readonly derivation: string;
    readonly sealedKey: string;
  }[];
};

/** Returns the key of an organization; undefined if the passphrase belongs to no holder. */
export function organizationKeyOf(
  { id: organizationId, organizationKey }: Line,
  passphrase: string,
): Uint8Array | undefined {
  const { id, holders } = organizationKey as Key;
  for (const holder of holders) {
    const secret = secretOf(passphrase, holder.derivation);
    const place = ['keywright organization key holder 1', organizationId, id, holder.id];
    const sealed = Buffer.from(holder.sealedKey, 'base64url');
    const key = secret && openAt(place, secret, sealed);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** Returns the reason why the secrets of an organization stay sealed, with the next step. */
export function whySealed({ organizationKey }: Line, passphrase: string | undefined): string {
  const { holders } = organizationKey as Key;
  if (holders.every(({ derivation }) => !acceptedDerivation.test(derivation))) {
    return (
      'sealed by the organization key, and all holders use passkeys, which this tool cannot use. Restore a' +
      ' backup of the service, unseal the organization with `keywright org unseal`, and export the wallets' +
      ' there, or add a holder with a passphrase before the next archive'
    );
  }
  return passphrase === undefined
    ? 'sealed by the organization key; --passphrase-file needs the passphrase of a holder'
    : 'sealed, and the passphrase belongs to no holder of the organization key';
}

/** Returns the secret of a wallet or private key. Throws if another key sealed it. */
export function sealedSecretOf({ kind, id, organizationId, sealedSecret }: Line, key: Uint8Array) {
  const place = ['keywright organization secret 1', organizationId, kind, id];
  const opened = openAt(place, key, Buffer.from(String(sealedSecret), 'hex'));
  if (opened !== undefined) return opened;
  throw new Error(`the ${kind} ${id} was not sealed by the key of its organization`);
}

function openAt(
  place: readonly unknown[],
  key: Uint8Array,
  sealed: Uint8Array,
): Uint8Array | undefined {
  const text = Buffer.from(place.join('\0'));
  const own = createHmac('sha256', key).update(text).digest();
  const decipher = createDecipheriv('aes-256-gcm', own, sealed.subarray(0, nonceBytes));
  decipher.setAAD(text);
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  const plaintext = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return plaintext;
}

/** The cost that the commands accept. The text of a passkey's holder is arbitrary, so it may look so. */
const acceptedDerivation = /^\$scrypt\$ln=(1[5-9]|20),r=(8),p=([1-4])\$([A-Za-z0-9+/]{22,86})$/;

/** Returns the secret of a holder; undefined if it does not come from a passphrase. */
function secretOf(passphrase: string, derivation: string): Uint8Array | undefined {
  const [, logN, r, p, salt = ''] = acceptedDerivation.exec(derivation) ?? [];
  if (logN === undefined) return undefined;
  const cost = { N: 2 ** Number(logN), r: Number(r), p: Number(p) };
  const options = { ...cost, maxmem: 256 * cost.N * cost.r };
  return scryptSync(
    passphrase.normalize('NFKC'),
    Buffer.from(salt, 'base64'),
    secretBytes,
    options,
  );
}
