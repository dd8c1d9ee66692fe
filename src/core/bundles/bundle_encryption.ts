// The one way in which every bundle is encrypted: HPKE with a fixed `info`, bound to both keys.

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

/** The plaintext, the caller's to wipe; undefined for bytes that were not sealed to this key. */
export function openBundle(
  input: HpkeMessage & { readonly receiverPrivateKey: Uint8Array },
): Uint8Array | undefined {
  return openWith({ ...input, ...binding });
}
