// Many signatures of one key, with pauses: others take their turn between the parts.

import type { SignatureScheme } from '../address/index.ts';
import type { Keyring, RawSignature, SigningKey } from './keyring.ts';

/** Signatures between two pauses: the slowest of them take together about as long as a turn may. */
const maximumOfPart = 8;

/** Signs each of many, in their order, as `Keyring.signAll` does. */
export async function signInParts(
  { key, scheme }: { readonly key: SigningKey; readonly scheme: SignatureScheme },
  signedBytes: readonly Uint8Array[],
  keyring: Pick<Keyring, 'signAll'>,
  pause: () => Promise<void>,
): Promise<readonly RawSignature[]> {
  const signatures: RawSignature[] = [];
  for (let first = 0; first < signedBytes.length; first += maximumOfPart) {
    if (first > 0) await pause();
    const part = signedBytes.slice(first, first + maximumOfPart);
    signatures.push(...keyring.signAll(key, scheme, part));
  }
  return signatures;
}
