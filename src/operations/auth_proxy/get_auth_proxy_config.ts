import { timestampsOf } from '../../core/base/compatibility.ts';
import { answerText, boolean, object, timestamps } from '../../core/schema/schema.ts';
import { requireAuthProxyConfig, whyProxyIsOff } from '../../core/settings/auth_proxy.ts';
import { completeSettings } from '../../core/settings/auth_proxy_settings.ts';

import { query } from '../operation.ts';
import { authProxySettings } from './settings_shape.ts';

export const get_auth_proxy_config = query({
  summary: 'Returns the onboarding proxy: its user, and its settings with their defaults.',
  body: object({}),
  response: object({
    configId: answerText(),
    userId: answerText(),
    policyId: answerText(),
    isActive: boolean(),
    settings: authProxySettings(),
    ...timestamps(),
  }),

  answer: ({ organization }) => {
    const config = requireAuthProxyConfig(organization);
    return {
      configId: config.id,
      userId: config.userId,
      policyId: config.policyId,
      isActive: whyProxyIsOff(config, organization) === undefined,
      settings: completeSettings(config.settings),
      ...timestampsOf(config),
    };
  },
});
