import type { SigningAccount } from '../../chains/chain.ts';
import { tempoFormat } from '../../chains/tempo/index.ts';
import type { TempoTransaction } from '../../chains/tempo/transaction.ts';
import { transfersOfCalls } from '../calls/call_transfers.ts';
import type { TransactionKind, VisibleTransfer } from '../described.ts';
import { explainTempo, tempoAddress } from './explanation.ts';
import { tempoFacts } from './facts.ts';

/** Transactions of Tempo. Interfaces do not apply to its contracts. */
export const tempoKind: TransactionKind<TempoTransaction> = {
  format: tempoFormat,
  contracts: () => [],
  facts: tempoFacts,
  explain: explainTempo,
  transfers: tempoTransfers,
  chain: ({ chainId }) => `eip155:${chainId}`,
};

/** Returns the transfers of the calls, which have no value. */
function tempoTransfers(
  { calls }: TempoTransaction,
  { address }: SigningAccount,
): readonly VisibleTransfer[] {
  const made = calls.map(({ to, input }) => ({ to, data: input, value: 0n }));
  return transfersOfCalls(made, address, { addressOf: tempoAddress });
}
