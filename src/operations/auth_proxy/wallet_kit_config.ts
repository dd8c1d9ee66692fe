import type { AuthMethod } from '../../core/base/enums.ts';
import {
  answerList,
  answerText,
  anyObject,
  boolean,
  object,
  optional,
} from '../../core/schema/schema.ts';
import { type ProxyCall, proxy } from './proxy_operation.ts';

export const wallet_kit_config = proxy({
  summary: 'Returns the ways to sign in that a page may offer, and the lifetime of sessions.',
  body: object({}),
  response: object({
    enabledProviders: answerList(answerText()),
    sessionExpirationSeconds: answerText(),
    organizationId: answerText(),
    oauthClientIds: optional(anyObject('Client ids by provider')),
    oauthRedirectUrl: optional(answerText()),
    otpAlphanumeric: optional(boolean()),
    otpLength: optional(answerText()),
  }),

  answer: (call) => {
    const { settings, organization } = call;
    const { oauthClientIds, oauthRedirectUrl = '' } = settings.walletKitSettings ?? {};
    return {
      enabledProviders: [...providersOf(call)],
      sessionExpirationSeconds: String(settings.sessionExpirationSeconds),
      organizationId: organization.id,
      ...(oauthClientIds === undefined ? {} : { oauthClientIds }),
      ...(oauthRedirectUrl === '' ? {} : { oauthRedirectUrl }),
      otpAlphanumeric: settings.otpAlphanumeric,
      otpLength: String(settings.otpLength),
    };
  },
});

/** Returns the allowed methods that are configured: codes need a carrier, and social logins a provider. */
function providersOf({ settings, deployment }: ProxyCall): readonly AuthMethod[] {
  const { enabledSocialProviders = [] } = settings.walletKitSettings ?? {};
  const offered: readonly AuthMethod[] = [
    ...(deployment.sendsEmail ? (['email'] as const) : []),
    ...(deployment.sendsSms ? (['sms'] as const) : []),
    'passkey',
    'wallet',
    ...enabledSocialProviders,
  ];
  return offered.filter((method) => settings.allowedAuthMethods.includes(method));
}
