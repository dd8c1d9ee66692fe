// Writes transactions: EIP-2718 envelopes over RLP.

import { concatBytes } from '../../base/bytes.ts';
import { encodeRlp, type RlpItem, rlpInteger } from '../../payload/rlp.ts';
import {
  type AccessListEntry,
  type EthereumField,
  type EthereumTransaction,
  layouts,
  type SignedAuthorization,
} from './transaction.ts';

type Written = Omit<EthereumTransaction, 'bytes'>;

/** Returns the canonical encoding of an unsigned transaction. */
export function writeEthereum(transaction: Written): Uint8Array {
  const { type, chainId } = transaction;
  const isBound = type === 'LEGACY' && chainId !== undefined;
  return envelope(transaction, isBound ? [rlpInteger(chainId), empty, empty] : []);
}

/** Returns a signed transaction with the three numbers of its signature; `v` has the form of its type. */
export function writeSignedEthereum(
  transaction: Written,
  { v, r, s }: { readonly v: bigint; readonly r: bigint; readonly s: bigint },
): Uint8Array {
  return envelope(transaction, [rlpInteger(v), rlpInteger(r), rlpInteger(s)]);
}

function envelope(transaction: Written, last: readonly RlpItem[]): Uint8Array {
  const { typeByte, fields } = layouts[transaction.type];
  const list = encodeRlp([...fields.map((field) => itemOf(transaction[field])), ...last]);
  return typeByte === undefined ? list : concatBytes(Uint8Array.of(typeByte), list);
}

const empty = new Uint8Array();

function itemOf(value: EthereumTransaction[EthereumField]): RlpItem {
  if (value === undefined) return empty;
  if (typeof value === 'bigint') return rlpInteger(value);
  return value instanceof Uint8Array ? value : value.map(listedItem);
}

function listedItem(item: Uint8Array | AccessListEntry | SignedAuthorization): RlpItem {
  if (item instanceof Uint8Array) return item;
  if ('storageKeys' in item) return [item.address, item.storageKeys];
  const { chainId, address, nonce, yParity, r, s } = item;
  return [
    rlpInteger(chainId),
    address,
    rlpInteger(nonce),
    rlpInteger(yParity),
    rlpInteger(r),
    rlpInteger(s),
  ];
}
