// Explains standard calls of token contracts. A contract in the table of tokens is known to follow its
// standard; any other contract may not, and each sentence says so.

import type { Effect, Warning } from '../../organization/records/transaction_explanation.ts';
import { unlimitedAmount } from '../calls/token_calls.ts';
import { instantText } from '../text/instant_text.ts';
import {
  isBeyondSupply,
  knownToken,
  type TokenPlace,
  tokenAmountText,
  tokenName,
} from './known_tokens.ts';
import type { StandardCall, StandardMeaning } from './standard_calls.ts';

export type CalledStandard = {
  readonly call: StandardCall;
  readonly chainId: bigint | undefined;
  /** The called contract, in EIP-55. */
  readonly contract: string;
};

/** Returns true if the contract is known to follow the standard of the call. */
export const isKnownToken = ({ call, chainId, contract }: CalledStandard): boolean =>
  call.standard.startsWith('ERC-20') && knownToken(chainId, contract) !== undefined;

/** Returns the predicate of a summary, such as `sends 25 USDC to 0x…`. */
export function standardDeed(called: CalledStandard, from: string): string {
  const { call, chainId, contract } = called;
  const where = { chainId, contract };
  switch (call.kind) {
    case 'transfer': {
      const amount = tokenAmountText(call.amount, where);
      return call.from === from
        ? `sends ${amount} to ${call.to}`
        : `moves ${amount} from ${call.from} to ${call.to}`;
    }
    case 'transferItems':
      return `moves ${itemsText(call)} of the collection ${contract} from ${call.from} to ${call.to}`;
    case 'approve': {
      const owner = call.owner === undefined ? '' : ` of ${call.owner}`;
      const item = call.id === undefined ? '' : `, of its token ${call.id}`;
      return `lets ${call.to} take ${allowanceText(call, where)}${item}${owner}`;
    }
    case 'approveAll': {
      const verb = call.isAllowed ? 'lets' : 'no longer lets';
      const what = call.standard === 'ERC-721' ? 'every token of the collection' : 'everything in';
      return `${verb} ${call.to} move ${what} ${contract}`;
    }
    case 'empower':
    case 'vault':
      return call.act(contract);
  }
}

/** The effect of the call, with the condition that the contract follows the standard. */
export function standardEffect(called: CalledStandard): Effect {
  const { call, contract } = called;
  const { to } = call;
  const condition = isKnownToken(called)
    ? 'The call'
    : `If ${contract} follows ${nameOf(call)}, the call`;
  switch (call.kind) {
    case 'transfer': {
      const { from, amount } = call;
      const text = `${condition} moves ${unitsText(called, amount)} from ${from} to ${to}.`;
      const members = { from, to, amount: String(amount), asset: contract };
      return { kind: 'TOKEN_TRANSFER', text, ...members };
    }
    case 'transferItems': {
      const { from, items } = call;
      const text = `${condition} moves ${itemsText(call)} from ${from} to ${to}.`;
      const [only] = items.length === 1 ? items : [];
      const amount = only === undefined ? {} : { amount: String(only.amount) };
      return { kind: 'TOKEN_TRANSFER', text, from, to, asset: contract, ...amount };
    }
    case 'approve': {
      const { owner, amount, token, isMore } = call;
      const from = owner ?? 'the caller';
      const more = isMore === true ? ' more' : '';
      const limit =
        token === undefined
          ? `take up to ${unitsText(called, amount)}${more} from ${from}`
          : `take ${allowanceText(call, called)} from ${from}`;
      const text = `${condition} lets ${to} ${limit}${untilText(call)}.`;
      const payer = owner === undefined ? {} : { from: owner };
      const of = token === undefined ? { asset: contract } : { asset: token, contract };
      return { kind: 'APPROVAL', text, ...payer, to, amount: String(amount), ...of };
    }
    case 'approveAll': {
      const verb = call.isAllowed ? 'lets' : 'no longer lets';
      const text = `${condition} ${verb} ${to} move all tokens of the caller.`;
      return { kind: 'APPROVAL', text, to, asset: contract };
    }
    case 'empower':
      return {
        kind: 'PERMISSION_CHANGE',
        text: `${condition} ${call.act(contract)}.`,
        to,
        contract,
      };
    case 'vault':
      return { kind: 'CALL', text: `${condition} ${call.act(contract)}.`, to, contract };
  }
}

/** Returns a warning for an unlimited allowance, and for power over the contract. */
export function standardWarnings(called: CalledStandard): readonly Warning[] {
  const { call, contract, chainId } = called;
  if (call.kind === 'empower') {
    const text = `If ${contract} follows the standard of this call, ${call.to} gets power over it.`;
    return [{ code: 'NEW_AUTHORITY', text }];
  }
  if (!isUnlimited(called)) return [];
  const token = call.kind === 'approve' ? (call.token ?? contract) : contract;
  const text = isKnownToken(called)
    ? `${call.to} can take all ${tokenName(chainId, token)} that the account has now and later.`
    : `If ${contract} follows the standard of this call, ${call.to} can take all tokens of the caller.`;
  return [{ code: 'UNLIMITED_APPROVAL', text }];
}

/** Returns true for amounts beyond all supplies, and for 2^96-1, the maximum of some tokens. */
export const isUnlimitedAmount = (amount: bigint, token: TokenPlace): boolean =>
  amount >= unlimitedAmount || amount === 2n ** 96n - 1n || isBeyondSupply(amount, token);

function isUnlimited({ call, chainId, contract }: CalledStandard): boolean {
  if (call.kind === 'approveAll') return call.isAllowed;
  if (call.kind !== 'approve') return false;
  return isUnlimitedAmount(call.amount, { chainId, contract: call.token ?? contract });
}

/** Returns `up to 25 USDC` or `any amount of USDC`. */
export function allowanceText(
  { amount, token, isMore }: { amount: bigint; token?: string; isMore?: true },
  { chainId, contract }: TokenPlace,
): string {
  const of = token ?? contract;
  if (isUnlimitedAmount(amount, { chainId, contract: of }))
    return `any amount of ${tokenName(chainId, of)}`;
  const text = tokenAmountText(amount, { chainId, contract: of });
  return isMore === true ? `${text} more than before` : `up to ${text}`;
}

/**
 * Returns the name of the call's standard. `transferFrom` of a known token moves amounts; `setApprovalForAll`
 * is in both standards of collections.
 */
function nameOf(call: StandardCall): string {
  return call.standard === 'ERC-721' && call.kind === 'approveAll'
    ? 'ERC-721 or ERC-1155'
    : call.standard;
}

function unitsText(called: CalledStandard, amount: bigint): string {
  const { call } = called;
  if (isKnownToken(called)) return tokenAmountText(amount, called);
  if (call.kind === 'approve' && call.id !== undefined) return `${amount} of token ${call.id}`;
  if (call.standard === 'ERC-20 or ERC-721') {
    return `${amount} of its smallest unit, or its token number ${amount},`;
  }
  return `${amount} of its smallest unit`;
}

const maximumItems = 8;

function itemsText({ items }: Extract<StandardMeaning, { kind: 'transferItems' }>): string {
  const shown = items
    .slice(0, maximumItems)
    .map(({ id, amount }) => (amount === 1n ? `token ${id}` : `${amount} of token ${id}`));
  const left = items.length - shown.length;
  if (shown.length === 0) return 'no token';
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}

function untilText({ endsAt }: Extract<StandardMeaning, { kind: 'approve' }>): string {
  return endsAt === undefined ? '' : `, until ${instantText(endsAt * 1000n)}`;
}
