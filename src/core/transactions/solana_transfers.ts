// The transfers of a Solana transaction that limits over time count.

import type { SolanaInstruction, SolanaTransaction } from '../chains/solana/transaction.ts';
import type { VisibleTransfer } from './described.ts';
import { accountAt, hiddenAccount, tokenTransferOf } from './solana_facts.ts';
import { stakeWithdrawal } from './solana_stake.ts';

/**
 * SOL that the system program and withdrawals of stake move, and tokens that a token program does, with
 * their mint where the transaction names it. Tokens go from one token account to another: what counts as
 * sent to oneself must not rest on owners, since a token account can lie at the address of a wallet and
 * be owned by others.
 */
export function solanaTransfers(transaction: SolanaTransaction): readonly VisibleTransfer[] {
  return transaction.instructions
    .flatMap((instruction) => [
      ...solTransfers(instruction, transaction),
      ...tokenTransfers(instruction, transaction),
      ...unwrapped(instruction, transaction),
      ...[stakeWithdrawal(instruction, transaction) ?? []].flat(),
    ])
    .map(apart);
}

/** Two accounts of lookup tables look the same, and are not known to be: the receiver stays unnamed. */
function apart(transfer: VisibleTransfer): VisibleTransfer {
  return transfer.to === hiddenAccount ? { ...transfer, to: '' } : transfer;
}

/** Wrapped SOL that goes to another account as SOL; without an amount the instruction does not say. */
function unwrapped(
  { call, accounts }: SolanaInstruction,
  transaction: SolanaTransaction,
): readonly VisibleTransfer[] {
  if (call?.program !== 'token' || call.name !== 'UnwrapLamports') return [];
  if (call.amount === undefined) return [];
  const [, to, owner] = accounts;
  const { amount } = call;
  const from = accountAt(transaction, owner);
  return [{ token: '', from, to: accountAt(transaction, to), amount }];
}

/** Position of the receiver, of instructions that move SOL away from their first account. */
const receivers: ReadonlyMap<string, number> = new Map([
  ['Transfer', 1],
  ['CreateAccount', 1],
  ['CreateAccountWithSeed', 1],
  ['WithdrawNonceAccount', 1],
  ['TransferWithSeed', 2],
]);

function solTransfers(
  { call, accounts }: SolanaInstruction,
  transaction: SolanaTransaction,
): readonly VisibleTransfer[] {
  if (call?.program !== 'system' || call.lamports === undefined) return [];
  const receiver = receivers.get(call.name);
  if (receiver === undefined) return [];
  return [
    {
      token: '',
      from: accountAt(transaction, accounts[0]),
      to: accountAt(transaction, accounts[receiver]),
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
