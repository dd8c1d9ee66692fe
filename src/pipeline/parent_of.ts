import {
  type OrganizationState,
  type OrganizationView,
  viewOf,
} from '../core/organization/state.ts';
import type { ChildIndex, Reader } from '../operations/reader.ts';
import type { Ports } from './ports.ts';

type Repository = Pick<Ports, 'repository'>;

/** Returns the current parent of an organization; undefined without a parent. */
export async function parentOf(
  organization: OrganizationState,
  ports: Repository,
): Promise<OrganizationView | undefined> {
  const parent = await parentStateOf(organization, ports);
  return parent && viewOf(parent);
}

/** Returns a reader of the parent organization. */
export async function readerOfParent(
  organization: OrganizationState,
  ports: Repository,
): Promise<Reader | undefined> {
  const parent = await parentStateOf(organization, ports);
  return parent && ports.repository.reader(parent);
}

/**
 * Returns the state of the parent organization; undefined without a parent. A parent whose row is withheld is
 * an error: its freezes, policies and settings apply to the child.
 */
export async function parentStateOf(
  { parentId }: OrganizationState,
  { repository }: Repository,
): Promise<OrganizationState | undefined> {
  if (parentId === undefined) return undefined;
  return requiredParent(parentId, { repository });
}

/** Returns the state of the parent of some child. */
export async function requiredParent(
  parentId: string,
  { repository }: Repository,
): Promise<OrganizationState> {
  const { state } = await repository.organization(parentId);
  return state ?? repository.refuseMissing(parentId);
}

/** Returns the siblings (without a parent: the children) that registered a value. */
export async function relativesWith(
  { id, parentId }: OrganizationState,
  index: ChildIndex,
  value: string,
  { repository }: Repository,
): Promise<readonly string[]> {
  const found = await repository.childrenWith(parentId ?? id, index, value);
  return found.filter((child) => child !== id);
}
