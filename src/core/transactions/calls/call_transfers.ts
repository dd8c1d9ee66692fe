// The transfers of contract calls that velocity controls count, for all chains with call data of Ethereum.
// The sum of decoded calls is never too small: a right that lets another account spend later counts like a
// transfer, and a hidden amount makes the sum unknown. Calls without a known meaning do not count.

import { hex } from '../../base/bytes.ts';
import type { VisibleTransfer } from '../described.ts';
import { isZeroAddress } from '../ethereum/call.ts';
import type { Bundle, InnerCall, SafeRefund } from '../ethereum/inner_calls.ts';
import { transfersOfStep } from '../ethereum/router_effects.ts';
import type { StandardCall } from '../ethereum/standard_calls.ts';
import { movedByCall } from './token_calls.ts';
import { allowance, everythingOf, hiddenAmount } from './transfer_rules.ts';
import { type GivenCall, type VisitedCall, type Visitor, walkCalls } from './walk_calls.ts';

type Writer = Pick<Visitor, 'addressOf'>;

/** Returns the transfers of calls that one account makes, of the calls within, and of refunds. */
export function transfersOfCalls(
  calls: readonly GivenCall[],
  sender: string,
  { addressOf, refund }: Writer & { readonly refund?: SafeRefund },
): readonly VisibleTransfer[] {
  const transfers: VisibleTransfer[] = [];
  let isCut = false;
  const textOf = (account: Uint8Array) => (isZeroAddress(account) ? '' : addressOf(account));
  walkCalls(calls, refund === undefined ? { sender } : { sender, refund }, {
    addressOf,
    call: (visited) => transfers.push(...transfersOfCall(visited, addressOf)),
    // The price of a refund has no bound.
    refund: ({ token, receiver }, { sender: from }) =>
      transfers.push({ token: textOf(token), from, to: textOf(receiver), ...hiddenAmount }),
    unnamed: (maker) => transfers.push(...everythingOf(maker.sender)),
    omitted: (maker) => {
      if (!isCut) transfers.push(...everythingOf(maker.sender));
      isCut = true;
    },
  });
  return transfers;
}

function transfersOfCall(
  visited: VisitedCall,
  addressOf: Writer['addressOf'],
): readonly VisibleTransfer[] {
  const { call, contract, maker, meaning } = visited;
  const { sender } = maker;
  if (meaning.kind === 'code') return everythingOf(sender);
  if (call.isDelegate) return [];
  const { value = 0n } = call;
  // Coins that the contract only passes on count once, as transfers to their receivers.
  const kept = value - (meaning.kind === 'calls' ? passedOn(meaning.bundle, call, value) : 0n);
  return [
    ...(kept > 0n ? [{ token: '', from: sender, to: contract, amount: kept }] : []),
    ...(contract === '' ? [] : tokenTransfers(visited, addressOf)),
  ];
}

/** Returns the part of a value that the calls within send to other accounts. */
function passedOn({ sender, calls }: Bundle, { to }: InnerCall, value: bigint): bigint {
  if (sender === 'caller') return 0n;
  const sum = calls
    .filter((inner) => !inner.isDelegate && hex(inner.to) !== hex(to))
    .reduce((total, inner) => total + (inner.value ?? 0n), 0n);
  return sum < value ? sum : value;
}

function tokenTransfers(
  { call, contract, maker: { sender }, meaning, isOwn }: VisitedCall,
  addressOf: Writer['addressOf'],
): readonly VisibleTransfer[] {
  // By a call to itself, an account changes its owners and its code. Functions of accounts may have the names
  // of token functions: a wallet's `transfer` sends coins.
  if (isOwn) return everythingOf(contract);
  // Some contracts execute a token function in no standard form.
  const token = movedByCall(call.data);
  if (token !== undefined) {
    const { effect, to, amount } = token;
    const from = token.from === undefined ? sender : addressOf(token.from);
    const moved = { token: contract, from, to: addressOf(to) };
    return effect === 'transfer' ? [{ ...moved, amount }] : allowance(moved, amount);
  }
  switch (meaning.kind) {
    case 'router': {
      const place = { router: contract, caller: sender };
      return meaning.steps.flatMap((step) => transfersOfStep(step, place, addressOf));
    }
    case 'standard':
      return standardTransfers(meaning.call, contract, sender);
    case 'unreadable':
      return everythingOf(contract);
    default:
      return [];
  }
}

/** Standards whose operators move every asset that the caller has in the contract. */
const ofAccounts: ReadonlySet<string> = new Set(['Compound III', 'Morpho']);

function standardTransfers(
  call: StandardCall,
  contract: string,
  sender: string,
): readonly VisibleTransfer[] {
  const { to } = call;
  switch (call.kind) {
    case 'transfer':
      return [{ token: contract, from: call.from, to, amount: call.amount }];
    case 'transferItems': {
      const amount = call.items.reduce((sum, item) => sum + item.amount, 0n);
      return [{ token: contract, from: call.from, to, amount }];
    }
    case 'approve': {
      const { owner: from = sender, token = contract, amount } = call;
      return allowance({ token, from, to }, amount);
    }
    case 'approveAll':
      if (!call.isAllowed) return [];
      return ofAccounts.has(call.standard)
        ? everythingOf(sender)
        : [{ token: contract, from: sender, to, ...hiddenAmount }];
    case 'empower':
      return everythingOf(contract);
    case 'vault': {
      const { from, isOut, shares } = call;
      // Without a token, the payment counts as any token. A payment to its payer does not count.
      if (!isOut) return [{ token: undefined, from, to, ...hiddenAmount }];
      const amount = shares === undefined ? hiddenAmount : { amount: shares };
      return [{ token: contract, from, to, ...amount }];
    }
  }
}
