// Rules of accounts at identity providers. Such an account works like a key: its token signs in as the user.

import { type OidcClaims, readOidcToken } from '../auth/oidc_token.ts';
import type { Context } from '../base/context.ts';
import { fail, failField } from '../errors/errors.ts';
import { identityValue } from '../organization/indexes/indexes.ts';
import { createRowIndex } from '../organization/indexes/row_index.ts';
import { checkLimit } from '../organization/limits.ts';
import type { OauthProvider } from '../organization/model.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';

/** The account of a token: issuer, audience and subject. */
export type Identity = Pick<OauthProvider, 'issuer' | 'audience' | 'subject'>;

/** A provider as a request describes it: by a token, or by the claims of a token. */
export type ProviderParameters = {
  readonly providerName: string;
  readonly oidcToken?: string;
  readonly oidcClaims?: { readonly iss: string; readonly sub: string; readonly aud: string };
};

/** The providers of one user in a request, with the path of their list. */
export type DescribedProviders = {
  readonly providers: readonly ProviderParameters[];
  readonly field: string;
};

/** A provider whose description was looked into. */
export type CheckedProvider = {
  readonly name: string;
  readonly identity: Identity;
  /** True if a token proved control of the account. */
  readonly isProven: boolean;
  /** The token that showed it, and how that may register the account. */
  readonly token?: { readonly id: string; readonly registers: Registers };
};

/**
 * `bound`: the key that its nonce names signs, so the token may be sent again. `once`: another key of the
 * same person signs, so the token is used up.
 */
type Registers = 'bound' | 'once';

/** Issuers that one request may make the service ask for their keys, one after the other. */
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
 * Returns the facts about the providers of all users of a request that need no request to others. Raises
 * `field_invalid`, `oidc_token_invalid`, `limit_exceeded`.
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
 * Verifies the tokens of providers that were read, one list for each user. `registers` returns how a token
 * registers its account in this request, for the user of this place. If it returns undefined, the token is
 * refused: a reader of the token could register the account as their own. Raises the refusals of tokens.
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
 * a token belongs to the person of one with a token: the same issuer and subject, for another audience.
 * Raises `field_invalid`, `limit_exceeded`, `oauth_provider_exists`.
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
        'expected beside it a token of the same `iss` and `sub`, or such a provider of the user: claims alone prove nothing',
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
 * Returns the identities of one user's list that tokens show: those of the tokens, and claims about the same
 * person.
 */
export function shownIdentities(providers: readonly CheckedProvider[]): readonly Identity[] {
  const proven = providers.flatMap(({ isProven, identity }) => (isProven ? [identity] : []));
  const identities = providers.map(({ identity }) => identity);
  return identities.filter((each) => proven.some((other) => isSamePerson(each, other)));
}

/** Deletes providers of a user. Raises `resource_not_found` for one that is not this user's. */
export function deleteOauthProviders(
  userId: string,
  ids: readonly string[],
  organization: OrganizationDraft,
): void {
  for (const id of ids) {
    if (organization.get('oauth_provider', id)?.userId !== userId) {
      const organizationId = organization.id;
      fail('resource_not_found', { resource: 'OAuth provider', id, organizationId });
    }
    organization.remove('oauth_provider', id);
  }
}

/** The providers of a user, oldest first. */
export function providersOfUser(
  organization: OrganizationView,
  userId: string,
): readonly OauthProvider[] {
  return providersByUser(organization).get(userId) ?? [];
}

/** The provider that stands for exactly this identity. */
export function providerOfIdentity(
  organization: OrganizationView,
  identity: Identity,
): OauthProvider | undefined {
  return providersByIdentity(organization).get(identityValue(identity));
}

/**
 * Returns true if an identity is claimed together with a token of the same person for one of these
 * applications. The owner of another application could hold the tokens of everyone who signs in there.
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
          '`nonce`: expected it to name the key that signs the request; where none does, claims name client IDs of the parent alone',
      });
    }
    const { issuer, audience, subject, tokenId: id } = claims;
    const identity = { issuer, audience, subject };
    return { name, identity, isProven: true, token: { id, registers } };
  }
  const { iss = '', aud = '', sub = '' } = oidcClaims ?? {};
  return { name, identity: { issuer: iss, audience: aud, subject: sub }, isProven: false };
}

/** Notes the tokens of registered accounts as used; `organization` is that of the request. */
export function useTokens(
  providers: readonly CheckedProvider[],
  organization: OrganizationDraft,
): void {
  for (const { token } of providers) {
    if (token?.registers === 'once') organization.claim(token.id);
    if (token?.registers === 'bound') organization.use(token.id);
  }
}

/** An account names one user of the organization. */
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
