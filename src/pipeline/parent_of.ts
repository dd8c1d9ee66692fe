import { type OrganizationState, type OrganizationView, viewOf } from '../core/organization.ts';
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
