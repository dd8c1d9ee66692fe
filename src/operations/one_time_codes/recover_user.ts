import { policyOrOwnUser } from '../../core/policy/decision/access.ts';
import { answerList, answerText, object, uuid } from '../../core/schema/schema.ts';
import { requireLogin } from '../../core/settings/features.ts';
import { apiKeysOfUser, removeApiKey } from '../../core/users/api_keys.ts';
import { createAuthenticators } from '../../core/users/authenticators.ts';
import { sessionKinds } from '../../core/users/sessions.ts';
import { requireUser } from '../../core/users/users.ts';
import { registeringOrigins } from '../authenticators/registering_origins.ts';
import { authenticator } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';

export const recover_user = activity({
  wire: wireOf('ACTIVITY_TYPE_RECOVER_USER'),
  summary: 'Completes a recovery: adds a passkey, and deletes the recovery keys of the user.',
  subject: { resource: 'CREDENTIAL', action: 'CREATE' },
  authority: 'credential',
  parameters: object({ authenticator: authenticator(), userId: uuid() }),
  result: object({ authenticatorId: answerList(answerText()) }),

  access: policyOrOwnUser(({ userId }: { readonly userId: string }) => userId.toLowerCase()),

  load: async ({ organization, services }) => {
    requireLogin('email_recovery', organization);
    return { allowedOrigins: await registeringOrigins(organization, services) };
  },
  apply: ({ organization, parameters, loaded: { allowedOrigins }, context }) => {
    const user = requireUser(organization, parameters.userId);
    const created = createAuthenticators(
      user.id,
      [parameters.authenticator],
      organization,
      context,
      { fieldOf: () => 'parameters.authenticator', allowedOrigins },
    );
    for (const key of apiKeysOfUser(organization, user.id)) {
      if (key.type === sessionKinds.recovery.type) removeApiKey(key, organization);
    }
    return { authenticatorId: created.map(({ id }) => id) };
  },
});
