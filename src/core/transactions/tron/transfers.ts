// The visible transfers of a Tron transaction.

import { tronAddress } from '../../address/tron.ts';
import type { TronContract } from '../../chains/tron/messages.ts';
import type { TronTransaction } from '../../chains/tron/transaction.ts';
import { movedByCall } from '../calls/token_calls.ts';
import type { VisibleTransfer } from '../described.ts';

type Call = Extract<TronContract, { type: 'TriggerSmartContract' }>['members'];

/** Returns the transfers of TRX, of TRC-10 tokens in calls, and of calls in the form of TRC-20. */
export function tronTransfers({ raw }: TronTransaction): readonly VisibleTransfer[] {
  const { contract } = raw;
  if (contract.type === 'TransferContract') {
    const { owner_address, to_address, amount } = contract.members;
    return [{ token: '', from: owner_address.base58, to: to_address.base58, amount }];
  }
  return contract.type === 'TriggerSmartContract' ? transfersOfCall(contract.members) : [];
}

function transfersOfCall(members: Call): VisibleTransfer[] {
  const { owner_address, contract_address, call_value, call_token_value, token_id } = members;
  const [from, contract] = [owner_address.base58, contract_address.base58];
  const transfers: VisibleTransfer[] = [];
  if (call_value > 0n) transfers.push({ token: '', from, to: contract, amount: call_value });
  if (call_token_value > 0n) {
    transfers.push({ token: String(token_id), from, to: contract, amount: call_token_value });
  }
  const call = movedByCall(members.data);
  if (call !== undefined) {
    transfers.push({
      token: contract,
      from: call.from === undefined ? from : tronAddress(call.from),
      to: tronAddress(call.to),
      amount: call.amount,
    });
  }
  return transfers;
}
