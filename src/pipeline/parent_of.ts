import { type OrganizationState, type OrganizationView, viewOf } from '../core/organization.ts';
import type { ChildIndex } from '../operations/operation.ts';
import type { Ports } from './ports.ts';

/** The organization above one, as it is now. */
export async function parentOf(
  { parentId }: OrganizationState,
  { repository }: Pick<Ports, 'repository'>,
): Promise<OrganizationView | undefined> {
  if (parentId === undefined) return undefined;
  const { state: parent } = await repository.organization(parentId);
  return parent && viewOf(parent);
}

/** Other organizations below the parent of one in which a value is found, if there are any. */
export async function siblingsWith(
  { id, parentId }: OrganizationState,
  index: ChildIndex,
  value: string,
  { repository }: Pick<Ports, 'repository'>,
): Promise<readonly string[]> {
  if (parentId === undefined) return [];
  const found = await repository.childrenWith(parentId, index, value);
  return found.filter((child) => child !== id);
}
