// Describes the steps of a Universal Router, with the accounts and amounts that its commands state.

import { eip55 } from '../../address/ethereum.ts';
import { amountText } from '../../balances/amount_text.ts';
import { hex } from '../../base/bytes.ts';
import type { Effect, Warning } from '../../organization/records/transaction_explanation.ts';
import { allowance, everythingOf, hiddenAmount } from '../calls/transfer_rules.ts';
import type { VisibleTransfer } from '../described.ts';
import { instantText } from '../text/instant_text.ts';
import { isZeroAddress } from './call.ts';
import { coinAsset, coinText } from './known_chains.ts';
import { tokenAmountText, tokenName } from './known_tokens.ts';
import type { RouterStep } from './router_calls.ts';
import { allowanceText, isUnlimitedAmount } from './standard_effects.ts';

/** The router and its caller, in EIP-55. */
type RouterCall = {
  readonly chainId: bigint | undefined;
  readonly router: string;
  readonly caller: string;
};

type Described = { readonly effect: Effect; readonly warning?: Warning };
type Party = Extract<RouterStep, { kind: 'pay' }>['to'] | 'pools';

function partyText(
  party: Party,
  { router, caller }: Pick<RouterCall, 'router' | 'caller'>,
): string {
  if (party === 'caller') return caller;
  if (party === 'router') return router;
  return party === 'pools' ? 'the pools' : eip55(hex(party));
}

const assetOf = (token: Uint8Array, { chainId }: RouterCall): string =>
  isZeroAddress(token) ? coinAsset(chainId) : eip55(hex(token));

function nameOf(token: Uint8Array, { chainId }: RouterCall): string {
  return isZeroAddress(token) ? coinAsset(chainId) : tokenName(chainId, eip55(hex(token)));
}

function textOf(amount: bigint, token: Uint8Array, { chainId }: RouterCall): string {
  return isZeroAddress(token)
    ? coinText(amount, chainId)
    : tokenAmountText(amount, { chainId, contract: eip55(hex(token)) });
}

/** Returns `at most 25 USDC`, or the words for a balance. */
function boundText(
  { amount, bound, token }: Extract<RouterStep, { kind: 'pay' | 'receive' }>,
  place: RouterCall,
): string {
  if (amount === 'whole balance') return `all ${nameOf(token, place)} of the router`;
  if (amount === 'open balance') return `all remaining ${nameOf(token, place)} of the swap`;
  const text = textOf(amount, token, place);
  return bound === 'exactly' ? text : `${bound} ${text}`;
}

/** Returns the amount and the payer of a payment into a swap. */
function paidText(
  step: Extract<RouterStep, { kind: 'pay' | 'receive' }>,
  place: RouterCall,
): string {
  const { from, token, amount } = step;
  const payer = partyText(from, place);
  const name = nameOf(token, place);
  if (amount === 'open balance') {
    return `all ${name} that is still due, an unstated amount, from ${payer}`;
  }
  // The caller may pay an amount that the balance of the router determines.
  if (amount === 'whole balance' && from !== 'router') {
    return `as much ${name} as the router has, from ${payer},`;
  }
  return amount === 'whole balance'
    ? boundText(step, place)
    : `${boundText(step, place)} of ${payer}`;
}

