// Finds the records that requests name.

import { fail } from '../errors/errors.ts';
import type { SmallKind, SmallRecords } from './model.ts';
import type { OrganizationView } from './state.ts';

/** Returns a function that finds a record by its ID in any letter case. Raises `resource_not_found`. */
export function requiredRecord<Kind extends SmallKind>(kind: Kind, resource: string) {
  return (organization: OrganizationView, id: string): SmallRecords[Kind] =>
    organization.get(kind, id.toLowerCase()) ?? failNotFound(resource, id, organization);
}

/** Raises `resource_not_found` for an ID in a request. */
export function failNotFound(
  resource: string,
  id: string,
  organization: Pick<OrganizationView, 'id'>,
): never {
  return fail('resource_not_found', { resource, id, organizationId: organization.id });
}
