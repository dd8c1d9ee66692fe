// Signs many items with one key, with pauses in which other requests run.

import type { SignatureScheme } from '../address/index.ts';
import type { Keyring, RawSignature, SigningKey } from './keyring.ts';

/** Maximum number of signatures between two pauses; the slowest ones take about as long as a turn may. */
const maximumOfPart = 8;

/** Returns the signatures of many values in order, like `Keyring.signAll`, with pauses for other requests. */
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
