// Derives the secret of a key holder from a passphrase. The passphrase never leaves this machine.

import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { newHolderSalt } from '../../client/key_holders.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure, usage } from '../words/failures.ts';
import { givenPassphrase, newPassphrase } from './passphrases.ts';

const deriveKey = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

const secretBytes = 32;
/** About 0.3 seconds and 128 MiB on one core. */
const usualLogN = 17;
const blockSize = 8;
/** An operator with a copy of the database can try passphrases, so a short one protects little. */
const minimumCharacters = 12;

export const passphraseFileOption = {
  kind: 'text',
  value: 'FILE',
  summary: 'File with the passphrase, or a descriptor such as /dev/fd/3; else it is asked for.',
} as const;

type Secret = { readonly derivation: string; readonly secret: Uint8Array<ArrayBuffer> };

/** Asks for a new passphrase, and derives a secret with a new salt. The caller wipes it. */
export async function newHolderSecret(
  file: string | undefined,
  terminal: Terminal,
): Promise<Secret> {
  const passphrase = await newPassphrase(file, terminal, 'the organization');
  try {
    if (textOf(passphrase).length < minimumCharacters) {
      throw usage(`a passphrase of an organization has at least ${minimumCharacters} characters`);
    }
    const derivation = `$scrypt$ln=${usualLogN},r=${blockSize},p=1$${newHolderSalt()}`;
    return { derivation, secret: await derived(passphrase, derivation) };
  } finally {
    passphrase.fill(0);
  }
}

/** Asks for the passphrase of a holder, and derives its secret. The caller wipes it. */
export async function holderSecret(
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

/** The accepted cost: N of 2^15 to 2^20, so a service can neither weaken it nor exhaust this machine. */
const acceptedDerivation = /^\$scrypt\$ln=(1[5-9]|20),r=8,p=([1-4])\$([A-Za-z0-9+/]{22,86})$/;

async function derived(
  passphrase: Uint8Array,
  derivation: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const [, logN, p, salt] = acceptedDerivation.exec(derivation) ?? [];
  if (salt === undefined) {
    throw new Failure({
      exit: 'not_verified',
      code: 'derivation_unknown',
      message: `The service names a derivation that is not accepted: ${derivation}`,
      next: 'Nothing was sent. Compare the holders with keywright org key show.',
    });
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
