import { readOidcToken } from '../../core/auth/oidc_token.ts';
import { answerText, boolean, object, optional, uuid } from '../../core/schema/schema.ts';
import { requireSessionProfile, sessionTokenOf, startSession } from '../../core/users/sessions.ts';
import { apiKeyLife, apiPublicKey, oidcToken } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';
import { childEntryOf, userOfIdentity, verifyTokenFor } from './token_login.ts';

export const oauth_login = activity({
  wire: wireOf('ACTIVITY_TYPE_OAUTH_LOGIN'),
  summary: 'Starts a session of the user whom an OIDC token names, for the key in its nonce.',
  subject: { resource: 'AUTH', action: 'CREATE' },
  authority: 'proven_login',
  parameters: object({
    oidcToken: oidcToken(),
    publicKey: apiPublicKey(),
    expirationSeconds: optional(apiKeyLife()),
    invalidateExisting: optional(boolean()),
    sessionProfileId: optional(uuid()),
  }),
  result: object({ session: answerText() }),

  parentActs: true,
  childEntry: childEntryOf,
  callsExternal: () => true,

  load: async ({ organization, parameters, services }) => {
    readOidcToken(parameters.oidcToken);
    const owner = (await services.parent()) ?? organization;
    return requireSessionProfile(parameters.sessionProfileId, owner);
  },
  facts: ({ parameters: { sessionProfileId = '' } }) => ({
    params: { session_profile_id: sessionProfileId.toLowerCase() },
  }),
  obtain: ({ parameters: { oidcToken: token, publicKey: text }, services }) =>
    verifyTokenFor(token, { text, name: 'publicKey' }, services.verifyIdToken),
  apply: ({ organization, parameters, loaded: profile, obtained, context, services }) => {
    const { publicKey, expirationSeconds, invalidateExisting } = parameters;
    const user = userOfIdentity(obtained, organization);
    const key = startSession(
      { kind: 'login', user, publicKey, expirationSeconds, invalidateExisting, profile },
      organization,
      context,
    );
    return { session: sessionTokenOf(key, profile, organization, services.serviceKeys) };
  },
});
