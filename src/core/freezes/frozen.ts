// Decides whether a freeze stops a request. Decisions check freezes before policies, and pending sends check
// them before each broadcast. Every freeze raises the guard of its organization, so a signature decided
// before the freeze cannot commit after it.

import { fail } from '../errors/errors.ts';
import { createRowIndex } from '../organization/indexes/row_index.ts';
import type { RootQuorum } from '../organization/model.ts';
import type { Freeze, FreezeType } from '../organization/records/freeze.ts';
import type { Send } from '../organization/records/sends.ts';
import type { OrganizationView } from '../organization/state.ts';
import type { Facts, Subject } from '../policy/decision/access.ts';

/** The state of an organization and of its parent, if it is a child. */
export type Frozen = {
  readonly organization: OrganizationView;
  /** The state of the parent at the decision. */
  readonly parent: OrganizationView | undefined;
};

/** Returns true if there is any freeze, which is rare. */
export function hasFreezes({ organization, parent }: Frozen): boolean {
  return organization.rows('freeze').size > 0 || (parent?.rows('freeze').size ?? 0) > 0;
}

type Resource = Subject['resource'];

/**
 * The stopped actions and their resources: signatures, exports, sends, and all that can lose keys. `all`:
 * every resource.
 */
const stoppedSubjects: { readonly [Action in Subject['action']]?: 'all' | readonly Resource[] } = {
  SIGN: 'all',
  EXPORT: 'all',
  // A thief who creates the organization key, or replaces its holders, locks the keys up.
  CREATE: ['TRANSACTION', 'ORGANIZATION_KEY'],
  UPDATE: ['ORGANIZATION_KEY'],
  // A deleted sub-organization loses all its keys.
  DELETE: ['WALLET', 'PRIVATE_KEY', 'SECRET', 'ORGANIZATION', 'ORGANIZATION_KEY'],
};

/** Returns true if a freeze of an organization stops the activities of this subject. */
export function isStoppedByFreezes({ resource, action }: Subject): boolean {
  const stopped = stoppedSubjects[action];
  return stopped === 'all' || stopped?.includes(resource) === true;
}

const keyOf = (type: FreezeType, resourceId = '') => `${type}/${resourceId}`;

const freezesOf = createRowIndex(
  'freeze',
  (rows) => new Map([...rows].map((row) => [keyOf(row.type, row.resourceId), row])),
);

/** Returns the freeze of a subject, or undefined. */
export function freezeOn(
  organization: OrganizationView,
  type: FreezeType,
  resourceId?: string,
): Freeze | undefined {
  if (organization.rows('freeze').size === 0) return undefined;
  return freezesOf(organization).get(keyOf(type, resourceId));
}

/** Returns the freeze of the whole organization, created in it or in its parent. */
function freezeOfOrganization({ organization, parent }: Frozen): Freeze | undefined {
  return (
    freezeOn(organization, 'FREEZE_TYPE_ORGANIZATION') ??
    freezeOn(organization, 'FREEZE_TYPE_DEPLOYMENT') ??
    (parent && freezeOn(parent, 'FREEZE_TYPE_SUB_ORGANIZATION', organization.id)) ??
    (parent && freezeOn(parent, 'FREEZE_TYPE_DEPLOYMENT'))
  );
}

/** Returns the first freeze of these wallets and private keys. */
function freezeOfKeys(organization: OrganizationView, ids: readonly string[]): Freeze | undefined {
  for (const id of ids) {
    const found =
      freezeOn(organization, 'FREEZE_TYPE_WALLET', id) ??
      freezeOn(organization, 'FREEZE_TYPE_PRIVATE_KEY', id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the freeze that stops the broadcast of a transaction: of its organization, a signing key, its
 * sponsor or its submitter. `addressKeyIds` are the keys of its sender, for rows without an origin.
 */
export function freezeOfSend(
  frozen: Frozen,
  { origin, isSponsored }: Pick<Send, 'origin' | 'isSponsored'>,
  addressKeyIds: readonly string[],
): Freeze | undefined {
  const { organization, parent } = frozen;
  const sponsor = isSponsored === true ? parent : undefined;
  const { keyIds = addressKeyIds, submitterId } = origin ?? {};
  return (
    freezeOfOrganization(frozen) ??
    freezeOfKeys(organization, keyIds) ??
    (sponsor && freezeOn(sponsor, 'FREEZE_TYPE_ORGANIZATION')) ??
    (sponsor && freezeOfKeys(sponsor, keyIds)) ??
    (submitterId === undefined
      ? undefined
      : freezeOn(organization, 'FREEZE_TYPE_USER', submitterId))
  );
}

/** The activities that lift freezes. */
const liftingKind = 'DELETE_FREEZE';

/**
 * Returns the freeze that stops a user from submitting and approving. To lift freezes, a frozen member of the
 * root quorum counts while the active members cannot reach the threshold, so no freeze locks an organization.
 */
export function freezeOfUser(
  organization: OrganizationView,
  userId: string,
  kind: string,
): Freeze | undefined {
  const freeze = freezeOn(organization, 'FREEZE_TYPE_USER', userId);
  if (freeze === undefined || kind !== liftingKind) return freeze;
  return isNeededToLift(organization, userId) ? undefined : freeze;
}

function isNeededToLift(organization: OrganizationView, userId: string): boolean {
  const { userIds, threshold }: RootQuorum = organization.head.rootQuorum;
  const isActive = (id: string) => freezeOn(organization, 'FREEZE_TYPE_USER', id) === undefined;
  return userIds.includes(userId) && userIds.filter(isActive).length < threshold;
}

/** Rejects a frozen user. Raises `frozen`. */
export function requireActiveUser(
  organization: OrganizationView,
  userId: string,
  kind: string,
): void {
  const freeze = freezeOfUser(organization, userId, kind);
  if (freeze !== undefined) failFrozen(freeze);
}

/** Rejects an activity that a freeze of its organization or of one of its keys stops. Raises `frozen`. */
export function requireNotFrozen(frozen: Frozen, subject: Subject, facts: () => Facts): void {
  if (!hasFreezes(frozen) || !isStoppedByFreezes(subject)) return;
  const freeze =
    freezeOfOrganization(frozen) ?? freezeOfKeys(frozen.organization, keysUsedBy(facts()));
  if (freeze !== undefined) failFrozen(freeze);
}

/** Returns the IDs of the wallets and private keys of these facts. */
export function keysUsedBy({
  wallets = [],
  parts = [],
  unreadKeyIds = [],
  ...facts
}: Facts): string[] {
  const signers = [facts, ...parts.flatMap(({ signer }) => signer ?? [])];
  const ids = signers.flatMap(({ wallet, privateKey }) => [wallet?.id ?? [], privateKey?.id ?? []]);
  return [...ids.flat(), ...wallets.map(({ id }) => id), ...unreadKeyIds];
}

const words: { readonly [Type in FreezeType]: string } = {
  FREEZE_TYPE_WALLET: 'wallet',
  FREEZE_TYPE_PRIVATE_KEY: 'private key',
  FREEZE_TYPE_USER: 'user',
  FREEZE_TYPE_ORGANIZATION: 'the organization',
  FREEZE_TYPE_SUB_ORGANIZATION: 'organization',
  FREEZE_TYPE_DEPLOYMENT: 'the deployment',
};

function failFrozen({ id: freezeId, type, resourceId, createdAtMs }: Freeze): never {
  const what = resourceId === undefined ? words[type] : `${words[type]} ${resourceId}`;
  return fail('frozen', { what, since: new Date(createdAtMs).toISOString(), freezeId });
}
