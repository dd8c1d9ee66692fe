import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UPDATE_AUTH_PROXY_CONFIG',
  subject: 'AUTH_PROXY UPDATE',
  rule: 'policies',
  calls: [{ by: 'parent', parameters: () => ({ allowedOrigins: ['https://wallet.example'] }) }],
  generate: {
    weight: 1,
    parameters: ({ choice }) => ({ captchaEnabled: choice.chance(0.5), otpLength: 6 }),
  },
  effect: ({ intent, result, after }) => ({
    updated: { auth_proxy_config: [result.configId] },
    facts: {
      'it is set':
        after.rows.auth_proxy_config.get(result.configId)?.settings.captchaEnabled ===
        intent.captchaEnabled,
    },
  }),
});
