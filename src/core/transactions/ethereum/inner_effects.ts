// Describes inner calls. Each sentence states the condition under which a contract makes the call.

import { eip55 } from '../../address/ethereum.ts';
import { hex } from '../../base/bytes.ts';
import type { Effect, Warning } from '../../organization/records/transaction_explanation.ts';
import { bytesText } from '../calls/call_explanation.ts';
import { type Call, isZeroAddress, selectorOf } from './call.ts';
import {
  contractOf,
  type InnerCall,
  innerCallLimits,
  isMultiSend,
  namesNoAddress,
  readBundle,
  type SafeRefund,
} from './inner_calls.ts';
import { coinAsset, coinText } from './known_chains.ts';
import { tokenAmountText } from './known_tokens.ts';
import { readRouter, routerLimits } from './router_calls.ts';
import { routerEffect } from './router_effects.ts';
import { standardCall } from './standard_calls.ts';
import { standardEffect, standardWarnings } from './standard_effects.ts';

export type InnerEffects = {
  readonly effects: readonly Effect[];
  readonly warnings: readonly Warning[];
};

/** The contract that makes the inner calls. */
type Maker = {
  readonly chainId: bigint | undefined;
  /** The sender of the inner calls, in EIP-55. */
  readonly sender: string;
  /** `If 0x… is a Safe, it`, as the subject of a sentence. */
  readonly subject: string;
};

/** Effects in the order of the calls, the number of calls still allowed (`left`) and omitted (`more`). */
type Found = {
  readonly effects: Effect[];
  readonly warnings: Warning[];
  left: number;
  more: number;
  /** The number of bytes in inner calls that may still be read. Calls may share their bytes. */
  bytes: number;
  /** The number of commands of routers that may still be shown. */
  steps: number;
};

/** Returns the effects and warnings of the inner calls. Both are empty if the call is not a known wrapper. */
export function innerEffects(
  call: Call,
  { chainId, caller }: { readonly chainId: bigint | undefined; readonly caller: string },
): InnerEffects {
  return collected((found) => {
    const isRouter = addRouter(call, { chainId, caller }, found);
    if (!isRouter) addBundle(call, { chainId, caller }, found, innerCallLimits.depth);
  });
}

/** Returns the effects of one call that a Safe makes, and of its refund of gas. */
export function effectsOfSafe(
  call: InnerCall,
  refund: SafeRefund,
  { chainId, safe }: { readonly chainId: bigint | undefined; readonly safe: string },
): InnerEffects {
  const maker = { chainId, sender: safe, subject: 'The Safe' };
  return collected((found) => {
    addCall(call, maker, found, innerCallLimits.depth);
    addRefund(refund, maker, found);
  });
}

/** Returns the effects of a call that an entry point (ERC-4337) makes to the account of an operation. */
export function effectsOfAccount(
  call: Call,
  { chainId }: { readonly chainId: bigint | undefined },
): InnerEffects {
  const maker = { chainId, sender: 'the entry point', subject: 'The entry point' };
  return collected((found) => {
    const caller = contractOf(call);
    if (addBundle(call, { chainId, caller }, found, innerCallLimits.depth)) return;
    addUnknown({ ...call, value: undefined, isDelegate: false }, maker, found);
  });
}

/** Returns the effects of calls that an account makes by its code. */
export function effectsOfCalls(
  calls: readonly InnerCall[],
  { chainId, sender }: { readonly chainId: bigint | undefined; readonly sender: string },
): InnerEffects {
  const maker = { chainId, sender, subject: 'The account' };
  return collected((found) => {
    for (const call of calls) addCall(call, maker, found, innerCallLimits.depth);
  });
}

/** Returns what a function adds. Warns of calls beyond the maximum number. */
function collected(add: (found: Found) => void): InnerEffects {
  const found: Found = {
    effects: [],
    warnings: [],
    left: innerCallLimits.calls,
    more: 0,
    bytes: innerCallLimits.bytes,
    steps: routerLimits.steps,
  };
  add(found);
  const { effects, warnings, more } = found;
  if (more === 0) return { effects, warnings };
  const text = `${more} further ${more === 1 ? 'call is' : 'calls are'} not shown here.`;
  return { effects, warnings: [...warnings, { code: 'UNREADABLE_CALL_DATA', text }] };
}

/** Adds the inner calls of a call. Returns false if it has none. */
function addBundle(
  call: Call,
  { chainId, caller }: { readonly chainId: bigint | undefined; readonly caller: string },
  found: Found,
  depth: number,
): boolean {
  const bundle = depth === 0 || found.bytes < 0 ? undefined : readBundle(call);
  if (bundle === undefined) return false;
  found.bytes -= bundle.calls.reduce((sum, { data }) => sum + data.length, 0);
  const contract = contractOf(call);
  const sender = bundle.sender === 'caller' ? caller : contract;
  const maker = { chainId, sender, subject: `If ${contract} ${bundle.condition}, it` };
  for (const inner of bundle.calls) addCall(inner, maker, found, depth - 1);
  if (bundle.refund !== undefined) addRefund(bundle.refund, maker, found);
  return true;
}

