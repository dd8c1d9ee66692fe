// Explains a single instruction of a Solana transaction.

import { amountText } from '../../balances/amount_text.ts';
import { textOfUtf8 } from '../../base/bytes.ts';
import type { SigningAccount } from '../../chains/chain.ts';
import { readBudgetCall } from '../../chains/solana/compute_budget.ts';
import {
  isSigner,
  type SolanaInstruction,
  type SolanaTransaction,
} from '../../chains/solana/transaction.ts';
import { parsedIdls, undecodedInstruction } from '../../contracts/idl_program.ts';
import type { Effect, Warning } from '../../organization/records/transaction_explanation.ts';
import type { InterfaceTexts } from '../described.ts';
import { quotedText, type ShownRows, shownText } from '../text/shown_text.ts';
import { argumentTexts } from './arguments.ts';
import { interfaceCall } from './facts.ts';

/** An instruction, with the facts for its sentences. */
export type InstructionContext = {
  readonly transaction: SolanaTransaction;
  readonly instruction: SolanaInstruction;
  readonly account: SigningAccount;
  readonly interfaces: InterfaceTexts;
  readonly program: string;
};

export type InstructionExplanation = {
  readonly effects: readonly Effect[];
  readonly warnings: readonly Warning[];
};

/** Formats lamports as SOL. */
export const solText = (lamports: bigint): string => `${amountText(String(lamports), 9)} SOL`;

/** Returns the name of the account at a position of an instruction. */
export function who({ transaction, instruction }: InstructionContext, position: number): string {
  const address = transaction.addresses[instruction.accounts[position] ?? -1];
  return address ?? 'an account that only a lookup table names';
}

/** Completes a sentence, in which `{0}` stands for the name of the account at position 0. */
export function sentence(context: InstructionContext, text: string): string {
  return text.replace(/\{(\d+)\}/g, (_, position: string) => who(context, Number(position)));
}

/** Returns the account as a member of an effect, which contains only addresses. */
export function addressMember<Name extends string>(
  context: InstructionContext,
  name: Name,
  position: number,
): { readonly [name in Name]?: string } {
  const { transaction, instruction } = context;
  const address = transaction.addresses[instruction.accounts[position] ?? -1];
  return address === undefined ? {} : ({ [name]: address } as { [name in Name]: string });
}

/** Returns one effect of the program. */
export function plain(
  { program }: InstructionContext,
  kind: Effect['kind'],
  text: string,
  warnings: readonly Warning[] = [],
): InstructionExplanation {
  return { effects: [{ kind, text, contract: program }], warnings };
}

/** Returns one effect that moves SOL between two accounts; `amount` is undefined if it is not stated. */
export function movesSol(
  context: InstructionContext,
  [from, to]: readonly [from: number, to: number],
  amount: bigint | undefined,
  text: string,
): InstructionExplanation {
  const effect: Effect = {
    kind: 'TRANSFER',
    text,
    ...addressMember(context, 'from', from),
    ...addressMember(context, 'to', to),
    ...(amount === undefined ? {} : { amount: String(amount) }),
    asset: 'SOL',
  };
  return { effects: [effect], warnings: [] };
}

/** Returns a quoted memo. Invisible characters and those that change the direction of text are escaped. */
export function memoEffects({ instruction: { data } }: InstructionContext): InstructionExplanation {
  const text = textOfUtf8(data);
  const effect: Effect = {
    kind: 'DATA',
    text:
      text === undefined
        ? `Writes a memo of ${bytesText(data)} that is not text.`
        : `Writes the memo ${quotedText(text, data.length)}.`,
  };
  return { effects: [effect], warnings: [] };
}

/** Formats a length: `1 byte`, `2 bytes`. */
export const bytesText = ({ length }: Uint8Array): string =>
  length === 1 ? '1 byte' : `${length} bytes`;

const budgetTexts = {
  heapSize: (value: bigint) => `Requests a heap of ${value} bytes.`,
  computeUnitLimit: (value: bigint) => `Uses at most ${value} compute units.`,
  computeUnitPrice: (value: bigint) =>
    `Offers ${amountText(String(value), 6)} lamports for each compute unit.`,
  loadedAccountsDataSize: (value: bigint) => `Loads at most ${value} bytes of accounts.`,
} as const;

/** Explains the compute budget of a transaction. Version 1 has a config in its place. */
export function budgetEffects({
  instruction,
  transaction,
}: InstructionContext): InstructionExplanation {
  const call = readBudgetCall(instruction);
  const kind = 'RESOURCE_CHANGE';
  if (transaction.version === 'V1') {
    const text = 'Calls the compute budget program, which changes nothing in version 1.';
    return { effects: [{ kind, text }], warnings: [] };
  }
  if (call === undefined) {
    const text = 'Calls the compute budget program in a way that the network refuses.';
    return { effects: [{ kind, text }], warnings: [] };
  }
  return { effects: [{ kind, text: budgetTexts[call.name](call.value) }], warnings: [] };
}

