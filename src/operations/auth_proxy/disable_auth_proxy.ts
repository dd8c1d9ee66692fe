import { object } from '../../core/schema/schema.ts';
import { disableAuthProxy } from '../../core/settings/auth_proxy.ts';
import { activity, wireOf } from '../operation.ts';

export const disable_auth_proxy = activity({
  wire: wireOf('ACTIVITY_TYPE_DISABLE_AUTH_PROXY'),
  summary: 'Disables the onboarding proxy and deletes its settings, user and policy.',
  subject: { resource: 'AUTH_PROXY', action: 'DELETE' },
  authority: 'onboarding',
  parameters: object({}),
  result: object({}),

  apply: ({ organization, context }) => {
    disableAuthProxy(organization, context);
    return {};
  },
});
