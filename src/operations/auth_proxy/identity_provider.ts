// Names the login method of an account at an identity provider.

import type { AuthMethod, Oauth2Provider } from '../../core/base/enums.ts';
import type { Identity } from '../../core/users/oauth_providers.ts';
import type { ProxyCall } from './proxy_operation.ts';

const methodsByIssuer: ReadonlyMap<string, AuthMethod> = new Map([
  ['https://accounts.google.com', 'google'],
  ['accounts.google.com', 'google'],
  ['https://appleid.apple.com', 'apple'],
  ['https://www.facebook.com', 'facebook'],
  ['https://facebook.com', 'facebook'],
]);

/** Providers with OAuth 2.0 only, for which the service issues the tokens. */
export const methodOfOauth2Provider = {
  OAUTH2_PROVIDER_X: 'x',
  OAUTH2_PROVIDER_DISCORD: 'discord',
} as const satisfies Record<Oauth2Provider, AuthMethod>;

/** Returns the login method of an account at this issuer. */
export function methodOfIdentity(
  { issuer, audience }: Pick<Identity, 'issuer' | 'audience'>,
  { deployment, organization }: Pick<ProxyCall, 'deployment' | 'organization'>,
): AuthMethod {
  if (issuer !== deployment.publicUrl) return methodsByIssuer.get(issuer) ?? 'oidc';
  const credential = organization
    .list('oauth2_credential')
    .find(({ clientId }) => clientId === audience);
  return credential === undefined ? 'oidc' : methodOfOauth2Provider[credential.provider];
}
