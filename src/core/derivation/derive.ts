// Derives the private key of an account from the seed of a wallet.

import { copyOfSecret, wipe } from '../base/bytes.ts';
import type { CurveName } from '../base/enums.ts';
import { table } from '../base/table.ts';
import { assert } from '../errors/errors.ts';
import { bip32Child, bip32Master, type ExtendedKey } from './bip32.ts';
import type { PathSegment } from './path.ts';
import { ed25519Child, ed25519Master, p256Child, p256Master } from './slip10.ts';

type Derivation = {
  master: (seed: Uint8Array) => ExtendedKey;
  child: (parent: ExtendedKey, segment: PathSegment) => ExtendedKey;
  /** True if the curve supports only hardened segments. */
  hardenedOnly: boolean;
};

const derivations = table<Derivation>()<CurveName>({
  CURVE_SECP256K1: { master: bip32Master, child: bip32Child, hardenedOnly: false },
  CURVE_ED25519: { master: ed25519Master, child: ed25519Child, hardenedOnly: true },
  CURVE_P256: { master: p256Master, child: p256Child, hardenedOnly: false },
});

/**
 * Returns the private key at a path (32 bytes, which the caller wipes) for a seed of 16 to 64 bytes. Uses
 * BIP-32 on secp256k1, SLIP-0010 on P-256, and SLIP-0010 along `effectivePath` on Ed25519.
 */
export function derivePrivateKey(
  curve: CurveName,
  seed: Uint8Array,
  path: readonly PathSegment[],
): Uint8Array {
  assert(seed.length >= 16 && seed.length <= 64, 'a seed has 16 to 64 bytes');
  const { master, child } = derivations[curve];
  let key = master(seed);
  for (const segment of effectivePath(curve, path)) {
    const parent = key;
    key = child(parent, segment);
    wipe(parent.privateKey, parent.chainCode);
  }
  const privateKey = copyOfSecret(key.privateKey);
  wipe(key.privateKey, key.chainCode);
  return privateKey;
}

/**
 * Returns the derived path. On Ed25519 all segments become hardened, so two spellings of one effective path
 * are the same account.
 */
export function effectivePath(curve: CurveName, path: readonly PathSegment[]): PathSegment[] {
  const { hardenedOnly } = derivations[curve];
  return path.map(({ index, hardened }) => ({ index, hardened: hardened || hardenedOnly }));
}
