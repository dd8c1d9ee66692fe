// Checks a transaction that the service signed, and formats it like Ethereum nodes.

import assert from 'node:assert/strict';
import { hex } from '../../core/base/bytes.ts';
import { readItems } from '../../core/chains/ethereum/read.ts';
import { readSignedEthereum } from '../../core/chains/ethereum/read_signed.ts';
import { keccak256 } from '../../core/crypto/hashes.ts';
import { rlpUnsigned } from '../../core/payload/rlp_reader.ts';
import { Failure } from '../words/failures.ts';
import type { FilledTransaction } from './transaction.ts';

type SignedTransaction = {
  /** 0x and hex digits. */
  readonly raw: string;
  /** The transaction in the form of `eth_getTransactionByHash`. */
  readonly tx: object;
};

/**
 * Decodes a signed transaction. Throws a failure if it differs from the requested transaction, or if another
 * key signed it.
 */
export function readSigned(
  signedTransaction: string,
  { unsigned }: FilledTransaction,
  publicKey: string,
): SignedTransaction {
  const bytes = Buffer.from(signedTransaction.replace(/^0x/, ''), 'hex');
  const signed = readSignedEthereum(bytes);
  const { transaction } = signed;
  const isAsked = Buffer.compare(transaction.bytes, unsigned) === 0;
  if (!isAsked || hex(signed.publicKey) !== publicKey) {
    throw new Failure({
      exit: 'not_verified',
      message: 'the service signed another transaction, or by another key',
    });
  }
  const { type, items } = readItems(bytes);
  const [v = 0n, r = 0n, s = 0n] = items
    .slice(-3)
    .map((item) => rlpUnsigned(item, 32, (problem) => assert.fail(problem)));
  const { chainId, nonce, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const quantities = { chainId, nonce, gasPrice, maxFeePerGas, maxPriorityFeePerGas };
  const isTyped = type !== 'LEGACY';
  return {
    raw: `0x${hex(bytes)}`,
    tx: {
      type: isTyped ? `0x${Number(type.slice(-1)).toString(16)}` : '0x0',
      ...mapped({ ...quantities, gas: transaction.gas, value: transaction.value, v, r, s }),
      to: transaction.to.length === 0 ? null : `0x${hex(transaction.to)}`,
      input: `0x${hex(transaction.data)}`,
      ...(isTyped && {
        yParity: quantityOf(v),
        accessList: transaction.accessList.map(({ address, storageKeys }) => ({
          address: `0x${hex(address)}`,
          storageKeys: storageKeys.map((key) => `0x${hex(key)}`),
        })),
      }),
      hash: `0x${hex(keccak256(bytes))}`,
    },
  };
}

const quantityOf = (value: bigint): string => `0x${value.toString(16)}`;

/** Converts numbers to QUANTITY values. Omits members that the transaction type lacks. */
const mapped = (values: Readonly<Record<string, bigint | undefined>>) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, quantityOf(value)]],
    ),
  );
