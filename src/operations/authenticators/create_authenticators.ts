import { policyOrOwnUser } from '../../core/policy/decision/access.ts';
import { answerList, answerText, object, uuid } from '../../core/schema/schema.ts';
import { createAuthenticators } from '../../core/users/authenticators.ts';
import { markGiven } from '../../core/users/sign_in_links.ts';
import { requireUser } from '../../core/users/users.ts';
import { authenticatorList, browserAuthenticatorList, fromBrowser } from '../credential_shapes.ts';
import { activity, olderVersion, wireOf } from '../operation.ts';
import { registeringOrigins } from './registering_origins.ts';

export const create_authenticators = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', ''),
  older: [
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_CREATE_AUTHENTICATORS'),
      parameters: object({ authenticators: browserAuthenticatorList(1), userId: uuid() }),
      upgrade: ({ authenticators, userId }) => ({
        authenticators: fromBrowser(authenticators),
        userId,
      }),
    }),
  ],
  summary: 'Creates passkeys of a user.',
  subject: { resource: 'CREDENTIAL', action: 'CREATE' },
  authority: 'credential',
  parameters: object({ authenticators: authenticatorList(1), userId: uuid() }),
  result: object({ authenticatorIds: answerList(answerText()) }),

  access: policyOrOwnUser(({ userId }: { readonly userId: string }) => userId.toLowerCase()),

  load: async ({ organization, services }) => ({
    allowedOrigins: await registeringOrigins(organization, services),
  }),
  apply: ({ organization, parameters, submitter, loaded: { allowedOrigins }, context }) => {
    const user = requireUser(organization, parameters.userId);
    const created = createAuthenticators(
      user.id,
      parameters.authenticators,
      organization,
      context,
      { fieldOf: (i) => `parameters.authenticators.${i}`, allowedOrigins },
    );
    const authenticatorIds = created.map(({ id }) => id);
    markGiven(authenticatorIds, organization, { submitterId: submitter.id, ownerId: user.id });
    return { authenticatorIds };
  },
});
