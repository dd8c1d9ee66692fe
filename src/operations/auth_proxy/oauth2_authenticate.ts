import { oauth2Providers } from '../../core/base/enums.ts';
import { fail } from '../../core/errors/errors.ts';
import { answerText, object, oneOf, text } from '../../core/schema/schema.ts';
import { methodOfOauth2Provider } from './identity_provider.ts';
import { proxy } from './proxy_operation.ts';

const someText = () => text({ minimum: 1, maximum: 4096 });

export const oauth2_authenticate = proxy({
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