/** Describes a step. `subject` is the beginning of its sentence: `If 0x… is a Universal Router, it`. */
export function routerEffect(step: RouterStep, subject: string, place: RouterCall): Described {
  const { chainId, router: contract } = place;
  const party = (of: Party) => partyText(of, place);
  const say = (text: string, members: Omit<Effect, 'text'>): Described => ({
    effect: { ...members, text: `${subject} ${text}.` },
  });
  switch (step.kind) {
    case 'pay':
    case 'receive': {
      const { from, to, token, amount, bound } = step;
      const isExact = bound === 'exactly' && typeof amount === 'bigint';
      const [payer, receiver] = [party(from), party(to)];
      const deed =
        to === 'pools'
          ? `pays ${paidText(step, place)} into a swap`
          : `sends ${boundText(step, place)} from ${payer} to ${receiver}`;
      return say(deed, {
        kind: isZeroAddress(token) ? 'TRANSFER' : 'TOKEN_TRANSFER',
        from: from === 'pools' ? contract : payer,
        to: to === 'pools' ? contract : receiver,
        ...(isExact || (bound === 'at most' && typeof amount === 'bigint')
          ? { amount: String(amount) }
          : {}),
        asset: assetOf(token, place),
      });
    }
    case 'portion': {
      const { of, to, token, bips } = step;
      const share = `${amountText(String(bips), 2)}% of all ${nameOf(token, place)} of the ${of}`;
      const members = { from: contract, to: party(to), asset: assetOf(token, place) };
      return say(`sends ${share} to ${party(to)}`, { kind: 'TOKEN_TRANSFER', ...members });
    }
    case 'wrap':
    case 'unwrap': {
      const { kind, to, amount } = step;
      const coin = coinAsset(chainId);
      const stated = typeof amount === 'bigint' ? coinText(amount, chainId) : `all ${coin} of it`;
      const deed =
        kind === 'wrap'
          ? `wraps ${stated} for ${party(to)}`
          : `unwraps at least ${stated} and sends them to ${party(to)}`;
      return say(deed, { kind: 'TOKEN_TRANSFER', from: contract, to: party(to), asset: coin });
    }
    case 'permit': {
      const { to, token, amount, endsAt } = step;
      const where = { chainId, contract: eip55(hex(token)) };
      const spender = party(to);
      const until = `until ${instantText(endsAt * 1000n)}`;
      const described = say(
        `lets ${spender} take ${allowanceText({ amount }, where)} of ${place.caller}, ${until}`,
        {
          kind: 'APPROVAL',
          from: place.caller,
          to: spender,
          amount: String(amount),
          asset: where.contract,
        },
      );
      if (!isUnlimitedAmount(amount, where)) return described;
      const text = `${spender} can take the whole balance of ${tokenName(chainId, where.contract)}, now and later.`;
      return { ...described, warning: { code: 'UNLIMITED_APPROVAL', text } };
    }
    case 'swap':
      return say(`swaps in pools of ${step.protocol}`, { kind: 'CALL', contract });
    case 'check': {
      const { owner, token, amount } = step;
      const text = `fails if ${party(owner)} has less than ${textOf(amount, token, place)}`;
      return say(text, { kind: 'CALL', contract });
    }
    case 'unknown': {
      const text = `The effect of the ${step.command} of the router ${contract} is unknown.`;
      const described = say(`runs the ${step.command}`, { kind: 'CALL', contract });
      return { ...described, warning: { code: 'UNREADABLE_CALL_DATA', text } };
    }
  }
}

/** Returns the transfers of a step that limits count: what its caller pays or permits. */
export function transfersOfStep(
  step: RouterStep,
  { router, caller }: Pick<RouterCall, 'router' | 'caller'>,
  addressOf: (account: Uint8Array) => string,
): readonly VisibleTransfer[] {
  if (step.kind === 'unknown') return everythingOf(caller);
  if (step.kind !== 'pay' && step.kind !== 'permit') return [];
  const textOf = (party: Party) =>
    party === 'caller' ? caller : typeof party === 'string' ? router : addressOf(party);
  const token = isZeroAddress(step.token) ? '' : addressOf(step.token);
  if (step.kind === 'permit') {
    return allowance({ token, from: caller, to: textOf(step.to) }, step.amount);
  }
  // The value of the call is what the router holds of the coin, and counts already.
  if (step.from === 'router' || token === '') return [];
  const { amount } = step;
  const moved = { token, from: textOf(step.from), to: textOf(step.to) };
  return [typeof amount === 'bigint' ? { ...moved, amount } : { ...moved, ...hiddenAmount }];
}
