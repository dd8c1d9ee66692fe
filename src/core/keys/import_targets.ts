// The target of an import: a key for one import, made for one user and one purpose.

import { hex, wipe } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import type { OpenedMessage } from '../bundles/client_message.ts';
import { openImport } from '../bundles/import_target.ts';
import { maximumImportedBytes } from '../derivation/imported_sentence.ts';
import { assert, fail, failField } from '../errors/errors.ts';
import type { ImportTarget } from '../organization/model.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import type { Keyring } from './keyring.ts';

/** Targets that a user can have at a time for one purpose; a newer one takes the place of the oldest. */
export const maximumTargetsPerUser = 10;

/** Two days: votes count for one, and an import may wait for them. */
export const targetLifeMs = 2 * 24 * 60 * 60 * 1000;

/** Bytes of a stored secret text. */
export const maximumTextBytes = 64 * 1024;

type Purpose = ImportTarget['purpose'];

/** The largest content that may be sealed to a target. */
const maximumBytes: Readonly<Record<Purpose, number>> = {
  wallet: maximumImportedBytes,
  private_key: maximumImportedBytes,
  secret: maximumTextBytes,
};

/**
 * Creates a target for one import; returns its public key, 65 bytes. Targets of the organization that have
 * expired are gone afterwards.
 */
export function createImportTarget(
  { userId, purpose }: { readonly userId: string; readonly purpose: Purpose },
  organization: OrganizationDraft,
  keyring: Keyring,
  context: Context,
): Uint8Array {
  const { now } = context;
  for (const { id, expiresAtMs } of organization.list('import_target')) {
    if (expiresAtMs <= now) organization.remove('import_target', id);
  }
  const living = targetsOf({ userId, purpose, now }, organization);
  for (const { id } of living.slice(maximumTargetsPerUser - 1)) {
    organization.remove('import_target', id);
  }
  const id = context.newId();
  const { secret, publicKey } = keyring.createHeldKey('import_target', id);
  organization.put('import_target', {
    id,
    userId,
    purpose,
    secret,
    ...(purpose === 'secret' ? { publicKey: hex(publicKey) } : {}),
    expiresAtMs: now + targetLifeMs,
    createdAtMs: now,
    updatedAtMs: now,
  });
  return publicKey;
}

/**
 * The target of a user that the bundle of a wallet or private key was sealed to. Raises `field_invalid`,
 * naming `field`, if there is none: it was used, has expired or never existed.
 */
export function findImportTarget(
  requested: {
    readonly userId: string;
    readonly purpose: Exclude<Purpose, 'secret'>;
    readonly encryptedBundle: string;
    readonly now: number;
    readonly field: string;
  },
  organization: OrganizationView,
  keyring: Keyring,
): ImportTarget {
  let refusal = noTarget;
  for (const target of targetsOf(requested, organization)) {
    const found = refusalOf(target, requested.encryptedBundle, keyring);
    if (found === undefined) return target;
    refusal = found;
  }
  return failField(requested.field, refusal);
}

/**
 * The target of the organization that a text was sealed to, by its public key of `parseTargetKey`.
 * Raises `field_invalid` as `findImportTarget`, naming a member of `field`.
 */
export function findSecretTarget(
  requested: {
    readonly targetPublicKey: Uint8Array;
    readonly secretPayload: string;
    readonly now: number;
    readonly field: string;
  },
  organization: OrganizationView,
  keyring: Keyring,
): ImportTarget {
  const publicKey = hex(requested.targetPublicKey);
  const target = organization
    .list('import_target')
    .find((row) => row.publicKey === publicKey && row.expiresAtMs > requested.now);
  if (target === undefined) failField(`${requested.field}.targetPublicKey`, noTarget);
  const refusal = refusalOf(target, requested.secretPayload, keyring);
  if (refusal !== undefined) failField(`${requested.field}.secretPayload`, refusal);
  return target;
}

/**
 * Uses up a target that was found: passes the opened secret on, and wipes it. Raises
 * `import_for_another_user`, for a secret `import_target_of_another_user`, unless its user asks for it: many
 * may read the sealed text in the activity of an import.
 */
export function useImport<Result>(
  target: ImportTarget,
  { encryptedBundle, submitterId }: { encryptedBundle: string; submitterId: string },
  organization: OrganizationDraft,
  keyring: Keyring,
  use: (contents: Uint8Array) => Result,
): Result {
  const result = openToTarget({ target, encryptedBundle, submitterId }, keyring, use);
  organization.remove('import_target', target.id);
  return result;
}

/** Uses up a target whose contents were opened before. Raises as `useImport` does. */
export function useUpTarget(
  target: ImportTarget,
  submitterId: string,
  organization: OrganizationDraft,
): void {
  requireOwnTarget(target, submitterId);
  organization.remove('import_target', target.id);
}

/** Hands out what was sealed to a target that was found, and wipes that. Raises as `useImport` does. */
export function openToTarget<Result>(
  sealed: {
    readonly target: ImportTarget;
    readonly encryptedBundle: string;
    readonly submitterId: string;
  },
  keyring: Keyring,
  use: (contents: Uint8Array) => Result,
): Result {
  const { target, encryptedBundle, submitterId } = sealed;
  requireOwnTarget(target, submitterId);
  const { plaintext } = openedBy(target, encryptedBundle, keyring);
  assert(plaintext !== undefined, 'what was sealed to a target opens with it');
  try {
    return use(plaintext);
  } finally {
    wipe(plaintext);
  }
}

function requireOwnTarget(target: ImportTarget, submitterId: string): void {
  if (target.purpose !== 'secret') requireOwnImport(target.userId, submitterId);
  else if (target.userId !== submitterId) fail('import_target_of_another_user');
}

/** Imports name the user who asks for them: no policy lets one act for another. */
export function requireOwnImport(userId: string, submitterId: string): void {
  if (userId.toLowerCase() !== submitterId) fail('import_for_another_user', { userId });
}

const noTarget = 'no target key waits for it: ask for one first, each is good for one import';

function openedBy(target: ImportTarget, bundle: string, keyring: Keyring): OpenedMessage {
  return keyring.useHeldKey('import_target', target, (privateKey) =>
    openImport(bundle, privateKey, maximumBytes[target.purpose]),
  );
}

/** Returns the reason that a bundle does not open with a target; undefined if it opens. */
function refusalOf(target: ImportTarget, bundle: string, keyring: Keyring): string | undefined {
  const { plaintext, refusal } = openedBy(target, bundle, keyring);
  wipe(plaintext);
  return refusal;
}

/** Newest first. */
function targetsOf(
  { userId, purpose, now }: { userId: string; purpose: Purpose; now: number },
  organization: OrganizationView,
): readonly ImportTarget[] {
  const owner = userId.toLowerCase();
  return organization
    .list('import_target')
    .filter((row) => row.userId === owner && row.purpose === purpose && row.expiresAtMs > now)
    .toReversed();
}
