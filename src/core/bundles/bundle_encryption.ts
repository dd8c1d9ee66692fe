// The encryption of all bundles: HPKE with a fixed `info`, bound to both keys.

import { concatBytes } from '../base/bytes.ts';
import { bundleInfo } from '../base/compatibility.ts';
import { type HpkeMessage, openWith, sealTo } from '../crypto/hpke.ts';

const binding = { info: bundleInfo, associatedData: concatBytes };

/** Seals to a public key (33 or 65 bytes) that was checked; see `sealTo` for the ephemeral key. */
export function sealBundle(input: {
  readonly receiverPublicKey: Uint8Array;
  readonly plaintext: Uint8Array;
  readonly ephemeralPrivateKey: Uint8Array;
}): HpkeMessage {
  return sealTo({ ...input, ...binding });
}

/** Returns the plaintext, which the caller wipes; undefined if the bytes were not sealed to this key. */
export function openBundle(
  input: HpkeMessage & { readonly receiverPrivateKey: Uint8Array },
): Uint8Array | undefined {
  return openWith({ ...input, ...binding });
}
