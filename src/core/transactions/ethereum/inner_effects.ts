// Describes inner calls. Each sentence states the condition under which a contract makes the call.

import { hex } from '../../base/bytes.ts';
import type { Effect, Warning } from '../../organization/records/transaction_explanation.ts';
import { bytesText } from '../calls/call_explanation.ts';
import {
  type GivenCall,
  type Maker,
  type VisitedCall,
  walkCalls,
  walkLimits,
} from '../calls/walk_calls.ts';
import { addressText, type Call, isZeroAddress, selectorOf } from './call.ts';
import type { InnerCall, SafeRefund } from './inner_calls.ts';
import { coinAsset, coinText } from './known_chains.ts';
import { tokenAmountText } from './known_tokens.ts';
import { routerEffect } from './router_effects.ts';
import { standardEffect, standardWarnings } from './standard_effects.ts';

type InnerEffects = {
  readonly effects: readonly Effect[];
  readonly warnings: readonly Warning[];
};

/** Limits for one explanation. */
export const innerCallLimits = { depth: walkLimits.depth, calls: 32 } as const;

/** A visited call, with the beginning of its sentences: `If 0x… is a Safe, it`. */
type Shown = VisitedCall & OnChain & { readonly subject: string };
type OnChain = { readonly chainId: bigint | undefined };

const nothing: InnerEffects = { effects: [], warnings: [] };

/**
 * Returns the effects of the inner calls; no effects if the call is not a known wrapper. `isUnreadable` is
 * true for a known call in no standard form.
 */
export function innerEffects(
  { to, data }: Call,
  { chainId, caller: sender }: OnChain & { readonly caller: string },
): InnerEffects & { readonly isUnreadable: boolean } {
  let isUnreadable = false;
  const found = effectsOfCalls([{ to, data }], { chainId, sender }, (shown) => {
    isUnreadable = shown.meaning.kind === 'unreadable';
    const { effects, warnings } = routerEffects(shown);
    return { effects, warnings: [...ownWarnings(shown), ...warnings] };
  });
  return { ...found, isUnreadable };
}

/** Returns the effects of a call that an entry point (ERC-4337) makes to the account of an operation. */
export const effectsOfAccount = ({ to, data }: Call, { chainId }: OnChain): InnerEffects =>
  effectsOfCalls([{ to, data }], { chainId, sender: addressText(to) }, (shown) =>
    shown.meaning.kind === 'calls'
      ? nothing
      : unknownEffects({ ...shown, isOwn: false, subject: 'The entry point' }),
  );

/**
 * Returns the effects of calls and of the calls within, of the refund of a Safe, and a warning about calls
 * beyond the maximum number. `given` explains the given calls; a text is the subject of their sentences.
 */
export function effectsOfCalls(
  calls: readonly GivenCall[],
  { chainId, ...of }: OnChain & { readonly sender: string; readonly refund?: SafeRefund },
  given: string | ((shown: Shown) => InnerEffects),
): InnerEffects {
  const [effects, warnings]: [Effect[], Warning[]] = [[], []];
  const add = (found: InnerEffects) => {
    effects.push(...found.effects);
    warnings.push(...found.warnings);
  };
  const subjectOf = ({ by }: Maker) => {
    if (by !== undefined) return `If ${by.contract} ${by.condition}, it`;
    return typeof given === 'string' ? given : '';
  };
  let [left, more]: [number, number] = [innerCallLimits.calls, 0];
  walkCalls(calls, of, {
    addressOf: addressText,
    call: (visited) => {
      const shown = { ...visited, chainId, subject: subjectOf(visited.maker) };
      if (typeof given !== 'string' && visited.maker.by === undefined) add(given(shown));
      else if (left > 0) {
        left -= 1;
        add(callEffects(shown));
      } else more += 1;
    },
    refund: (refund, maker) =>
      add(refundEffects(refund, { chainId, sender: maker.sender, subject: subjectOf(maker) })),
    unnamed: (maker) => warnings.push(unnamedWarning(maker.sender)),
    omitted: () => {
      more += 1;
    },
  });
  if (more === 0) return { effects, warnings };
  const text = `${more} further ${more === 1 ? 'call is' : 'calls are'} not shown here.`;
  return { effects, warnings: [...warnings, { code: 'UNREADABLE_CALL_DATA', text }] };
}

