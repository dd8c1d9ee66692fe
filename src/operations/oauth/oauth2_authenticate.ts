import { exchangeCode } from '../../core/auth/oauth2/code_exchange.ts';
import { clientSecretOf, requireOauth2Credential } from '../../core/auth/oauth2/credentials.ts';
import { writeIssuedIdentity } from '../../core/auth/tokens/issued_identity.ts';
import { utf8, wipe } from '../../core/base/bytes.ts';
import { writeBearerTokenBundle } from '../../core/bundles/credential_bundle.ts';
import { maximumTargetKeyCharacters, parseTargetKey } from '../../core/bundles/target_key.ts';
import { newPrivateKey } from '../../core/crypto/key_agreement.ts';
import {
  answerBearer,
  bearerText,
  object,
  optional,
  text,
  uuid,
} from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

/** Lifetime of the issued token, which serves the login that follows at once. */
const issuedSeconds = 900;

export const oauth2_authenticate = activity({
  wire: wireOf('ACTIVITY_TYPE_OAUTH2_AUTHENTICATE'),
  summary:
    'Exchanges an authorization code of an OAuth 2.0 provider for an ID token that the service issues.',
  subject: { resource: 'AUTH', action: 'CREATE' },
  authority: 'proven_login',
  parameters: object({
    oauth2CredentialId: uuid(),
    authCode: bearerText({ minimum: 1, maximum: 4096 }),
    redirectUri: text({ minimum: 1, maximum: 2048 }),
    // RFC 7636 section 4.1.
    codeVerifier: bearerText({ minimum: 43, maximum: 128 }),
    nonce: text({ minimum: 1, maximum: 256 }),
    bearerTokenTargetPublicKey: optional(text({ minimum: 1, maximum: maximumTargetKeyCharacters })),
  }),
  result: object({ oidcToken: answerBearer() }),

  concurrent: true,
  callsExternal: () => true,

  load: async ({ organization, parameters }) => ({
    credential: requireOauth2Credential(organization, parameters.oauth2CredentialId),
    targetPublicKey: bearerTokenTarget(parameters.bearerTokenTargetPublicKey),
  }),
  obtain: async ({ organization, parameters, loaded: { credential }, services }) => {
    const clientSecret = clientSecretOf(credential, organization.id, services.serviceKeys);
    try {
      const { authCode: code, redirectUri, codeVerifier } = parameters;
      const exchange = { ...credential, clientSecret, code, redirectUri, codeVerifier };
      return await exchangeCode(exchange, services.external.fetch);
    } finally {
      wipe(clientSecret);
    }
  },
  apply: ({ parameters, loaded, obtained, context, services }) => {
    const { serviceKeys, deployment, random } = services;
    const issuedAtSeconds = Math.floor(context.now / 1000);
    const identity = {
      issuer: deployment.publicUrl,
      audience: loaded.credential.clientId,
      subject: obtained.subject,
      nonce: parameters.nonce,
      issuedAtSeconds,
      expiresAtSeconds: issuedAtSeconds + issuedSeconds,
    };
    const { targetPublicKey } = loaded;
    if (targetPublicKey === undefined) {
      return { oidcToken: writeIssuedIdentity(identity, serviceKeys) };
    }
    const ephemeralPrivateKey = newPrivateKey(random);
    const token = utf8(obtained.bearerToken);
    const sealing = { targetPublicKey, ephemeralPrivateKey, token };
    const encryptedBearerToken = writeBearerTokenBundle(sealing);
    wipe(ephemeralPrivateKey, token);
    return { oidcToken: writeIssuedIdentity({ ...identity, encryptedBearerToken }, serviceKeys) };
  },
});

function bearerTokenTarget(text: string | undefined): Uint8Array | undefined {
  return text === undefined
    ? undefined
    : parseTargetKey(text, 'parameters.bearerTokenTargetPublicKey');
}
