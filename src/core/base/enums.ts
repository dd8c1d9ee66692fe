// Enumerations of the API, in the order of the specification.

export const curveNames = ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'] as const;
export type CurveName = (typeof curveNames)[number];

export const pathFormats = ['PATH_FORMAT_BIP32'] as const;

export const payloadEncodings = [
  'PAYLOAD_ENCODING_HEXADECIMAL',
  'PAYLOAD_ENCODING_TEXT_UTF8',
  'PAYLOAD_ENCODING_EIP712',
  'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
] as const;
export type PayloadEncoding = (typeof payloadEncodings)[number];

export const hashFunctions = [
  'HASH_FUNCTION_NO_OP',
  'HASH_FUNCTION_SHA256',
  'HASH_FUNCTION_KECCAK256',
  'HASH_FUNCTION_NOT_APPLICABLE',
] as const;
export type HashFunction = (typeof hashFunctions)[number];

export const transactionTypes = [
  'TRANSACTION_TYPE_ETHEREUM',
  'TRANSACTION_TYPE_SOLANA',
  'TRANSACTION_TYPE_TRON',
  'TRANSACTION_TYPE_BITCOIN',
  'TRANSACTION_TYPE_TEMPO',
] as const;
export type TransactionType = (typeof transactionTypes)[number];

export const apiKeyCurves = [
  'API_KEY_CURVE_P256',
  'API_KEY_CURVE_SECP256K1',
  'API_KEY_CURVE_ED25519',
] as const;
export type ApiKeyCurve = (typeof apiKeyCurves)[number];

export const credentialTypes = [
  'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR',
  'CREDENTIAL_TYPE_API_KEY_P256',
  'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256',
  'CREDENTIAL_TYPE_API_KEY_SECP256K1',
  'CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256',
  'CREDENTIAL_TYPE_API_KEY_ED25519',
  'CREDENTIAL_TYPE_OTP_AUTH_KEY_P256',
  'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256',
  'CREDENTIAL_TYPE_OAUTH_KEY_P256',
  'CREDENTIAL_TYPE_LOGIN',
] as const;
export type CredentialType = (typeof credentialTypes)[number];

/** Access types of the first releases: stored for clients, without effect. */
export const accessTypes = ['ACCESS_TYPE_WEB', 'ACCESS_TYPE_API', 'ACCESS_TYPE_ALL'] as const;
export type AccessType = (typeof accessTypes)[number];

export const transports = [
  'AUTHENTICATOR_TRANSPORT_BLE',
  'AUTHENTICATOR_TRANSPORT_INTERNAL',
  'AUTHENTICATOR_TRANSPORT_NFC',
  'AUTHENTICATOR_TRANSPORT_USB',
  'AUTHENTICATOR_TRANSPORT_HYBRID',
] as const;
export type Transport = (typeof transports)[number];

export const authenticationTypes = [
  'AUTHENTICATION_TYPE_PASSKEY',
  'AUTHENTICATION_TYPE_API_KEY',
  'AUTHENTICATION_TYPE_SESSION',
  'AUTHENTICATION_TYPE_EMAIL_OTP',
  'AUTHENTICATION_TYPE_SMS_OTP',
  'AUTHENTICATION_TYPE_OAUTH',
] as const;
export type AuthenticationType = (typeof authenticationTypes)[number];

export const otpTypes = ['OTP_TYPE_EMAIL', 'OTP_TYPE_SMS'] as const;
export type OtpType = (typeof otpTypes)[number];

export const oauth2Providers = ['OAUTH2_PROVIDER_X', 'OAUTH2_PROVIDER_DISCORD'] as const;
export type Oauth2Provider = (typeof oauth2Providers)[number];

/** Identity providers that the onboarding proxy knows by name. */
export const socialProviders = ['google', 'apple', 'facebook', 'x', 'discord'] as const;
export type SocialProvider = (typeof socialProviders)[number];

