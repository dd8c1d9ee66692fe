// Explains typed data (EIP-712) of token standards, whose signature grants an allowance or moves tokens
// without a transaction of the signer. It is recognized by the type and member names of the standards.

import { eip55 } from '../../address/ethereum.ts';
import { hex } from '../../base/bytes.ts';
import type { Effect, Warning } from '../../organization/records/transaction_explanation.ts';
import { domainFacts, type TypedData } from '../../payload/eip712.ts';
import { maximumWord } from '../calls/token_calls.ts';
import { allowance } from '../calls/transfer_rules.ts';
import type { VisibleTransfer } from '../described.ts';
import { instantText } from '../text/instant_text.ts';
import { onChain } from './known_chains.ts';
import { type TokenPlace, tokenAmountText, tokenName } from './known_tokens.ts';
import { permit2Contract } from './standard_calls.ts';
import { allowanceText, isUnlimitedAmount } from './standard_effects.ts';
import { typeWarnings } from './standard_types.ts';
import { type Members, membersOf } from './typed_members.ts';

/** An explained permit. */
export type ExplainedPermit = {
  readonly summary: string;
  readonly effects: readonly Effect[];
  readonly warnings: readonly Warning[];
};

/** An allowance or a transfer in a permit. */
type Item = {
  readonly kind: 'allowance' | 'transfer';
  readonly token: string;
  readonly to: string;
  /** The account that pays. Default: the signer. */
  readonly owner?: string;
  readonly amount: bigint;
  /** The number of a token, if `token` is a collection. */
  readonly tokenId?: bigint;
  /** In seconds since 1970; afterwards the spender cannot take tokens. */
  readonly endsAt?: bigint;
};

type Permit = {
  readonly standard: string;
  readonly items: readonly Item[];
  /** In seconds since 1970; afterwards the signature is invalid. */
  readonly deadline: bigint | undefined;
  readonly isPermit2?: boolean;
};

type ReadPermit = (message: Members, contract: string) => Permit | undefined;

/** Returns undefined for other types, and if members of the standard are missing. */
function permitIn(data: TypedData): (Permit & { readonly contract: string }) | undefined {
  const { verifyingContract } = domainFacts(data);
  const row = rows[data.primaryType];
  if (!Object.hasOwn(rows, data.primaryType) || row === undefined) return undefined;
  if (verifyingContract === undefined) return undefined;
  const contract = eip55(hex(verifyingContract));
  const permit = row(membersOf(data.message), contract);
  if (permit === undefined || permit.items.length === 0) return undefined;
  return { ...permit, contract };
}

/** Returns the transfers and allowances of a permit for velocity controls; undefined for other data. */
export const transfersOfPermit = (
  data: TypedData,
  signer: string,
): readonly VisibleTransfer[] | undefined =>
  permitIn(data)?.items.flatMap(({ kind, token, to, owner: from = signer, amount }) =>
    kind === 'transfer' ? [{ token, from, to, amount }] : allowance({ token, from, to }, amount),
  );

/** Returns undefined for other types, and if members of the standard are missing. */
export function explainPermit(data: TypedData, signer: string): ExplainedPermit | undefined {
  const { chainId } = domainFacts(data);
  const permit = permitIn(data);
  if (permit === undefined) return undefined;
  const { contract, items, standard, deadline } = permit;
  const deeds = items.map((item) => deedOf(item, signer, chainId));
  const until =
    deadline === undefined ? '' : ` The signature can be used until ${timeOf(deadline)}.`;
  const [only = ''] = deeds;
  const what =
    deeds.length === 1
      ? `${only} ${onChain(chainId)}`
      : `${deeds.length} permissions ${onChain(chainId)}`;
  return {
    summary: `${what}, by a signature alone (${standard}).${until}`,
    effects: items.map((item, i) => effectOf(item, deeds[i] ?? '', signer)),
    warnings: [
      ...warningsOf(permit, { chainId, contract, signer }),
      ...typeWarnings(data, contract),
      ...anyChainWarnings(chainId),
    ],
  };
}

const rows: Readonly<Record<string, ReadPermit>> = {
  // ERC-2612, the older form of DAI, and ERC-4494 of collections.
  Permit: (message, token) => {
    const to = message.address('spender');
    const isDai = message.bool('allowed');
    if (isDai !== undefined) {
      const owner = message.address('holder');
      if (to === undefined || owner === undefined) return undefined;
      const amount = isDai ? maximumWord : 0n;
      const expiry = message.number('expiry');
      // In DAI, zero means no expiry.
      const deadline = expiry === 0n ? undefined : expiry;
      const item: Item = { kind: 'allowance', token, to, owner, amount };
      return { standard: 'Permit of DAI', items: [item], deadline };
    }
    const owner = message.address('owner');
    const tokenId = owner === undefined ? message.number('tokenId') : undefined;
    if (to !== undefined && tokenId !== undefined) {
      const item: Item = { kind: 'allowance', token, to, amount: 1n, tokenId };
      const deadline = message.number('deadline');
      return { standard: 'Permit, ERC-4494', items: [item], deadline };
    }
    const amount = message.number('value');
    if (to === undefined || owner === undefined || amount === undefined) return undefined;
    const items: readonly Item[] = [{ kind: 'allowance', token, to, owner, amount }];
    return { standard: 'Permit, ERC-2612', items, deadline: message.number('deadline') };
  },
  // ERC-3009.
  TransferWithAuthorization: authorizedTransfer,
  ReceiveWithAuthorization: authorizedTransfer,
  // Allowances of Permit2.
  PermitSingle: (message) => allowances(message, [message.struct('details')]),
  PermitBatch: (message) => allowances(message, message.structs('details')),
  // Transfers of Permit2, which the spender directs.
  PermitTransferFrom: (message) => transfers(message, [message.struct('permitted')]),
  PermitBatchTransferFrom: (message) => transfers(message, message.structs('permitted')),
  PermitWitnessTransferFrom: (message) => transfers(message, [message.struct('permitted')]),
  PermitBatchWitnessTransferFrom: (message) => transfers(message, message.structs('permitted')),
};

