// The curve arithmetic that bitcoinjs-lib requires for taproot, from @noble/curves.

import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { initEccLib } from 'bitcoinjs-lib';

initEccLib({
  isXOnlyPoint: (x) => evenPointOf(x) !== undefined,
  xOnlyPointAddTweak: (x, tweak) => {
    const point = evenPointOf(x);
    const scalar = BigInt(`0x${tweak.toHex()}`);
    if (point === undefined || scalar >= secp256k1.Point.Fn.ORDER) return null;
    const sum = scalar === 0n ? point : point.add(secp256k1.Point.BASE.multiply(scalar));
    if (sum.is0()) return null;
    const bytes = sum.toBytes(true);
    return { parity: bytes[0] === 3 ? 1 : 0, xOnlyPubkey: bytes.slice(1) };
  },
});

function evenPointOf(x: Uint8Array) {
  try {
    return schnorr.utils.lift_x(BigInt(`0x${x.toHex()}`));
  } catch {
    // The function fails only if no point has this coordinate.
    return undefined;
  }
}
