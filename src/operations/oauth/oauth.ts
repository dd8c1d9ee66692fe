import { readOidcToken } from '../../core/auth/oidc_token.ts';
import { maximumTargetKeyCharacters, parseTargetKey } from '../../core/bundles/target_key.ts';
import { answerText, boolean, label, object, optional, text } from '../../core/schema/schema.ts';
import { startBundledSession } from '../../core/users/bundled_sessions.ts';
import { apiKeyLife, oidcToken } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';
import { childEntryOf, userOfIdentity, verifyTokenFor } from './token_login.ts';

export const oauth = activity({
  wire: wireOf('ACTIVITY_TYPE_OAUTH'),
  summary:
    'Logs a user in by an OIDC token; the service creates the session key and encrypts it to the client.',
  subject: { resource: 'AUTH', action: 'CREATE' },
  authority: 'proven_login',
  parameters: object({
    oidcToken: oidcToken(),
    targetPublicKey: text({ minimum: 1, maximum: maximumTargetKeyCharacters }),
    apiKeyName: optional(label()),
    expirationSeconds: optional(apiKeyLife()),
    invalidateExisting: optional(boolean()),
  }),
  result: object({ userId: answerText(), apiKeyId: answerText(), credentialBundle: answerText() }),

  parentActs: true,
  childEntry: childEntryOf,
  callsExternal: () => true,

  load: async ({ parameters: { oidcToken: token, targetPublicKey } }) => {
    readOidcToken(token);
    return parseTargetKey(targetPublicKey, 'parameters.targetPublicKey');
  },
  obtain: ({ parameters: { oidcToken: token, targetPublicKey: text }, services }) =>
    verifyTokenFor(token, { text, name: 'targetPublicKey' }, services.verifyIdToken),
  apply: ({ organization, parameters, loaded: targetPublicKey, obtained, context, services }) => {
    const user = userOfIdentity(obtained, organization);
    const { apiKeyName: name, expirationSeconds, invalidateExisting } = parameters;
    const { key, credentialBundle } = startBundledSession(
      { kind: 'oauth', user, targetPublicKey, name, expirationSeconds, invalidateExisting },
      organization,
      context,
      services.random,
    );
    return { userId: user.id, apiKeyId: key.id, credentialBundle };
  },
});
