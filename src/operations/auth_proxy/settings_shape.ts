// The settings of the onboarding proxy in requests and answers. core/settings/auth_proxy_settings.ts has the
// rules of their values.

import { customizationLimits } from '../../core/auth/one_time_codes/message_customization.ts';
import { authMethods, socialProviders } from '../../core/base/enums.ts';
import { boolean, integer, list, object, oneOf, optional, text } from '../../core/schema/schema.ts';
import { authProxyLimits } from '../../core/settings/auth_proxy_settings.ts';
import { email } from '../credential_shapes.ts';

const line = () => text({ maximum: 255 });
const link = () => text({ maximum: 2048 });
const clientId = () => text({ minimum: 1, maximum: 255 });

/** The settings, all of them optional. */
export const authProxySettings = () =>
  object({
    allowedOrigins: optional(
      list(text({ minimum: 1, maximum: authProxyLimits.originCharacters }), {
        minimum: 1,
        maximum: authProxyLimits.allowedOrigins,
      }),
    ),
    allowedAuthMethods: optional(
      list(oneOf(authMethods), { minimum: 1, maximum: authMethods.length }),
    ),
    sendFromEmailAddress: optional(email()),
    replyToEmailAddress: optional(email()),
    emailAuthTemplateId: optional(line()),
    otpTemplateId: optional(line()),
    emailCustomizationParams: optional(
      object({
        appName: optional(line()),
        logoUrl: optional(link()),
        magicLinkTemplate: optional(link()),
        templateVariables: optional(
          text({ maximum: customizationLimits.templateVariablesCharacters }),
        ),
        templateId: optional(line()),
      }),
    ),
    smsCustomizationParams: optional(
      object({
        template: optional(text({ maximum: customizationLimits.smsTemplateCharacters })),
      }),
    ),
    walletKitSettings: optional(
      object({
        enabledSocialProviders: optional(
          list(oneOf(socialProviders), { maximum: socialProviders.length }),
        ),
        oauthClientIds: optional(
          object({
            google: optional(clientId()),
            apple: optional(clientId()),
            facebook: optional(clientId()),
            x: optional(clientId()),
            discord: optional(clientId()),
          }),
        ),
        oauthRedirectUrl: optional(link()),
      }),
    ),
    otpExpirationSeconds: optional(integer(authProxyLimits.otpExpirationSeconds)),
    verificationTokenExpirationSeconds: optional(
      integer(authProxyLimits.verificationTokenExpirationSeconds),
    ),
    sessionExpirationSeconds: optional(integer(authProxyLimits.sessionExpirationSeconds)),
    otpAlphanumeric: optional(boolean()),
    otpLength: optional(integer(authProxyLimits.otpLength)),
    sendFromEmailSenderName: optional(line()),
    verificationTokenRequiredForGetAccountPii: optional(boolean()),
    socialLinkingClientIds: optional(
      list(clientId(), { maximum: authProxyLimits.socialLinkingClientIds }),
    ),
    captchaEnabled: optional(boolean()),
  });
