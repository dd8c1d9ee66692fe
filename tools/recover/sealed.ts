// Opens the secrets of an organization with its own key, using the passphrase or passkey of a key holder.

import { createDecipheriv, createHmac, scryptSync } from 'node:crypto';
import type { Line } from './line.ts';
import type { PasskeySecret, PasskeyTask } from './passkey_page.ts';

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

/** The secrets of key holders that the user has. */
export type HolderSecrets = {
  readonly passphrase?: string | undefined;
  /** Evaluates one of several passkeys of `localhost`; undefined if the user has none of them. */
  readonly passkey?:
    | ((organization: string, passkeys: readonly Passkey[]) => Promise<PasskeySecret | undefined>)
    | undefined;
};

type Passkey = PasskeyTask['passkeys'][number];

/** Returns the key of an organization; undefined if the secrets belong to no holder. */
export async function organizationKeyOf(
  { id: organizationId, name, organizationKey }: Line,
  { passphrase, passkey }: HolderSecrets,
): Promise<Uint8Array | undefined> {
  const { id, holders } = organizationKey as Key;
  const openedBy = (holder: Key['holders'][number], secret: Uint8Array) => {
    const place = ['keywright organization key holder 1', organizationId, id, holder.id];
    return openAt(place, secret, Buffer.from(holder.sealedKey, 'base64url'));
  };
  for (const holder of passphrase === undefined ? [] : holders) {
    const secret = secretOf(passphrase ?? '', holder.derivation);
    const key = secret && openedBy(holder, secret);
    if (key !== undefined) return key;
  }
  const passkeys = holders.flatMap(({ derivation }) => passkeyOf(derivation) ?? []);
  if (passkey === undefined || passkeys.length === 0) return undefined;
  const used = await passkey(String(name ?? organizationId), passkeys);
  const holder = used && holders.find(({ derivation }) => passkeyOf(derivation)?.id === used.id);
  return holder && openedBy(holder, used.secret);
}

/** Returns the reason why the secrets of an organization stay sealed, with the next step. */
export function whySealed({ organizationKey }: Line, secrets: HolderSecrets): string {
  const { holders } = organizationKey as Key;
  const ways = [
    ...(holders.some(({ derivation }) => acceptedDerivation.test(derivation))
      ? [['--passphrase-file', 'passphrase', secrets.passphrase] as const]
      : []),
    ...(holders.some(({ derivation }) => passkeyOf(derivation) !== undefined)
      ? [['--passkey', 'passkey', secrets.passkey] as const]
      : []),
  ];
  if (ways.length === 0) {
    return (
      'sealed by the organization key, and this tool can use none of its holders. Restore a backup of the' +
      ' service, unseal the organization with the client that created the holder, and export the wallets' +
      ' there'
    );
  }
  const tried = ways.filter(([, , secret]) => secret !== undefined);
  if (tried.length > 0) {
    const names = tried.map(([, name]) => name).join(' and the ');
    return `sealed, and the ${names} of no holder of the organization key opened it`;
  }
  const needed = ways.map(([option, name]) => `${option} needs the ${name} of a holder`);
  return `sealed by the organization key; ${needed.join(', or ')}`;
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

/** Relying party, credential and input of the PRF. The command line writes no other text. */
const passkeyDerivation = /^\$webauthn-prf\$rp=localhost\$([\w-]{2,1400})\$([A-Za-z0-9+/]{22})$/;

/** Returns the passkey of a holder; undefined if the text names none of `localhost`. */
function passkeyOf(derivation: string): Passkey | undefined {
  const [, id, salt] = passkeyDerivation.exec(derivation) ?? [];
  return id === undefined || salt === undefined ? undefined : { id, salt };
}
