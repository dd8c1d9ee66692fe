// The features of an organization: their effects and valid values, and rules for setting and removing them.

import { base64url, utf8 } from '../base/bytes.ts';
import type { FeatureName } from '../base/enums.ts';
import { table } from '../base/table.ts';
import { sha256 } from '../crypto/hashes.ts';
import { fail, failField } from '../errors/errors.ts';
import type { Feature, User } from '../organization/model.ts';
import { failNotFound } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import {
  hasUsableCredential,
  requireUsableCredential,
  type SignInCredentials,
  signInCredentialsOf,
} from '../users/users.ts';

type FeatureRow = {
  readonly value: keyof typeof featureValues;
  /** The effect of the feature while it is set. */
  readonly effect: string;
};

/** Maximum length of a value. */
export const maximumFeatureCharacters = 10_000;
const maximumOrigins = 100;

type FeatureValue = {
  /** The expected value, for documentation and error messages. */
  readonly expected: string;
  /** Returns the reason that a value is rejected; undefined for an accepted value. */
  readonly complaint: (value: string) => string | undefined;
};

const featureValues = table<FeatureValue>()({
  none: {
    expected: 'empty or `true`',
    complaint: (value) =>
      value === '' || value === 'true' ? undefined : 'it ends by being removed',
  },
  truth: {
    expected: '`true` or `false`',
    complaint: (value) => (value === 'true' || value === 'false' ? undefined : 'this is neither'),
  },
  origins: {
    expected: `1 to ${maximumOrigins} origins like \`https://wallet.example\`, separated by commas`,
    complaint: (value) => {
      const origins = originsOf(value);
      if (origins.length > maximumOrigins) return `these are ${origins.length}`;
      return origins.map(originComplaint).find((complaint) => complaint !== undefined);
    },
  },
  url: {
    expected: 'a URL like `https://hooks.example/activities`',
    complaint: urlComplaint,
  },
});

export const features: Readonly<Record<FeatureName, FeatureRow>> = table<FeatureRow>()({
  FEATURE_NAME_EMAIL_AUTH: {
    value: 'none',
    effect:
      'Users sign in with a credential bundle sent by e-mail; a user with an address can then sign in.',
  },
  FEATURE_NAME_OTP_EMAIL_AUTH: {
    value: 'none',
    effect: 'Users sign in with a code sent by e-mail; a user with an address can then sign in.',
  },
  FEATURE_NAME_SMS_AUTH: {
    value: 'none',
    effect: 'Users sign in with a code sent by SMS; a user with a phone number can then sign in.',
  },
  FEATURE_NAME_EMAIL_RECOVERY: {
    value: 'none',
    effect: 'Users who lost their credentials recover by e-mail.',
  },
  FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY: {
    value: 'none',
    effect: 'Older name of recovery by e-mail.',
  },
  FEATURE_NAME_WEBAUTHN_ORIGINS: {
    value: 'origins',
    effect:
      'Passkeys work only from these origins; those of a parent also apply to its sub-organizations.',
  },
  FEATURE_NAME_WEBHOOK: {
    value: 'url',
    effect:
      'The service sends each change of an activity to this URL, unsigned; in a parent, also those of its sub-organizations.',
  },
  FEATURE_NAME_AUTH_PROXY: {
    value: 'none',
    effect: 'New users sign up through the onboarding proxy, once that was enabled.',
  },
  FEATURE_NAME_SOLANA_RENT_PREFUND_ENABLED: {
    value: 'truth',
    effect:
      'Stored without effect: sponsors of Solana transactions pay fees, but not the rent of new accounts.',
  },
});

/** Describes the values of a feature. */
export const expectedValue = (name: FeatureName): string =>
  featureValues[features[name].value].expected;

/** Returns the origins in a value of `FEATURE_NAME_WEBAUTHN_ORIGINS`, in order. */
function originsOf(value: string): string[] {
  return value.split(',').map((origin) => origin.trim());
}

/** Returns the allowed origins of passkeys in this organization and its children; undefined for any. */
export function webauthnOriginsOf({
  head,
}: Pick<OrganizationView, 'head'>): readonly string[] | undefined {
  const name = 'FEATURE_NAME_WEBAUTHN_ORIGINS';
  const value = head.features.find((feature) => feature.name === name)?.value;
  return value === undefined || value === '' ? undefined : originsOf(value);
}

/** Ways to sign in or recover, with the features that enable them. */
const logins = table<{ readonly features: readonly FeatureName[]; readonly what: string }>()({
  OTP_TYPE_EMAIL: { features: ['FEATURE_NAME_OTP_EMAIL_AUTH'], what: 'OTP by e-mail' },
  OTP_TYPE_SMS: { features: ['FEATURE_NAME_SMS_AUTH'], what: 'OTP by SMS' },
  email_auth: { features: ['FEATURE_NAME_EMAIL_AUTH'], what: 'e-mail auth' },
  email_recovery: {
    features: ['FEATURE_NAME_EMAIL_RECOVERY', 'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY'],
    what: 'recovery by e-mail',
  },
});

