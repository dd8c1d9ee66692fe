// The target of an import: a key for one import by one user for one purpose.

import { hex, wipe } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import type { OpenedMessage } from '../bundles/client_message.ts';
import { openImport } from '../bundles/import_target.ts';
import { maximumImportedBytes } from '../derivation/imported_sentence.ts';
import { assert, fail, failField } from '../errors/errors.ts';
import type { ImportTarget } from '../organization/model.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import type { Keyring } from './keyring.ts';

/** Maximum number of targets of a user for one purpose; a new one replaces the oldest. */
export const maximumTargetsPerUser = 10;

/** Two days: an import may wait for votes, which expire after one day. */
export const targetLifeMs = 2 * 24 * 60 * 60 * 1000;

/** Maximum length of a secret text. */
export const maximumTextBytes = 64 * 1024;

type Purpose = ImportTarget['purpose'];

/** Maximum length of the content sealed to a target. */
const maximumBytes: Readonly<Record<Purpose, number>> = {
  wallet: maximumImportedBytes,
  private_key: maximumImportedBytes,
  secret: maximumTextBytes,
};

/**
 * Creates a target for one import; returns its public key, 65 bytes. Removes expired targets of the
 * organization.
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
 * Finds the user's target to which the bundle of a wallet or private key was sealed. Raises `field_invalid`
 * at `field` if there is none, because it was used, has expired or never existed.
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
 * Finds the organization's target of a sealed text by its public key of `parseTargetKey`. Raises
 * `field_invalid` like `findImportTarget`, at a member of `field`.
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
 * Opens the content of an import, passes it to `use`, wipes it, and removes the target. Only the target's
 * user may import, because other users may read the sealed text in the activity. Raises
 * `import_for_another_user`, or `import_target_of_another_user` for a secret.
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

/** Removes a target whose content was opened before. Raises like `useImport`. */
export function useUpTarget(
  target: ImportTarget,
  submitterId: string,
  organization: OrganizationDraft,
): void {
  requireOwnTarget(target, submitterId);
  organization.remove('import_target', target.id);
}

/** Opens content sealed to a target, passes it to `use`, and wipes it. Raises like `useImport`. */
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

/** Rejects an import for another user; no policy allows it. */
export function requireOwnImport(userId: string, submitterId: string): void {
  if (userId.toLowerCase() !== submitterId) fail('import_for_another_user', { userId });
}

const noTarget = 'no target key waits for it: request one first, each is valid for one import';

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

/** Returns the user's targets for a purpose, newest first. */
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
