// Rules of accounts at identity providers. Such an account works like a key: its token signs in as the user.

import { type OidcClaims, readOidcToken } from '../auth/oidc_token.ts';
import type { Context } from '../base/context.ts';
import { fail, failField } from '../errors/errors.ts';
import { identityValue } from '../organization/indexes/indexes.ts';
import { createRowIndex } from '../organization/indexes/row_index.ts';
import { checkLimit } from '../organization/limits.ts';
import type { OauthProvider } from '../organization/model.ts';
import { failNotFound } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';

/** The account of a token: issuer, audience and subject. */
export type Identity = Pick<OauthProvider, 'issuer' | 'audience' | 'subject'>;

/** Parameters of a provider: a token, or claims without a token. */
export type ProviderParameters = {
  readonly providerName: string;
  readonly oidcToken?: string;
  readonly oidcClaims?: { readonly iss: string; readonly sub: string; readonly aud: string };
};

/** A user's providers in a request, with the path of their list. */
export type DescribedProviders = {
  readonly providers: readonly ProviderParameters[];
  readonly field: string;
};

/** A provider whose parameters were checked. */
export type CheckedProvider = {
  readonly name: string;
  readonly identity: Identity;
  /** True if a token proved control of the account. */
  readonly isProven: boolean;
  /** The token that proved it, and how the token registers the account. */
  readonly token?: { readonly id: string; readonly registers: Registers };
};

/**
 * `bound`: the key in its nonce signs the request, so the token stays valid. `once`: another key of the same
 * person signs, so the token is used up.
 */
type Registers = 'bound' | 'once';

/** Maximum number of issuers whose keys a request may make the service fetch, one after the other. */
const maximumIssuers = 10;

const providersByUser = createRowIndex('oauth_provider', (providers) =>
  Map.groupBy(providers, ({ userId }) => userId),
);
const providersByIdentity = createRowIndex(
  'oauth_provider',
  (providers) => new Map([...providers].map((each) => [identityValue(each), each])),
);

/** Returns true if a request contains tokens, for which the keys of issuers are fetched. */
export function bringsTokens(described: readonly DescribedProviders[]): boolean {
  return described.some(({ providers }) =>
    providers.some(({ oidcToken }) => oidcToken !== undefined),
  );
}

/**
 * Checks the providers of all users in a request before any keys are fetched. Raises `field_invalid`,
 * `oidc_token_invalid` and `limit_exceeded`.
 */
export function readProviders(
  described: readonly DescribedProviders[],
  organization: OrganizationView,
): void {
  const issuers = new Set<string>();
  for (const { providers, field } of described) {
    checkLimit('oauthProviders', providers.length, organization);
    for (const [i, { oidcToken, oidcClaims }] of providers.entries()) {
      if ((oidcToken === undefined) === (oidcClaims === undefined)) {
        failField(`${field}.${i}`, 'expected exactly one of `oidcToken` and `oidcClaims`');
      }
      if (oidcToken !== undefined) issuers.add(readOidcToken(oidcToken).issuer);
      if (issuers.size > maximumIssuers) {
        failField(`${field}.${i}`, `expected tokens of at most ${maximumIssuers} issuers`);
      }
    }
  }
}

/**
 * Verifies the tokens of checked providers; returns one list for each user. `registers` returns how a token
 * registers its account for the user at this index. If it returns undefined, the token is rejected, since
 * anyone who read the token could register the account. Raises the errors of tokens.
 */
export async function checkProviders(
  described: readonly DescribedProviders[],
  verifyIdToken: (token: string) => Promise<OidcClaims>,
  registers: (claims: OidcClaims, user: number) => Promise<Registers | undefined>,
): Promise<readonly (readonly CheckedProvider[])[]> {
  const checked: CheckedProvider[][] = [];
  for (const [user, { providers }] of described.entries()) {
    const ofUser: CheckedProvider[] = [];
    for (const provider of providers) {
      ofUser.push(
        await checkProvider(provider, verifyIdToken, (claims) => registers(claims, user)),
      );
    }
    checked.push(ofUser);
  }
  return checked;
}

/**
 * Registers accounts of a user, in order. `field` is the path of the list in the request. An account without
 * a token needs one with a token of the same issuer and subject, so that it belongs to the same person.
 * Raises `field_invalid`, `limit_exceeded` and `oauth_provider_exists`.
 */
