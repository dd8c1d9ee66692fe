// The visible transfers of a Tron transaction.

import { tronAddress } from '../../address/tron.ts';
import type { TronContract } from '../../chains/tron/messages.ts';
import type { TronTransaction } from '../../chains/tron/transaction.ts';
import { transfersOfCalls } from '../calls/call_transfers.ts';
import { everythingOf } from '../calls/transfer_rules.ts';
import type { VisibleTransfer } from '../described.ts';

type Call = Extract<TronContract, { type: 'TriggerSmartContract' }>['members'];

/** Returns the transfers of TRX, of TRC-10 tokens in calls, and of calls. */
export function tronTransfers({ raw }: TronTransaction): readonly VisibleTransfer[] {
  const { contract } = raw;
  if (contract.type === 'TransferContract') {
    const { owner_address, to_address, amount } = contract.members;
    return [{ token: '', from: owner_address.base58, to: to_address.base58, amount }];
  }
  if (contract.type === 'AccountPermissionUpdateContract') {
    return everythingOf(contract.members.owner_address.base58);
  }
  return contract.type === 'TriggerSmartContract' ? transfersOfCall(contract.members) : [];
}

function transfersOfCall(members: Call): readonly VisibleTransfer[] {
  const { owner_address, contract_address, call_value, call_token_value, token_id, data } = members;
  const [from, contract] = [owner_address.base58, contract_address.base58];
  // The first byte of an address names the network.
  const call = { to: contract_address.bytes.subarray(1), data, value: call_value };
  return [
    ...(call_token_value > 0n
      ? [{ token: String(token_id), from, to: contract, amount: call_token_value }]
      : []),
    ...transfersOfCalls([call], from, { addressOf: tronAddress }),
  ];
}
