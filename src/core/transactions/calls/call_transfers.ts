// The transfers of contract calls that velocity controls count, for all chains with call data of Ethereum.
// The sum of decoded calls is never too small: a right that lets another account spend later counts like a
// transfer, and a hidden amount makes the sum unknown. Calls without a known meaning do not count.

import { hex } from '../../base/bytes.ts';
import type { VisibleTransfer } from '../described.ts';
import { isZeroAddress, selectorOf } from '../ethereum/call.ts';
import {
  type Bundle,
  bundleOf,
  type InnerCall,
  innerCallLimits,
  isMultiSend,
  namesNoAddress,
  type SafeRefund,
} from '../ethereum/inner_calls.ts';
import { readRouter, routerLimits, routerSignature } from '../ethereum/router_calls.ts';
import { transfersOfStep } from '../ethereum/router_effects.ts';
import { type StandardCall, standardCall, standardSignature } from '../ethereum/standard_calls.ts';
import { movedByCall } from './token_calls.ts';
import { allowance, everythingOf, hiddenAmount } from './transfer_rules.ts';

/** Maximum numbers of counted calls of a transaction, and of the bytes in them. Beyond, sums are unknown. */
export const countedCallLimits = { calls: 128, bytes: 1_048_576 } as const;

/** A call of a transaction or of a signed permission. */
type CountedCall = Pick<InnerCall, 'to' | 'data' | 'value'>;

type Writer = {
  /** Returns the text of an account of 20 bytes. */
  readonly addressOf: (account: Uint8Array) => string;
};

type Walk = Writer & {
  readonly transfers: VisibleTransfer[];
  /** Numbers of calls and bytes that may still be read. */
  calls: number;
  bytes: number;
  /** The number of commands of routers that may still be counted. */
  steps: number;
  isCut: boolean;
};

/** Returns the transfers of calls that one account makes, with those of the calls within. */
export function transfersOfCalls(
  calls: readonly (CountedCall & { readonly isDelegate?: boolean })[],
  sender: string,
  { addressOf }: Writer,
): readonly VisibleTransfer[] {
  const walk = newWalk(addressOf);
  for (const call of calls) {
    addCall({ isDelegate: false, ...call }, sender, walk, innerCallLimits.depth);
  }
  return walk.transfers;
}

/** Returns the transfers of a call that a Safe makes, and those of its refund. */
export function transfersOfSafe(
  call: InnerCall,
  refund: SafeRefund,
  safe: string,
  { addressOf }: Writer,
): readonly VisibleTransfer[] {
  const walk = newWalk(addressOf);
  addCall(call, safe, walk, innerCallLimits.depth);
  addRefund(refund, safe, walk);
  return walk.transfers;
}

const newWalk = (addressOf: Writer['addressOf']): Walk => ({
  addressOf,
  transfers: [],
  ...countedCallLimits,
  steps: routerLimits.steps,
  isCut: false,
});

function addCall(call: InnerCall, sender: string, walk: Walk, depth: number): void {
  walk.calls -= 1;
  walk.bytes -= call.data.length;
  if (walk.calls < 0 || walk.bytes < 0) {
    if (!walk.isCut) walk.transfers.push(...everythingOf(sender));
    walk.isCut = true;
    return;
  }
  if (call.isDelegate) {
    addDelegate(call, sender, walk, depth);
    return;
  }
  const { value = 0n } = call;
  const bundle = bundleOf(call);
  const isRead = bundle !== undefined && bundle !== 'unreadable' && depth > 0;
  const contract = call.to.length === 0 ? '' : walk.addressOf(call.to);
  // Coins that the contract only passes on count once, as transfers to their receivers.
  const kept = value - (isRead ? passedOn(bundle, call, value) : 0n);
  if (kept > 0n) {
    walk.transfers.push({ token: '', from: sender, to: contract, amount: kept });
  }
  if (contract === '') return;
  if (isRead) addBundle(bundle, { contract, sender }, walk, depth - 1);
  else if (bundle !== undefined) walk.transfers.push(...everythingOf(contract));
  else walk.transfers.push(...tokenTransfers(call, contract, sender, walk));
}

/** Returns the part of a value that the calls within send to other accounts. */
function passedOn({ sender, calls }: Bundle, { to }: InnerCall, value: bigint): bigint {
  if (sender === 'caller') return 0n;
  const sum = calls
    .filter((inner) => !inner.isDelegate && hex(inner.to) !== hex(to))
    .reduce((total, inner) => total + (inner.value ?? 0n), 0n);
  return sum < value ? sum : value;
}

function addBundle(
  { sender: maker, calls, refund }: Bundle,
  { contract, sender }: { readonly contract: string; readonly sender: string },
  walk: Walk,
  depth: number,
): void {
  const from = maker === 'caller' ? sender : contract;
  for (const inner of calls) addCall(inner, from, walk, depth);
  if (refund !== undefined) addRefund(refund, from, walk);
}

/** Adds a delegate call: MultiSend only makes the packed calls; other code may do anything. */
function addDelegate(call: InnerCall, sender: string, walk: Walk, depth: number): void {
  const bundle = isMultiSend(call.to) && depth > 0 ? bundleOf(call) : undefined;
  if (bundle === undefined || bundle === 'unreadable') {
    walk.transfers.push(...everythingOf(sender));
    return;
  }
  for (const inner of bundle.calls) addCall(inner, sender, walk, depth - 1);
  if (namesNoAddress(bundle)) walk.transfers.push(...everythingOf(sender));
}

/** Adds a refund of gas, whose price has no bound. */
function addRefund({ gasPrice, token, receiver }: SafeRefund, from: string, walk: Walk): void {
  if (gasPrice === 0n) return;
  const textOf = (account: Uint8Array) => (isZeroAddress(account) ? '' : walk.addressOf(account));
  walk.transfers.push({ token: textOf(token), from, to: textOf(receiver), ...hiddenAmount });
}

function tokenTransfers(
  call: InnerCall,
  contract: string,
  sender: string,
  walk: Walk,
): readonly VisibleTransfer[] {
  const { addressOf } = walk;
  // By a call to itself, an account changes its owners and its code. Functions of accounts may have the names
  // of token functions: a wallet's `transfer` sends coins.
  if (contract === sender && call.data.length > 0) return everythingOf(contract);
  const token = movedByCall(call.data);
  if (token !== undefined) {
    const { effect, to, amount } = token;
    const from = token.from === undefined ? sender : addressOf(token.from);
    const moved = { token: contract, from, to: addressOf(to) };
    return effect === 'transfer' ? [{ ...moved, amount }] : allowance(moved, amount);
  }
  if (walk.steps <= 0 && routerSignature(selectorOf(call) ?? '') !== undefined) {
    return everythingOf(sender);
  }
  const steps = readRouter(call);
  if (steps !== undefined) {
    walk.steps -= steps.length;
    const place = { router: contract, caller: sender };
    return steps.flatMap((step) => transfersOfStep(step, place, addressOf));
  }
  const standard = standardCall(call, sender, addressOf);
  if (standard !== undefined) return standardTransfers(standard, contract, sender);
  const isDirty = standardSignature(selectorOf(call) ?? '') !== undefined;
  return isDirty ? everythingOf(contract) : [];
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
