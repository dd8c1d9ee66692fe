// Shapes of users, their credentials and contacts, in requests and answers.

import { clientSignatureSchemes, maximumMessageCharacters } from '../core/auth/client_signature.ts';
import {
  apiKeyCurves,
  authenticationTypes,
  credentialTypes,
  transports,
} from '../core/base/enums.ts';
import {
  answerInteger,
  answerList,
  answerText,
  bearerText,
  boolean,
  decimal,
  label,
  list,
  object,
  oneOf,
  optional,
  text,
  timestamps,
  type ValueOfSchema,
} from '../core/schema/schema.ts';

/**
 * Longer than any valid text, so that the rule in core/organization/indexes/contacts.ts or
 * core/users/api_keys.ts reports the problem.
 */
const maximumCheckedCharacters = 1000;

/** An e-mail address; core/organization/indexes/contacts.ts has the rule. */
export const email = () => text({ maximum: maximumCheckedCharacters });

/** A phone number in E.164 form; core/organization/indexes/contacts.ts has the rule. */
export const phoneNumber = () => text({ maximum: maximumCheckedCharacters });

/** A signed JWT that attests a verified contact. */
export const verificationToken = () => token();

/**
 * A signature by the key in a verification token over the use of the token; core/auth/client_signature.ts has
 * the rule.
 */
export const clientSignature = () =>
  object({
    publicKey: text({ minimum: 1, maximum: 256 }),
    scheme: oneOf(clientSignatureSchemes),
    message: text({ maximum: maximumMessageCharacters }),
    signature: text({ minimum: 1, maximum: 1024 }),
  });

/** API keys to register. */
export const apiKeyList = (minimum = 0) =>
  list(
    object({
      apiKeyName: label(),
      publicKey: apiPublicKey(),
      curveType: oneOf(apiKeyCurves),
      expirationSeconds: optional(apiKeyLife()),
    }),
    { minimum },
  );

/** API keys to register in the form of older versions, always P-256. */
export const p256ApiKeyList = (minimum = 0) =>
  list(
    object({
      apiKeyName: label(),
      publicKey: apiPublicKey(),
      expirationSeconds: optional(apiKeyLife()),
    }),
    { minimum },
  );

/** Converts API keys of older versions to the newest form. */
export const withP256 = (keys: ValueOfSchema<ReturnType<typeof p256ApiKeyList>>) =>
  keys.map((key) => ({ ...key, curveType: 'API_KEY_CURVE_P256' as const }));

/** Passkeys to register. */
export const authenticatorList = (minimum = 0) => list(authenticator(), { minimum });

/** A passkey to register. */
export const authenticator = () =>
  object({
    authenticatorName: label(),
    challenge: shortText(),
    attestation: object({
      credentialId: credentialIdText(),
      clientDataJson: clientDataJson(),
      attestationObject: attestationObject(),
      transports: transportList(),
    }),
  });

/** Passkeys to register in the form of the first version, which is that of browsers. */
export const browserAuthenticatorList = (minimum = 0) =>
  list(
    object({
      authenticatorName: label(),
      userId: text({ maximum: 36 }),
      challenge: shortText(),
      attestation: object({
        id: credentialIdText(),
        type: oneOf(['public-key']),
        rawId: credentialIdText(),
        authenticatorAttachment: optional(attachment()),
        response: object({
          clientDataJson: clientDataJson(),
          attestationObject: attestationObject(),
          transports: optional(transportList()),
          authenticatorAttachment: optional(attachment()),
        }),
        clientExtensionResults: object({
          appid: optional(boolean()),
          appidExclude: optional(boolean()),
          credProps: optional(object({ rk: boolean() })),
        }),
      }),
    }),
    { minimum },
  );

