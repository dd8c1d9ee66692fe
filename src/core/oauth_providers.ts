// Rules of accounts at identity providers.

import { identityValue } from './indexes.ts';
import type { OauthProvider } from './model.ts';
import type { OrganizationView } from './organization.ts';
import { createRowIndex } from './row_index.ts';

/** Who a token is about: issuer, audience and subject together name one account. */
export type Identity = Pick<OauthProvider, 'issuer' | 'audience' | 'subject'>;

const providersByUser = createRowIndex('oauth_provider', (providers) =>
  Map.groupBy(providers, ({ userId }) => userId),
);
const providersByIdentity = createRowIndex(
  'oauth_provider',
  (providers) => new Map([...providers].map((each) => [identityValue(each), each])),
);

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
