// The strict reader of unsigned Ethereum transactions.

import { equalBytes } from '../../base/bytes.ts';
import {
  type RefuseRlp,
  type RlpSlice,
  readRlp,
  readRlpItems,
  rlpBytes,
  rlpUnsigned,
} from '../../payload/rlp_reader.ts';
import { refuseTransaction } from '../unreadable.ts';
import {
  type AccessListEntry,
  type EthereumField,
  type EthereumTransaction,
  type EthereumTransactionType,
  ethereumLimits,
  layouts,
  type SignedAuthorization,
} from './transaction.ts';
import { writeEthereum } from './write.ts';

/**
 * Reads an unsigned transaction: the list of a legacy transaction, or a type byte and its list. Raises
 * `UnreadableTransaction` for non-canonical encodings, and for values that no chain accepts.
 */
export function readEthereum(bytes: Uint8Array): EthereumTransaction {
  const { type, items } = readItems(bytes);
  const members = type === 'LEGACY' ? readLegacy(items) : readTyped(type, items);
  const transaction = { ...noLists, ...members, type, bytes };
  checkValues(transaction);
  if (!equalBytes(writeEthereum(transaction), bytes)) {
    refuseTransaction('transaction', 'expected the canonical encoding');
  }
  return transaction;
}

/** Returns the type and list items of a signed or unsigned transaction. Raises `UnreadableTransaction`. */
export function readItems(bytes: Uint8Array): {
  readonly type: EthereumTransactionType;
  readonly items: readonly RlpSlice[];
} {
  if (bytes.length > ethereumLimits.bytes) {
    refuseTransaction('transaction', `expected at most ${ethereumLimits.bytes} bytes`);
  }
  const type = typeOf(bytes);
  const { typeByte, fields } = layouts[type];
  const source = typeByte === undefined ? bytes : bytes.subarray(1);
  const list = readRlp(source, at(whole));
  const items = readRlpItems(list, maximumItems, (problem, index) =>
    refuseTransaction(fields[index ?? -1] ?? whole(), problem),
  );
  return { type, items };
}

/**
 * Returns the transaction of a type with these fields and signed bytes. `chainId` is set if the signature of
 * a legacy transaction contains it. Raises `UnreadableTransaction`.
 */
export function transactionOf(
  type: EthereumTransactionType,
  items: readonly RlpSlice[],
  chainId: bigint | undefined,
): EthereumTransaction {
  const { fields } = layouts[type];
  const members = readFields(fields, items);
  const chain = chainId === undefined ? {} : { chainId };
  const transaction = { ...noLists, ...members, ...chain, type };
  const read = { ...transaction, bytes: writeEthereum(transaction) };
  checkValues(read);
  return read;
}

/** More items than any type has, including a signature. */
const maximumItems = 16;
const noLists = { accessList: [], blobVersionedHashes: [], authorizationList: [] };
const whole = () => 'transaction';

type FieldPath = () => string;

const at =
  (place: FieldPath): RefuseRlp =>
  (problem, index) =>
    refuseTransaction(index === undefined ? place() : `${place()}[${index}]`, problem);

function typeOf(bytes: Uint8Array): EthereumTransactionType {
  const [first] = bytes;
  if (first === undefined) refuseTransaction('transaction', 'expected a transaction, got no bytes');
  const type = first >= 0xc0 ? 'LEGACY' : typesByByte.get(first);
  return (
    type ??
    refuseTransaction(
      'type',
      `expected a list, or 01, 02, 03 or 04 before it, got ${first.toString(16).padStart(2, '0')}`,
    )
  );
}

const typesByByte: ReadonlyMap<number, EthereumTransactionType> = new Map([
  [1, 'TYPE_1'],
  [2, 'TYPE_2'],
  [3, 'TYPE_3'],
  [4, 'TYPE_4'],
]);

type Members = Omit<EthereumTransaction, 'type' | 'bytes'>;

function readTyped(type: EthereumTransactionType, items: readonly RlpSlice[]): Members {
  const { fields } = layouts[type];
  if (items.length === fields.length + 3) {
    refuseTransaction('transaction', 'expected no signature yet');
  }
  if (items.length !== fields.length) {
    refuseTransaction('transaction', `expected ${fields.length} fields, got ${items.length}`);
  }
  return readFields(fields, items);
}

/** Reads six fields, or nine with EIP-155: the chain ID and two empty fields for r and s. */
function readLegacy(items: readonly RlpSlice[]): Members {
  const { fields } = layouts.LEGACY;
  if (items.length !== fields.length && items.length !== fields.length + 3) {
    refuseTransaction('transaction', `expected 6 or 9 fields, got ${items.length}`);
  }
  const [chainId, r, s] = items.slice(fields.length);
  if (chainId === undefined) return readFields(fields, items);
  for (const [name, item] of Object.entries({ r, s })) {
    if (item === undefined || item.isList || item.start !== item.end) {
      refuseTransaction(name, 'expected no signature yet');
    }
  }
  return readFields([...fields, 'chainId'], items);
}

function readFields(fields: readonly EthereumField[], items: readonly RlpSlice[]): Members {
  const entries = fields.map((field, i) => {
    const item = items[i];
    if (item === undefined) refuseTransaction(field, 'expected an item');
    return [field, readers[field](item, () => field)];
  });
  // Every layout contains the required members.
  return Object.fromEntries(entries) as Members;
}

