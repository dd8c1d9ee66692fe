import assert from 'node:assert/strict';
import type { Sender, TestService } from '../../support/harness.ts';
import { createTestIssuer, publish, type TestIssuer } from '../../support/identity_provider.ts';

/** Creates an issuer that the service knows. */
export function knownIssuer(service: TestService): TestIssuer {
  const issuer = createTestIssuer();
  publish(service, issuer);
  return issuer;
}

/** Returns a provider with a token of this account. */
export const byToken = (
  service: TestService,
  issuer: TestIssuer,
  sub: string,
  claims: object = {},
) => ({
  providerName: `Account of ${sub}`,
  oidcToken: issuer.token(service, { sub, ...claims }),
});

/** Returns a provider with the claims of a token, without the token. */
export const byClaims = (sub: string, aud: string, iss = 'https://issuer.test') => ({
  providerName: `Account of ${sub}`,
  oidcClaims: { iss, sub, aud },
});

/** Sends create_oauth_providers in its newest form. */
export const sendProviders = (
  service: TestService,
  userId: string,
  oauthProviders: readonly object[],
  as: Sender = {},
) =>
  service.submit(
    'create_oauth_providers',
    'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2',
    { userId, oauthProviders },
    as,
  );

/** Registers accounts of a user, as the root user by default. */
export async function makeProviders(
  service: TestService,
  userId: string,
  oauthProviders: readonly object[],
  as: Sender = {},
): Promise<string[]> {
  const { status, body } = await sendProviders(service, userId, oauthProviders, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createOauthProvidersResultV2.providerIds;
}

/** Returns the subjects of a user's providers, oldest first; without a user, of all users. */
export async function subjectsOf(
  service: TestService,
  userId?: string,
  as: Sender = {},
): Promise<string[]> {
  const { status, body } = await service.query('get_oauth_providers', { userId }, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.oauthProviders.map((provider: { subject: string }) => provider.subject);
}
