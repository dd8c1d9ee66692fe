// Sessions: expiring keys of users, created by logins.

import { writeSessionToken } from '../auth/tokens/session_token.ts';
import type { Context } from '../base/context.ts';
import type { CredentialType } from '../base/enums.ts';
import { table } from '../base/table.ts';
import type { ServiceKeys } from '../crypto/service_keys.ts';
import { fail } from '../errors/errors.ts';
import { limitOf } from '../organization/limits.ts';
import type { ApiKey, SessionProfile, User } from '../organization/model.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { numberOf } from '../schema/schema.ts';
import {
  apiKeyOfPublicKey,
  apiKeysOfUser,
  createSessionApiKey,
  isExpired,
  removeApiKey,
} from './api_keys.ts';
import { isSessionKey } from './credentials.ts';

type SessionRow = {
  readonly type: CredentialType;
  /** Start of the default label of a key, followed by the time. */
  readonly label: string;
  /** True if the key is mailed to an address. */
  readonly isMailed?: true;
};

/** Maximum number of a user's mailed keys that one requester may have waiting for their first use. */
const maximumUnusedOfAsker = 3;

/** Kinds of sessions by their login. `invalidateExisting` ends sessions of the same kind. */
export const sessionKinds = table<SessionRow>()({
  login: { type: 'CREDENTIAL_TYPE_LOGIN', label: 'Login' },
  oauth: { type: 'CREDENTIAL_TYPE_OAUTH_KEY_P256', label: 'Oauth' },
  otp_auth: { type: 'CREDENTIAL_TYPE_OTP_AUTH_KEY_P256', label: 'OTP Auth' },
  email_auth: {
    type: 'CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256',
    label: 'Email Auth',
    isMailed: true,
  },
  recovery: { type: 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256', label: 'Recovery', isMailed: true },
  read_write: {
    type: 'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256',
    label: 'Read Write Session',
  },
});
export type SessionKind = keyof typeof sessionKinds;

/** Default lifetime of a session. */
export const defaultSessionSeconds = 900;

export type SessionParameters = {
  readonly kind: SessionKind;
  readonly user: User;
  /** 33-byte compressed P-256 point, hex. */
  readonly publicKey: string;
  readonly name?: string | undefined;
  readonly expirationSeconds?: string | number | undefined;
  readonly invalidateExisting?: boolean | undefined;
  readonly profile?: SessionProfile | undefined;
  /** True if the enclave generated the key, so that it cannot belong to another user. */
  readonly isMadeHere?: true;
  /** For a mailed key: ID of the user who requested it. */
  readonly askedBy?: string;
};

/**
 * Creates the key of a session. On request, it ends sessions of the same kind; a mailed key does so with its
 * first signature. Ends an earlier session with the same key. Removes excess unused mailed keys of the same
 * requester first, and above the limit an earlier key, like `createApiKeys`. Raises `field_invalid`, and
 * `already_exists` if the key belongs to another user or is not of a login.
 */
export function startSession(
  parameters: SessionParameters,
  organization: OrganizationDraft,
  context: Context,
): ApiKey {
  const { user, publicKey, profile } = parameters;
  const { type, label, isMailed = false } = sessionKinds[parameters.kind];
  const known = apiKeyOfPublicKey(organization, publicKey.toLowerCase());
  const endsOthers = parameters.invalidateExisting === true;
  const present = apiKeysOfUser(organization, user.id);
  const ended = [
    ...present.filter(
      (key) =>
        (key.id === known?.id && isSessionKey(key)) ||
        (endsOthers && !isMailed && key.type === type),
    ),
    ...(isMailed ? displacedMails(present, parameters.askedBy, organization, context.now) : []),
  ];
  for (const key of ended) {
    // A new login with the same key keeps the key's IP allowlist.
    if (key.id === known?.id) organization.remove('api_key', key.id);
    else removeApiKey(key, organization);
  }
  return createSessionApiKey(
    {
      userId: user.id,
      name: parameters.name ?? `${label} - ${new Date(context.now).toISOString()}`,
      publicKey,
      type,
      expirationSeconds: lifeOf(parameters),
      ...(profile === undefined
        ? {}
        : { sessionProfile: { id: profile.id, scope: profile.scope } }),
      ...(parameters.isMadeHere === true ? { leads: 'proven' } : {}),
      ...(isMailed ? mailMarks(parameters) : {}),
    },
    organization,
    context,
  );
}

function mailMarks({
  askedBy,
  invalidateExisting,
}: SessionParameters): Pick<ApiKey, 'isUnused' | 'askedBy' | 'endsEarlier'> {
  return {
    isUnused: true,
    ...(askedBy === undefined ? {} : { askedBy }),
    ...(invalidateExisting === true ? { endsEarlier: true } : {}),
  };
}

/** Returns the earlier mailed keys of a requester, oldest first, that a new one replaces. */
function displacedMails(
  present: readonly ApiKey[],
  askedBy: string | undefined,
  organization: OrganizationView,
  now: number,
): readonly ApiKey[] {
  const expiring = present.filter((key) => key.expirationSeconds !== undefined);
  const alive = expiring.filter((key) => !isExpired(key, now));
  const own = alive.filter((key) => key.isUnused === true && key.askedBy === askedBy);
  const isFull = alive.length >= limitOf('expiringApiKeys', organization);
  const most = isFull ? own.length - 1 : own.length;
  return own.slice(0, own.length - Math.max(Math.min(most, maximumUnusedOfAsker - 1), 0));
}

/** Returns the token (JWT) that describes the session to a client. */
export function sessionTokenOf(
  key: ApiKey,
  profile: SessionProfile | undefined,
  organization: Pick<OrganizationView, 'id'>,
  keys: Pick<ServiceKeys, 'sign'>,
): string {
  const lifeMs = (key.expirationSeconds ?? 0) * 1000;
  return writeSessionToken(
    {
      expiresAtSeconds: Math.floor((key.createdAtMs + lifeMs) / 1000),
      publicKey: key.publicKey,
      sessionType: profile?.name ?? 'SESSION_TYPE_READ_WRITE',
      userId: key.userId,
      organizationId: organization.id,
      ...(profile === undefined ? {} : { sessionProfileId: profile.id, scope: profile.scope }),
    },
    keys,
  );
}

/**
 * Returns the profile of a login, from the parent, or from the organization itself if it is one. Raises
 * `resource_not_found`.
 */
export function requireSessionProfile(
  id: string | undefined,
  owner: OrganizationView,
): SessionProfile | undefined {
  if (id === undefined || id === '') return undefined;
  const profile = owner.get('session_profile', id.toLowerCase());
  if (profile !== undefined) return profile;
  return fail('resource_not_found', {
    resource: 'session profile',
    id,
    organizationId: owner.id,
  });
}

/** Returns the shorter lifetime of the login and its profile. */
function lifeOf({ expirationSeconds, profile }: SessionParameters): number {
  const asked = expirationSeconds === undefined ? undefined : numberOf(expirationSeconds);
  const lives = [asked, profile?.expirationSeconds].filter((life) => life !== undefined);
  return lives.length === 0 ? defaultSessionSeconds : Math.min(...lives);
}