function callEffects(shown: Shown): InnerEffects {
  const { call, contract, maker, meaning, chainId, subject } = shown;
  const { sender } = maker;
  if (meaning.kind === 'code') return codeEffects(shown);
  if (call.isDelegate) return nothing;
  const paid: readonly Effect[] =
    call.value === undefined || call.value === 0n
      ? []
      : [
          {
            kind: 'TRANSFER',
            text: `${subject} sends ${coinText(call.value, chainId)} to ${contract}.`,
            from: sender,
            to: contract,
            amount: String(call.value),
            asset: coinAsset(chainId),
          },
        ];
  const isPayment = paid.length > 0 && call.data.length === 0;
  const { effects, warnings } = isPayment ? nothing : dataEffects(shown);
  return { effects: [...paid, ...effects], warnings: [...ownWarnings(shown), ...warnings] };
}

function dataEffects(shown: Shown): InnerEffects {
  const { contract, meaning, chainId, subject } = shown;
  switch (meaning.kind) {
    case 'calls':
      return nothing;
    case 'router':
      return routerEffects(shown);
    case 'standard': {
      const called = { call: meaning.call, chainId, contract };
      const effect = standardEffect(called);
      const text = `${effect.text.slice(0, 1).toLowerCase()}${effect.text.slice(1)}`;
      return {
        effects: [{ ...effect, text: `${subject} calls ${contract}: ${text}` }],
        warnings: standardWarnings(called),
      };
    }
    default:
      return unknownEffects(shown);
  }
}

function routerEffects({ contract, maker, meaning, chainId }: Shown): InnerEffects {
  if (meaning.kind !== 'router') return nothing;
  const place = { chainId, router: contract, caller: maker.sender };
  const subject = `If ${contract} is a Universal Router, it`;
  const described = meaning.steps.map((step) => routerEffect(step, subject, place));
  return {
    effects: described.map(({ effect }) => effect),
    warnings: described.flatMap(({ warning }) => warning ?? []),
  };
}

function refundEffects(
  { baseGas, gasPrice, token, receiver }: SafeRefund,
  { chainId, sender, subject }: OnChain & { readonly sender: string; readonly subject: string },
): InnerEffects {
  const contract = isZeroAddress(token) ? undefined : addressText(token);
  const to = isZeroAddress(receiver) ? undefined : addressText(receiver);
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
  const effect: Effect = {
    kind: 'CALL',
    text: `${subject} refunds gas to ${whom}: ${amounts}.`,
    from: sender,
    ...(to === undefined ? {} : { to }),
  };
  const warning = `The refund of gas is paid by ${sender}, and may exceed the amounts of its calls.`;
  return { effects: [effect], warnings: [{ code: 'HIGH_FEE', text: warning }] };
}

/** Owners, modules, guards and the code of an account change only by calls to itself. */
function ownWarnings({ isOwn, maker: { sender } }: Shown): readonly Warning[] {
  if (!isOwn) return [];
  const text = `By a call to itself, ${sender} can change who controls it.`;
  return [{ code: 'NEW_AUTHORITY', text }];
}

function unknownEffects({ call, contract, subject, isOwn }: Shown): InnerEffects {
  const text = `The effect of the call of ${contract} is unknown.`;
  return {
    effects: [{ kind: 'CALL', text: `${subject} calls ${contract} ${dataText(call)}.`, contract }],
    warnings: isOwn || call.data.length === 0 ? [] : [{ code: 'UNREADABLE_CALL_DATA', text }],
  };
}

/** Returns the effect of a delegate call of code that may do anything. */
function codeEffects({ contract, maker: { sender }, subject }: Shown): InnerEffects {
  const text = `${subject} runs the code of ${contract} as its own.`;
  const warning = `The code of ${contract} can take everything that ${sender} holds.`;
  return {
    effects: [{ kind: 'DELEGATION', text, from: sender, to: contract }],
    warnings: [{ code: 'CODE_DELEGATION', text: warning }],
  };
}

function unnamedWarning(sender: string): Warning {
  const text = `A call in the bundle has no address. MultiSend of Safe 1.5.0 makes this call to ${sender} itself, and it can change who controls that account.`;
  return { code: 'NEW_AUTHORITY', text };
}

function dataText(call: InnerCall): string {
  if (call.data.length === 0) return 'without data';
  const selector = selectorOf(call);
  if (selector === undefined) return `with the data 0x${hex(call.data)}`;
  return `with ${bytesText(call.data)} of data, which begin with the selector ${selector}`;
}
