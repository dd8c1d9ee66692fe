// Message standards of chains: the bytes to hash and the form of the signature. The address format of an
// account selects the standard.

import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';

/** The parts of a signature in hex: 64, 64 and 2 digits. */
export type SignatureParts = { readonly r: string; readonly s: string; readonly v: string };

export type MessageStandard = {
  /** The name in signature documents. */
  readonly name: 'EIP-191' | 'TIP-191' | 'BIP-137' | 'Ed25519';
  /** Returns the parameters for `sign_raw_payload`. */
  readonly request: (message: Uint8Array) => {
    readonly payload: string;
    readonly encoding: 'PAYLOAD_ENCODING_HEXADECIMAL';
    readonly hashFunction:
      | 'HASH_FUNCTION_KECCAK256'
      | 'HASH_FUNCTION_SHA256'
      | 'HASH_FUNCTION_NOT_APPLICABLE';
  };
  /** Formats the signature as wallets of the chain do. */
  readonly write: (parts: SignatureParts) => string;
};

const encoding = 'PAYLOAD_ENCODING_HEXADECIMAL';

/** Returns the preimage of EIP-191 (version 0x45) and TIP-191: title, length in decimal digits, message. */
export const keccakPreimage = (title: string, message: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`\u0019${title} Signed Message:\n${message.length}`), message]);

/**
 * Returns the preimage of BIP-137: the title and the message, each after its length. Bitcoin hashes it twice.
 */
export function bitcoinPreimage(message: Uint8Array): Uint8Array {
  const title = Buffer.from('Bitcoin Signed Message:\n');
  return Buffer.concat([compactSize(title.length), title, compactSize(message.length), message]);
}

const keccak = (name: 'EIP-191' | 'TIP-191', title: string): MessageStandard => ({
  name,
  request: (message) => ({
    payload: Buffer.from(keccakPreimage(title, message)).toString('hex'),
    encoding,
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  }),
  write: ({ r, s, v }) => `0x${r}${s}${(27 + Number(v)).toString(16)}`,
});

/** The first header byte encodes the kind of address. 31: a compressed key with P2PKH. */
const bitcoin = (firstHeader: number): MessageStandard => ({
  name: 'BIP-137',
  request: (message) => ({
    // The service computes the second hash.
    payload: createHash('sha256').update(bitcoinPreimage(message)).digest('hex'),
    encoding,
    hashFunction: 'HASH_FUNCTION_SHA256',
  }),
  write: ({ r, s, v }) => {
    const header = (firstHeader + Number(v)).toString(16);
    return Buffer.from(`${header}${r}${s}`, 'hex').toString('base64');
  },
});

const solana: MessageStandard = {
  name: 'Ed25519',
  request: (message) => ({
    payload: Buffer.from(message).toString('hex'),
    encoding,
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
  }),
  write: ({ r, s }) => base58.encode(Buffer.from(r + s, 'hex')),
};

/** First header byte of each script that BIP-137 supports. */
const bitcoinHeaders = { P2PKH: 31, P2SH: 35, P2WPKH: 39 } as const;
const bitcoinNetworks = ['MAINNET', 'TESTNET', 'SIGNET', 'REGTEST'] as const;

const standards: Readonly<Record<string, MessageStandard>> = {
  ADDRESS_FORMAT_ETHEREUM: keccak('EIP-191', 'Ethereum'),
  ADDRESS_FORMAT_TRON: keccak('TIP-191', 'TRON'),
  ADDRESS_FORMAT_SOLANA: solana,
  ...Object.fromEntries(
    bitcoinNetworks.flatMap((network) =>
      Object.entries(bitcoinHeaders).map(([script, header]) => [
        `ADDRESS_FORMAT_BITCOIN_${network}_${script}`,
        bitcoin(header),
      ]),
    ),
  ),
};

/** Returns the message standard of an address format; undefined if there is none. */
export function messageStandardOf(addressFormat: string | undefined): MessageStandard | undefined {
  return addressFormat !== undefined && Object.hasOwn(standards, addressFormat)
    ? standards[addressFormat]
    : undefined;
}

function compactSize(length: number): Uint8Array {
  if (length < 0xfd) return Uint8Array.of(length);
  const bytes = Buffer.alloc(length <= 0xffff ? 3 : 5);
  bytes[0] = length <= 0xffff ? 0xfd : 0xfe;
  if (length <= 0xffff) bytes.writeUInt16LE(length, 1);
  else bytes.writeUInt32LE(length, 1);
  return bytes;
}