/** Converts passkeys of the first version to the newest form. */
export const fromBrowser = (
  authenticators: ValueOfSchema<ReturnType<typeof browserAuthenticatorList>>,
) =>
  authenticators.map(({ authenticatorName, challenge, attestation: { rawId, response } }) => ({
    authenticatorName,
    challenge,
    attestation: {
      credentialId: rawId,
      clientDataJson: response.clientDataJson,
      attestationObject: response.attestationObject,
      transports: response.transports ?? [],
    },
  }));

/** Accounts at identity providers to register: by a token, or by its claims. */
export const oauthProviderList = (minimum = 0) =>
  list(
    object({
      providerName: label(),
      oidcToken: optional(oidcToken()),
      oidcClaims: optional(object({ iss: claim(), sub: claim(), aud: claim() })),
    }),
    { minimum },
  );

/** Accounts at identity providers to register, in the form of older versions: by a token. */
export const tokenProviderList = (minimum = 0) =>
  list(object({ providerName: label(), oidcToken: oidcToken() }), { minimum });

/** An OIDC token (JWT), optionally encoded once more in base64. */
export const oidcToken = () => token();

export const apiKeyShape = () =>
  object({
    credential: credential(),
    apiKeyId: answerText(),
    apiKeyName: answerText(),
    ...timestamps(),
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
    ...timestamps(),
  });

export const oauthProviderShape = () =>
  object({
    providerId: answerText(),
    providerName: answerText(),
    issuer: answerText(),
    audience: answerText(),
    subject: answerText(),
    ...timestamps(),
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
    ...timestamps(),
    mfaPolicies: answerList(mfaPolicyShape()),
  });

/** Steps that are all required; each accepts any one of its methods. */
export const requiredMethods = () =>
  list(object({ any: list(authenticationMethod(), { minimum: 1, maximum: maximumMethods }) }), {
    minimum: 1,
    maximum: maximumMethods,
  });

/** A method that completes a step; core/mfa/mfa_policies.ts has the rule of its id. */
const authenticationMethod = () =>
  object({ type: oneOf(authenticationTypes), id: optional(text({ maximum: 36 })) });

const maximumMethods = 10;

/** An MFA policy in the form of answers. */
export const mfaPolicyShape = () =>
  object({
    mfaPolicyId: answerText(),
    mfaPolicyName: answerText(),
    condition: answerText(),
    requiredAuthenticationMethods: answerList(requiredMethodShape()),
    order: answerInteger(),
    notes: optional(answerText()),
    ...timestamps(),
  });

/** The status of a user under an MFA policy. */
export const mfaStatusShape = () =>
  object({
    mfaPolicyId: answerText(),
    userId: answerText(),
    satisfied: boolean(),
    satisfiedMethods: answerList(methodShape()),
    requiredMethods: answerList(requiredMethodShape()),
  });

const requiredMethodShape = () => object({ any: answerList(methodShape()) });
const methodShape = () => object({ type: oneOf(authenticationTypes), id: optional(answerText()) });

const credential = () =>
  object({
    publicKey: answerText(),
    type: oneOf(credentialTypes),
    sessionProfileId: optional(answerText()),
  });

/** Hex; core/users/api_keys.ts has the rule. */
export const apiPublicKey = () => text({ minimum: 1, maximum: maximumCheckedCharacters });

/** Seconds; core/users/api_keys.ts has the bounds. */
export const apiKeyLife = () => decimal({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const shortText = () => text({ minimum: 1, maximum: 256 });

/** Padded base64 of 1,023 bytes, the bound of WebAuthn, with a CBOR header of three bytes. */
const credentialIdText = () => text({ minimum: 1, maximum: 1368 });
const clientDataJson = () => text({ minimum: 1, maximum: 16_384 });
const attestationObject = () => text({ minimum: 1, maximum: 65_536 });
const transportList = () => list(oneOf(transports), { maximum: transports.length });
const attachment = () => oneOf(['cross-platform', 'platform']);
const token = () => bearerText({ minimum: 1, maximum: 16_384 });
const claim = () => text({ minimum: 1, maximum: 2048 });
