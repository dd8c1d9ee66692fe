// The sponsor of a transaction: the account that pays its fee, its limits, and its policies.

import type { Context } from '../../core/base/context.ts';
import { assert, fail } from '../../core/errors/errors.ts';
import { requireHeldHere } from '../../core/keys/external_keys.ts';
import type { Keyring } from '../../core/keys/keyring.ts';
import type { GasUsageConfig, Sponsor } from '../../core/organization/records/gas_usage.ts';
import type { TransactionExplanation } from '../../core/organization/records/transaction_explanation.ts';
import type { OrganizationDraft, OrganizationState } from '../../core/organization/state.ts';
import type { Facts } from '../../core/policy/decision/access.ts';
import { countSponsored, gasUsageConfigOf, withinLimits } from '../../core/sends/gas_usage.ts';
import type { ObtainInput } from '../operation.ts';
import type { LoadServices, Sponsoring } from '../services.ts';
import { type FoundKey, findSigningKey } from '../signing/signing_key.ts';
import { accountThatSigns, type TransactionAccount } from '../signing/transactions.ts';

export type SponsorAccount = Pick<Sponsoring, 'state' | 'organization' | 'read'> & {
  readonly keyring: Keyring;
  readonly config: GasUsageConfig;
  readonly named: Sponsor;
  readonly found: FoundKey;
  readonly account: TransactionAccount;
  /** Raises `sponsor_refused` unless the policies of the sponsor allow it to pay. */
  readonly requireAllowed: (facts: Facts) => Promise<void>;
};

/** A sponsor, and the fee that it pays in billionths of a dollar. */
export type SponsoredFee = { readonly sponsor: SponsorAccount; readonly units: bigint };

/**
 * Returns the sponsor of a chain. Raises `sponsor_not_configured`, `signing_resource_not_found`, and
 * `key_held_elsewhere` for an external key.
 */
export async function sponsorOf(
  caip2: string,
  transactionType: string,
  services: Pick<LoadServices, 'sponsoring'>,
): Promise<SponsorAccount> {
  const { state, organization, read, keyring, allows } = await services.sponsoring();
  const config = gasUsageConfigOf(organization);
  const named = config?.sponsors.find((sponsor) => sponsor.caip2 === caip2);
  const organizationId = organization.id;
  if (config?.isEnabled !== true || named === undefined) {
    return fail('sponsor_not_configured', { organizationId, caip2 });
  }
  const found = await findSigningKey(named.address, organization, read);
  requireSponsorKey(found);
  const account = accountThatSigns(transactionType, found);
  const requireAllowed = async (facts: Facts) => {
    const isAllowed = await allows({ resource: 'SPONSORSHIP', action: 'SIGN' }, facts);
    if (!isAllowed) fail('sponsor_refused', { organizationId, address: account.address });
  };
  return { state, organization, read, keyring, config, named, found, account, requireAllowed };
}

/** Raises `key_held_elsewhere` for an external key, whose holder is not part of each delivery. */
export function requireSponsorKey({ external }: FoundKey): void {
  if (external !== undefined) requireHeldHere(external, 'it cannot be a sponsor');
}

/**
 * Requires that a fee is within the limits, before a holder signs: others could deliver the signed calls of a
 * rejected request. Raises `sponsor_limit_exceeded`.
 */
export function requireFee(
  { sponsor, units }: SponsoredFee,
  {
    organization: sending,
    submitter,
    context,
  }: Pick<ObtainInput<unknown, unknown>, 'organization' | 'submitter' | 'context'>,
): void {
  const organizations = { sending, sponsoring: sponsor.organization };
  withinLimits({ units, userId: submitter.id }, organizations, sponsor.config, context.now);
}

/** Counts the fee of the sponsor. Raises `sponsor_limit_exceeded`. */
export function countFee(
  { sponsor, units }: SponsoredFee,
  sending: OrganizationDraft,
  {
    userId,
    changeSponsor,
  }: {
    readonly userId: string;
    readonly changeSponsor: (state: OrganizationState) => OrganizationDraft;
  },
  context: Context,
): void {
  const drafts = { sending, sponsoring: changeSponsor(sponsor.state) };
  countSponsored({ units, userId }, drafts, sponsor.config, context);
}

/** Adds the sponsor to the explanation of a transaction. */
export function withSponsor(
  explanation: TransactionExplanation,
  { state, account }: Pick<SponsorAccount, 'state' | 'account'>,
): TransactionExplanation {
  const { fee } = explanation;
  assert(fee !== undefined, 'a sponsored transaction states its fee');
  const text = `${fee.text} ${account.address} is the sponsor of organization ${state.id}.`;
  return { ...explanation, fee: { ...fee, text } };
}
