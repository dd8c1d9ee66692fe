// Verification tokens: where a token may be used, its version, and its single use.

import { type OtpType, otpTypes } from '../base/enums.ts';
import type { ServiceKeys } from '../crypto/service_keys.ts';
import { fail } from '../errors/errors.ts';
import type { Deployment } from '../external/external_services.ts';
import type { TokenUsage, UsedToken } from '../organization/model.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { type ClientSignature, checkLoginSignature } from './client_signature.ts';
import { isText, tokenRefusals, unverifiedClaims } from './tokens/jwt.ts';
import { readLegacyVerificationToken, readVerificationToken } from './tokens/verification_token.ts';

/** Version of a token. A token works only for activity types of the version that issued it. */
export type TokenVersion = 'current' | 'first';

/** Proof that a person holds a contact and a key. */
export type Verification = {
  readonly version: TokenVersion;
  /** ID of the token. */
  readonly id: string;
  readonly expiresAtMs: number;
  readonly otpType: OtpType;
  /** The contact in its normalized form. */
  readonly contact: string;
  /** Key whose signature the token needs; undefined if it was requested without a key. */
  readonly publicKey: string | undefined;
};

/**
 * Maximum number of used tokens stored for an organization until they expire. Tokens of sign-ups are dropped
 * first.
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
    refuse('it was issued by a version of verify_otp that this activity type does not accept');
  }
  const { id, expiresAtMs, organizationId, verificationType, contact, publicKey } = claims;
  const isOfHere = organizationId === organization.id || organizationId === organization.parentId;
  // A token without an organization is refused, because its reader could use it at another tenant.
  if (organizationId === undefined || !isOfHere) refuse('it was issued for another organization');
  const otpType = otpTypes.find((type) => type === verificationType);
  if (otpType === undefined) refuse('it is about an unknown type of contact');
  if (publicKey === undefined && !deployment.acceptsUnboundTokens) {
    refuse('it is not bound to a key, and this service rejects such tokens');
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

/** Indexes of child organizations by the verified contacts of their users. */
export const verifiedContactIndexes = {
  OTP_TYPE_EMAIL: 'child_verified_email',
  OTP_TYPE_SMS: 'child_verified_phone_number',
} as const satisfies Record<OtpType, string>;

/** The activity that uses a token, and the time. */
export type UsedIn = { readonly activityId: string; readonly now: number };

/**
 * Uses a token up, in the organization and in the whole deployment; the commit fails if the token was claimed
 * elsewhere. After a sign-up, the token also allows one login in the created organization. An activity that
 * waited may use the token of its own stamp once more. Removes expired tokens. Raises
 * `verification_token_invalid` for a used or expired token, and `limit_exceeded`.
 */
export function useVerification(
  token: TokenOnce,
  usage: TokenUsage,
  organization: OrganizationDraft,
  { activityId, now }: UsedIn,
): void {
  requireLive(token, now);
  const stamped = organization.get('used_token', token.id)?.waitingActivityId;
  // A second stamp of the same activity needs an unused token.
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

/** A token may expire while an activity waits for votes. */
function requireLive({ expiresAtMs }: TokenOnce, now: number): void {
  if (expiresAtMs <= now) refuse(tokenRefusals.expired);
}

function claimUnused({ id }: TokenOnce, usage: TokenUsage, organization: OrganizationDraft): void {
  const earlier = organization.get('used_token', id)?.usage;
  const isFirstLogin = earlier === 'own_sign_up' && usage === 'login';
  // Any use makes a token used.
  if (earlier !== undefined && !isFirstLogin) refuse(usedBefore);
  if (!isFirstLogin) organization.claim(id);
}

/** Allows the first login of an organization with the token of the sign-up that creates it. */
export function leaveFirstLogin(
  verification: Verification,
  created: OrganizationDraft,
  now: number,
): void {
  remember(verification, { usage: 'own_sign_up' }, created, now);
}

/** Refusal of a used token. */
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
 * Checks that the holder of the token's key signed a login with this session key (hex), and in this
 * organization if the signed message names one. A token without a key needs no signature. Raises
 * `client_signature_invalid`.
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
 * Checks that the token's key stamped the request; `signedWith` is the key of the stamp, as text. Raises
 * `client_signature_invalid`.
 */
export function checkSignedBy({ publicKey }: Verification, signedWith: string): void {
  if (publicKey === undefined || publicKey.toLowerCase() === signedWith.toLowerCase()) return;
  refuseSignature('expected the request to be stamped with the key of the verification token');
}

/**
 * Returns the token's key with the signature of its use; undefined if both are absent. Raises
 * `client_signature_invalid` if only one is present.
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
