// Credentials of users in a common form: API keys and sessions, passkeys, and contacts or identities that a
// token proves.

import type { CredentialType, OtpType } from '../base/enums.ts';
import { table } from '../base/table.ts';
import { contactOf } from '../organization/indexes/contacts.ts';
import type { ApiKey, Authenticator, OauthProvider, User } from '../organization/model.ts';
import type { AuthenticationMethod } from '../organization/records/mfa_policy.ts';
import type { OrganizationView } from '../organization/state.ts';
import { apiKeysOfUser } from './api_keys.ts';
import { authenticatorsOfUser } from './authenticators.ts';

export type Credential = {
  readonly id: string;
  readonly userId: string;
  readonly type: CredentialType;
  /** In hex; for a passkey its COSE_Key, base64url. */
  readonly publicKey: string;
  /** The raw ID of a passkey, base64url; otherwise empty. */
  readonly credentialId: string;
  /** The authentication method in MFA policies. */
  readonly method: Required<AuthenticationMethod>;
  /** Scope expression of a session with a profile. */
  readonly scope?: string | undefined;
};

/** Represents sessions without a profile. */
export const noSessionProfileId = '00000000-0000-0000-0000-000000000000';

type OtpRow = { readonly method: AuthenticationMethod['type'] };
const otpMethods = table<OtpRow>()<OtpType>({
  OTP_TYPE_EMAIL: { method: 'AUTHENTICATION_TYPE_EMAIL_OTP' },
  OTP_TYPE_SMS: { method: 'AUTHENTICATION_TYPE_SMS_OTP' },
});

/** Returns true if a login created the key, instead of its user registering it. */
export function isSessionKey({ type }: Pick<ApiKey, 'type'>): boolean {
  return !type.startsWith('CREDENTIAL_TYPE_API_KEY_');
}

export function credentialOfApiKey(key: ApiKey): Credential {
  const { id, userId, type, publicKey, sessionProfile } = key;
  return {
    id,
    userId,
    type,
    publicKey,
    credentialId: '',
    method: isSessionKey(key)
      ? { type: 'AUTHENTICATION_TYPE_SESSION', id: sessionProfile?.id ?? noSessionProfileId }
      : { type: 'AUTHENTICATION_TYPE_API_KEY', id },
    scope: sessionProfile?.scope,
  };
}

export function credentialOfAuthenticator(authenticator: Authenticator): Credential {
  const { id, userId, publicKey, credentialId } = authenticator;
  const type = 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR';
  const method = { type: 'AUTHENTICATION_TYPE_PASSKEY', id } as const;
  return { id, userId, type, publicKey, credentialId, method };
}

/** Returns a contact that a one-time code proved, while the user has it; the key is that of the token. */
export function credentialOfContact(
  user: User,
  otpType: OtpType,
  publicKey: string,
): Credential | undefined {
  const contact = contactOf(user, otpType);
  if (contact === undefined) return undefined;
  return {
    id: `${otpType}/${contact}`,
    userId: user.id,
    type: 'CREDENTIAL_TYPE_OTP_AUTH_KEY_P256',
    publicKey,
    credentialId: '',
    method: { type: otpMethods[otpType].method, id: '' },
  };
}

/** Returns an account at an identity provider that a token proved; the key is that of the token's nonce. */
export function credentialOfProvider(provider: OauthProvider, publicKey: string): Credential {
  const { id, userId } = provider;
  return {
    id,
    userId,
    type: 'CREDENTIAL_TYPE_OAUTH_KEY_P256',
    publicKey,
    credentialId: '',
    method: { type: 'AUTHENTICATION_TYPE_OAUTH', id },
  };
}

/** Returns the credentials with which a user can sign at any time, oldest first of each kind. */
export function credentialsOfUser(
  organization: OrganizationView,
  userId: string,
): readonly Credential[] {
  return [
    ...apiKeysOfUser(organization, userId).map(credentialOfApiKey),
    ...authenticatorsOfUser(organization, userId).map(credentialOfAuthenticator),
  ];
}

/** Like `credentialsOfUser`, with the contacts and accounts that a token can prove. */
export function provableCredentials(
  organization: OrganizationView,
  userId: string,
): readonly Credential[] {
  const user = organization.get('user', userId);
  const providers = organization.list('oauth_provider').filter((each) => each.userId === userId);
  const contacts = Object.values(otpMethods).map(
    ({ name }) => user && credentialOfContact(user, name, ''),
  );
  return [
    ...credentialsOfUser(organization, userId),
    ...providers.map((provider) => credentialOfProvider(provider, '')),
    ...contacts.filter((contact) => contact !== undefined),
  ];
}

/** Returns the credential with an ID if the user still has it; the key is that of a token. */
export function heldCredential(
  organization: OrganizationView,
  held: { readonly userId: string; readonly credentialId: string; readonly publicKey?: string },
): Credential | undefined {
  const { userId, credentialId: id, publicKey = '' } = held;
  const key = organization.get('api_key', id);
  const authenticator = organization.get('authenticator', id);
  const provider = organization.get('oauth_provider', id);
  const user = organization.get('user', userId);
  const found = [
    ...(key === undefined ? [] : [credentialOfApiKey(key)]),
    ...(authenticator === undefined ? [] : [credentialOfAuthenticator(authenticator)]),
    ...(provider === undefined ? [] : [credentialOfProvider(provider, publicKey)]),
    ...Object.values(otpMethods).flatMap(({ name }) => {
      const contact = user && credentialOfContact(user, name, publicKey);
      return contact === undefined ? [] : [contact];
    }),
  ];
  return found.find((credential) => credential.id === id && credential.userId === userId);
}