/** Adds the commands of a Universal Router. Returns false for another call. */
function addRouter(
  call: Call,
  { chainId, caller }: { readonly chainId: bigint | undefined; readonly caller: string },
  found: Found,
): boolean {
  if (found.steps <= 0) return false;
  const steps = readRouter(call);
  if (steps === undefined) return false;
  found.steps -= steps.length;
  const router = contractOf(call);
  const subject = `If ${router} is a Universal Router, it`;
  for (const step of steps) {
    const { effect, warning } = routerEffect(step, subject, { chainId, router, caller });
    found.effects.push(effect);
    if (warning !== undefined) found.warnings.push(warning);
  }
  return true;
}

function addRefund(
  { baseGas, gasPrice, token, receiver }: SafeRefund,
  { chainId, sender, subject }: Maker,
  found: Found,
): void {
  if (gasPrice === 0n) return;
  const contract = isZeroAddress(token) ? undefined : eip55(hex(token));
  const to = isZeroAddress(receiver) ? undefined : eip55(hex(receiver));
  const textOf = (amount: bigint) =>
    contract === undefined
      ? coinText(amount, chainId)
      : tokenAmountText(amount, { chainId, contract });
  // For the coin, the price of the outer transaction is a second bound.
  const bound = contract === undefined ? 'at most' : 'at least';
  const amounts = `${bound} ${textOf(baseGas * gasPrice)}, and ${textOf(gasPrice)} for each unit of gas used`;
  const whom = to ?? 'the account that executes the transaction';
  // Only the used gas decides the amount, so the effect is no transfer. Headlines count a call without a
  // contract as a further effect.
  found.effects.push({
    kind: 'CALL',
    text: `${subject} refunds gas to ${whom}: ${amounts}.`,
    from: sender,
    ...(to === undefined ? {} : { to }),
  });
  const warning = `The refund of gas is paid by ${sender}, and may exceed the amounts of its calls.`;
  found.warnings.push({ code: 'HIGH_FEE', text: warning });
}

function addCall(call: InnerCall, maker: Maker, found: Found, depth: number): void {
  if (found.left === 0) {
    found.more += 1;
    return;
  }
  found.left -= 1;
  const { chainId, sender, subject } = maker;
  const contract = contractOf(call);
  if (call.isDelegate) {
    addDelegate(call, maker, found, depth);
    return;
  }
  if (call.value !== undefined && call.value > 0n) {
    found.effects.push({
      kind: 'TRANSFER',
      text: `${subject} sends ${coinText(call.value, chainId)} to ${contract}.`,
      from: sender,
      to: contract,
      amount: String(call.value),
      asset: coinAsset(chainId),
    });
    if (call.data.length === 0) return;
  }
  const read = standardCall(call, sender);
  if (read !== undefined) {
    const called = { call: read, chainId, contract };
    const effect = standardEffect(called);
    const text = `${effect.text.slice(0, 1).toLowerCase()}${effect.text.slice(1)}`;
    found.effects.push({ ...effect, text: `${subject} calls ${contract}: ${text}` });
    found.warnings.push(...standardWarnings(called));
    return;
  }
  if (addRouter(call, { chainId, caller: sender }, found)) return;
  if (addBundle(call, { chainId, caller: sender }, found, depth)) return;
  addUnknown(call, maker, found);
}

function addUnknown(call: InnerCall, { sender, subject }: Maker, found: Found): void {
  const contract = contractOf(call);
  if (contract === sender && call.data.length > 0) {
    // Owners, modules, guards and the code of an account change only by calls to itself.
    const warning = `By a call to itself, ${sender} can change who controls it.`;
    found.warnings.push({ code: 'NEW_AUTHORITY', text: warning });
  } else if (call.data.length > 0) {
    const warning = `The effect of the call of ${contract} is unknown.`;
    found.warnings.push({ code: 'UNREADABLE_CALL_DATA', text: warning });
  }
  found.effects.push({
    kind: 'CALL',
    text: `${subject} calls ${contract} ${dataText(call)}.`,
    contract,
  });
}

/** Adds a delegate call of a Safe: MultiSend only makes the packed calls; other code may do anything. */
function addDelegate(call: InnerCall, maker: Maker, found: Found, depth: number): void {
  const isRead = isMultiSend(call.to) && depth > 0 && found.bytes >= 0;
  const bundle = isRead ? readBundle(call) : undefined;
  if (bundle !== undefined) {
    found.bytes -= bundle.calls.reduce((sum, { data }) => sum + data.length, 0);
    for (const inner of bundle.calls) addCall(inner, maker, found, depth - 1);
    if (namesNoAddress(bundle)) {
      const warning = `A call in the bundle has no address. MultiSend of Safe 1.5.0 makes this call to ${maker.sender} itself, and it can change who controls that account.`;
      found.warnings.push({ code: 'NEW_AUTHORITY', text: warning });
    }
    return;
  }
  const { sender, subject } = maker;
  const contract = contractOf(call);
  const text = `${subject} runs the code of ${contract} as its own.`;
  found.effects.push({ kind: 'DELEGATION', text, from: sender, to: contract });
  const warning = `The code of ${contract} can take everything that ${sender} holds.`;
  found.warnings.push({ code: 'CODE_DELEGATION', text: warning });
}

function dataText(call: InnerCall): string {
  if (call.data.length === 0) return 'without data';
  const selector = selectorOf(call);
  if (selector === undefined) return `with the data 0x${hex(call.data)}`;
  return `with ${bytesText(call.data)} of data, which begin with the selector ${selector}`;
}
