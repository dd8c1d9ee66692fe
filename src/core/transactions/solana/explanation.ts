// Explains a Solana transaction in sentences. Each states only facts that the bytes and the stored interfaces
// prove: programs call others, whose effects are unknown when a transaction is signed.

import { type SigningAccount, signersOf } from '../../chains/chain.ts';
import { maximumFee } from '../../chains/solana/fee.ts';
import { programs } from '../../chains/solana/programs.ts';
import {
  type SolanaInstruction,
  type SolanaTransaction,
  tableReferences,
} from '../../chains/solana/transaction.ts';
import type {
  Effect,
  EffectKind,
  Fee,
  TransactionExplanation,
  Warning,
  WarningCode,
} from '../../organization/records/transaction_explanation.ts';
import type { InterfaceTexts } from '../described.ts';
import { distinctWarnings } from '../text/distinct_warnings.ts';
import {
  associatedTokenEffects,
  budgetEffects,
  type InstructionContext,
  type InstructionExplanation,
  memoEffects,
  programEffects,
  solText,
} from './effects.ts';
import { accountAt } from './facts.ts';
import { fourthLoaderEffects, loaderEffects } from './loader.ts';
import { stakeEffects } from './stake.ts';
import { systemEffects } from './system.ts';
import { tokenEffects } from './token.ts';
import { voteEffects } from './vote.ts';

/** Explains a transaction, with the interfaces that the organization stores for the programs. */
export function explainSolana(
  transaction: SolanaTransaction,
  account: SigningAccount,
  interfaces: InterfaceTexts,
): TransactionExplanation {
  const [explained = [], ...ofOthers] = signersOf(account).map((signer) =>
    transaction.instructions.map((instruction) =>
      explainInstruction({
        transaction,
        instruction,
        account: signer,
        interfaces,
        program: accountAt(transaction, instruction.programIndex),
      }),
    ),
  );
  // Only warnings depend on the account that signs.
  const effects = explained.flatMap((each) => each.effects);
  const fee = feeOf(transaction, account);
  return {
    summary: summaryOf(effects),
    effects,
    ...(fee === undefined ? {} : { fee }),
    warnings: ordered([
      ...[explained, ...ofOthers].flat().flatMap((each) => each.warnings),
      ...warningsOf(transaction, account),
    ]),
  };
}

function explainInstruction(context: InstructionContext): InstructionExplanation {
  const { call } = context.instruction;
  if (call?.program === 'system') return systemEffects(call, context);
  if (call?.program === 'token') return tokenEffects(call, context);
  return (readPrograms.get(context.program) ?? programEffects)(context);
}

const readPrograms: ReadonlyMap<string, (context: InstructionContext) => InstructionExplanation> =
  new Map([
    [programs.associatedToken, associatedTokenEffects],
    [programs.computeBudget, budgetEffects],
    [programs.stake, stakeEffects],
    [programs.vote, voteEffects],
    [programs.loader, loaderEffects],
    [programs.fourthLoader, fourthLoaderEffects],
    [programs.memo, memoEffects],
    [programs.memoVersionOne, memoEffects],
  ]);

/** Singular and plural of a kind of effect. Kinds without a row are not part of the summary. */
const kindWords: ReadonlyMap<EffectKind, readonly [one: string, several: string]> = new Map([
  ['PERMISSION_CHANGE', ['change of an authority', 'changes of authorities']],
  ['APPROVAL', ['approval', 'approvals']],
  ['TRANSFER', ['transfer of SOL', 'transfers of SOL']],
  ['TOKEN_TRANSFER', ['transfer of tokens', 'transfers of tokens']],
  ['CALL', ['call of a program', 'calls of programs']],
  ['DATA', ['memo', 'memos']],
]);