/** Returns true if a login is enabled. */
export function isLoginOn(
  login: keyof typeof logins,
  { head }: Pick<OrganizationView, 'head'>,
): boolean {
  return head.features.some(({ name }) => logins[login].features.includes(name));
}

/** Rejects a login that the organization has not enabled. Raises `login_disabled`. */
export function requireLogin(
  login: keyof typeof logins,
  organization: Pick<OrganizationView, 'id' | 'head'>,
): void {
  if (isLoginOn(login, organization)) return;
  const { features, what } = logins[login];
  fail('login_disabled', { what, organizationId: organization.id, feature: features[0] ?? '' });
}

/**
 * Sets a feature: replaces its value, or appends it. `field` is the path of the value in the request. Raises
 * `field_invalid`, also for origins at which the passkeys that the root quorum needs do not work.
 */
export function setFeature(
  feature: Required<Feature>,
  organization: OrganizationDraft,
  now: number,
  field: string,
): void {
  const { value: kind } = features[feature.name];
  const complaint = featureValues[kind].complaint(feature.value);
  if (complaint !== undefined) {
    failField(field, `expected ${featureValues[kind].expected}: ${complaint}`);
  }
  const before = organization.head.features;
  const isSet = before.some(({ name }) => name === feature.name);
  const wasReachable = isReachable(organization);
  organization.setHead({
    features: isSet
      ? before.map((other) => (other.name === feature.name ? feature : other))
      : [...before, feature],
    updatedAtMs: now,
  });
  if (wasReachable && !isReachable(organization)) {
    failField(field, 'expected origins at which the passkeys of the root quorum work');
  }
}

/**
 * Removes a feature. Raises `resource_not_found` if it is not set, and `user_without_credential` if the root
 * quorum would become unreachable without the login.
 */
export function removeFeature(
  name: FeatureName,
  organization: OrganizationDraft,
  now: number,
): void {
  const { features: before } = organization.head;
  if (!before.some((feature) => feature.name === name)) {
    failNotFound('organization feature', name, organization);
  }
  const wasReachable = isReachable(organization);
  organization.setHead({
    features: before.filter((feature) => feature.name !== name),
    updatedAtMs: now,
  });
  if (!wasReachable || isReachable(organization)) return;
  for (const user of quorumMembers(organization)) {
    requireUsableCredential(user, organization, usableBy(user, organization));
  }
}

/** Returns true if enough members of the root quorum can sign in. */
function isReachable(organization: OrganizationView): boolean {
  const usable = quorumMembers(organization).filter((user) =>
    hasUsableCredential(user, organization, usableBy(user, organization)),
  );
  return usable.length >= organization.head.rootQuorum.threshold;
}

/** Returns the credentials of a user, without passkeys that work at no allowed origin. */
function usableBy(user: User, organization: OrganizationView): SignInCredentials {
  const held = signInCredentialsOf(user, organization);
  // The origins of a parent govern the passkeys of its children.
  const origins = organization.parentId === undefined ? webauthnOriginsOf(organization) : undefined;
  if (origins === undefined) return held;
  const hashes = new Set(origins.flatMap(relyingPartiesOf).map(hashOf));
  return {
    ...held,
    authenticators: held.authenticators.filter((each) => hashes.has(each.rpIdHash)),
  };
}

/** Returns the relying parties whose passkeys a page of an origin can use: its host and the hosts above. */
function relyingPartiesOf(origin: string): readonly string[] {
  const labels = new URL(origin).hostname.split('.');
  return labels.map((_, i) => labels.slice(i).join('.'));
}

const hashOf = (relyingParty: string): string => base64url(sha256(utf8(relyingParty)));

function quorumMembers(organization: OrganizationView) {
  return organization.head.rootQuorum.userIds.flatMap((id) => organization.get('user', id) ?? []);
}

/** Returns the reason why a text is not an origin in the form of browsers, which passkeys sign. */
function originComplaint(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return 'one of them is not a URL';
  const isLocal = url.hostname === 'localhost' || url.hostname.endsWith('.localhost');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    return 'one of them is neither `https` nor `http` on localhost';
  }
  return url.origin === text ? undefined : `an origin is written \`${url.origin}\``;
}

function urlComplaint(text: string): string | undefined {
  const url = URL.parse(text);
  // The URL parser would ignore spaces and line feeds.
  if (url === null || /[\s\p{Cc}]/u.test(text)) return 'it is not a URL';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'expected `http` or `https`';
  return url.username === '' && url.password === '' ? undefined : 'it contains a password';
}
