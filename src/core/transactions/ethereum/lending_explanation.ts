// Explains typed data of lending markets, whose signature alone lets another account withdraw or borrow.

import { eip55 } from '../../address/ethereum.ts';
import { hex } from '../../base/bytes.ts';
import type { Effect } from '../../organization/records/transaction_explanation.ts';
import { domainFacts, type TypedData } from '../../payload/eip712.ts';
import { encodeType } from '../../payload/eip712_types.ts';
import { everythingOf } from '../calls/transfer_rules.ts';
import type { VisibleTransfer } from '../described.ts';
import { onChain } from './known_chains.ts';
import {
  anyChainWarnings,
  type ExplainedPermit,
  ownerWarnings,
  timeOf,
} from './permit_explanation.ts';
import { type Members, membersOf } from './typed_members.ts';

/** A right over what an account has, or may come to owe, in a market. */
type Right = {
  readonly standard: string;
  /** Default: the signer. */
  readonly owner: string | undefined;
  readonly to: string | undefined;
  readonly isAllowed: boolean;
  readonly deadline: bigint | undefined;
  /** `move all that … has in`, or `borrow from`. */
  readonly deed: string;
};

const manage = 'manage all assets and debts in';

/** Members by the type in the form that contracts hash. */
const rows: ReadonlyMap<string, (message: Members) => Right> = new Map([
  [
    'Authorization(address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline)',
    (message) => ({
      standard: 'Morpho',
      owner: message.address('authorizer'),
      to: message.address('authorized'),
      isAllowed: message.bool('isAuthorized') === true,
      deadline: message.number('deadline'),
      deed: manage,
    }),
  ],
  [
    'Authorization(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry)',
    (message) => ({
      standard: 'Compound III',
      owner: message.address('owner'),
      to: message.address('manager'),
      isAllowed: message.bool('isAllowed') === true,
      deadline: message.number('expiry'),
      deed: manage,
    }),
  ],
  [
    'DelegationWithSig(address delegatee,uint256 value,uint256 nonce,uint256 deadline)',
    (message) => ({
      standard: 'Aave',
      owner: undefined,
      to: message.address('delegatee'),
      isAllowed: (message.number('value') ?? 0n) > 0n,
      deadline: message.number('deadline'),
      deed: 'borrow, as debt of this account, from',
    }),
  ],
]);

function readLending(data: TypedData) {
  const { verifyingContract } = domainFacts(data);
  const right = rows.get(encodeType(data.primaryType, data.types))?.(membersOf(data.message));
  if (right?.to === undefined || verifyingContract === undefined) return undefined;
  return { ...right, to: right.to, market: eip55(hex(verifyingContract)) };
}

/** Returns unknown amounts for a right over an account in a market; undefined for other typed data. */
export function transfersOfLending(
  data: TypedData,
  signer: string,
): readonly VisibleTransfer[] | undefined {
  const right = readLending(data);
  if (right === undefined) return undefined;
  return right.isAllowed ? everythingOf(right.owner ?? signer) : [];
}

/** Returns the explanation of a right over an account in a market; undefined for other typed data. */
export function explainLending(data: TypedData, signer: string): ExplainedPermit | undefined {
  const right = readLending(data);
  if (right === undefined) return undefined;
  const { chainId } = domainFacts(data);
  const { standard, owner = signer, to, isAllowed, deadline = 0n, deed, market } = right;
  const text = `${owner} ${isAllowed ? 'lets' : 'no longer lets'} ${to} ${deed} ${market}`;
  const effect: Effect = {
    kind: 'PERMISSION_CHANGE',
    text: `${text}.`,
    from: owner,
    to,
    contract: market,
  };
  const warning = `If ${market} is a market of ${standard}, ${to} gets power over what ${owner} has there.`;
  return {
    summary: `${text} ${onChain(chainId)}, by a signature alone (${standard}). The signature can be used until ${timeOf(deadline)}.`,
    effects: [effect],
    warnings: [
      ...(isAllowed ? [{ code: 'NEW_AUTHORITY' as const, text: warning }] : []),
      ...ownerWarnings([owner], signer),
      ...anyChainWarnings(chainId),
    ],
  };
}
