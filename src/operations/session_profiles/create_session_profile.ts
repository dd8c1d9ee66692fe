import { assert } from '../../core/errors/errors.ts';
import { scopeWarnings } from '../../core/policy/lint/scope_warnings.ts';
import { answerText, label, object, optional, text } from '../../core/schema/schema.ts';
import { createSessionProfile, maximumScopeBytes } from '../../core/users/session_profiles.ts';
import { apiKeyLife } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';
import { notes } from '../shapes.ts';

export const create_session_profile = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_SESSION_PROFILE'),
  summary:
    'Creates a session profile: the scope of the sessions that name it. It cannot be changed.',
  subject: { resource: 'SESSION_PROFILE', action: 'CREATE' },
  authority: 'session_scope',
  parameters: object({
    sessionProfileName: label(),
    scope: text({ minimum: 1, maximum: maximumScopeBytes }),
    expirationSeconds: optional(apiKeyLife()),
    notes: optional(notes()),
  }),
  result: object({ sessionProfileId: answerText() }),

  apply: ({ organization, parameters, context }) => {
    const { id } = createSessionProfile(parameters, organization, context);
    return { sessionProfileId: id };
  },
  warnings: ({ organization, result: { sessionProfileId } }) => {
    const profile = organization.get('session_profile', sessionProfileId);
    assert(profile !== undefined, 'the profile was saved');
    const sessionProfileName = profile.name;
    const code = 'SESSION_SCOPE_ESCAPES';
    return scopeWarnings(profile.scope, organization.id).map((message) => ({
      sessionProfileId,
      sessionProfileName,
      code,
      message,
    }));
  },
});