/** Explains new token accounts at addresses that are derived from their owner and mint. */
export function associatedTokenEffects(context: InstructionContext): InstructionExplanation {
  const { instruction, program } = context;
  const [tag = 0] = instruction.data;
  if (tag > 1 || instruction.data.length > 1 || instruction.accounts.length < 4) {
    return unreadCall(context, `Calls the program of associated token accounts.`);
  }
  const condition = tag === 1 ? ', if there is none yet' : '';
  const text = `${who(context, 0)} pays the rent of a new token account ${who(context, 1)}, which ${who(context, 2)} owns, for the token ${who(context, 3)}${condition}.`;
  return {
    effects: [{ kind: 'CALL', text, ...addressMember(context, 'from', 0), contract: program }],
    warnings: [],
  };
}

/** Explains a call of a known program that the reader cannot decode. */
export function unreadCall(context: InstructionContext, text: string): InstructionExplanation {
  const warning = `The effect of an instruction of the program ${context.program} is unknown.`;
  return plain(context, 'CALL', text, [{ code: 'UNREADABLE_CALL_DATA', text: warning }]);
}

/** Lists all signers of the transaction whose signatures a call passes to the program. */
function signatureText({ transaction, instruction }: InstructionContext): string {
  const signers = transaction.addresses.filter(
    (_, index) => isSigner(transaction, index) && instruction.accounts.includes(index),
  );
  if (signers.length === 0) return '';
  return ` with the signature${signers.length === 1 ? '' : 's'} of ${signers.join(' and ')}`;
}

/** Maximum number of named accounts; a usual call has fewer. */
const maximumNamed = 32;

/** Returns the accounts that an interface names, which include recipients, and the number of the others. */
function accountTexts(names: readonly string[], context: InstructionContext): ShownRows {
  const named = names
    .slice(0, maximumNamed)
    .map((name, i) => ({ name: `account ${shownText(name)}`, value: who(context, i) }));
  const left = context.instruction.accounts.length - named.length;
  const rest = { name: '…', value: `${left} more account${left === 1 ? '' : 's'}` };
  return { rows: left === 0 ? named : [...named, rest], isWhole: left === 0 };
}

/** Returns the name in the stored interface for an instruction that it cannot decode. */
function undecodedName({ instruction, interfaces, program }: InstructionContext) {
  const idl = interfaces.get(program);
  return idl && undecodedInstruction(parsedIdls.of(idl), instruction.data);
}

/** Explains a call of any other program, by the interface that the organization stores. */
export function programEffects(context: InstructionContext): InstructionExplanation {
  const { transaction, instruction, interfaces, program } = context;
  const signed = signatureText(context);
  const call = interfaceCall(instruction, transaction, interfaces);
  if (call !== undefined) {
    const functionName = shownText(call.name);
    const text = `Calls ${functionName} of the program ${program}${signed}, as the stored interface describes it.`;
    const given = argumentTexts(call.arguments);
    const accounts = accountTexts(call.accounts, context);
    const effect: Effect = {
      kind: 'CALL',
      text,
      contract: program,
      functionName,
      arguments: [...given.rows, ...accounts.rows],
    };
    const partly: Warning = {
      code: 'UNREADABLE_CALL_DATA',
      text: `Only a part of the arguments and accounts of ${functionName} is shown here.`,
    };
    const renamed: Warning = {
      code: 'NAME_OF_ANOTHER_CALL',
      text: `The stored interface of ${program} names the instruction ${functionName}, but the instruction does not begin with the bytes of this name (Anchor). Only the author of the interface vouches for the name.`,
    };
    const warnings = [
      ...(call.isOfName ? [] : [renamed]),
      ...(given.isWhole && accounts.isWhole ? [] : [partly]),
    ];
    return { effects: [effect], warnings };
  }
  const size = bytesText(instruction.data);
  const text = `Calls the program ${program}${signed === '' ? ' with' : `${signed} and`} ${size} of data.`;
  const undecoded = undecodedName(context);
  const warning: Warning = undecoded
    ? {
        code: 'NOT_DECODED',
        text: `The stored interface of the program ${program} does not decode ${shownText(undecoded)}.`,
      }
    : interfaces.has(program)
      ? {
          code: 'UNREADABLE_CALL_DATA',
          text: `The stored interface of the program ${program} does not fit the call.`,
        }
      : { code: 'UNKNOWN_CONTRACT', text: `No interface of the program ${program} is stored.` };
  return plain(context, 'CALL', text, [warning]);
}
