// The namespace `solana.tx` of the policy language.

import { hex } from '../../base/bytes.ts';
import { base58Key } from '../../chains/solana/base58_key.ts';
import { isUnknownTag } from '../../chains/solana/token_program.ts';
import {
  isSigner,
  isWritable,
  type SolanaInstruction,
  type SolanaTransaction,
  type TableReference,
  tableReferences,
} from '../../chains/solana/transaction.ts';
import type { DecodedValue } from '../../contracts/borsh.ts';
import {
  type DecodedInstruction,
  decodeInstruction,
  parsedIdls,
} from '../../contracts/idl_program.ts';
import type { FactStruct, FactValue } from '../../policy/language/values.ts';
import type { InterfaceTexts } from '../described.ts';

/** Placeholder for an account whose address is in a lookup table. */
export const hiddenAccount = 'ADDRESS_TABLE_LOOKUP';

/** Returns the namespace of a transaction: `{ solana: { tx } }`. */
export function solanaFacts(
  transaction: SolanaTransaction,
  interfaces: InterfaceTexts,
): FactStruct {
  const { version, addresses, instructions, tables, lifetime } = transaction;
  const references = tableReferences(tables);
  const view: View = { transaction, references, interfaces };
  const tx: FactStruct = {
    version,
    account_keys: [...addresses, ...references.map(() => hiddenAccount)],
    static_account_keys: addresses,
    program_keys: calledPrograms(transaction),
    instructions: instructions.map((instruction) => instructionFacts(instruction, view)),
    // Absent if an instruction of the program may be a transfer but is unreadable.
    transfers: instructions.some(isUnknownSystemCall)
      ? undefined
      : instructions.flatMap((instruction) => transferFacts(instruction, view)),
    spl_transfers: instructions.some((each) => isUnknownTokenCall(each) || isHiddenTransfer(each))
      ? undefined
      : instructions.flatMap((instruction) => tokenTransferFacts(instruction, view)),
    recent_blockhash: base58Key(lifetime),
    address_table_lookups: tables.map(({ key, writable, readonly }) => ({
      address_table_key: base58Key(key),
      writable_indexes: Array.from(writable, BigInt),
      readonly_indexes: Array.from(readonly, BigInt),
    })),
    address_table_lookup_references: references.map(referenceFacts),
    ...configFacts(transaction),
  };
  return { solana: { tx } };
}

type View = {
  readonly transaction: SolanaTransaction;
  readonly references: readonly TableReference[];
  readonly interfaces: InterfaceTexts;
};

/** Returns the called programs without duplicates, in the order of the keys. */
export function calledPrograms({ addresses, instructions }: SolanaTransaction): readonly string[] {
  const called = new Set(instructions.map(({ programIndex }) => programIndex));
  return addresses.filter((_, index) => called.has(index));
}

/** Returns the address of an account by its index; a placeholder for an account of a table. */
export const accountAt = ({ addresses }: SolanaTransaction, index: number | undefined): string =>
  addresses[index ?? -1] ?? hiddenAccount;

function configFacts({ version, config }: SolanaTransaction): FactStruct {
  if (version !== 'V1') return {};
  const number = (value: number | undefined) => (value === undefined ? undefined : BigInt(value));
  return {
    priority_fee_lamports: config?.priorityFee ?? 0n,
    compute_unit_limit: number(config?.computeUnitLimit),
    loaded_accounts_data_size_limit: number(config?.loadedAccountsDataSizeLimit),
    heap_size: number(config?.heapSize),
  };
}

function instructionFacts(instruction: SolanaInstruction, view: View): FactStruct {
  const { transaction, references } = view;
  const { keys } = transaction;
  const accounts = Array.from(instruction.accounts);
  return {
    program_key: accountAt(transaction, instruction.programIndex),
    instruction_data_hex: hex(instruction.data),
    accounts: accounts.map((index) => ({
      account_key: accountAt(transaction, index),
      signer: isSigner(transaction, index),
      writable: references[index - keys.length]?.writable ?? isWritable(transaction, index),
    })),
    address_table_lookups: accounts.flatMap((index) => {
      const reference = references[index - keys.length];
      return reference === undefined ? [] : [lookupFacts(reference)];
    }),
    parsed_instruction_data: parsedFacts(instruction, view),
  };
}

const referenceFacts = ({ table, index, writable }: TableReference): FactStruct => ({
  address_table_key: table,
  index: BigInt(index),
  writable,
});

/** Returns a table account in both forms that policies use. */
function lookupFacts(reference: TableReference): FactStruct {
  const indexes = [BigInt(reference.index)];
  return {
    ...referenceFacts(reference),
    writable_indexes: reference.writable ? indexes : [],
    readonly_indexes: reference.writable ? [] : indexes,
  };
}

/** Returns true for an instruction of the system program that the reader does not know. */
export const isUnknownSystemCall = ({ call }: SolanaInstruction): boolean =>
  call?.program === 'system' && call.name === 'Unknown';

