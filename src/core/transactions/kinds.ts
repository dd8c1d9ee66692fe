// The kinds of transactions, one row each, and the functions that read a request's transaction.

import type { AddressFormatName } from '../address/index.ts';
import { bytesOfHex, hex } from '../base/bytes.ts';
import { type TransactionType, transactionTypes } from '../base/enums.ts';
import type { ChainSignature, SigningAccount } from '../chains/chain.ts';
import { UnreadableTransaction } from '../chains/unreadable.ts';
import { parsedAbis } from '../contracts/abi_functions.ts';
import { parsedIdls } from '../contracts/idl_program.ts';
import { fail } from '../errors/errors.ts';
import type { ContractInterfaceType } from '../organization/model.ts';
import type { TransactionExplanation } from '../organization/records/transaction_explanation.ts';
import type { FactStruct } from '../policy/language/values.ts';
import { bitcoinKind } from './bitcoin/index.ts';
import type {
  Descriptions,
  InterfaceText,
  InterfaceTexts,
  TransactionKind,
  VisibleTransfer,
} from './described.ts';
import { ethereumKind } from './ethereum/index.ts';
import { solanaKind } from './solana/index.ts';
import { tempoKind } from './tempo/index.ts';
import { tronKind } from './tron/index.ts';

/** A parsed transaction: its signed content and its explanation. */
export type ReadTransaction = {
  /** The bytes that `keyring.signAll` signs. */
  readonly signedBytes: readonly Uint8Array[];
  /** Contracts or programs whose interfaces help to read the transaction, without duplicates. */
  readonly contracts: readonly string[];
  /** Returns the signed transaction in lower-case hex without `0x`, from a signature for each item. */
  readonly attach: (signatures: readonly ChainSignature[]) => string;
  /** Returns the namespace of the policy language. */
  readonly facts: (interfaces: InterfaceTexts) => FactStruct;
  readonly explain: (
    interfaces: InterfaceTexts,
    descriptions?: Descriptions,
  ) => TransactionExplanation;
  /** Returns the transfers that velocity controls count. */
  readonly transfers: () => readonly VisibleTransfer[];
  /** CAIP-2 name of the chain, or only its namespace. */
  readonly chain: string;
};

type Row = {
  readonly accountFormats: readonly AddressFormatName[];
  readonly maximumBytes: number;
  readonly read: (bytes: Uint8Array, account: SigningAccount) => ReadTransaction;
};

const rows: Readonly<Record<TransactionType, Row>> = {
  TRANSACTION_TYPE_ETHEREUM: rowOfKind(ethereumKind),
  TRANSACTION_TYPE_SOLANA: rowOfKind(solanaKind),
  TRANSACTION_TYPE_TRON: rowOfKind(tronKind),
  TRANSACTION_TYPE_BITCOIN: rowOfKind(bitcoinKind),
  TRANSACTION_TYPE_TEMPO: rowOfKind(tempoKind),
};

/** Maximum length of a transaction of any kind, as hex with `0x`. */
export const maximumTransactionCharacters = 2 + 2 * 1024 * 1024;

/** Returns the transaction type of a request. Raises `transaction_type_unsupported`. */
export function requireTransactionType(text: string): TransactionType {
  const type = transactionTypes.find((each) => each === text);
  if (type !== undefined) return type;
  const expected = transactionTypes.join(', ');
  return fail('transaction_type_unsupported', { type: text.slice(0, 64), expected });
}

/** Returns the formats of accounts that can sign transactions of a type. */
export function accountFormatsOf(type: TransactionType): readonly AddressFormatName[] {
  return rows[type].accountFormats;
}

/** Returns the interface type for contracts of a transaction type; undefined if the type has none. */
export function interfaceTypeOf(type: TransactionType): ContractInterfaceType | undefined {
  return interfaceTypes[type];
}

/** Parses an interface in advance and in steps, since a large one takes long. */
export async function parseInterface(
  type: TransactionType,
  text: InterfaceText,
  pause: () => Promise<void>,
): Promise<void> {
  if (type === 'TRANSACTION_TYPE_SOLANA') await parsedIdls.parse(text, pause);
  else if (type === 'TRANSACTION_TYPE_ETHEREUM') await parsedAbis.parse(text, pause);
}

const interfaceTypes: { readonly [type in TransactionType]?: ContractInterfaceType } = {
  TRANSACTION_TYPE_ETHEREUM: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
  TRANSACTION_TYPE_SOLANA: 'SMART_CONTRACT_INTERFACE_TYPE_SOLANA',
};

/**
 * Reads the transaction of a request: hex in any letter case, with or without `0x`. Raises
 * `transaction_invalid` with the place in the transaction.
 */
export function readTransaction(
  type: TransactionType,
  text: string,
  account: SigningAccount,
): ReadTransaction {
  const row = rows[type];
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  const longest = 2 * row.maximumBytes;
  if (digits.length > longest) {
    failTransaction('length', `expected at most ${longest} hex digits, got ${digits.length}`);
  }
  const bytes = bytesOfHex(digits);
  if (bytes === undefined || bytes.length === 0) {
    return failTransaction('encoding', 'expected an even number of hex digits');
  }
  return readBytes(row, bytes, account);
}

/** Reads a transaction of a kind. Raises `transaction_invalid` with the place in it. */
export function readBytes(
  row: Pick<Row, 'read'>,
  bytes: Uint8Array,
  account: SigningAccount,
): ReadTransaction {
  return refusingUnreadable(() => row.read(bytes, account));
}

/** Reads or rewrites a transaction. Raises `transaction_invalid` with the place in it. */
export function refusingUnreadable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableTransaction)) throw error;
    return failTransaction(error.place, error.problem);
  }
}

/** Raises `transaction_invalid` with a place in the transaction. */
export function failTransaction(
  place: string,
  problem: string,
  field = 'parameters.unsignedTransaction',
): never {
  const description = `${place}: ${problem}`;
  return fail('transaction_invalid', { place, problem }, [{ field, description }]);
}

/** Returns the row of a chain's kind. */
export function rowOfKind<Transaction>(kind: TransactionKind<Transaction>): Row {
  const { format } = kind;
  return {
    accountFormats: format.accountFormats,
    maximumBytes: format.maximumBytes,
    read: (bytes, account) => {
      const transaction = format.read(bytes, account);
      return {
        signedBytes: format.signedBytes(transaction),
        contracts: kind.contracts(transaction),
        attach: (signatures) => hex(format.attach(transaction, signatures)),
        facts: (interfaces) => kind.facts(transaction, account, interfaces),
        explain: (interfaces, descriptions) =>
          kind.explain(transaction, account, interfaces, descriptions),
        transfers: () => kind.transfers(transaction, account),
        chain: kind.chain(transaction, account),
      };
    },
  };
}
