// The interpretation of a transaction of Solana by other libraries.

import { base58 } from '@scure/base';
import {
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
} from '@solana/kit';
import { VersionedTransaction } from '@solana/web3.js';
import {
  isSigner,
  isWritable,
  type SolanaTransaction,
} from '../../src/core/chains/solana/transaction.ts';

/** All contents of a transaction, in one form for every library. */
export type View = {
  readonly version: 'LEGACY' | 'V0' | 'V1';
  readonly header: readonly [required: number, readonlySigned: number, readonlyUnsigned: number];
  readonly keys: readonly string[];
  readonly signers: readonly boolean[];
  readonly writable: readonly boolean[];
  readonly lifetime: string;
  readonly instructions: readonly (readonly [
    program: number,
    accounts: readonly number[],
    data: string,
  ])[];
  readonly tables: readonly (readonly [
    key: string,
    writable: readonly number[],
    readonly: readonly number[],
  ])[];
  /** The mask, followed by the numbers in its order. */
  readonly config: readonly [mask: number, ...values: bigint[]] | undefined;
  readonly signatures: readonly string[];
};

type Failure = 'refuses it' | 'writes other bytes of it';

/** Returns the view of a transaction that our reader has read. */
export function viewOf(transaction: SolanaTransaction): View {
  const { version, header, keys, addresses, lifetime, instructions, tables, config } = transaction;
  const { priorityFee, computeUnitLimit, loadedAccountsDataSizeLimit, heapSize } = config ?? {};
  const values = [priorityFee, computeUnitLimit, loadedAccountsDataSizeLimit, heapSize];
  const mask = [3, 4, 8, 16].reduce(
    (sum, bits, i) => sum + (values[i] === undefined ? 0 : bits),
    0,
  );
  return {
    version,
    header: [header.requiredSignatures, header.readonlySigned, header.readonlyUnsigned],
    keys: addresses,
    signers: keys.map((_, i) => isSigner(transaction, i)),
    writable: keys.map((_, i) => isWritable(transaction, i)),
    lifetime: base58.encode(lifetime),
    instructions: instructions.map(
      ({ programIndex, accounts, data }) => [programIndex, [...accounts], data.toHex()] as const,
    ),
    tables: tables.map(
      ({ key, writable, readonly }) => [base58.encode(key), [...writable], [...readonly]] as const,
    ),
    config:
      version === 'V1'
        ? [mask, ...values.flatMap((value) => (value === undefined ? [] : [BigInt(value)]))]
        : undefined,
    signatures: transaction.signatures.map((signature) => signature.toHex()),
  };
}

/** Reads a transaction with @solana/kit, which knows all versions. */
export function readByKit(bytes: Uint8Array): View | Failure {
  const read = attempt(() => {
    const transaction = getTransactionDecoder().decode(bytes);
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    const written = getCompiledTransactionMessageEncoder().encode(message);
    const isSame =
      same(written, transaction.messageBytes) &&
      same(getTransactionEncoder().encode(transaction), bytes);
    return { transaction, message, isSame };
  });
  if (read === undefined) return 'refuses it';
  if (!read.isSame) return 'writes other bytes of it';
  const { message, transaction } = read;
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } =
    message.header;
  const keys: readonly string[] = message.staticAccounts;
  const isSignerAt = (i: number) => i < numSignerAccounts;
  const isOne = message.version === 1;
  return {
    version: isOne ? 'V1' : message.version === 0 ? 'V0' : 'LEGACY',
    header: [numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts],
    keys,
    signers: keys.map((_, i) => isSignerAt(i)),
    writable: keys.map((_, i) =>
      isSignerAt(i)
        ? i < numSignerAccounts - numReadonlySignerAccounts
        : i < keys.length - numReadonlyNonSignerAccounts,
    ),
    lifetime: message.lifetimeToken,
    instructions: isOne
      ? message.instructionHeaders.map(({ programAccountIndex }, i) => {
          const payload = message.instructionPayloads[i];
          const data = Uint8Array.from(payload?.instructionData ?? []).toHex();
          return [programAccountIndex, payload?.instructionAccountIndices ?? [], data] as const;
        })
      : message.instructions.map(
          ({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) =>
            [programAddressIndex, accountIndices, Uint8Array.from(data).toHex()] as const,
        ),
    tables:
      message.version === 0
        ? (message.addressTableLookups ?? []).map(
            ({ lookupTableAddress, writableIndexes, readonlyIndexes }) =>
              [lookupTableAddress, writableIndexes, readonlyIndexes] as const,
          )
        : [],
    config: isOne
      ? [message.configMask, ...message.configValues.map(({ value }) => BigInt(value))]
      : undefined,
    signatures: Object.values(transaction.signatures).map((signature) =>
      signature === null ? '00'.repeat(64) : Uint8Array.from(signature).toHex(),
    ),
  };
}

/** Reads a transaction with @solana/web3.js, which knows legacy transactions and version 0. */
export function readByWeb3(bytes: Uint8Array): View | Failure {
  const read = attempt(() => {
    const transaction = VersionedTransaction.deserialize(bytes);
    return { transaction, isSame: same(transaction.serialize(), bytes) };
  });
  if (read === undefined) return 'refuses it';
  if (!read.isSame) return 'writes other bytes of it';
  const { message, signatures } = read.transaction;
  const { header, staticAccountKeys, addressTableLookups } = message;
  return {
    version: message.version === 0 ? 'V0' : 'LEGACY',
    header: [
      header.numRequiredSignatures,
      header.numReadonlySignedAccounts,
      header.numReadonlyUnsignedAccounts,
    ],
    keys: staticAccountKeys.map((key) => key.toBase58()),
    signers: staticAccountKeys.map((_, i) => message.isAccountSigner(i)),
    writable: staticAccountKeys.map((_, i) => message.isAccountWritable(i)),
    lifetime: message.recentBlockhash,
    instructions: message.compiledInstructions.map(
      ({ programIdIndex, accountKeyIndexes, data }) =>
        [programIdIndex, accountKeyIndexes, Uint8Array.from(data).toHex()] as const,
    ),
    tables: addressTableLookups.map(
      ({ accountKey, writableIndexes, readonlyIndexes }) =>
        [accountKey.toBase58(), writableIndexes, readonlyIndexes] as const,
    ),
    config: undefined,
    signatures: signatures.map((signature) => Uint8Array.from(signature).toHex()),
  };
}

/** The libraries throw errors of many types for bytes that they refuse. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

const same = (a: Iterable<number>, b: Iterable<number>): boolean =>
  Buffer.from([...a]).equals(Buffer.from([...b]));
