// Signing in with an account at an identity provider.

import { claimedIdentity } from '../../core/auth/oidc_token.ts';
import { oauth2Providers } from '../../core/base/enums.ts';
import { fail } from '../../core/errors/errors.ts';
import { identityValue } from '../../core/organization/indexes.ts';
import {
  answerText,
  boolean,
  object,
  oneOf,
  optional,
  text,
  uuid,
} from '../../core/schema/schema.ts';
import { apiPublicKey, oidcToken } from '../credential_shapes.ts';
import { methodOfIdentity, methodOfOauth2Provider } from './identity_provider.ts';
import { endpoint } from './proxy_endpoint.ts';

const someText = () => text({ minimum: 1, maximum: 4096 });

export const oauth_login = endpoint({
  summary: 'Starts a session for a user with an ID token of an identity provider.',
  body: object({
    oidcToken: oidcToken(),
    publicKey: apiPublicKey(),
    invalidateExisting: optional(boolean()),
    organizationId: optional(uuid()),
  }),
  response: object({ session: answerText() }),

  answer: async (call, { organizationId: named, ...body }) => {
    // Only where to look: the login itself verifies the token.
    const identity = claimedIdentity(body.oidcToken);
    call.requireMethod(methodOfIdentity(identity, call));
    const organizationId =
      named === undefined
        ? await call.childWith('child_identity', identityValue(identity))
        : await call.requireChild(named);
    if (organizationId === undefined) {
      fail('identity_not_found', { organizationId: call.organization.id });
    }
    const expirationSeconds = String(call.settings.sessionExpirationSeconds);
    const { result } = await call.act(
      'oauth_login',
      { ...body, expirationSeconds },
      { organizationId },
    );
    return { session: String(result['session']) };
  },
});

export const oauth2_authenticate = endpoint({
  summary: 'Exchanges an authorization code of an OAuth 2.0 provider for an ID token.',
  body: object({
    provider: oneOf(oauth2Providers),
    authCode: someText(),
    redirectUri: someText(),
    codeVerifier: someText(),
    nonce: someText(),
    clientId: someText(),
  }),
  response: object({ oidcToken: answerText() }),

  answer: async (call, { provider, clientId, ...body }) => {
    const { organization } = call;
    call.requireMethod(methodOfOauth2Provider[provider]);
    const credential = organization
      .list('oauth2_credential')
      .find((each) => each.provider === provider && each.clientId === clientId);
    if (credential === undefined) {
      const organizationId = organization.id;
      fail('oauth2_credential_not_found', { id: clientId.slice(0, 100), organizationId });
    }
    const parameters = { oauth2CredentialId: credential.id, ...body };
    const { result } = await call.act('oauth2_authenticate', parameters);
    return { oidcToken: String(result['oidcToken']) };
  },
});
