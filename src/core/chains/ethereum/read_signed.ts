// The strict reader of signed Ethereum transactions in the form of `eth_sendRawTransaction`.

import { concatBytes, equalBytes } from '../../base/bytes.ts';
import { keccak256 } from '../../crypto/hashes.ts';
import { recoverSecp256k1 } from '../../crypto/secp256k1.ts';
import { type RlpSlice, rlpUnsigned } from '../../payload/rlp_reader.ts';
import { refuseTransaction } from '../unreadable.ts';
import { readItems, transactionOf } from './read.ts';
import { type EthereumTransaction, layouts } from './transaction.ts';
import { writeSignedEthereum } from './write.ts';

export type SignedEthereum = {
  readonly transaction: EthereumTransaction;
  /** The signer's public key, a compressed point of 33 bytes. */
  readonly publicKey: Uint8Array;
};

/**
 * Reads a signed transaction. Raises `UnreadableTransaction` for non-canonical encodings, for values that no
 * chain accepts, for a signature that no node accepts (EIP-2), and for type 3, which needs its blobs.
 */
export function readSignedEthereum(bytes: Uint8Array): SignedEthereum {
  const { type, items } = readItems(bytes);
  if (type === 'TYPE_3') {
    refuseTransaction('type', 'expected a transaction without blobs, got type 03');
  }
  const { length } = layouts[type].fields;
  if (items.length !== length + 3) {
    refuseTransaction('transaction', `expected ${length} fields and a signature`);
  }
  const [v, r, s] = (['v', 'r', 's'] as const).map((name, i) =>
    numberOf(items[length + i], name),
  ) as [bigint, bigint, bigint];
  const { chainId, parity } = type === 'LEGACY' ? legacySignature(v) : typedSignature(v);
  const transaction = transactionOf(type, items.slice(0, length), chainId);
  if (!equalBytes(writeSignedEthereum(transaction, { v, r, s }), bytes)) {
    refuseTransaction('transaction', 'expected the canonical encoding');
  }
  if (s > highestS) refuseTransaction('s', 'expected at most half of the order of the curve');
  const signature = concatBytes(bytes32(r), bytes32(s));
  const publicKey = recoverSecp256k1(keccak256(transaction.bytes), signature, parity);
  if (publicKey === undefined) refuseTransaction('r', 'expected the signature of a key');
  return { transaction, publicKey };
}

function numberOf(item: RlpSlice | undefined, name: string): bigint {
  if (item === undefined) refuseTransaction(name, 'expected an item');
  return rlpUnsigned(item, 32, (problem) => refuseTransaction(name, problem));
}

type Parity = { readonly chainId: bigint | undefined; readonly parity: 0 | 1 };

function typedSignature(v: bigint): Parity {
  if (v > 1n) refuseTransaction('v', `expected 0 or 1, got ${v}`);
  return { chainId: undefined, parity: v === 0n ? 0 : 1 };
}

/** Reads v: 27 or 28; with EIP-155, 35 or 36 plus twice the chain ID. */
function legacySignature(v: bigint): Parity {
  if (v === 27n || v === 28n) return { chainId: undefined, parity: v === 27n ? 0 : 1 };
  if (v < 35n) refuseTransaction('v', `expected 27, 28, or 35 and more, got ${v}`);
  return { chainId: (v - 35n) / 2n, parity: v % 2n === 1n ? 0 : 1 };
}

/** Half of the order of secp256k1 (EIP-2). */
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

const bytes32 = (value: bigint) => Uint8Array.fromHex(value.toString(16).padStart(64, '0'));
