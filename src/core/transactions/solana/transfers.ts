// The transfers of a Solana transaction that velocity controls count.

import { base58Key } from '../../chains/solana/base58_key.ts';
import type { SolanaInstruction, SolanaTransaction } from '../../chains/solana/transaction.ts';
import type { VisibleTransfer } from '../described.ts';
import {
  accountAt,
  hiddenAccount,
  isHiddenTransfer,
  isUnknownSystemCall,
  isUnknownTokenCall,
  tokenTransferOf,
} from './facts.ts';
import { isUnknownStakeCall, stakeWithdrawal } from './stake.ts';

/**
 * Returns the SOL that the system program and stake withdrawals move, and the tokens that token programs
 * move, with their mint if the transaction names it. Tokens move between token accounts. A transfer between
 * two token accounts of one owner is included: addresses do not prove an owner, since a token account can
 * have the address of a wallet and another owner.
 */
export function solanaTransfers(transaction: SolanaTransaction): readonly VisibleTransfer[] {
  return transaction.instructions
    .flatMap((instruction) => [
      ...solTransfers(instruction, transaction),
      ...tokenTransfers(instruction, transaction),
      ...withdrawnSol(instruction, transaction),
      ...[stakeWithdrawal(instruction, transaction) ?? []].flat(),
      ...unknownTransfers(instruction, transaction),
      ...newOwners(instruction, transaction),
    ])
    .map(apart);
}

/**
 * Removes a recipient in a lookup table, since payer and recipient would have the same placeholder although
 * they may differ.
 */
function apart(transfer: VisibleTransfer): VisibleTransfer {
  return transfer.to === hiddenAccount ? { ...transfer, to: '' } : transfer;
}

/** Instructions of token programs that send SOL of a token account to another account. */
const withdrawals: ReadonlySet<string> = new Set([
  'CloseAccount',
  'WithdrawExcessLamports',
  'UnwrapLamports',
]);

/** Returns the SOL that a token account's authority sends to another account, often an unstated amount. */
function withdrawnSol(
  { call, accounts }: SolanaInstruction,
  transaction: SolanaTransaction,
): readonly VisibleTransfer[] {
  if (call?.program !== 'token' || !withdrawals.has(call.name)) return [];
  const [, to, authority] = accounts;
  const moved = {
    token: '',
    from: accountAt(transaction, authority),
    to: accountAt(transaction, to),
  };
  const amount = 'amount' in call ? call.amount : undefined;
  return [amount === undefined ? { ...moved, amount: 0n, isAtLeast: true } : { ...moved, amount }];
}

/** Returns unknown amounts for hidden transfers, and for unknown instructions that may be transfers. */
function unknownTransfers(
  instruction: SolanaInstruction,
  transaction: SolanaTransaction,
): readonly VisibleTransfer[] {
  if (isHiddenTransfer(instruction)) {
    const [from, to] = [0, 2].map((place) => accountAt(transaction, instruction.accounts[place]));
    const token = transaction.addresses[instruction.accounts[1] ?? -1];
    return [{ token, from: from ?? '', to: to ?? '', amount: 0n, isAtLeast: true }];
  }
  const isOfSystem =
    isUnknownSystemCall(instruction) || isUnknownStakeCall(instruction, transaction);
  if (!isOfSystem && !isUnknownTokenCall(instruction)) return [];
  const from = accountAt(transaction, instruction.accounts[0]);
  return [{ token: isOfSystem ? '' : undefined, from, to: '', amount: 0n, isAtLeast: true }];
}

/** The kind of authority that owns a token account. */
const owning = 2;

/** Instructions of the system program that give an account with its SOL to a program. */
const assignments: ReadonlySet<string> = new Set(['Assign', 'AssignWithSeed', 'AllocateWithSeed']);

/** Returns unknown amounts for an account that changes its owner, with all that it holds. */
function newOwners(
  { call, accounts }: SolanaInstruction,
  transaction: SolanaTransaction,
): readonly VisibleTransfer[] {
  const from = accountAt(transaction, accounts[0]);
  const unknown = { from, amount: 0n, isAtLeast: true } as const;
  if (call?.program === 'system' && assignments.has(call.name)) {
    const to = call.owner === undefined ? '' : base58Key(call.owner);
    return [{ token: '', to, ...unknown }];
  }
  const isOwner = call?.program === 'token' && call.authorityType === owning;
  const owner = isOwner ? call.newAuthority : undefined;
  if (owner === undefined || owner === null) return [];
  const to = base58Key(owner);
  return [undefined, ''].map((token) => ({ token, to, ...unknown }));
}

/** Positions of payer and receiver in the instructions that move SOL. */
const movers: ReadonlyMap<string, readonly [from: number, to: number]> = new Map([
  ['Transfer', [0, 1]],
  ['CreateAccount', [0, 1]],
  ['CreateAccountWithSeed', [0, 1]],
  ['CreateAccountAllowPrefund', [1, 0]],
  ['WithdrawNonceAccount', [0, 1]],
  ['TransferWithSeed', [0, 2]],
]);

function solTransfers(
  { call, accounts }: SolanaInstruction,
  transaction: SolanaTransaction,
): readonly VisibleTransfer[] {
  if (call?.program !== 'system' || call.lamports === undefined) return [];
  const places = movers.get(call.name);
  if (places === undefined || accounts.length < 2) return [];
  const [from, to] = places;
  return [
    {
      token: '',
      from: accountAt(transaction, accounts[from]),
      to: accountAt(transaction, accounts[to]),
      amount: call.lamports,
    },
  ];
}

function tokenTransfers(
  instruction: SolanaInstruction,
  transaction: SolanaTransaction,
): readonly VisibleTransfer[] {
  const transfer = tokenTransferOf(instruction);
  if (transfer === undefined) return [];
  const { mint, from, to, amount } = transfer;
  return [
    {
      token: mint === undefined ? undefined : transaction.addresses[mint],
      from: accountAt(transaction, from),
      to: accountAt(transaction, to),
      amount,
    },
  ];
}
