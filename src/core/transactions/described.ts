// The interface of parsed transactions for policies, velocity controls and people.

import type { ChainFormat, SigningAccount } from '../chains/chain.ts';
import type { TransactionExplanation } from '../organization/records/transaction_explanation.ts';
import type { FactStruct } from '../policy/language/values.ts';

/** Stored interfaces of an organization, by the address in the transaction. */
export type InterfaceTexts = ReadonlyMap<string, InterfaceText>;

/** A stored interface: valid JSON of an ABI or IDL. */
export type InterfaceText = {
  /** SHA-256 of the text, hex; identifies the parsed interface in the cache. */
  readonly digest: string;
  readonly text: string;
};

/** The descriptions of a contract, newest first, and the names of addresses. */
export type Descriptions = {
  readonly texts: readonly { readonly digest: string; readonly text: string }[];
  readonly nameOf: (address: string) => string | undefined;
};

/** A visible transfer of coins or tokens in a transaction. */
export type VisibleTransfer = {
  /**
   * Empty for the chain's own coin, else the address of the token's contract or mint. Undefined for a
   * token that the transaction does not name: it counts as any token of the chain.
   */
  readonly token: string | undefined;
  readonly from: string;
  readonly to: string;
  /** In the smallest unit. */
  readonly amount: bigint;
  /** True if the amount may be higher, so that velocity controls of the asset cannot be checked. */
  readonly isAtLeast?: true;
};

/** One kind of transaction: its reader and its explanation. All functions are pure. */
export type TransactionKind<Transaction> = {
  readonly format: ChainFormat<Transaction>;
  /** Returns the contracts or programs whose interfaces help to read the transaction, without duplicates. */
  readonly contracts: (transaction: Transaction) => readonly string[];
  /** Returns the namespace of the policy language: `{ eth: { tx } }`. */
  readonly facts: (
    transaction: Transaction,
    account: SigningAccount,
    interfaces: InterfaceTexts,
  ) => FactStruct;
  readonly explain: (
    transaction: Transaction,
    account: SigningAccount,
    interfaces: InterfaceTexts,
    /** Undefined if the organization stores no description. */
    descriptions?: Descriptions,
  ) => TransactionExplanation;
  /** Returns the transfers that velocity controls count. */
  readonly transfers: (
    transaction: Transaction,
    account: SigningAccount,
  ) => readonly VisibleTransfer[];
  /** Returns the CAIP-2 name of the chain, or its namespace if the transaction does not name it. */
  readonly chain: (transaction: Transaction, account: SigningAccount) => string;
};
