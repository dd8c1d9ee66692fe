import { base32nopad } from '@scure/base';
import { concatBytes } from '../base/bytes.ts';
import { crc16 } from './crc16.ts';

/** StrKey of an account's key (SEP-0023): base32, `G…`. */
export function stellar(publicKey: Uint8Array): string {
  const payload = concatBytes(Uint8Array.of(accountVersion), publicKey);
  const checksum = crc16(payload);
  // SEP-0023: the checksum is little-endian.
  return base32nopad.encode(concatBytes(payload, Uint8Array.of(checksum & 0xff, checksum >> 8)));
}

const accountVersion = 6 << 3;
