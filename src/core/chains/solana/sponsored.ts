// A Solana transaction whose fee a sponsor pays: the same instructions with an additional first account.

import { equalBytes } from '../../base/bytes.ts';
import { refuseTransaction } from '../unreadable.ts';
import { keyBytes, maximumAccounts, signatureBytes } from './limits.ts';
import { type SolanaTransaction, tableReferences } from './transaction.ts';
import { writeTransaction } from './write.ts';

/**
 * Returns the transaction with the sponsor as fee payer, with the given blockhash and without signatures. No
 * instruction refers to the sponsor, so no program can use its signature. Raises `UnreadableTransaction`.
 */
export function sponsoredSolana(
  transaction: SolanaTransaction,
  sponsor: Uint8Array,
  blockhash: Uint8Array | undefined,
): Uint8Array {
  const { instructions, keys, lifetime } = transaction;
  if (instructions[0]?.call?.name === 'AdvanceNonceAccount') {
    refuseTransaction('instructions[0]', 'expected a blockhash: sponsors pay for no durable nonce');
  }
  const place = keys.findIndex((key) => equalBytes(key, sponsor));
  const shifted = place === 0 ? transaction : withPayer(transaction, sponsor, place);
  for (const [i, { programIndex, accounts }] of shifted.instructions.entries()) {
    if (programIndex !== 0 && !accounts.includes(0)) continue;
    refuseTransaction(`instructions[${i}]`, 'expected no use of the account of the sponsor');
  }
  const { requiredSignatures } = shifted.header;
  return writeTransaction({
    ...shifted,
    lifetime: blockhash ?? lifetime,
    signatures: Array.from({ length: requiredSignatures }, () => new Uint8Array(signatureBytes)),
  });
}

/** Inserts the sponsor before all other accounts, and increments every index. */
function withPayer(
  transaction: SolanaTransaction,
  sponsor: Uint8Array,
  place: number,
): SolanaTransaction {
  const { header, keys, instructions, tables } = transaction;
  if (place !== -1) {
    refuseTransaction(`account_keys[${place}]`, 'expected no use of the account of the sponsor');
  }
  // Indexes are bytes; an overflowing index would refer to the sponsor.
  const count = keys.length + tableReferences(tables).length;
  if (count >= maximumAccounts || sponsor.length !== keyBytes) {
    refuseTransaction('account_keys', `expected fewer than ${maximumAccounts}, got ${count}`);
  }
  return {
    ...transaction,
    header: { ...header, requiredSignatures: header.requiredSignatures + 1 },
    keys: [sponsor, ...keys],
    instructions: instructions.map((instruction) => ({
      ...instruction,
      programIndex: instruction.programIndex + 1,
      accounts: instruction.accounts.map((index) => index + 1),
    })),
  };
}
