// The value of a verification token: where it may be used, of which version it is, and that it is
// used once.

import { type OtpType, otpTypes } from '../base/enums.ts';
import type { ServiceKeys } from '../crypto/service_keys.ts';
import { fail } from '../errors/errors.ts';
import type { Deployment } from '../external/external_services.ts';
import type { TokenUsage, UsedToken } from '../organization/model.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { type ClientSignature, checkLoginSignature } from './client_signature.ts';
import { isText, tokenRefusals, unverifiedClaims } from './tokens/jwt.ts';
import { readLegacyVerificationToken, readVerificationToken } from './tokens/verification_token.ts';

/** The activity types of one attempt belong together; a token belongs to the types that issued it. */
export type TokenVersion = 'current' | 'first';

/** The proof of a person: to hold a contact, and to hold a key. */
export type Verification = {
  readonly version: TokenVersion;
  /** ID of the token. */
  readonly id: string;
  readonly expiresAtMs: number;
  readonly otpType: OtpType;
  /** The contact in its stored, comparable form. */
  readonly contact: string;
  /** Key whose signature the token needs; undefined if it was requested without a key. */
  readonly publicKey: string | undefined;
};

/**
 * Maximum number of used tokens stored for an organization, each until it expires; of sign-ups the last ones.
 */
export const maximumUsedTokens = 10_000;

/**
 * Reads a token that this organization or its parent issued. A token without a key works for every reader, so
 * it counts only if the deployment allows it. Raises `verification_token_invalid`.
 */
export function requireVerification(
  token: string,
  accepted: readonly TokenVersion[],
  organization: Pick<OrganizationView, 'id' | 'parentId'>,
  {
    serviceKeys,
    deployment,
    now,
  }: {
    readonly serviceKeys: ServiceKeys;
    readonly deployment: Pick<Deployment, 'acceptsUnboundTokens'>;
    readonly now: number;
  },
): Verification {
  const { version, claims } = readEither(token, serviceKeys, now);
  if (!accepted.includes(version)) {
    refuse('it was issued by another version of verify_otp than this activity type goes with');
  }
  const { id, expiresAtMs, organizationId, verificationType, contact, publicKey } = claims;
  const isOfHere = organizationId === organization.id || organizationId === organization.parentId;
  // A token without an organization is refused, because its reader could use it at another tenant.
  if (organizationId === undefined || !isOfHere) refuse('it was issued for another organization');
  const otpType = otpTypes.find((type) => type === verificationType);
  if (otpType === undefined) refuse('it is about an unknown type of contact');
  if (publicKey === undefined && !deployment.acceptsUnboundTokens) {
    refuse('it is bound to no key, and this service takes no such tokens');
  }
  return { version, id, expiresAtMs, otpType, contact, publicKey };
}

/**
 * Returns the lookup for a child organization in which the contact of a token was verified. The token is not
 * verified yet. Raises `verification_token_invalid`.
 */
export function contactEntryOf(token: string): {
  readonly index: 'child_verified_email' | 'child_verified_phone_number';
  readonly value: string;
} {
  const { verification_type: type, contact } = unverifiedClaims(token) ?? {};
  const row = otpTypes.find((each) => each === type);
  if (row === undefined || !isText(contact)) return refuse(tokenRefusals.claims);
  return { index: verifiedContactIndexes[row], value: contact };
}

/** Children by the contacts that their users have shown to hold. */
export const verifiedContactIndexes = {
  OTP_TYPE_EMAIL: 'child_verified_email',
  OTP_TYPE_SMS: 'child_verified_phone_number',
} as const satisfies Record<OtpType, string>;

/** The activity that uses a token, and when. */
export type UsedIn = { readonly activityId: string; readonly now: number };

/**
 * Uses a token up, here and in the whole deployment: the commit fails where it was claimed elsewhere.
 * After a sign-up one login may follow in the organization that it made, and nowhere else. An activity
 * that waited may exchange the token of its own stamp, once. Expired ones are forgotten on the way.
 * Raises `verification_token_invalid` for one that was used before or has expired, and
 * `limit_exceeded`.
 */
export function useVerification(
  token: TokenOnce,
  usage: TokenUsage,
  organization: OrganizationDraft,
  { activityId, now }: UsedIn,
): void {
  requireLive(token, now);
  const stamped = organization.get('used_token', token.id)?.waitingActivityId;
  // A second stamp of the same activity is no exchange.
  if (usage === 'stamp' || stamped !== activityId) claimUnused(token, usage, organization);
  remember(token, { usage }, organization, now);
}

/**
 * Uses a token as the stamp of an activity that stays waiting, or of a vote on it. No other activity can use
 * the token any more, even if this one is rejected. Raises as `useVerification` does.
 */
export function useForWaiting(
  token: TokenOnce,
  usage: TokenUsage,
  organization: OrganizationDraft,
  { activityId, now }: UsedIn,
): void {
  requireLive(token, now);
  claimUnused(token, usage, organization);
  remember(token, { usage, waitingActivityId: activityId }, organization, now);
}

/** Time may have passed over votes. */
function requireLive({ expiresAtMs }: TokenOnce, now: number): void {
  if (expiresAtMs <= now) refuse(tokenRefusals.expired);
}

