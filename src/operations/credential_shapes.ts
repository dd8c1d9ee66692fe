// Shapes of users, their credentials and contacts, as requests describe and queries answer them.

import { apiKeyCurves, credentialTypes, transports } from '../core/names.ts';
import {
  answerList,
  answerText,
  anyObject,
  decimal,
  label,
  list,
  object,
  oneOf,
  optional,
  text,
  timestamp,
  type ValueOfSchema,
} from '../core/schema/schema.ts';

/** Longer than any, so that the rule in core/contacts.ts or core/api_keys.ts says what is wrong. */
const maximumCheckedCharacters = 1000;

/** An e-mail address; which ones are accepted stands in core/contacts.ts. */
export const email = () => text({ maximum: maximumCheckedCharacters });

/** A phone number in E.164 form; the rule stands in core/contacts.ts. */
export const phoneNumber = () => text({ maximum: maximumCheckedCharacters });

/** A signed JWT that says a contact was verified. */
export const verificationToken = () => token();

/** API keys to register. */
export const apiKeyList = () =>
  list(
    object({
      apiKeyName: label(),
      publicKey: apiPublicKey(),
      curveType: oneOf(apiKeyCurves),
      expirationSeconds: optional(apiKeyLife()),
    }),
  );

/** API keys to register, in the form of older versions: always of P-256. */
export const p256ApiKeyList = () =>
  list(
    object({
      apiKeyName: label(),
      publicKey: apiPublicKey(),
      expirationSeconds: optional(apiKeyLife()),
    }),
  );

/** The newest form of keys that older versions describe. */
export const withP256 = (keys: ValueOfSchema<ReturnType<typeof p256ApiKeyList>>) =>
  keys.map((key) => ({ ...key, curveType: 'API_KEY_CURVE_P256' as const }));

/** Passkeys to register. */
export const authenticatorList = () =>
  list(
    object({
      authenticatorName: label(),
      challenge: text({ minimum: 1, maximum: 256 }),
      attestation: object({
        credentialId: text({ minimum: 1, maximum: 256 }),
        clientDataJson: text({ minimum: 1, maximum: 16_384 }),
        attestationObject: text({ minimum: 1, maximum: 65_536 }),
        transports: list(oneOf(transports), { maximum: transports.length }),
      }),
    }),
  );

/** Accounts at identity providers to register: by a token, or by its claims. */
export const oauthProviderList = () =>
  list(
    object({
      providerName: label(),
      oidcToken: optional(token()),
      oidcClaims: optional(object({ iss: claim(), sub: claim(), aud: claim() })),
    }),
  );

/** Accounts at identity providers to register, in the form of older versions: by a token. */
export const tokenProviderList = () => list(object({ providerName: label(), oidcToken: token() }));

export const apiKeyShape = () =>
  object({
    credential: credential(),
    apiKeyId: answerText(),
    apiKeyName: answerText(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    expirationSeconds: optional(answerText()),
  });

export const authenticatorShape = () =>
  object({
    transports: answerList(oneOf(transports)),
    attestationType: answerText(),
    aaguid: answerText(),
    credentialId: answerText(),
    model: answerText(),
    credential: credential(),
    authenticatorId: answerText(),
    authenticatorName: answerText(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  });

export const oauthProviderShape = () =>
  object({
    providerId: answerText(),
    providerName: answerText(),
    issuer: answerText(),
    audience: answerText(),
    subject: answerText(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  });

export const userShape = () =>
  object({
    userId: answerText(),
    userName: answerText(),
    userEmail: optional(answerText()),
    userPhoneNumber: optional(answerText()),
    authenticators: answerList(authenticatorShape()),
    apiKeys: answerList(apiKeyShape()),
    userTags: answerList(answerText()),
    oauthProviders: answerList(oauthProviderShape()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    mfaPolicies: answerList(anyObject('None can be made yet.')),
  });

const credential = () => object({ publicKey: answerText(), type: oneOf(credentialTypes) });

/** Hex; the rule stands in core/api_keys.ts. */
const apiPublicKey = () => text({ minimum: 1, maximum: maximumCheckedCharacters });

/** Seconds; the bounds stand in core/api_keys.ts. */
const apiKeyLife = () => decimal({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const token = () => text({ minimum: 1, maximum: 16_384 });
const claim = () => text({ minimum: 1, maximum: 2048 });
