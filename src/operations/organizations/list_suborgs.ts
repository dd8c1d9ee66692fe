import { signingSpellings } from '../../core/address/normalization.ts';
import { claimedIdentity, maximumTokenCharacters } from '../../core/auth/oidc_token.ts';
import { canonicalBase64url } from '../../core/base/bytes.ts';
import { namesOf, table } from '../../core/base/table.ts';
import { fail } from '../../core/errors/errors.ts';
import { comparedEmail } from '../../core/organization/indexes/contacts.ts';
import { identityValue } from '../../core/organization/indexes/indexes.ts';
import {
  answerList,
  answerText,
  object,
  oneOf,
  optional,
  optionalOrEmpty,
  text,
} from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { pageOf } from '../page.ts';
import type { ChildIndex, Page } from '../reader.ts';
import { pagination } from '../shapes.ts';

type Filter = {
  readonly index: ChildIndex;
  readonly storedForm?: (value: string) => string;
  /** Finds unverified contacts from the onboarding proxy. */
  readonly claimed?: ChildIndex;
};

const lowerCase = (value: string) => value.toLowerCase();

const filters = table<Filter>()({
  CREDENTIAL_ID: { index: 'child_credential_id', storedForm: canonicalBase64url },
  NAME: { index: 'child_name' },
  USERNAME: { index: 'child_username' },
  EMAIL: { index: 'child_email', claimed: 'child_claimed_email', storedForm: comparedEmail },
  PHONE_NUMBER: { index: 'child_phone_number', claimed: 'child_claimed_phone_number' },
  // Unverified: it only selects among organizations that the caller may see anyway.
  OIDC_TOKEN: {
    index: 'child_identity',
    storedForm: (token) => identityValue(claimedIdentity(token)),
  },
  WALLET_ACCOUNT_ADDRESS: { index: 'child_account_address', storedForm: signingSpellings },
  PUBLIC_KEY: { index: 'child_public_key', storedForm: lowerCase },
});

export const list_suborgs = query({
  summary: 'Lists the IDs of the sub-organizations, oldest first: all, or those found by a filter.',
  body: object({
    filterType: optionalOrEmpty(oneOf(namesOf(filters))),
    filterValue: optionalOrEmpty(text({ minimum: 1, maximum: maximumTokenCharacters })),
    paginationOptions: pagination(),
  }),
  response: object({
    organizationIds: answerList(answerText()),
    unverifiedOrganizationIds: optional(answerList(answerText())),
  }),

  answer: async ({ body, organization, caller, read }) => {
    const { filterType, filterValue, paginationOptions } = body;
    const filter = filterOf(filterType, filterValue);
    const page = pageOf(paginationOptions);
    const organizationIds = await read.childPage(filter, page);
    const isOwnUser = caller.organizationId === organization.id && caller.stamp !== undefined;
    if (filter?.claimed === undefined || !isOwnUser) return { organizationIds };
    const claimed = await read.childPage({ index: filter.claimed, value: filter.value }, page);
    const unverified = claimed.filter((id) => !organizationIds.includes(id));
    if (unverified.length === 0) return { organizationIds };
    const merged = onePageOf([...organizationIds, ...unverified], page);
    return {
      organizationIds: merged,
      unverifiedOrganizationIds: unverified.filter((id) => merged.includes(id)),
    };
  },
});

/** Joins two pages of the same position. IDs sort by time, and `before` keeps the newest. */
function onePageOf(ids: readonly string[], { limit, before }: Page): readonly string[] {
  const sorted = ids.toSorted();
  return before === undefined ? sorted.slice(0, limit) : sorted.slice(-limit);
}

/** Raises `field_missing`, `oidc_token_invalid`. */
function filterOf(filterType: keyof typeof filters | undefined, filterValue: string | undefined) {
  const both = requireBoth(filterType, filterValue);
  if (both === undefined) return undefined;
  const { index, claimed, storedForm = (same: string) => same }: Filter = filters[both.type];
  return { index, claimed, value: storedForm(both.value) };
}

/** Returns both members of a filter, or undefined without both. Raises `field_missing`. */
export function requireBoth<Type>(
  type: Type | undefined,
  value: string | undefined,
): { readonly type: Type; readonly value: string } | undefined {
  if (type === undefined) return value === undefined ? undefined : failMissing('filterType');
  return value === undefined ? failMissing('filterValue') : { type, value };
}

function failMissing(field: string): never {
  const description = 'filterType and filterValue go together';
  return fail('field_missing', { field }, [{ field, description }]);
}
