// Rules of users: which may exist, and that each can still sign in.

import type { Context } from '../base/context.ts';
import type { FeatureName, OtpType } from '../base/enums.ts';
import { fail } from '../errors/errors.ts';
import {
  checkEmail,
  checkPhoneNumber,
  contactOf,
  emailMarks,
  phoneNumberMarks,
} from '../organization/indexes/contacts.ts';
import { checkLimit } from '../organization/limits.ts';
import type { ApiKey, Authenticator, OauthProvider, User } from '../organization/model.ts';
import { requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { userTags } from '../organization/tags.ts';
import { distinctIds } from '../schema/distinct_ids.ts';
import { type ApiKeyParameters, apiKeysOfUser, createApiKeys, removeApiKey } from './api_keys.ts';
import {
  type AuthenticatorParameters,
  authenticatorsOfUser,
  createAuthenticators,
} from './authenticators.ts';
import { endMailedKeys } from './mailed_keys.ts';
import { mfaPoliciesOf } from './mfa_policies_of_user.ts';
import {
  type CheckedProvider,
  createOauthProviders,
  type ProviderParameters,
  providersOfUser,
} from './oauth_providers.ts';
import { markGiven } from './sign_in_links.ts';

/** Parameters of a user, with lists of credentials. */
type UserParameters = {
  readonly userName: string;
  readonly userEmail?: string;
  readonly userPhoneNumber?: string;
  readonly apiKeys: readonly ApiKeyParameters[];
  readonly authenticators: readonly AuthenticatorParameters[];
  readonly oauthProviders: readonly ProviderParameters[];
  readonly userTags?: readonly string[];
};

/** Further inputs for the creation of a user. */
type NewUserContext = {
  /** The path of the user in the request. */
  readonly field: string;
  /** Origins of pages that may register passkeys. Default: all. */
  readonly allowedOrigins: readonly string[] | undefined;
  /** The user's checked OAuth providers. */
  readonly providers: readonly CheckedProvider[];
  /** Source of the contacts. Default: a user who may set them. */
  readonly contactsBy?: 'stranger';
  /** The contact that the user verified. */
  readonly verified?: OtpType | undefined;
  /** Result of `knownPublicKeys`, shared by all users of a request. Default: looked up. */
  readonly publicKeys?: Set<string>;
};

/**
 * Creates a user with its credentials. Raises `email_invalid`, `field_invalid`, `already_exists`,
 * `oauth_provider_exists`, `limit_exceeded`, `resource_not_found` for a tag, and
 * `user_without_credential`.
 */
export function createUser(
  parameters: UserParameters,
  organization: OrganizationDraft,
  context: Context,
  situation: NewUserContext,
): User {
  const { field, allowedOrigins, providers, verified, publicKeys } = situation;
  checkLimit('users', organization.rows('user').size + 1, organization);
  const { userName, userEmail, userPhoneNumber } = parameters;
  const isClaimed = situation.contactsBy === 'stranger';
  const user: User = {
    id: context.newId(),
    name: userName,
    ...(userEmail === undefined
      ? {}
      : {
          email: checkEmail(userEmail, `${field}.userEmail`),
          ...emailMarks(verified === 'OTP_TYPE_EMAIL', isClaimed),
        }),
    ...(userPhoneNumber === undefined
      ? {}
      : {
          phoneNumber: checkPhoneNumber(userPhoneNumber, `${field}.userPhoneNumber`),
          ...phoneNumberMarks(verified === 'OTP_TYPE_SMS', isClaimed),
        }),
    tagIds: tagIdsOf(parameters.userTags ?? [], organization, `${field}.userTags`),
    createdAtMs: context.now,
    updatedAtMs: context.now,
  };
  organization.put('user', user);
  const keysField = `${field}.apiKeys`;
  // A new user has no credentials yet, so the organization's need not be searched.
  const { apiKeys } = parameters;
  const held = {
    apiKeys: createApiKeys(user.id, apiKeys, organization, context, keysField, [], publicKeys),
    authenticators: createAuthenticators(
      user.id,
      parameters.authenticators,
      organization,
      context,
      { fieldOf: (i) => `${field}.authenticators.${i}`, allowedOrigins, present: [] },
    ),
    oauthProviders: createOauthProviders(
      user.id,
      providers,
      organization,
      context,
      `${field}.oauthProviders`,
    ),
  };
  requireUsableCredential(user, organization, held);
  const credentialIds = [...held.apiKeys, ...held.authenticators].map(({ id }) => id);
  markGiven(credentialIds, organization, 'another user');
  return user;
}

/** Finds a user by its ID in any letter case. Raises `resource_not_found`. */
export const requireUser = requiredRecord('user', 'user');

/** The changed members of an update: undefined members stay, and `null` removes a contact. */
type UserChanges = {
  readonly name?: string | undefined;
  readonly email?: string | null | undefined;
  readonly phoneNumber?: string | null | undefined;
  readonly tagIds?: readonly string[] | undefined;
  /** The new contact that the user verified. */
  readonly verified?: OtpType | undefined;
  /** ID of the submitter's credential, which stays even if it is an unused mailed key. */
  readonly signedWith?: string | undefined;
};

/**
 * Changes a user, who must still be able to sign in afterwards. Another address ends the keys that were
 * mailed to the earlier one. Raises `resource_not_found`, `email_invalid`,
 * `field_invalid` and `user_without_credential`.
 */
export function updateUser(
  userId: string,
  changes: UserChanges,
  organization: OrganizationDraft,
  now: number,
): User {
  const before = requireUser(organization, userId);
  const wasUsable = hasUsableCredential(before, organization);
  const email = changed(changes.email, before.email, (value) =>
    checkEmail(value, 'parameters.userEmail'),
  );
  const phoneNumber = changed(changes.phoneNumber, before.phoneNumber, (value) =>
    checkPhoneNumber(value, 'parameters.userPhoneNumber'),
  );
  const user: User = {
    id: before.id,
    name: changes.name ?? before.name,
    ...(email === undefined
      ? {}
      : {
          email,
          ...emailMarks(
            isVerified('OTP_TYPE_EMAIL', email, before, changes),
            changes.email === undefined && before.emailClaimed === true,
          ),
        }),
    ...(phoneNumber === undefined
      ? {}
      : {
          phoneNumber,
          ...phoneNumberMarks(
            isVerified('OTP_TYPE_SMS', phoneNumber, before, changes),
            changes.phoneNumber === undefined && before.phoneNumberClaimed === true,
          ),
        }),
    tagIds:
      changes.tagIds === undefined
        ? before.tagIds
        : tagIdsOf(changes.tagIds, organization, 'parameters.userTagIds'),
    createdAtMs: before.createdAtMs,
    updatedAtMs: now,
  };
  organization.put('user', user);
  if (contactOf(user, 'OTP_TYPE_EMAIL') !== contactOf(before, 'OTP_TYPE_EMAIL')) {
    endMailedKeys(user.id, organization, changes.signedWith);
  }
  if (wasUsable) requireUsableCredential(user, organization);
  return user;
}

/** Records that a user has verified a contact. */
export function markVerified(user: User, otpType: OtpType, organization: OrganizationDraft): void {
  const mark = otpType === 'OTP_TYPE_EMAIL' ? 'emailVerified' : 'phoneNumberVerified';
  if (user[mark] === true) return;
  organization.put('user', { ...user, [mark]: true });
}

/** Returns true if the contact was verified now, or earlier without having changed. */
function isVerified(
  otpType: OtpType,
  contact: string | undefined,
  before: User,
  { verified }: UserChanges,
): boolean {
  if (contact === undefined) return false;
  if (verified === otpType) return true;
  const wasVerified =
    otpType === 'OTP_TYPE_EMAIL' ? before.emailVerified : before.phoneNumberVerified;
  const kept = otpType === 'OTP_TYPE_EMAIL' ? contact.toLowerCase() : contact;
  return wasVerified === true && kept === contactOf(before, otpType);
}

function changed(
  change: string | null | undefined,
  before: string | undefined,
  check: (value: string) => string,
): string | undefined {
  if (change === null) return undefined;
  return change === undefined ? before : check(change);
}

/** Credentials with which a user can sign in. */
export type SignInCredentials = {
  readonly apiKeys: readonly ApiKey[];
  readonly authenticators: readonly Authenticator[];
  readonly oauthProviders: readonly OauthProvider[];
};

/**
 * Rejects a user who could no longer sign in: with neither a long-lived API key, nor a passkey, nor an
 * account at an identity provider, nor a contact whose login is enabled. Raises `user_without_credential`.
 */
export function requireUsableCredential(
  user: User,
  organization: OrganizationView,
  held = signInCredentialsOf(user, organization),
): void {
  if (hasUsableCredential(user, organization, held)) return;
  const reason =
    held.apiKeys.length > 0
      ? `\`${user.name}\` has only api keys that expire`
      : `\`${user.name}\` needs a passkey, an OAuth provider, an api key that does not expire, or a contact whose login is switched on`;
  fail('user_without_credential', { reason });
}

/** Returns true if the user can still sign in once every expiring key has expired. */
export function hasUsableCredential(
  user: User,
  organization: OrganizationView,
  { apiKeys, authenticators, oauthProviders } = signInCredentialsOf(user, organization),
): boolean {
  if (authenticators.length > 0 || oauthProviders.length > 0) return true;
  if (apiKeys.some((key) => key.expirationSeconds === undefined)) return true;
  const isOn = (name: FeatureName) =>
    organization.head.features.some((feature) => feature.name === name);
  return (
    (contactOf(user, 'OTP_TYPE_EMAIL') !== undefined &&
      (isOn('FEATURE_NAME_EMAIL_AUTH') || isOn('FEATURE_NAME_OTP_EMAIL_AUTH'))) ||
    (contactOf(user, 'OTP_TYPE_SMS') !== undefined && isOn('FEATURE_NAME_SMS_AUTH'))
  );
}

/** Returns the credentials of a user. */
export function signInCredentialsOf(
  { id }: User,
  organization: OrganizationView,
): SignInCredentials {
  return {
    apiKeys: apiKeysOfUser(organization, id),
    authenticators: authenticatorsOfUser(organization, id),
    oauthProviders: providersOfUser(organization, id),
  };
}

/**
 * Deletes users with their credentials. Members of the root quorum cannot be deleted, so at least one user
 * remains. `field` is the path of the list in the request. Raises `field_invalid` for a duplicate ID,
 * `resource_not_found`, and `quorum_invalid` for a member of the root quorum.
 */
export function deleteUsers(
  ids: readonly string[],
  organization: OrganizationDraft,
  field: string,
): string[] {
  const userIds = distinctIds(ids, field);
  for (const [i, id] of userIds.entries()) {
    requireUser(organization, id);
    if (organization.head.rootQuorum.userIds.includes(id)) {
      const description = `quorum users missing: user ${id} is a member of the root quorum`;
      fail('quorum_invalid', { reason: description }, [{ field: `${field}.${i}`, description }]);
    }
    for (const key of apiKeysOfUser(organization, id)) removeApiKey(key, organization);
    for (const passkey of authenticatorsOfUser(organization, id)) {
      organization.remove('authenticator', passkey.id);
    }
    for (const provider of providersOfUser(organization, id)) {
      organization.remove('oauth_provider', provider.id);
    }
    for (const policy of mfaPoliciesOf(organization, id)) {
      organization.remove('mfa_policy', policy.id);
    }
    organization.remove('user', id);
  }
  return userIds;
}

function tagIdsOf(ids: readonly string[], organization: OrganizationView, field: string): string[] {
  const tagIds = distinctIds(ids, field);
  for (const id of tagIds) userTags.require(organization, id);
  return tagIds;
}
