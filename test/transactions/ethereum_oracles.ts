// The interpretation of an unsigned Ethereum transaction by viem, ethers and ox.

import { Transaction } from 'ethers';
import {
  TxEnvelopeEip1559,
  TxEnvelopeEip2930,
  TxEnvelopeEip4844,
  TxEnvelopeEip7702,
  TxEnvelopeLegacy,
} from 'ox';
import { parseTransaction, serializeTransaction } from 'viem';

/** The transaction according to a library; `isSame` is true if the library writes the same bytes again. */
export type OracleView = {
  readonly isSame: boolean;
  readonly facts: readonly string[];
};

type Oracle = (serialized: `0x${string}`) => OracleView | undefined;

/** Each returns undefined for a signed transaction, and throws if it refuses the bytes. */
export const oracles: Readonly<Record<string, Oracle>> = { viem, ethers, ox };

// biome-ignore lint/suspicious/noExplicitAny: each library has types of its own for each type
type Read = any;

function viem(serialized: `0x${string}`): OracleView | undefined {
  const read: Read = parseTransaction(serialized as never);
  if (read.r !== undefined) return undefined;
  const written = serializeTransaction(read);
  return { isSame: written === serialized, facts: factsOf(read, read.gas) };
}

function ethers(serialized: `0x${string}`): OracleView | undefined {
  const read = Transaction.from(serialized);
  if (read.signature !== null) return undefined;
  const { maxPriorityFeePerGas, maxFeePerGas, maxFeePerBlobGas } = read;
  const normalized = {
    chainId: read.chainId,
    nonce: read.nonce,
    gasPrice: read.gasPrice,
    maxPriorityFeePerGas,
    maxFeePerGas,
    to: read.to,
    value: read.value,
    data: read.data,
    accessList: read.accessList,
    maxFeePerBlobGas,
    blobVersionedHashes: read.blobVersionedHashes,
    authorizationList: read.authorizationList?.map(({ address, nonce, chainId, signature }) => ({
      address,
      nonce,
      chainId,
      yParity: signature.yParity,
      r: signature.r,
      s: signature.s,
    })),
  };
  return {
    isSame: read.unsignedSerialized === serialized,
    facts: factsOf(normalized, read.gasLimit),
  };
}

const envelopes: Readonly<Record<string, Read>> = {
  '01': TxEnvelopeEip2930,
  '02': TxEnvelopeEip1559,
  '03': TxEnvelopeEip4844,
  '04': TxEnvelopeEip7702,
};

function ox(serialized: `0x${string}`): OracleView | undefined {
  const envelope = envelopes[serialized.slice(2, 4)] ?? TxEnvelopeLegacy;
  const read = envelope.deserialize(serialized);
  if (read.r !== undefined) return undefined;
  return {
    isSame: envelope.serialize(read) === serialized,
    facts: factsOf(read, read.gas),
  };
}

/** Returns the members as texts in one spelling; an absent number is 0. */
export function factsOf(read: Read, gas: unknown): readonly string[] {
  return [
    number(read.chainId),
    number(read.nonce),
    number(read.gasPrice),
    number(read.maxPriorityFeePerGas),
    number(read.maxFeePerGas),
    number(gas),
    text(read.to),
    number(read.value),
    text(read.data),
    (read.accessList ?? []).map(accessText).join(),
    number(read.maxFeePerBlobGas),
    (read.blobVersionedHashes ?? []).map(text).join(),
    (read.authorizationList ?? []).map(authorizationText).join(),
  ];
}

function accessText({ address, storageKeys }: Read): string {
  return [address, ...storageKeys].map(text).join('/');
}

function authorizationText({ address, nonce, chainId, yParity, r, s }: Read): string {
  return [text(address), ...[nonce, chainId, yParity, r, s].map(number)].join('/');
}

function number(value: unknown): string {
  if (value === undefined || value === null || value === '0x') return '0';
  return BigInt(value as bigint).toString();
}

function text(value: unknown): string {
  if (value instanceof Uint8Array) return value.length === 0 ? '' : `0x${value.toHex()}`;
  return value === undefined || value === null || value === '0x' ? '' : String(value).toLowerCase();
}
