// A user in the form of queries, which each vote quotes: members, order and forms of the specification.

import type { TimestampObject } from '../../base/compatibility.ts';
import type { CredentialType, Transport } from '../../base/enums.ts';
import type { MfaPolicy } from './mfa_policy.ts';
import type { Row } from './row.ts';

export type UserView = {
  readonly userId: string;
  readonly userName: string;
  readonly userEmail?: string;
  readonly userPhoneNumber?: string;
  readonly authenticators: readonly AuthenticatorView[];
  readonly apiKeys: readonly ApiKeyView[];
  readonly userTags: readonly string[];
  readonly oauthProviders: readonly OauthProviderView[];
  readonly createdAt: TimestampObject;
  readonly updatedAt: TimestampObject;
  readonly mfaPolicies: readonly MfaPolicyView[];
};

/** A user at the time of a vote, under an ID derived from the user's text. */
export type Voter = Row & { readonly user: UserView };

export type ApiKeyView = {
  readonly credential: {
    readonly publicKey: string;
    readonly type: CredentialType;
    readonly sessionProfileId?: string;
  };
  readonly apiKeyId: string;
  readonly apiKeyName: string;
  readonly createdAt: TimestampObject;
  readonly updatedAt: TimestampObject;
  /** In decimal. Default: the key does not expire. */
  readonly expirationSeconds?: string;
};

export type AuthenticatorView = {
  readonly transports: readonly Transport[];
  readonly attestationType: string;
  readonly aaguid: string;
  readonly credentialId: string;
  readonly model: string;
  readonly credential: {
    readonly publicKey: string;
    readonly type: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR';
  };
  readonly authenticatorId: string;
  readonly authenticatorName: string;
  readonly createdAt: TimestampObject;
  readonly updatedAt: TimestampObject;
};

export type OauthProviderView = {
  readonly providerId: string;
  readonly providerName: string;
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  readonly createdAt: TimestampObject;
  readonly updatedAt: TimestampObject;
};

export type MfaPolicyView = {
  readonly mfaPolicyId: string;
  readonly mfaPolicyName: string;
  readonly condition: string;
  readonly requiredAuthenticationMethods: MfaPolicy['requiredMethods'];
  readonly order: number;
  readonly notes?: string;
  readonly createdAt: TimestampObject;
  readonly updatedAt: TimestampObject;
};