/** Returns true for an instruction of a token program that the reader does not know. */
export const isUnknownTokenCall = ({ call }: SolanaInstruction): boolean =>
  call?.program === 'token' && isUnknownTag(call.tag);

/** The extension for confidential transfers, and its instructions that move tokens to another account. */
const confidential = { tag: 27, transfers: [7, 13] };

/** Returns true for a transfer of tokens whose amount is encrypted. */
export const isHiddenTransfer = ({ call, data }: SolanaInstruction): boolean =>
  call?.program === 'token' &&
  call.tag === confidential.tag &&
  confidential.transfers.includes(data[1] ?? 0);

/** Positions of payer and recipient in the transfers of the system program. */
const transferPlaces: ReadonlyMap<string, readonly [from: number, to: number]> = new Map([
  ['Transfer', [0, 1]],
  ['CreateAccountAllowPrefund', [1, 0]],
]);

function transferFacts({ call, accounts }: SolanaInstruction, view: View): readonly FactStruct[] {
  const places = call?.program === 'system' ? transferPlaces.get(call.name) : undefined;
  // Without a payer the instruction moves no SOL.
  if (call?.program !== 'system' || places === undefined || accounts.length < 2) return [];
  const [from, to] = places.map((place) => accounts[place]);
  return [
    {
      from: accountAt(view.transaction, from),
      to: accountAt(view.transaction, to),
      amount: call.lamports,
    },
  ];
}

function tokenTransferFacts(
  instruction: SolanaInstruction,
  { transaction }: View,
): readonly FactStruct[] {
  const transfer = tokenTransferOf(instruction);
  if (transfer === undefined) return [];
  const { from, to, owner, mint, signers, amount } = transfer;
  const address = (index: number | undefined) => accountAt(transaction, index);
  return [
    {
      from: address(from),
      to: address(to),
      owner: address(owner),
      signers: signers.map(address),
      amount,
      token_mint: mint === undefined ? '' : address(mint),
    },
  ];
}

/** A transfer of tokens: indexes of its accounts, and the amount in the smallest unit. */
type TokenTransfer = {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly owner: number | undefined;
  /** Undefined if the instruction does not name the mint. */
  readonly mint: number | undefined;
  readonly signers: readonly number[];
  readonly amount: bigint;
};

/** Reads the transfer of a token instruction. Returns undefined for other instructions. */
export function tokenTransferOf({ call, accounts }: SolanaInstruction): TokenTransfer | undefined {
  if (call?.program !== 'token' || call.amount === undefined) return undefined;
  const { amount } = call;
  if (call.name === 'Transfer') {
    const [from, to, owner, ...signers] = accounts;
    return { from, to, owner, mint: undefined, signers, amount };
  }
  if (call.name !== 'TransferChecked' && call.name !== 'TransferCheckedWithFee') return undefined;
  const [from, mint, to, owner, ...signers] = accounts;
  return { from, to, owner, mint, signers, amount };
}

function parsedFacts(instruction: SolanaInstruction, view: View): FactStruct | undefined {
  const { transaction, interfaces } = view;
  const call = interfaceCall(instruction, transaction, interfaces);
  if (call === undefined) return undefined;
  return {
    instruction_name: call.name,
    discriminator: call.discriminator,
    named_accounts: new Map(
      namesOnce(call.accounts).map(([name, i]) => [
        name,
        accountAt(transaction, instruction.accounts[i]),
      ]),
    ),
    program_call_args: factOf(call.arguments),
  };
}

/**
 * Decodes an instruction by the stored interface of its program. Undefined without an interface, if the data
 * does not match it, or if named accounts are missing.
 */
export function interfaceCall(
  { programIndex, data, accounts }: SolanaInstruction,
  transaction: SolanaTransaction,
  interfaces: InterfaceTexts,
): DecodedInstruction | undefined {
  const idl = interfaces.get(accountAt(transaction, programIndex));
  if (idl === undefined) return undefined;
  const decoded = decodeInstruction(parsedIdls.of(idl), data);
  return decoded === undefined || accounts.length < decoded.accounts.length ? undefined : decoded;
}

/** Returns names with their positions. Omits a name of two accounts, which is ambiguous. */
function namesOnce(names: readonly string[]): readonly [name: string, position: number][] {
  return names.flatMap((name, i) => {
    const isOnce = names.indexOf(name) === names.lastIndexOf(name);
    return isOnce ? [[name, i] satisfies [string, number]] : [];
  });
}

/**
 * Returns a decoded value as a fact. An empty option and a float have no value. A list with such an item has
 * no value either, so that no position shifts.
 */
function factOf(value: DecodedValue): FactValue | undefined {
  if (value === null || typeof value === 'number') return undefined;
  if (isList(value)) {
    const items = value.map(factOf);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (typeof value !== 'object') return value;
  const members = new Map<string, FactValue>();
  for (const [name, member] of value) {
    const fact = factOf(member);
    if (fact !== undefined) members.set(name, fact);
  }
  return members;
}

const isList = (value: DecodedValue): value is readonly DecodedValue[] => Array.isArray(value);
