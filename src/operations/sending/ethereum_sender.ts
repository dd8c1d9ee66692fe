// The sender address of a request, and the nonce of its transaction.

import { failField } from '../../core/errors/errors.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { isUuid } from '../../core/schema/formats.ts';
import { optional, text } from '../../core/schema/schema.ts';
import { nextNonce, requireApart, requireUnused, sendsWithNonce } from '../../core/sends/nonces.ts';
import { type Fees, requireReplacing } from '../../core/sends/replacement.ts';
import { chainOf } from '../balances/chain_of.ts';
import type { Reader } from '../reader.ts';
import type { LoadServices } from '../services.ts';
import { type FoundKey, findSigningKey } from '../signing/signing_key.ts';
import { accountThatSigns, type TransactionAccount } from '../signing/transactions.ts';

/** The member that names the address. */
export const from = () => text({ minimum: 1, maximum: 64 });
/** A member with an amount: decimal, or hex with `0x`. */
export const amount = () => optional(text({ maximum: 78 }));

/** An address (lower case) on a chain (CAIP-2). */
export type ChainAddress = { readonly caip2: string; readonly address: string };

/** The account that sends, with its place on a chain. */
export type Sender = {
  readonly found: FoundKey;
  readonly account: TransactionAccount;
  readonly place: ChainAddress;
};

type At = { readonly organization: OrganizationView; readonly read: Reader };

/** Returns the Ethereum chain of a request. Raises `field_invalid`. */
export function ethereumChain(caip2: string, { deployment }: Pick<LoadServices, 'deployment'>) {
  return chainOf(deployment, caip2, { family: 'eip155:', field: 'parameters.caip2' });
}

/**
 * Returns the sending account by its address. Raises `field_invalid`, `signing_resource_not_found` and
 * `transaction_invalid`.
 */
export async function senderOf(
  { from, caip2 }: { readonly from: string; readonly caip2: string },
  { organization, read, services }: At & { readonly services: Pick<LoadServices, 'deployment'> },
): Promise<Sender> {
  const chain = ethereumChain(caip2, services);
  if (isUuid(from)) failField('parameters.from', 'expected an address, got the id of a key');
  const found = await findSigningKey(from, organization, read);
  const account = accountThatSigns('TRANSACTION_TYPE_ETHEREUM', found);
  return { found, account, place: { caip2: chain.caip2, address: account.address.toLowerCase() } };
}

/**
 * Requires the nonce of a request that an external key signs. Its holder may have signed for an earlier
 * attempt that was not recorded. With the same nonce, only one of the signed transactions can be in a block.
 * Raises `field_invalid`.
 */
export function requireNamedNonce(
  { external }: FoundKey,
  member: string,
  nonce: string | undefined,
): void {
  if (external === undefined || nonce !== undefined) return;
  const expected = 'expected a nonce, because the key is held outside of this service';
  failField(`parameters.${member}`, expected);
}

/**
 * The nonce of a transaction: the requested one, or the next free one. Raises `field_invalid` for a used
 * nonce, and for one that would not replace those under way with its nonce.
 */
export async function freeNonce(
  {
    asked,
    used,
    fees,
    nonces = 1,
  }: {
    readonly asked: bigint | undefined;
    readonly used: bigint;
    readonly fees: Fees;
    /** Number of consecutive nonces. Default: 1. */
    readonly nonces?: number;
  },
  { place, organization, read }: At & { readonly place: ChainAddress },
): Promise<bigint> {
  const first = await firstUnused(used, place, read);
  if (asked === undefined) return nextNonce(organization, place, first, nonces);
  requireUnused(asked, first);
  requireApart(organization, place, { nonce: asked, nonces });
  const sends = await read.sends(sendsWithNonce(organization, place, asked));
  requireReplacing(fees, [...sends.values()], 'parameters.maxFeePerGas');
  return asked;
}

/**
 * Returns the first nonce that neither the nodes nor the service's final transactions have used. A lagging
 * node reports fewer as used.
 */
export async function firstUnused(
  used: bigint,
  place: ChainAddress,
  read: Pick<Reader, 'sentNonce'>,
): Promise<bigint> {
  const next = BigInt((await read.sentNonce(place))?.next ?? 0);
  return next > used ? next : used;
}