type Readers = {
  readonly [field in EthereumField]-?: (
    item: RlpSlice,
    place: FieldPath,
  ) => NonNullable<EthereumTransaction[field]>;
};

const readers: Readers = {
  chainId: unsigned(8),
  nonce: unsigned(8),
  gasPrice: unsigned(32),
  maxPriorityFeePerGas: unsigned(32),
  maxFeePerGas: unsigned(32),
  gas: unsigned(8),
  to: (item, place) => {
    const { length } = rlpBytes(item, at(place));
    return length === 0 ? rlpBytes(item, at(place)) : bytesOf(item, 20, place);
  },
  value: unsigned(32),
  data: (item, place) => rlpBytes(item, at(place)),
  accessList: listOf(readAccessListEntry),
  maxFeePerBlobGas: unsigned(32),
  blobVersionedHashes: listOf((item, place) => bytesOf(item, 32, place)),
  authorizationList: listOf(readAuthorization, ethereumLimits.authorizations),
};

function unsigned(maximumBytes: number) {
  return (item: RlpSlice, place: FieldPath) => rlpUnsigned(item, maximumBytes, at(place));
}

function bytesOf(item: RlpSlice, length: number, place: FieldPath): Uint8Array {
  const bytes = rlpBytes(item, at(place));
  if (bytes.length === length) return bytes;
  return refuseTransaction(place(), `expected ${length} bytes, got ${bytes.length}`);
}

/** Reads a list of at most `maximum` items. */
function listOf<Item>(
  read: (item: RlpSlice, place: FieldPath) => Item,
  maximum: number = ethereumLimits.bytes,
) {
  return (list: RlpSlice, place: FieldPath): readonly Item[] =>
    readRlpItems(list, maximum, at(place)).map((item, i) => read(item, () => `${place()}[${i}]`));
}

const storageKeys = listOf((item, place) => bytesOf(item, 32, place));

function readAccessListEntry(entry: RlpSlice, place: FieldPath): AccessListEntry {
  const [address, keys, ...more] = readRlpItems(entry, 3, at(place));
  if (address === undefined || keys === undefined || more.length > 0) {
    refuseTransaction(place(), 'expected an address and a list of storage keys');
  }
  return {
    address: bytesOf(address, 20, () => `${place()}.address`),
    storageKeys: storageKeys(keys, () => `${place()}.storageKeys`),
  };
}

function readAuthorization(entry: RlpSlice, place: FieldPath): SignedAuthorization {
  const [chainId, address, nonce, yParity, r, s, ...more] = readRlpItems(entry, 7, at(place));
  if (
    chainId === undefined ||
    address === undefined ||
    nonce === undefined ||
    yParity === undefined ||
    r === undefined ||
    s === undefined ||
    more.length > 0
  ) {
    refuseTransaction(place(), 'expected chainId, address, nonce, yParity, r and s');
  }
  return {
    chainId: unsigned(32)(chainId, () => `${place()}.chainId`),
    address: bytesOf(address, 20, () => `${place()}.address`),
    nonce: unsigned(8)(nonce, () => `${place()}.nonce`),
    yParity: readParity(yParity, () => `${place()}.yParity`),
    r: unsigned(32)(r, () => `${place()}.r`),
    s: unsigned(32)(s, () => `${place()}.s`),
  };
}

/** Chains skip authorizations with another parity. */
function readParity(item: RlpSlice, place: FieldPath): bigint {
  const parity = unsigned(1)(item, place);
  return parity <= 1n ? parity : refuseTransaction(place(), `expected 0 or 1, got ${parity}`);
}

/** Checks rules that span fields, and values that RLP allows but chains do not. */
function checkValues(transaction: EthereumTransaction): void {
  const { type, chainId, nonce, to, blobVersionedHashes, authorizationList } = transaction;
  const { maxPriorityFeePerGas: tip = 0n, maxFeePerGas: fee = tip } = transaction;
  if (chainId === 0n) refuseTransaction('chainId', 'expected a chain, got 0');
  if (chainId !== undefined && chainId > maximumChainId) {
    refuseTransaction('chainId', `expected at most ${maximumChainId}`);
  }
  if (nonce > maximumNonce) refuseTransaction('nonce', `expected at most ${maximumNonce}`);
  if (tip > fee) {
    refuseTransaction('maxPriorityFeePerGas', 'expected no more than maxFeePerGas');
  }
  const isCreationAllowed = type !== 'TYPE_3' && type !== 'TYPE_4';
  if (to.length === 0 && !isCreationAllowed) refuseTransaction('to', 'expected 20 bytes, got 0');
  if (type === 'TYPE_3') checkBlobHashes(blobVersionedHashes);
  if (type === 'TYPE_4' && authorizationList.length === 0) {
    refuseTransaction('authorizationList', 'expected at least one authorization');
  }
}

function checkBlobHashes(hashes: readonly Uint8Array[]): void {
  if (hashes.length === 0) refuseTransaction('blobVersionedHashes', 'expected at least one hash');
  const wrong = hashes.findIndex(([version]) => version !== 1);
  if (wrong !== -1) refuseTransaction(`blobVersionedHashes[${wrong}]`, 'expected a hash from 01');
}

/** The largest chain ID for which v of a legacy signature fits into 64 bits (EIP-2294). */
const maximumChainId = 2n ** 63n - 37n;
/** EIP-2681. */
const maximumNonce = 2n ** 64n - 2n;
