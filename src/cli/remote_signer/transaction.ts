// Converts transactions of the Ethereum JSON-RPC to the bytes to sign.

import type {
  AccessListEntry,
  EthereumTransaction,
  EthereumTransactionType,
} from '../../core/chains/ethereum/transaction.ts';
import { layouts } from '../../core/chains/ethereum/transaction.ts';
import { writeEthereum } from '../../core/chains/ethereum/write.ts';
import type { Json, JsonObject } from '../../core/schema/json.ts';
import { RpcError } from '../service/json_rpc.ts';

const invalid = (message: string): RpcError => new RpcError('invalidParams', message);

/** An encoded transaction with known fee, gas, nonce and chain. */
export type FilledTransaction = { readonly from: string; readonly unsigned: Uint8Array };

/** Accepted members. Types 3 and 4 are not supported, because they need more than a signature. */
const known = new Set(
  [
    'from to gas gasLimit gasPrice maxFeePerGas maxPriorityFeePerGas value nonce data input chainId',
    'accessList type',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Returns the unsigned bytes of a transaction. Throws `invalidParams` for a missing, malformed or unknown
 * member, or one that the type does not allow.
 */
export function readTransaction(transaction: JsonObject): FilledTransaction {
  const odd = Object.keys(transaction).find((name) => !known.has(name));
  if (odd !== undefined) throw invalid(`${odd} is not a member of a transaction here`);
  const type = typeOf(transaction);
  const written: Omit<EthereumTransaction, 'bytes'> = {
    type,
    chainId: quantity(transaction, 'chainId'),
    nonce: quantity(transaction, 'nonce'),
    gas: quantity(transaction, transaction['gas'] === undefined ? 'gasLimit' : 'gas'),
    to: optionalData(transaction, 'to', 20),
    value: transaction['value'] === undefined ? 0n : quantity(transaction, 'value'),
    data: callData(transaction),
    accessList: accessList(transaction),
    blobVersionedHashes: [],
    authorizationList: [],
    ...fees(transaction, type),
  };
  return { from: address(transaction['from'], 'from'), unsigned: writeEthereum(written) };
}

const feeNames = ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;

function fees(transaction: JsonObject, type: EthereumTransactionType) {
  const fields: readonly string[] = layouts[type].fields;
  const odd = feeNames.find((name) => transaction[name] !== undefined && !fields.includes(name));
  if (odd !== undefined) throw invalid(`${odd} is not a member of a transaction of ${type}`);
  const own = feeNames.filter((name) => fields.includes(name));
  return Object.fromEntries(own.map((name) => [name, quantity(transaction, name)]));
}

const types: Readonly<Record<string, EthereumTransactionType>> = {
  '0x0': 'LEGACY',
  '0x1': 'TYPE_1',
  '0x2': 'TYPE_2',
};

/** Returns the named type. Default: the type that the fee members imply. */
function typeOf({ type, gasPrice, accessList }: JsonObject): EthereumTransactionType {
  if (type === undefined) {
    if (gasPrice === undefined) return 'TYPE_2';
    return accessList === undefined ? 'LEGACY' : 'TYPE_1';
  }
  const found = typeof type === 'string' && Object.hasOwn(types, type) ? types[type] : undefined;
  if (found === undefined) throw invalid('type: expected 0x0, 0x1 or 0x2');
  if (found === 'LEGACY' && accessList !== undefined) {
    throw invalid('accessList is not a member of a transaction of LEGACY');
  }
  return found;
}

function callData(transaction: JsonObject): Uint8Array {
  const [data, input] = [optionalData(transaction, 'data'), optionalData(transaction, 'input')];
  const both = transaction['data'] !== undefined && transaction['input'] !== undefined;
  if (both && Buffer.compare(data, input) !== 0) throw invalid('data and input differ');
  return data.length > 0 ? data : input;
}

function accessList({ accessList: given = [] }: JsonObject): readonly AccessListEntry[] {
  if (!Array.isArray(given)) throw invalid('accessList: expected a list');
  return given.map((entry, index) => {
    const { address: of, storageKeys, ...others } = Object(entry);
    if (!Array.isArray(storageKeys) || Object.keys(others).length > 0) {
      throw invalid(`accessList.${index}: expected address and storageKeys`);
    }
    return {
      address: bytesOf(of, `accessList.${index}.address`, 20),
      storageKeys: storageKeys.map((key) => bytesOf(key, `accessList.${index}.storageKeys`, 32)),
    };
  });
}

function quantity(transaction: JsonObject, name: string): bigint {
  const value = transaction[name];
  if (value === undefined) throw invalid(`${name} is missing`);
  return quantityOf(value) ?? fail(`${name}: expected a number such as 0x5208`);
}

const fail = (message: string): never => {
  throw invalid(message);
};

/** Parses a QUANTITY of at most 32 bytes. Returns undefined for other values. */
export const quantityOf = (value: Json | undefined): bigint | undefined =>
  typeof value === 'string' && /^0x(0|[1-9a-f][0-9a-f]{0,63})$/i.test(value)
    ? BigInt(value)
    : undefined;

/** Removes null members, which some callers send for absent members. */
export const withoutNulls = (transaction: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(transaction).filter(([, value]) => value !== null));

/** Parses an address, and returns it in lower case. */
export const address = (value: unknown, name: string): string =>
  `0x${Buffer.from(bytesOf(value, name, 20)).toString('hex')}`;

function optionalData(transaction: JsonObject, name: string, length?: number): Uint8Array {
  const value = transaction[name];
  return value === undefined ? new Uint8Array(0) : bytesOf(value, name, length);
}

/** Decodes hex digits after 0x. With `length`, requires exactly that number of bytes. */
export function bytesOf(value: unknown, name: string, length?: number): Uint8Array {
  const isHex = typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value);
  const bytes = isHex ? Buffer.from(value.slice(2), 'hex') : undefined;
  if (bytes !== undefined && (length === undefined || bytes.length === length)) return bytes;
  const size = length === undefined ? 'hex digits' : `${length} bytes as hex digits`;
  throw invalid(`${name}: expected 0x and ${size}`);
}
