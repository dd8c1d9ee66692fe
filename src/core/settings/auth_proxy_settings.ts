// The settings of an organization's onboarding proxy, and their defaults.

import {
  checkEmailCustomization,
  checkSender,
  checkSmsTemplate,
} from '../auth/one_time_codes/message_customization.ts';
import { codeLengths } from '../auth/one_time_codes/otp_code.ts';
import { otpLimits } from '../auth/one_time_codes/otp_limits.ts';
import { authMethods } from '../base/enums.ts';
import { fail, failField } from '../errors/errors.ts';
import type { AuthProxySettings } from '../organization/records/auth_proxy.ts';
import { maximumExpirationSeconds } from '../users/api_keys.ts';

export const authProxyLimits = {
  allowedOrigins: 100,
  originCharacters: 255,
  socialLinkingClientIds: 100,
  otpLength: codeLengths,
  otpExpirationSeconds: otpLimits.lifeSeconds,
  verificationTokenExpirationSeconds: { minimum: 1, maximum: 86_400 },
  sessionExpirationSeconds: { minimum: 1, maximum: maximumExpirationSeconds },
} as const;

type Defaults = Required<
  Pick<
    AuthProxySettings,
    | 'allowedOrigins'
    | 'allowedAuthMethods'
    | 'otpExpirationSeconds'
    | 'verificationTokenExpirationSeconds'
    | 'sessionExpirationSeconds'
    | 'otpAlphanumeric'
    | 'otpLength'
    | 'verificationTokenRequiredForGetAccountPii'
    | 'socialLinkingClientIds'
    | 'captchaEnabled'
  >
>;

const defaults: Defaults = {
  allowedOrigins: ['*'],
  allowedAuthMethods: authMethods,
  otpExpirationSeconds: 300,
  verificationTokenExpirationSeconds: 3600,
  sessionExpirationSeconds: 900,
  otpAlphanumeric: true,
  otpLength: 9,
  verificationTokenRequiredForGetAccountPii: true,
  socialLinkingClientIds: [],
  captchaEnabled: false,
};

/** The settings, with defaults for absent members. */
export type CompleteSettings = AuthProxySettings & Defaults;

/** Returns the settings with their defaults. */
export const completeSettings = (settings: AuthProxySettings): CompleteSettings => ({
  ...defaults,
  ...settings,
});

/**
 * Returns the settings after a change: omitted members stay, and an empty text removes its member. `field` is
 * the path of the change in the request. A link must point to one of the `passkeyOrigins` or of the listed
 * origins. Raises `field_invalid`, `email_invalid`, `message_customization_invalid`.
 */
export function changedSettings(
  before: AuthProxySettings,
  change: AuthProxySettings,
  field: string,
  passkeyOrigins: readonly string[],
): AuthProxySettings {
  const { allowedOrigins = [] } = { ...before, ...change };
  const listed = allowedOrigins.filter((origin) => origin !== '*');
  checkSettings(change, field, [...passkeyOrigins, ...listed]);
  const members = Object.entries({ ...before, ...change });
  return Object.fromEntries(members.filter(([, value]) => value !== ''));
}

/**
 * Returns true if pages of this origin may use the proxy. A caller without an origin is not a page but a
 * program, which could send any origin.
 */
export function acceptsOrigin(
  { allowedOrigins }: Pick<CompleteSettings, 'allowedOrigins'>,
  origin: string | undefined,
): boolean {
  return origin === undefined || allowedOrigins.includes('*') || allowedOrigins.includes(origin);
}

function checkSettings(
  change: AuthProxySettings,
  field: string,
  linkOrigins: readonly string[],
): void {
  for (const [i, origin] of (change.allowedOrigins ?? []).entries()) {
    const complaint = origin === '*' ? undefined : originComplaint(origin);
    if (complaint !== undefined) failField(`${field}.allowedOrigins.${i}`, complaint);
  }
  checkSender(change, field);
  checkEmailCustomization(
    change.emailCustomizationParams ?? {},
    `${field}.emailCustomizationParams`,
    linkOrigins,
  );
  checkSmsTemplate(change.smsCustomizationParams ?? {}, `${field}.smsCustomizationParams`);
  for (const member of ['emailAuthTemplateId', 'otpTemplateId'] as const) {
    if ((change[member] ?? '') === '') continue;
    const description = 'failed to get email template contents: there is no template of this id';
    const violation = { field: `${field}.${member}`, description };
    fail('message_customization_invalid', { reason: description }, [violation]);
  }
  const { oauthRedirectUrl = '' } = change.walletKitSettings ?? {};
  if (oauthRedirectUrl !== '' && !URL.canParse(oauthRedirectUrl)) {
    failField(`${field}.walletKitSettings.oauthRedirectUrl`, 'expected an absolute URL');
  }
}

/** Returns the reason why a text is not an origin in the form of browsers. Wildcards are not supported. */
function originComplaint(text: string): string | undefined {
  const expected = 'expected `*` or one exact origin like `https://wallet.example`';
  const url = URL.parse(text);
  if (url === null || url.host === '') return expected;
  // The URL standard has no origin for the schemes of apps.
  const origin = url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
  if (text !== origin) return `${expected}, this one is written \`${origin}\``;
  return /[*,\s]/.test(text) ? expected : undefined;
}
