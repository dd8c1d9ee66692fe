import { policyOrOwnUser } from '../../core/policy/decision/access.ts';
import { answerText, boolean, object, optional, uuid } from '../../core/schema/schema.ts';
import { requireSessionProfile, sessionTokenOf, startSession } from '../../core/users/sessions.ts';
import { apiKeyLife, apiPublicKey } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';

export const stamp_login = activity({
  wire: wireOf('ACTIVITY_TYPE_STAMP_LOGIN'),
  summary:
    "Starts a session of the user who stamps the request, with any of the user's credentials.",
  subject: { resource: 'AUTH', action: 'CREATE' },
  authority: 'proven_login',
  parameters: object({
    publicKey: apiPublicKey(),
    expirationSeconds: optional(apiKeyLife()),
    invalidateExisting: optional(boolean()),
    sessionProfileId: optional(uuid()),
  }),
  result: object({ session: answerText() }),

  access: policyOrOwnUser((_, submitter) => submitter.id),
  findsChild: true,

  load: async ({ organization, parameters, services }) => {
    const owner = (await services.parent()) ?? organization;
    return requireSessionProfile(parameters.sessionProfileId, owner);
  },
  facts: ({ parameters: { sessionProfileId = '' } }) => ({
    params: { session_profile_id: sessionProfileId.toLowerCase() },
  }),
  apply: ({ organization, parameters, loaded: profile, submitter, context, services }) => {
    const key = startSession(
      { ...parameters, kind: 'login', user: submitter, profile },
      organization,
      context,
    );
    return { session: sessionTokenOf(key, profile, organization, services.serviceKeys) };
  },
});
