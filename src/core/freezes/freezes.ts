// Creates and deletes freezes.

import { timestampObject } from '../base/compatibility.ts';
import type { Context } from '../base/context.ts';
import { fail, failField } from '../errors/errors.ts';
import { checkLimit } from '../organization/limits.ts';
import type { SmallKind } from '../organization/model.ts';
import type { Freeze, FreezeType } from '../organization/records/freeze.ts';
import { failNotFound, requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { freezeOn } from './frozen.ts';

/** Parameters of a freeze. */
type FreezeParameters = Pick<Freeze, 'type'> & {
  readonly resourceId?: string | undefined;
  readonly reason?: string | undefined;
};

/** The row kind of a frozen subject. Absent for types without a row. */
const namedKinds: { readonly [Type in FreezeType]?: SmallKind } = {
  FREEZE_TYPE_WALLET: 'wallet',
  FREEZE_TYPE_PRIVATE_KEY: 'private_key',
  FREEZE_TYPE_USER: 'user',
};

/** Freezes of a whole organization. At most two exist, so the limit on rows does not apply to them. */
const wholeTypes: readonly FreezeType[] = ['FREEZE_TYPE_ORGANIZATION', 'FREEZE_TYPE_DEPLOYMENT'];
const parentTypes: readonly FreezeType[] = [
  'FREEZE_TYPE_SUB_ORGANIZATION',
  'FREEZE_TYPE_DEPLOYMENT',
];

/**
 * Checks the subject of a freeze, and returns it in lower case. `isChild` is true if a sub-organization of
 * that ID exists. Raises `field_invalid`, `resource_not_found`, `sub_organization_cannot`.
 */
export async function checkFreeze(
  { type, resourceId, reason }: FreezeParameters,
  organization: OrganizationView,
  isChild: (id: string) => Promise<boolean>,
): Promise<FreezeParameters> {
  if (parentTypes.includes(type) && organization.parentId !== undefined) {
    fail('sub_organization_cannot', { action: `create a freeze of type ${type}` });
  }
  const field = 'parameters.resourceId';
  if (wholeTypes.includes(type)) {
    if (resourceId !== undefined) failField(field, `expected no ID for the type ${type}`);
    return { type, reason };
  }
  if (resourceId === undefined) return failField(field, `expected an ID for the type ${type}`);
  const id = resourceId.toLowerCase();
  const kind = namedKinds[type];
  const exists = kind === undefined ? await isChild(id) : organization.get(kind, id) !== undefined;
  if (!exists) {
    const resource = kind?.replace('_', ' ') ?? 'sub-organization';
    failNotFound(resource, resourceId, organization);
  }
  return { type, resourceId: id, reason };
}

/** Creates a freeze, or returns the existing freeze of the subject. Raises `limit_exceeded`. */
export function createFreeze(
  { type, resourceId, reason }: FreezeParameters,
  organization: OrganizationDraft,
  userId: string,
  { newId, now }: Context,
): Freeze {
  const existing = freezeOn(organization, type, resourceId);
  if (existing !== undefined) return existing;
  if (!wholeTypes.includes(type)) {
    checkLimit('freezes', organization.rows('freeze').size + 1, organization);
  }
  const freeze: Freeze = {
    id: newId(),
    type,
    ...(resourceId === undefined ? {} : { resourceId }),
    ...(reason === undefined ? {} : { reason }),
    userId,
    createdAtMs: now,
    updatedAtMs: now,
  };
  organization.put('freeze', freeze);
  return freeze;
}

const requireFreeze = requiredRecord('freeze', 'freeze');

/** Deletes a freeze. Raises `resource_not_found`. */
export function deleteFreeze(id: string, organization: OrganizationDraft): Freeze {
  const found = requireFreeze(organization, id);
  organization.remove('freeze', found.id);
  return found;
}

/** Deletes the freezes of deleted users. */
export function deleteFreezesOfUsers(
  userIds: readonly string[],
  organization: OrganizationDraft,
): void {
  for (const userId of userIds) {
    const freeze = freezeOn(organization, 'FREEZE_TYPE_USER', userId);
    if (freeze !== undefined) organization.remove('freeze', freeze.id);
  }
}

/** Returns the API form of a freeze. */
export function freezeView({ id, type, resourceId, reason, userId, createdAtMs }: Freeze) {
  return {
    freezeId: id,
    type,
    ...(resourceId === undefined ? {} : { resourceId }),
    ...(reason === undefined ? {} : { reason }),
    userId,
    createdAt: timestampObject(createdAtMs),
  };
}
