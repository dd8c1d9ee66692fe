import { answerText, object } from '../../core/schema/schema.ts';
import { updateAuthProxy } from '../../core/settings/auth_proxy.ts';
import { activity, wireOf } from '../operation.ts';
import { authProxySettings } from './settings_shape.ts';

export const update_auth_proxy_config = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_AUTH_PROXY_CONFIG'),
  summary: 'Updates settings of the onboarding proxy; members that are left out stay.',
  subject: { resource: 'AUTH_PROXY', action: 'UPDATE' },
  authority: 'onboarding',
  parameters: authProxySettings(),
  result: object({ configId: answerText() }),

  apply: ({ organization, parameters, context }) => ({
    configId: updateAuthProxy(parameters, organization, context.now).id,
  }),
});