function summaryOf(effects: readonly Effect[]): string {
  const deeds = effects.filter(({ kind }) => kindWords.has(kind));
  const [first, ...more] = deeds;
  if (first === undefined) return 'The transaction only pays its fee.';
  if (more.length === 0) return first.text;
  const parts = [...kindWords].flatMap(([kind, [one, several]]) => {
    const count = deeds.filter((deed) => deed.kind === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`];
  });
  const last = parts.pop();
  const before = parts.length === 0 ? '' : `${parts.join(', ')} and `;
  return `The transaction consists of ${before}${last}.`;
}

function feeOf(transaction: SolanaTransaction, account: SigningAccount): Fee | undefined {
  const maximum = maximumFee(transaction);
  if (maximum === undefined) return undefined;
  const payer = accountAt(transaction, 0);
  return {
    maximum: String(maximum),
    asset: 'SOL',
    ...(payer === account.address ? {} : { payer }),
    text: `${payer} pays a fee of at most ${solText(maximum)}.`,
  };
}

/** 0.01 SOL: two thousand times the fee of one signature. */
const highFee = 10_000_000n;

function warningsOf(transaction: SolanaTransaction, account: SigningAccount): readonly Warning[] {
  const { header, addresses, tables } = transaction;
  const warnings: Warning[] = [];
  const nonceAccount = durableNonceOf(transaction);
  if (nonceAccount !== undefined) {
    const text = `The transaction does not expire: it can be sent until the nonce of ${nonceAccount} advances.`;
    warnings.push({ code: 'DURABLE_NONCE', text });
  }
  const hidden = tableReferences(tables).length;
  if (hidden > 0) {
    const what = hidden === 1 ? '1 account comes' : `${hidden} accounts come`;
    const text = `${what} from lookup tables: the transaction does not hold the addresses.`;
    warnings.push({ code: 'HIDDEN_ACCOUNTS', text });
  }
  const fee = maximumFee(transaction);
  if (fee !== undefined && fee >= highFee) {
    warnings.push({ code: 'HIGH_FEE', text: `The fee may be as high as ${solText(fee)}.` });
  }
  const [payer = ''] = addresses;
  const own = new Set(signersOf(account).map(({ address }) => address));
  if (!own.has(payer)) {
    const text = `${payer} pays the fee, not ${account.address}.`;
    warnings.push({ code: 'FEE_PAYER_IS_ANOTHER', text });
  }
  const others = addresses
    .slice(0, header.requiredSignatures)
    .filter((address) => !own.has(address));
  if (others.length > 0) {
    const who =
      others.length === 1 ? 'Another account has' : `${others.length} other accounts have`;
    const text = `${who} to sign as well: ${others.join(', ')}.`;
    warnings.push({ code: 'OTHER_SIGNERS', text });
  }
  return warnings;
}

/** The nonce account of a transaction whose first instruction advances a nonce. */
function durableNonceOf(transaction: SolanaTransaction): string | undefined {
  const first: SolanaInstruction | undefined = transaction.instructions[0];
  if (first?.call?.name !== 'AdvanceNonceAccount') return undefined;
  return accountAt(transaction, first.accounts[0]);
}

/** Codes of warnings, most serious first. */
const order: readonly WarningCode[] = [
  'NEW_AUTHORITY',
  'UNLIMITED_APPROVAL',
  'APPROVAL',
  'NAME_OF_ANOTHER_CALL',
  'UNREADABLE_CALL_DATA',
  'NOT_DECODED',
  'UNKNOWN_CONTRACT',
  'HIDDEN_ACCOUNTS',
  'DURABLE_NONCE',
  'UNVERIFIED_AMOUNT',
  'HIGH_FEE',
  'FEE_PAYER_IS_ANOTHER',
  'OTHER_SIGNERS',
];

/** Returns unique sentences in the order of their codes. */
function ordered(warnings: readonly Warning[]): readonly Warning[] {
  const once = distinctWarnings(warnings);
  return once.toSorted((a, b) => order.indexOf(a.code) - order.indexOf(b.code));
}
