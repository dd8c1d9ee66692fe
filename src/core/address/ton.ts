// TON wallets. The address is the hash of the contract's first state: its code and its data. The code is that
// of the standard wallet contracts, and the address needs only the hashes of their cells.

import { base64url, bytesOfBase64url, bytesOfHex, concatBytes } from '../base/bytes.ts';
import { assert } from '../errors/errors.ts';
import { crc16 } from './crc16.ts';
import { bitsOfBytes, bitsOfNumber, type Cell, cellOf } from './ton_cell.ts';

/** Wallet v3, second revision: bounceable address `EQ…`. */
export function tonV3R2(publicKey: Uint8Array): string {
  return walletAddress(codes.v3R2, firstSeqno + oldWalletId + bitsOfBytes(publicKey));
}

/** Wallet v4, second revision: bounceable address `EQ…`. */
export function tonV4R2(publicKey: Uint8Array): string {
  const noPlugins = '0';
  return walletAddress(codes.v4R2, firstSeqno + oldWalletId + bitsOfBytes(publicKey) + noPlugins);
}

/** Wallet v5, first revision: bounceable address `EQ…`. */
export function tonV5R1(publicKey: Uint8Array): string {
  const signatureAllowed = '1';
  const noExtensions = '0';
  return walletAddress(
    codes.v5R1,
    signatureAllowed + firstSeqno + v5WalletId + bitsOfBytes(publicKey) + noExtensions,
  );
}

/**
 * Returns the stored form (`EQ…`) of an address of workchain 0 on the main network, spelled raw (`0:` and 64
 * hex digits), bounceable or not, base64url or base64. Undefined for other text.
 */
export function bounceableTonAddress(text: string): string | undefined {
  const account = accountOfRaw(text) ?? accountOfFriendly(text);
  return account && friendlyAddress(account);
}

function walletAddress(code: Cell, data: string): string {
  // StateInit in TL-B: no split depth, not special, code, data, no libraries.
  return friendlyAddress(cellOf('00110', [code, cellOf(data)]).hash);
}

/** Tag, workchain, 32-byte account, checksum (TEP-2), base64url. */
function friendlyAddress(account: Uint8Array): string {
  const payload = concatBytes(Uint8Array.of(tags.bounceable, basechain), account);
  const checksum = crc16(payload);
  return base64url(concatBytes(payload, Uint8Array.of(checksum >> 8, checksum & 0xff)));
}

function accountOfRaw(text: string): Uint8Array | undefined {
  return /^0:[0-9a-f]{64}$/i.test(text) ? bytesOfHex(text.slice(2)) : undefined;
}

function accountOfFriendly(text: string): Uint8Array | undefined {
  const bytes = text.length === 48 ? bytesOfBase64url(text) : undefined;
  if (bytes?.length !== 36) return undefined;
  const [tag, workchain] = bytes;
  if (tag !== tags.bounceable && tag !== tags.nonBounceable) return undefined;
  if (workchain !== basechain) return undefined;
  // The checksum over the bytes and their checksum is zero.
  return crc16(bytes) === 0 ? bytes.subarray(2, 34) : undefined;
}

const tags = { bounceable: 0x11, nonBounceable: 0x51 };
const basechain = 0;

const firstSeqno = bitsOfNumber(0, 32);
/** Wallets before v5 add the workchain (0) to this number of the standard wallet. */
const oldWalletId = bitsOfNumber(698983191, 32);
/**
 * v5: the network's global id (-239) and the context (a one bit for wallets of clients, workchain 0,
 * version 0, subwallet 0, in 1 + 8 + 8 + 15 bits), combined by exclusive or.
 */
const v5WalletId = bitsOfNumber(((1 << 31) ^ -239) >>> 0, 32);

/** Root cells of the code of the standard wallet contracts. */
const codes = {
  v3R2: codeCell('84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599', 0),
  v4R2: codeCell('feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0', 7),
  v5R1: codeCell('20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f', 6),
};

function codeCell(hashHex: string, depth: number): Cell {
  const hash = bytesOfHex(hashHex);
  assert(hash?.length === 32, 'a hash of a code cell');
  return { hash, depth };
}
