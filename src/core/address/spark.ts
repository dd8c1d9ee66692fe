import { bech32m } from '@scure/base';
import { concatBytes } from '../base/bytes.ts';

/** bech32m of the identity key, `spark1…`. */
export function sparkMainnet(publicKey: Uint8Array): string {
  return sparkAddress('spark', publicKey);
}

/** bech32m of the identity key, `sparkrt1…`. */
export function sparkRegtest(publicKey: Uint8Array): string {
  return sparkAddress('sparkrt', publicKey);
}

function sparkAddress(prefix: string, identityKey: Uint8Array): string {
  // An address is a protobuf message; without an invoice it contains only the identity key.
  const message = concatBytes(Uint8Array.of(0x0a, identityKey.length), identityKey);
  return bech32m.encode(prefix, bech32m.toWords(message));
}
