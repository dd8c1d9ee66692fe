// What limits over time count of a Solana transaction.

import type { SolanaInstruction, SolanaTransaction } from '../chains/solana/transaction.ts';
import type { VisibleTransfer } from './described.ts';
import { accountAt, hiddenAccount, tokenTransferOf } from './solana_facts.ts';

/**
 * SOL that the system program moves, and tokens whose mint the transaction names. The owner of a token
 * account is who sends them.
 */
export function solanaTransfers(transaction: SolanaTransaction): readonly VisibleTransfer[] {
  return transaction.instructions.flatMap((instruction) => [
    ...solTransfers(instruction, transaction),
    ...tokenTransfers(instruction, transaction),
  ]);
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
  if (transfer?.mint === undefined) return [];
  const token = accountAt(transaction, transfer.mint);
  if (token === hiddenAccount) return [];
  return [
    {
      token,
      from: accountAt(transaction, transfer.owner),
      to: accountAt(transaction, transfer.to),
      amount: transfer.amount,
    },
  ];
}
