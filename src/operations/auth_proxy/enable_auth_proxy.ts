import { answerText, object } from '../../core/schema/schema.ts';
import { enableAuthProxy } from '../../core/settings/auth_proxy.ts';
import { activity, wireOf } from '../operation.ts';

export const enable_auth_proxy = activity({
  wire: wireOf('ACTIVITY_TYPE_ENABLE_AUTH_PROXY'),
  summary: 'Enables the onboarding proxy, with a user and a policy of its own.',
  subject: { resource: 'AUTH_PROXY', action: 'CREATE' },
  authority: 'onboarding',
  parameters: object({}),
  result: object({ userId: answerText() }),

  apply: ({ organization, keyring, context }) => ({
    userId: enableAuthProxy(organization, keyring, context).userId,
  }),
});