export function createOauthProviders(
  userId: string,
  providers: readonly CheckedProvider[],
  organization: OrganizationDraft,
  context: Context,
  field: string,
): OauthProvider[] {
  if (providers.length === 0) return [];
  const present = providersOfUser(organization, userId);
  checkLimit('oauthProviders', present.length + providers.length, organization);
  const proven = [
    ...present,
    ...providers.flatMap(({ isProven, identity }) => (isProven ? [identity] : [])),
  ];
  for (const [i, { identity, isProven }] of providers.entries()) {
    if (!isProven && !proven.some((each) => isSamePerson(each, identity))) {
      failField(
        `${field}.${i}.oidcClaims`,
        'expected an `oidcToken` with the same `iss` and `sub` in the request, or an existing provider with them: claims alone prove nothing',
      );
    }
  }
  const created = providers.map(({ name, identity, isProven }): OauthProvider => {
    const { issuer, audience, subject } = identity;
    return {
      id: context.newId(),
      userId,
      name,
      issuer,
      audience,
      subject,
      ...(isProven ? { leads: 'proven' } : {}),
      createdAtMs: context.now,
      updatedAtMs: context.now,
    };
  });
  ensureIdentitiesFree(created, organization);
  for (const provider of created) organization.put('oauth_provider', provider);
  return created;
}

/**
 * Returns the identities in a user's list that tokens prove: the identities of the tokens, and unproven ones
 * of the same person.
 */
export function shownIdentities(providers: readonly CheckedProvider[]): readonly Identity[] {
  const proven = providers.flatMap(({ isProven, identity }) => (isProven ? [identity] : []));
  const identities = providers.map(({ identity }) => identity);
  return identities.filter((each) => proven.some((other) => isSamePerson(each, other)));
}

/** Deletes providers of a user. Raises `resource_not_found` for a provider of another user. */
export function deleteOauthProviders(
  userId: string,
  ids: readonly string[],
  organization: OrganizationDraft,
): void {
  for (const id of ids) {
    if (organization.get('oauth_provider', id)?.userId !== userId) {
      failNotFound('OAuth provider', id, organization);
    }
    organization.remove('oauth_provider', id);
  }
}

/** Returns the providers of a user, oldest first. */
export function providersOfUser(
  organization: OrganizationView,
  userId: string,
): readonly OauthProvider[] {
  return providersByUser(organization).get(userId) ?? [];
}

/** Returns the provider with exactly this identity. */
export function providerOfIdentity(
  organization: OrganizationView,
  identity: Identity,
): OauthProvider | undefined {
  return providersByIdentity(organization).get(identityValue(identity));
}

/**
 * Returns true if a user with this identity also has a proven one of the same person for one of these
 * applications. The owner of another application could have the tokens of everyone who signs in there.
 */
export function isVouchedFor(
  organization: OrganizationView,
  value: string,
  clientIds: readonly string[],
): boolean {
  const claimed = providersByIdentity(organization).get(value);
  if (claimed === undefined) return false;
  return providersOfUser(organization, claimed.userId).some(
    (each) =>
      each.leads === 'proven' && isSamePerson(each, claimed) && clientIds.includes(each.audience),
  );
}

async function checkProvider(
  { providerName: name, oidcToken, oidcClaims }: ProviderParameters,
  verifyIdToken: (token: string) => Promise<OidcClaims>,
  registersBy: (claims: OidcClaims) => Promise<Registers | undefined>,
): Promise<CheckedProvider> {
  if (oidcToken !== undefined) {
    const claims = await verifyIdToken(oidcToken);
    const registers = await registersBy(claims);
    if (registers === undefined) {
      fail('oidc_token_invalid', {
        reason:
          '`nonce`: expected the hash of the key that signs the request; without it, `oidcClaims` may name only client IDs of the parent',
      });
    }
    const { issuer, audience, subject, tokenId: id } = claims;
    const identity = { issuer, audience, subject };
    return { name, identity, isProven: true, token: { id, registers } };
  }
  const { iss = '', aud = '', sub = '' } = oidcClaims ?? {};
  return { name, identity: { issuer: iss, audience: aud, subject: sub }, isProven: false };
}

/** Records the tokens of registered accounts as used; `organization` is that of the request. */
export function useTokens(
  providers: readonly CheckedProvider[],
  organization: OrganizationDraft,
): void {
  for (const { token } of providers) {
    if (token?.registers === 'once') organization.claim(token.id);
    if (token?.registers === 'bound') organization.use(token.id);
  }
}

/** Rejects known accounts, since each identifies one user of the organization. */
function ensureIdentitiesFree(
  created: readonly OauthProvider[],
  organization: OrganizationView,
): void {
  const known = new Set(organization.list('oauth_provider').map(identityValue));
  for (const { name, ...identity } of created) {
    const value = identityValue(identity);
    if (known.has(value)) fail('oauth_provider_exists', { name });
    known.add(value);
  }
}

function isSamePerson(a: Identity, b: Identity): boolean {
  return a.issuer === b.issuer && a.subject === b.subject;
}
