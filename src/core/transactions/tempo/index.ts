import type { SigningAccount } from '../../chains/chain.ts';
import { tempoFormat } from '../../chains/tempo/index.ts';
import type { TempoTransaction } from '../../chains/tempo/transaction.ts';
import { movedByCall } from '../calls/token_calls.ts';
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

/** Returns the transfers of calls in the form of token calls. */
function tempoTransfers(
  { calls }: TempoTransaction,
  { address }: SigningAccount,
): readonly VisibleTransfer[] {
  return calls.flatMap(({ to, input }) => {
    const call = to.length === 0 ? undefined : movedByCall(input);
    if (call === undefined) return [];
    const from = call.from === undefined ? address : tempoAddress(call.from);
    return [{ token: tempoAddress(to), from, to: tempoAddress(call.to), amount: call.amount }];
  });
}
