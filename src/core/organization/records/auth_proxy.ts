// The settings of an organization's onboarding proxy.

import type { AuthMethod, SocialProvider } from '../../base/enums.ts';

/** The settings of an organization's proxy. All members are optional. */
export type AuthProxySettings = {
  readonly allowedOrigins?: readonly string[];
  readonly allowedAuthMethods?: readonly AuthMethod[];
  readonly sendFromEmailAddress?: string;
  readonly sendFromEmailSenderName?: string;
  readonly replyToEmailAddress?: string;
  readonly emailAuthTemplateId?: string;
  readonly otpTemplateId?: string;
  readonly emailCustomizationParams?: {
    readonly appName?: string;
    readonly logoUrl?: string;
    readonly magicLinkTemplate?: string;
    readonly templateVariables?: string;
    readonly templateId?: string;
  };
  readonly smsCustomizationParams?: { readonly template?: string };
  readonly walletKitSettings?: {
    readonly enabledSocialProviders?: readonly SocialProvider[];
    readonly oauthClientIds?: { readonly [Provider in SocialProvider]?: string };
    readonly oauthRedirectUrl?: string;
  };
  readonly otpExpirationSeconds?: number;
  readonly verificationTokenExpirationSeconds?: number;
  readonly sessionExpirationSeconds?: number;
  readonly otpAlphanumeric?: boolean;
  readonly otpLength?: number;
  readonly verificationTokenRequiredForGetAccountPii?: boolean;
  readonly socialLinkingClientIds?: readonly string[];
  readonly captchaEnabled?: boolean;
};
