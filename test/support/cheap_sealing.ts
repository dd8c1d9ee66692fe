// Seals root keys under passphrases for tests that are not about the cost of a guess.

import { randomBytes } from 'node:crypto';
import { type PassphraseCost, sealRootKey } from '../../src/gateway/root_key/sealed_key.ts';

/** The least cost that the service accepts. */
export const leastCost: PassphraseCost = { memory: 19_456, passes: 1, lanes: 1 };

/** Returns the text of a sealed root key, which opens in a fortieth of the usual time. */
export function sealCheaply(rootKey: Uint8Array, passphrase: Uint8Array): Promise<string> {
  return sealRootKey(
    rootKey,
    passphrase,
    (length) => Uint8Array.from(randomBytes(length)),
    leastCost,
  );
}
