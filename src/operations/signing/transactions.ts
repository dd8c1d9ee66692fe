// The transaction of a request: its signing account, and its decoded calls.

import { type SignatureScheme, signatureSchemeOf } from '../../core/address/index.ts';
import { bytesOfHex, concatBytes, hex } from '../../core/base/bytes.ts';
import type { TransactionType } from '../../core/base/enums.ts';
import type { SigningAccount } from '../../core/chains/chain.ts';
import { contractInterfaceAt } from '../../core/contracts/smart_contract_interfaces.ts';
import { sha256 } from '../../core/crypto/hashes.ts';
import { assert } from '../../core/errors/errors.ts';
import type { TransactionExplanation } from '../../core/organization/records/transaction_explanation.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import type { Facts, Part } from '../../core/policy/decision/access.ts';
import type { InterfaceText, InterfaceTexts } from '../../core/transactions/described.ts';
import {
  accountFormatsOf,
  failTransaction,
  interfaceTypeOf,
  parseInterface,
  type ReadTransaction,
  readTransaction,
  requireTransactionType,
} from '../../core/transactions/kinds.ts';
import type { Reader } from '../reader.ts';
import { descriptionsOf } from './descriptions.ts';
import type { FoundKey } from './signing_key.ts';

/** An account that can sign transactions of a type, and its signature scheme. */
export type TransactionAccount = SigningAccount & {
  readonly type: TransactionType;
  readonly scheme: SignatureScheme;
};

/**
 * Returns the account of a key that signs transactions of this type: the requested address, or the only
 * matching address of a private key. Raises `transaction_type_unsupported` and `transaction_invalid`.
 */
export function accountThatSigns(typeText: string, found: FoundKey): TransactionAccount {
  const type = requireTransactionType(typeText);
  const formats = accountFormatsOf(type);
  const fitting = found.addresses.filter(({ format }) => formats.includes(format));
  const [fits] = fitting;
  if (fits === undefined || fitting.length > 1) {
    const got = found.addresses.map(({ format }) => format).join(', ');
    const expected = `expected exactly one address of ${formats.join(' or ')}`;
    return failTransaction('signWith', `${expected}, got ${got === '' ? 'none' : got}`);
  }
  const publicKey = bytesOfHex(found.publicKey);
  assert(publicKey !== undefined, 'a stored public key is hex');
  const { address, format } = fits;
  return { type, address, format, publicKey, scheme: signatureSchemeOf(format, found.curve) };
}

/** A transaction and the interfaces that decode it. */
type DescribedTransaction = {
  readonly transaction: ReadTransaction;
  readonly interfaces: InterfaceTexts;
};

/** Returns the facts of a transaction from the bytes to sign, as one part. */
export function transactionFacts(
  described: DescribedTransaction & { readonly found: FoundKey },
): Facts {
  const { found, transaction } = described;
  return { ...found.facts, parts: [{ ...transactionPart(described), moves: transaction }] };
}

/** Returns the part of a transaction that policies read, without effect on limits over time. */
export function transactionPart({ transaction, interfaces }: DescribedTransaction): Part {
  return {
    transaction: transaction.facts(interfaces),
    interfaces: [...interfaces].map(([address, { digest }]) => `${address} ${digest}`),
    signedDigest: () => hex(sha256(concatBytes(...transaction.signedBytes))),
  };
}

/** The sources of interfaces and descriptions. */
type TextSources = {
  readonly account: Pick<TransactionAccount, 'type'>;
  readonly organization: OrganizationView;
  readonly read: Reader;
  readonly pause: () => Promise<void>;
};

/**
 * Decodes the transaction and loads the interfaces and descriptions of its contracts, each parsed in its own
 * turn. `explain` uses both.
 */
export async function readWithInterfaces(
  input: TextSources & {
    readonly unsignedTransaction: string;
    readonly account: TransactionAccount;
  },
): Promise<DescribedTransaction & { readonly explain: () => TransactionExplanation }> {
  const { account, unsignedTransaction } = input;
  const transaction = readTransaction(account.type, unsignedTransaction, account);
  const interfaces = await interfacesOf(transaction, input);
  const explain = await explainer(transaction, interfaces, input);
  return { transaction, interfaces, explain };
}

/** Loads the descriptions for the explanation of a transaction. */
async function explainer(
  transaction: ReadTransaction,
  interfaces: InterfaceTexts,
  input: TextSources,
): Promise<() => TransactionExplanation> {
  if (input.account.type !== 'TRANSACTION_TYPE_ETHEREUM') {
    return () => transaction.explain(interfaces);
  }
  const descriptions = await descriptionsOf(transaction.contracts, input);
  return () => transaction.explain(interfaces, descriptions);
}

/** Loads the interfaces of the contracts that a transaction calls. Parses each in its own turn. */
export async function interfacesOf(
  transaction: ReadTransaction,
  input: TextSources,
): Promise<InterfaceTexts> {
  const { account, organization, read, pause } = input;
  const interfaceType = interfaceTypeOf(account.type);
  if (interfaceType === undefined) return new Map();
  const known = transaction.contracts.flatMap((address) => {
    const found = contractInterfaceAt(organization, interfaceType, address);
    return found === undefined ? [] : [{ address, found }];
  });
  const texts = await read.contractInterfaceTexts(known.map(({ found }) => found));
  const interfaces = new Map<string, InterfaceText>();
  for (const { address, found } of known) {
    const text = texts.get(found.id);
    if (text === undefined) continue;
    const { digest } = found;
    interfaces.set(address, { digest, text });
    await parseInterface(account.type, { digest, text }, pause);
    await pause();
  }
  return interfaces;
}