function claimUnused({ id }: TokenOnce, usage: TokenUsage, organization: OrganizationDraft): void {
  const earlier = organization.get('used_token', id)?.usage;
  const isFirstLogin = earlier === 'own_sign_up' && usage === 'login';
  // A token works once, for any use.
  if (earlier !== undefined && !isFirstLogin) refuse(usedBefore);
  if (!isFirstLogin) organization.claim(id);
}

/** Lets the first login of an organization that a sign-up makes be with the token of the sign-up. */
export function leaveFirstLogin(
  verification: Verification,
  created: OrganizationDraft,
  now: number,
): void {
  remember(verification, { usage: 'own_sign_up' }, created, now);
}

/** Why a token is refused that nothing is left of. */
export const usedBefore = 'it was used before';

/** A token without its contents. */
export type TokenOnce = Pick<Verification, 'id' | 'expiresAtMs'>;

function remember(
  { id, expiresAtMs }: TokenOnce,
  use: Pick<UsedToken, 'usage' | 'waitingActivityId'>,
  organization: OrganizationDraft,
  now: number,
): void {
  for (const used of organization.list('used_token')) {
    if (used.expiresAtMs <= now) organization.remove('used_token', used.id);
  }
  const rows = organization.rows('used_token');
  const isFull = rows.size >= maximumUsedTokens && !rows.has(id);
  const dropped = isFull ? firstSignUpToExpire(organization) : undefined;
  if (dropped !== undefined) organization.remove('used_token', dropped.id);
  else if (isFull) {
    fail('limit_exceeded', {
      owner: 'organization',
      resource: 'verification tokens in use',
      limit: maximumUsedTokens,
    });
  }
  const times = { createdAtMs: now, updatedAtMs: now };
  organization.put('used_token', { id, ...use, expiresAtMs, ...times });
}

/**
 * Returns the sign-up to remove when there is no room. Strangers sign up without limit and must not block
 * others. The deployment's claim still records that the token was used.
 */
function firstSignUpToExpire(organization: OrganizationView): UsedToken | undefined {
  let first: UsedToken | undefined;
  for (const used of organization.rows('used_token').values()) {
    if (used.usage !== 'sign_up') continue;
    if (first === undefined || used.expiresAtMs < first.expiresAtMs) first = used;
  }
  return first;
}

/**
 * Checks that the holder of the token's key asked to log in with this session key (hex), and here where
 * the signature says where. A token without a key needs no signature. Raises `client_signature_invalid`.
 */
export function checkLoginBy(
  verification: Verification,
  signature: ClientSignature | undefined,
  login: { readonly publicKey: string; readonly organizationId: string },
): void {
  const signed = signedBy(verification, signature);
  if (signed !== undefined) checkLoginSignature(signed.signature, { ...signed, ...login });
}

/**
 * Checks that the token's key signed the request itself: `signedWith` is the text of the key that did.
 * Raises `client_signature_invalid`.
 */
export function checkSignedBy({ publicKey }: Verification, signedWith: string): void {
  if (publicKey === undefined || publicKey.toLowerCase() === signedWith.toLowerCase()) return;
  refuseSignature('expected the request to be stamped with the key of the verification token');
}

/**
 * The token's binding with the signature over its use; undefined where neither is there. Raises
 * `client_signature_invalid` where one comes without the other.
 */
export function signedBy(
  { id, publicKey }: Pick<Verification, 'id' | 'publicKey'>,
  signature: ClientSignature | undefined,
):
  | {
      readonly signature: ClientSignature;
      readonly token: { readonly id: string; readonly publicKey: string };
    }
  | undefined {
  if (publicKey === undefined && signature === undefined) return undefined;
  if (publicKey === undefined) refuseSignature('the verification token is not bound to a key');
  if (signature === undefined) {
    refuseSignature('expected one, since the verification token is bound to a key');
  }
  return { signature, token: { id, publicKey } };
}

type Claims = {
  readonly id: string;
  readonly expiresAtMs: number;
  readonly organizationId: string | undefined;
  readonly verificationType: string;
  readonly contact: string;
  readonly publicKey: string | undefined;
};

function readEither(
  token: string,
  serviceKeys: ServiceKeys,
  now: number,
): { readonly version: TokenVersion; readonly claims: Claims } {
  const current = readVerificationToken(token, {
    publicKey: serviceKeys.publicKey('verifier'),
    now,
  });
  if (current.claims !== undefined) return { version: 'current', claims: current.claims };
  if (current.refusal !== tokenRefusals.header) refuse(current.refusal);
  const publicKey = serviceKeys.publicKey('legacy_verifier');
  const { claims, refusal } = readLegacyVerificationToken(token, { publicKey, now });
  if (claims === undefined) return refuse(refusal);
  const { id, expiresAtSeconds, verificationType, contact } = claims;
  return {
    version: 'first',
    claims: {
      id,
      expiresAtMs: expiresAtSeconds * 1000,
      organizationId: claims.organizationId,
      verificationType,
      contact,
      publicKey: claims.publicKey,
    },
  };
}

function refuse(reason: string): never {
  return fail('verification_token_invalid', { reason });
}

function refuseSignature(reason: string): never {
  return fail('client_signature_invalid', { reason });
}
