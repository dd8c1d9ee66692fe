// Transactions of Ethereum and of chains with its virtual machine, for policies, limits and people.

import { ethereumFormat } from '../../chains/ethereum/index.ts';
import type { EthereumTransaction } from '../../chains/ethereum/transaction.ts';
import { movedByCall } from '../calls/token_calls.ts';
import type { TransactionKind, VisibleTransfer } from '../described.ts';
import { addressText, mayCall } from './call.ts';
import { explainEthereum } from './explanation.ts';
import { ethereumFacts } from './facts.ts';

export const ethereumKind: TransactionKind<EthereumTransaction> = {
  format: ethereumFormat,
  contracts: (transaction) => (mayCall(transaction) ? [addressText(transaction.to)] : []),
  facts: (transaction, account, interfaces) => ({
    eth: { tx: ethereumFacts(transaction, account, interfaces) },
  }),
  explain: explainEthereum,
  transfers: (transaction, { address }) => visibleTransfers(transaction, address),
  chain: ({ chainId }) => (chainId === undefined ? 'eip155' : `eip155:${chainId}`),
};

/**
 * Returns the value, and the tokens that a call would move if the contract is an ERC-20 token. Velocity
 * controls count them even if this is uncertain. Inner calls are not included.
 */
function visibleTransfers(
  transaction: EthereumTransaction,
  from: string,
): readonly VisibleTransfer[] {
  const { value, to, data } = transaction;
  const contract = addressText(to);
  const transfers = value === 0n ? [] : [{ token: '', from, to: contract, amount: value }];
  const call = contract === '' ? undefined : movedByCall(data);
  if (call === undefined) return transfers;
  const payer = call.from === undefined ? from : addressText(call.from);
  return [
    ...transfers,
    { token: contract, from: payer, to: addressText(call.to), amount: call.amount },
  ];
}
