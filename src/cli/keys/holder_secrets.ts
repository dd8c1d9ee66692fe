// Secrets of key holders, from a passphrase that never leaves this machine, or from a passkey.

import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Client } from '../../client/connect.ts';
import {
  holderSecretPlace,
  newHolderSalt,
  type OrganizationKey,
  sealHolderSecret,
} from '../../client/key_holders.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { usage } from '../words/failures.ts';
import { option } from '../words/options.ts';
import {
  newPasskeyHolder,
  passkeyOption,
  passkeySecret,
  unknownDerivation,
} from './passkey_holders.ts';
import { givenPassphrase, newPassphrase } from './passphrases.ts';

const deriveKey = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

const secretBytes = 32;
/** About 0.3 seconds and 128 MiB on one core. */
const usualLogN = 17;
const blockSize = 8;
/** An operator with a copy of the database can guess passphrases offline, so a short one protects little. */
const minimumCharacters = 12;

export const passphraseFileOption = option(
  'FILE',
  'File with the passphrase, or a descriptor such as /dev/fd/3. Default: a prompt.',
);

/** Options of the commands that create a holder. */
export const newHolderOptions = {
  'passphrase-file': passphraseFileOption,
  passkey: passkeyOption,
} as const;

type Secret = { readonly derivation: string; readonly secret: Uint8Array<ArrayBuffer> };

/** The client of a holder, and the organization key if it already exists. */
type Organization = {
  readonly client: Client;
  readonly key: OrganizationKey | undefined;
};

/**
 * Prompts for a new passphrase, or creates a passkey in a browser. Returns the parameters of the new holder.
 */
export async function newHolder(
  { client, key }: Organization,
  { holderName, passkey, file }: NewHolder,
  terminal: Terminal,
) {
  if (passkey) {
    if (file !== undefined) throw usage('give only one of --passkey and --passphrase-file');
    const { organizationName } = await client.query('whoami');
    const place = await holderSecretPlace(client, 'hold', key);
    return await newPasskeyHolder({ organizationName, holderName, ...place }, terminal);
  }
  const { derivation, secret } = await newHolderSecret(file, terminal);
  const encryptedSecret = await sealHolderSecret(client, secret, 'hold', key).finally(() =>
    secret.fill(0),
  );
  return { type: 'KEY_HOLDER_TYPE_PASSPHRASE', derivation, encryptedSecret } as const;
}

type NewHolder = {
  readonly holderName: string;
  readonly passkey: boolean;
  readonly file: string | undefined;
};

/** Returns the secret of an existing holder, sealed to the enclave. */
export async function unsealingSecret(
  { client, key }: { readonly client: Client; readonly key: OrganizationKey },
  { type, holderName, derivation }: OrganizationKey['holders'][number],
  file: string | undefined,
  terminal: Terminal,
): Promise<string> {
  if (type === 'KEY_HOLDER_TYPE_PASSKEY') {
    if (file !== undefined) throw usage(`${holderName} has a passkey: omit --passphrase-file`);
    const { organizationName } = await client.query('whoami');
    const place = await holderSecretPlace(client, 'unseal', key);
    return await passkeySecret({ organizationName, holderName, derivation, ...place }, terminal);
  }
  const secret = await holderSecret(derivation, file, terminal);
  return await sealHolderSecret(client, secret, 'unseal', key).finally(() => secret.fill(0));
}

/** Derives a secret with a new salt from a new passphrase. The caller wipes the secret. */
async function newHolderSecret(file: string | undefined, terminal: Terminal): Promise<Secret> {
  const option = '--passphrase-file';
  const passphrase = await newPassphrase(file, terminal, { of: 'the organization', option });
  try {
    if (textOf(passphrase).length < minimumCharacters) {
      throw usage(`the passphrase of a key holder needs at least ${minimumCharacters} characters`);
    }
    const derivation = `$scrypt$ln=${usualLogN},r=${blockSize},p=1$${newHolderSalt()}`;
    return { derivation, secret: await derived(passphrase, derivation) };
  } finally {
    passphrase.fill(0);
  }
}

/** Prompts for the passphrase of a holder, and derives its secret. The caller wipes the secret. */
async function holderSecret(
  derivation: string,
  file: string | undefined,
  terminal: Terminal,
): Promise<Uint8Array<ArrayBuffer>> {
  const passphrase =
    file === undefined
      ? await givenPassphrase(terminal, { isNew: false, of: 'the organization' })
      : await newPassphrase(file, terminal);
  try {
    return await derived(passphrase, derivation);
  } finally {
    passphrase.fill(0);
  }
}

/** Accepted cost: N of 2^15 to 2^20. A service can neither weaken the derivation nor exhaust this machine. */
const acceptedDerivation = /^\$scrypt\$ln=(1[5-9]|20),r=8,p=([1-4])\$([A-Za-z0-9+/]{22,86})$/;

async function derived(
  passphrase: Uint8Array,
  derivation: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const [, logN, p, salt] = acceptedDerivation.exec(derivation) ?? [];
  if (salt === undefined) {
    const next =
      'Nothing was sent. keywright org key show --json prints the derivation of each holder.';
    throw unknownDerivation(derivation, next);
  }
  const N = 2 ** Number(logN);
  const options = { N, r: blockSize, p: Number(p), maxmem: 256 * N * blockSize };
  const key = await deriveKey(
    textOf(passphrase),
    Buffer.from(salt, 'base64'),
    secretBytes,
    options,
  );
  const secret = Uint8Array.from(key);
  key.fill(0);
  return secret;
}

const textOf = (passphrase: Uint8Array): string =>
  new TextDecoder().decode(passphrase).normalize('NFKC');