/** Identity providers of the onboarding proxy; `oidc` is any other provider. */
export const identityMethods = [...socialProviders, 'oidc'] as const;

/** Ways to sign up and in through the onboarding proxy. */
export const authMethods = ['email', 'sms', 'passkey', 'wallet', ...identityMethods] as const;
export type AuthMethod = (typeof authMethods)[number];

export const featureNames = [
  'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY',
  'FEATURE_NAME_WEBAUTHN_ORIGINS',
  'FEATURE_NAME_EMAIL_AUTH',
  'FEATURE_NAME_EMAIL_RECOVERY',
  'FEATURE_NAME_WEBHOOK',
  'FEATURE_NAME_SMS_AUTH',
  'FEATURE_NAME_OTP_EMAIL_AUTH',
  'FEATURE_NAME_AUTH_PROXY',
  'FEATURE_NAME_SOLANA_RENT_PREFUND_ENABLED',
] as const;
export type FeatureName = (typeof featureNames)[number];

export const activityStatuses = [
  'ACTIVITY_STATUS_CREATED',
  'ACTIVITY_STATUS_PENDING',
  'ACTIVITY_STATUS_COMPLETED',
  'ACTIVITY_STATUS_FAILED',
  'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  'ACTIVITY_STATUS_REJECTED',
  'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED',
] as const;
export type ActivityStatus = (typeof activityStatuses)[number];

export const mnemonicLanguages = [
  'MNEMONIC_LANGUAGE_ENGLISH',
  'MNEMONIC_LANGUAGE_SIMPLIFIED_CHINESE',
  'MNEMONIC_LANGUAGE_TRADITIONAL_CHINESE',
  'MNEMONIC_LANGUAGE_CZECH',
  'MNEMONIC_LANGUAGE_FRENCH',
  'MNEMONIC_LANGUAGE_ITALIAN',
  'MNEMONIC_LANGUAGE_JAPANESE',
  'MNEMONIC_LANGUAGE_KOREAN',
  'MNEMONIC_LANGUAGE_SPANISH',
  'MNEMONIC_LANGUAGE_PORTUGUESE',
] as const;
export type MnemonicLanguage = (typeof mnemonicLanguages)[number];

export const policyEffects = ['EFFECT_ALLOW', 'EFFECT_DENY'] as const;
export type PolicyEffect = (typeof policyEffects)[number];

export const tagTypes = ['TAG_TYPE_USER', 'TAG_TYPE_PRIVATE_KEY'] as const;
export type TagType = (typeof tagTypes)[number];

export const stampSchemes = [
  'SIGNATURE_SCHEME_TK_API_P256',
  'SIGNATURE_SCHEME_TK_API_SECP256K1',
  'SIGNATURE_SCHEME_TK_API_ED25519',
  'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191',
] as const;
export type StampScheme = (typeof stampSchemes)[number];

/** Schemes of votes: those of API keys, of passkeys, and of keys that a token attests to. */
export const voteSchemes = [
  ...stampSchemes,
  'SIGNATURE_SCHEME_TK_WEBAUTHN',
  'SIGNATURE_SCHEME_TK_ATTESTED_P256',
] as const;
export type VoteScheme = (typeof voteSchemes)[number];

export const webhookEventTypeNames = [
  'ACTIVITY_UPDATES',
  'BALANCE_CONFIRMED_UPDATES',
  'BALANCE_FINALIZED_UPDATES',
  'SEND_TRANSACTION_STATUS_UPDATES',
  'WEBHOOK_ENDPOINT_UPDATES',
] as const;
export type WebhookEventType = (typeof webhookEventTypeNames)[number];

/** Body formats of a webhook endpoint: the event, or a chat notice. */
export const webhookFormats = [
  'WEBHOOK_FORMAT_EVENT',
  'WEBHOOK_FORMAT_SLACK',
  'WEBHOOK_FORMAT_TEAMS',
  'WEBHOOK_FORMAT_TELEGRAM',
] as const;
export type WebhookFormat = (typeof webhookFormats)[number];
