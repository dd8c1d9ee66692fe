// Standards of signed messages: builds the payload for the service and verifies the signature in this page.
// Loaded on demand. The service signs with other code.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, createBase58check } from '@scure/base';
import { bytesOfHex, hexOf, joined, utf8 } from '../../../src/client/bytes.ts';

type Parts = { readonly r: string; readonly s: string; readonly v: string };

export type MessageStandard = {
  readonly name: string;
  /** Returns the parameters for `sign_raw_payload`. */
  readonly request: (message: string) => {
    readonly payload: string;
    readonly encoding: 'PAYLOAD_ENCODING_HEXADECIMAL';
    readonly hashFunction: 'HASH_FUNCTION_KECCAK256' | 'HASH_FUNCTION_NOT_APPLICABLE';
  };
  /** Formats the signature as wallets of the chain do. */
  readonly write: (parts: Parts) => string;
  readonly verify: (message: string, parts: Parts, address: string) => Promise<boolean>;
};

const encoding = 'PAYLOAD_ENCODING_HEXADECIMAL';

/** EIP-191 (version 0x45), and TIP-191, its variant for TRON. */
function keccak(
  name: string,
  title: string,
  addressOf: (accountHash: Uint8Array) => string,
): MessageStandard {
  const preimage = (message: string) => {
    const bytes = utf8(message);
    return joined(utf8(`\u0019${title} Signed Message:\n${bytes.length}`), bytes);
  };
  return {
    name,
    request: (message) => ({
      payload: hexOf(preimage(message)),
      encoding,
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    }),
    write: ({ r, s, v }) => `0x${r}${s}${(27 + Number(v)).toString(16)}`,
    verify: async (message, { r, s, v }, address) => {
      const signature = secp256k1.Signature.fromBytes(bytesOfHex(r + s), 'compact');
      if (signature.hasHighS()) return false;
      const point = signature
        .addRecoveryBit(Number(v))
        .recoverPublicKey(keccak_256(preimage(message)));
      const hash = keccak_256(point.toBytes(false).subarray(1)).subarray(12);
      return addressOf(hash).toLowerCase() === address.toLowerCase();
    },
  };
}

const base58check = createBase58check(sha256);

const solana: MessageStandard = {
  name: 'Ed25519',
  request: (message) => ({
    payload: hexOf(utf8(message)),
    encoding,
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
  }),
  write: ({ r, s }) => base58.encode(bytesOfHex(r + s)),
  verify: async (message, { r, s }, address) => {
    const point = Uint8Array.from(base58.decode(address));
    const key = await crypto.subtle.importKey('raw', point, 'Ed25519', false, ['verify']);
    return crypto.subtle.verify('Ed25519', key, bytesOfHex(r + s), utf8(message));
  },
};

/** Standards by the address format of the account. */
export const messageStandards: Readonly<Record<string, MessageStandard>> = {
  ADDRESS_FORMAT_ETHEREUM: keccak('EIP-191', 'Ethereum', (hash) => `0x${hexOf(hash)}`),
  ADDRESS_FORMAT_TRON: keccak('TIP-191', 'TRON', (hash) =>
    base58check.encode(joined(Uint8Array.of(0x41), hash)),
  ),
  ADDRESS_FORMAT_SOLANA: solana,
};
