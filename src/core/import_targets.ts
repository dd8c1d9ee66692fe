// What users seal an import to: a key for one import, made for one user and one purpose.

import { openImport } from './bundles/import_target.ts';
import { wipe } from './bytes.ts';
import { assert, fail, failField } from './errors.ts';
import type { Keyring } from './keyring.ts';
import type { ImportTarget } from './model.ts';
import type { OrganizationDraft, OrganizationView } from './organization.ts';

/** Targets that a user can have at a time for one purpose; a newer one takes the place of the oldest. */
export const maximumTargetsPerUser = 10;

/** Two days: votes count for one, and an import may wait for them. */
export const targetLifeMs = 2 * 24 * 60 * 60 * 1000;

type Purpose = ImportTarget['purpose'];

/**
 * Makes a target for one import; gives its public key, 65 bytes. Targets of the organization that have
 * expired are gone afterwards.
 */
export function createImportTarget(
  { userId, purpose }: { readonly userId: string; readonly purpose: Purpose },
  organization: OrganizationDraft,
  keyring: Keyring,
  context: { readonly now: number; readonly newId: () => string },
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
    expiresAtMs: now + targetLifeMs,
    createdAtMs: now,
    updatedAtMs: now,
  });
  return publicKey;
}

/**
 * The target of a user that a bundle was sealed to. Raises `field_invalid`, naming `field`, where
 * there is none: then it was used, has expired or was never given.
 */
export function findImportTarget(
  wanted: {
    readonly userId: string;
    readonly purpose: Purpose;
    readonly encryptedBundle: string;
    readonly now: number;
    readonly field: string;
  },
  organization: OrganizationView,
  keyring: Keyring,
): ImportTarget {
  let refusal = 'no target key waits for it: ask for one first, each is good for one import';
  for (const target of targetsOf(wanted, organization)) {
    const opened = keyring.useHeldKey('import_target', target, (privateKey) =>
      openImport(wanted.encryptedBundle, privateKey),
    );
    wipe(opened.plaintext);
    if (opened.refusal === undefined) return target;
    refusal = opened.refusal;
  }
  return failField(wanted.field, refusal);
}

/**
 * Uses up a target of `findImportTarget`: hands out what was sealed to it, and wipes that. Raises
 * `import_for_another_user` unless its user asks for it.
 */
export function useImport<Result>(
  target: ImportTarget,
  { encryptedBundle, submitterId }: { encryptedBundle: string; submitterId: string },
  organization: OrganizationDraft,
  keyring: Keyring,
  use: (contents: Uint8Array) => Result,
): Result {
  requireOwnImport(target.userId, submitterId);
  const { plaintext } = keyring.useHeldKey('import_target', target, (privateKey) =>
    openImport(encryptedBundle, privateKey),
  );
  assert(plaintext !== undefined, 'what was sealed to a target opens with it');
  try {
    const result = use(plaintext);
    organization.remove('import_target', target.id);
    return result;
  } finally {
    wipe(plaintext);
  }
}

/** Imports name the user who asks for them: no policy lets one act for another. */
export function requireOwnImport(userId: string, submitterId: string): void {
  if (userId.toLowerCase() !== submitterId) fail('import_for_another_user', { userId });
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
