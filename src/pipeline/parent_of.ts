import {
  type OrganizationState,
  type OrganizationView,
  viewOf,
} from '../core/organization/state.ts';
import type { ChildIndex, Reader } from '../operations/reader.ts';
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

/** Returns a reader of the parent organization. */
export async function readerOfParent(
  { parentId }: OrganizationState,
  { repository }: Pick<Ports, 'repository'>,
): Promise<Reader | undefined> {
  if (parentId === undefined) return undefined;
  const { state: parent } = await repository.organization(parentId);
  return parent && repository.reader(parent);
}

/** Organizations below the parent of one, itself left out, or below it, in which a value is found. */
export async function relativesWith(
  { id, parentId }: OrganizationState,
  index: ChildIndex,
  value: string,
  { repository }: Pick<Ports, 'repository'>,
): Promise<readonly string[]> {
  const found = await repository.childrenWith(parentId ?? id, index, value);
  return found.filter((child) => child !== id);
}
