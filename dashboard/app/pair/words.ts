import { bytesOfHex, hexOf, sha256 } from '../../../src/client/bytes.ts';
import { spokenFingerprint } from '../../../src/core/derivation/spoken_fingerprint.ts';

/** Returns four words that encode the SHA-256 of a compressed point, as `keywright login` prints them. */
export async function wordsOf(publicKey: string): Promise<string> {
  return spokenFingerprint(hexOf(await sha256(bytesOfHex(publicKey))));
}
