// Walks calls and the calls within them. Explanations and limits are visitors of the same walk, so both see
// the same calls, with the same meaning and the same bounds.

import { selectorOf } from '../ethereum/call.ts';
import {
  type Bundle,
  bundleOf,
  type InnerCall,
  isMultiSend,
  namesNoAddress,
  type SafeRefund,
} from '../ethereum/inner_calls.ts';
import {
  type RouterStep,
  readRouter,
  routerLimits,
  routerSignature,
} from '../ethereum/router_calls.ts';
import { type StandardCall, standardCall, standardSignature } from '../ethereum/standard_calls.ts';

/** Limits of one walk, which include the given calls. */
export const walkLimits = { calls: 128, bytes: 1_048_576, depth: 3 } as const;

/** A call of a transaction or of a signed permission. */
export type GivenCall = Pick<InnerCall, 'to' | 'data'> & Partial<InnerCall>;

/** The account that makes a call. */
export type Maker = {
  readonly sender: string;
  /** The contract that is called to make the call, and the condition for it. Undefined for a given call. */
  readonly by: { readonly contract: string; readonly condition: string } | undefined;
};

/** The meaning of a call. */
type Meaning =
  | { readonly kind: 'calls'; readonly bundle: Bundle }
  | { readonly kind: 'code' }
  | { readonly kind: 'router'; readonly steps: readonly RouterStep[] }
  | { readonly kind: 'standard'; readonly call: StandardCall }
  /** Begins like a known call, but has no standard form or exceeds a limit. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'unknown' };

export type VisitedCall = {
  readonly call: InnerCall;
  /** The address of the called contract. Empty for a contract creation. */
  readonly contract: string;
  readonly maker: Maker;
  readonly meaning: Meaning;
  /** True for a call of an account to itself that does more than make other calls: it may change owners. */
  readonly isOwn: boolean;
};

export type Visitor = {
  /** Returns the text of an account of 20 bytes. */
  readonly addressOf: (account: Uint8Array) => string;
  /** Visits a call before the calls within. */
  readonly call: (visited: VisitedCall) => void;
  /** Visits the refund of gas that a Safe pays after its call. */
  readonly refund: (refund: SafeRefund, maker: Maker) => void;
  /** Visits a call without an address, which MultiSend of Safe 1.5.0 makes to the Safe itself. */
  readonly unnamed: (maker: Maker) => void;
  /** Visits a call beyond the limits, which is not read. */
  readonly omitted: (maker: Maker) => void;
};

/** Numbers of calls, of bytes and of commands of routers that may still be read. */
type Left = { calls: number; bytes: number; steps: number };

/** Visits calls that one account makes, and the calls within. A Safe may pay a refund afterwards. */
export function walkCalls(
  calls: readonly GivenCall[],
  { sender, refund }: { readonly sender: string; readonly refund?: SafeRefund },
  visitor: Visitor,
): void {
  const left = { calls: walkLimits.calls, bytes: walkLimits.bytes, steps: routerLimits.steps };
  const maker = { sender, by: undefined };
  for (const call of calls) {
    walk({ value: 0n, isDelegate: false, ...call }, maker, { left, visitor }, walkLimits.depth);
  }
  if (refund !== undefined && refund.gasPrice > 0n) visitor.refund(refund, maker);
}

function walk(
  call: InnerCall,
  maker: Maker,
  state: { readonly left: Left; readonly visitor: Visitor },
  depth: number,
): void {
  const { left, visitor } = state;
  left.calls -= 1;
  left.bytes -= call.data.length;
  if (left.calls < 0 || left.bytes < 0) {
    visitor.omitted(maker);
    return;
  }
  const { sender } = maker;
  const contract = call.to.length === 0 ? '' : visitor.addressOf(call.to);
  const meaning = meaningOf(call, sender, state, depth);
  const isOwn = contract === sender && call.data.length > 0 && meaning.kind !== 'calls';
  visitor.call({ call, contract, maker, meaning, isOwn });
  if (meaning.kind !== 'calls') return;
  const { calls, refund, condition, sender: from } = meaning.bundle;
  const inner = call.isDelegate
    ? maker
    : { sender: from === 'caller' ? sender : contract, by: { contract, condition } };
  for (const each of calls) walk(each, inner, state, depth - 1);
  if (refund !== undefined && refund.gasPrice > 0n) visitor.refund(refund, inner);
  if (call.isDelegate && namesNoAddress(meaning.bundle)) visitor.unnamed(maker);
}

function meaningOf(
  call: InnerCall,
  sender: string,
  { left, visitor: { addressOf } }: { readonly left: Left; readonly visitor: Visitor },
  depth: number,
): Meaning {
  const bundle = bundleOf(call);
  const isRead = bundle !== undefined && bundle !== 'unreadable' && depth > 0;
  // A list without calls or commands has no known effect.
  const isList = isRead && bundle.calls.length > 0;
  // MultiSend only makes the packed calls; other code may do anything.
  if (call.isDelegate && !(isList && isMultiSend(call.to))) return { kind: 'code' };
  if (isRead) return isList ? { kind: 'calls', bundle } : { kind: 'unknown' };
  if (bundle !== undefined) return { kind: 'unreadable' };
  const selector = selectorOf(call) ?? '';
  if (routerSignature(selector) !== undefined && left.steps <= 0) return { kind: 'unreadable' };
  const steps = readRouter(call);
  if (steps !== undefined) {
    left.steps -= steps.length;
    return steps.length === 0 ? { kind: 'unknown' } : { kind: 'router', steps };
  }
  const standard = standardCall(call, sender, addressOf);
  if (standard !== undefined) return { kind: 'standard', call: standard };
  return { kind: standardSignature(selector) === undefined ? 'unknown' : 'unreadable' };
}
