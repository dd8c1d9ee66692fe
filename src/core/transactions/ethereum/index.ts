// Transactions of Ethereum and of chains with its virtual machine, for policies, limits and people.

import { ethereumFormat } from '../../chains/ethereum/index.ts';
import type { EthereumTransaction } from '../../chains/ethereum/transaction.ts';
import { transfersOfCalls } from '../calls/call_transfers.ts';
import { everythingOf } from '../calls/transfer_rules.ts';
import type { TransactionKind, VisibleTransfer } from '../described.ts';
import { addressText, isZeroAddress, mayCall } from './call.ts';
import { explainEthereum } from './explanation.ts';
import { authorityOf, ethereumFacts } from './facts.ts';

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

/** Returns the transfers of the call, and unknown amounts for code that the sender's account gets. */
function visibleTransfers(
  transaction: EthereumTransaction,
  from: string,
): readonly VisibleTransfer[] {
  const { chainId, authorizationList } = transaction;
  const isEmpowered = authorizationList.some((each) => {
    const isHere = each.chainId === 0n || each.chainId === chainId;
    return (
      isHere && !isZeroAddress(each.address) && addressText(authorityOf(each) ?? none) === from
    );
  });
  return [
    ...transfersOfCalls([transaction], from, { addressOf: addressText }),
    ...(isEmpowered ? everythingOf(from) : []),
  ];
}

const none = new Uint8Array();