function authorizedTransfer(message: Members, token: string): Permit | undefined {
  const [owner, to] = [message.address('from'), message.address('to')];
  const amount = message.number('value');
  if (owner === undefined || to === undefined || amount === undefined) return undefined;
  const items: readonly Item[] = [{ kind: 'transfer', token, to, owner, amount }];
  return { standard: 'ERC-3009', items, deadline: message.number('validBefore') };
}

function allowances(message: Members, details: readonly (Members | undefined)[]) {
  const to = message.address('spender');
  return permit2(
    details.map((each) => {
      const [token, amount] = [each?.address('token'), each?.number('amount')];
      const endsAt = each?.number('expiration');
      if (to === undefined || token === undefined || amount === undefined) return undefined;
      return { kind: 'allowance', token, to, amount, ...(endsAt === undefined ? {} : { endsAt }) };
    }),
    message.number('sigDeadline'),
  );
}

function transfers(message: Members, permitted: readonly (Members | undefined)[]) {
  const to = message.address('spender');
  return permit2(
    permitted.map((each) => {
      const [token, amount] = [each?.address('token'), each?.number('amount')];
      if (to === undefined || token === undefined || amount === undefined) return undefined;
      return { kind: 'allowance', token, to, amount };
    }),
    message.number('deadline'),
  );
}

function permit2(
  found: readonly (Item | undefined)[],
  deadline: bigint | undefined,
): Permit | undefined {
  const items = found.filter((item) => item !== undefined);
  if (items.length < found.length) return undefined;
  return { standard: 'Permit2', items, deadline, isPermit2: true };
}

function deedOf(item: Item, signer: string, chainId: bigint | undefined): string {
  const { kind, token, to, owner = signer, amount, tokenId, endsAt } = item;
  if (tokenId !== undefined) {
    return `${owner} lets ${to} take token ${tokenId} of the collection ${token}`;
  }
  const where = { chainId, contract: token };
  if (kind === 'transfer') return `${owner} sends ${tokenAmountText(amount, where)} to ${to}`;
  const isEndless = endsAt !== undefined && endsAt >= endlessSeconds;
  const until = endsAt === undefined ? '' : isEndless ? ' at any time' : ` until ${timeOf(endsAt)}`;
  return `${owner} lets ${to} take ${allowanceText({ amount }, where)}${until}`;
}

function effectOf({ kind, token, to, owner, amount }: Item, deed: string, signer: string): Effect {
  return {
    kind: kind === 'transfer' ? 'TOKEN_TRANSFER' : 'APPROVAL',
    text: `${deed}.`,
    from: owner ?? signer,
    to,
    amount: String(amount),
    asset: token,
  };
}

/** The year 2100 in seconds since 1970. Applications write distant times for no expiry. */
const endlessSeconds = 4_102_444_800n;

function warningsOf(
  { items, isPermit2, deadline }: Permit,
  { chainId, contract, signer }: TokenPlace & { readonly signer: string },
): readonly Warning[] {
  const unlimited = items
    .filter(
      ({ kind, amount, token }) =>
        kind === 'allowance' && isUnlimitedAmount(amount, { chainId, contract: token }),
    )
    .map(({ token, to }) => ({
      code: 'UNLIMITED_APPROVAL' as const,
      text: `${to} can take the whole balance of ${tokenName(chainId, token)}, now and later.`,
    }));
  const others = ownerWarnings(
    items.flatMap(({ owner }) => owner ?? []),
    signer,
  );
  const ends = [...items.map(({ endsAt }) => endsAt ?? deadline)];
  const endless = ends.some((end) => end === undefined || end >= endlessSeconds)
    ? [{ code: 'NO_EXPIRY' as const, text: 'The permission does not expire.' }]
    : [];
  const strange =
    isPermit2 === true && contract !== permit2Contract
      ? [
          {
            code: 'UNKNOWN_CONTRACT' as const,
            text: `The typed data looks like Permit2, but ${contract} is not the contract of Permit2.`,
          },
        ]
      : [];
  return [...unlimited, ...others, ...endless, ...strange];
}

/** Returns warnings for owners of tokens who do not sign. */
export const ownerWarnings = (owners: readonly string[], signer: string): readonly Warning[] =>
  owners
    .filter((owner) => isOther(owner, signer))
    .map((owner) => ({
      code: 'OWNER_IS_ANOTHER',
      text: `The tokens are those of ${owner}, which is not the account that signs.`,
    }));

/** Returns a warning for typed data that is valid on every chain. */
export const anyChainWarnings = (chainId: bigint | undefined): readonly Warning[] =>
  chainId === undefined
    ? [{ code: 'NO_CHAIN_ID', text: 'The typed data names no chain, so it is valid on each.' }]
    : [];

/** Returns true if the owner is not the signer. A signer that is named by an ID may be any account. */
const isOther = (owner: string, signer: string): boolean =>
  signer.startsWith('0x') && owner.toLowerCase() !== signer.toLowerCase();

/** Returns the text of a time in seconds since 1970. */
export const timeOf = (seconds: bigint): string =>
  seconds >= endlessSeconds ? 'any time' : instantText(seconds * 1000n);
