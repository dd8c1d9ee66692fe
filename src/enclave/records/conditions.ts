// The conditions of a commit: a change of an organization depends on its version, a signature on its guard
// (docs/decisions/0030-guards.md).

import type { OrganizationState } from '../../core/organization/state.ts';
import type { Proposal } from '../../pipeline/ports.ts';
import type { Condition, StoreChange } from '../../store/port.ts';
import { changesNothing, type LoadedOrganization } from './change_writer.ts';

/**
 * Returns the state on which a proposal is written. `known` is the newest state in memory. Returns undefined
 * if a newer state has overtaken the decision, or if a changed organization is no longer in memory.
 */
export function baseStateOf(
  proposal: Proposal,
  known: LoadedOrganization | undefined,
): LoadedOrganization | undefined {
  const { state } = proposal;
  if (!restsOnGuards(proposal)) return known?.state === state ? known : undefined;
  const { guard } = known?.state ?? state;
  return guard > state.version ? undefined : { ...unchanged, state };
}

/** A proposal that leaves its organization unchanged writes no rows of it. */
const unchanged = { marks: new Map<string, string>(), bytes: 0, recent: [] };

/** Returns the conditions of a proposal in an organization whose parent receives its events. */
export function conditionsOfProposal(
  proposal: Proposal,
  parent: OrganizationState | undefined,
): StoreChange['conditions'] {
  const { state, alsoDecidedOn, sponsor } = proposal;
  const orLater = restsOnGuards(proposal);
  const all: Condition[] = [];
  addCondition(all, state, orLater);
  for (const decidedOn of alsoDecidedOn) addCondition(all, decidedOn, orLater);
  if (sponsor !== undefined) addCondition(all, sponsor.state, orLater);
  // Only the parent's endpoints and passkey origins are read, and both change its guard.
  if (parent !== undefined) addCondition(all, parent, true);
  return all;
}

/**
 * Requires these versions for the first organizations, and no guarded change in the others. The stricter
 * condition replaces the other for the same organization.
 */
export function conditionsOf(
  same: readonly OrganizationState[],
  guarded: readonly OrganizationState[],
): StoreChange['conditions'] {
  const all: Condition[] = [];
  for (const state of same) addCondition(all, state, false);
  for (const state of guarded) addCondition(all, state, true);
  return all;
}

function addCondition(
  all: Condition[],
  { id: organizationId, version }: OrganizationState,
  orLater: boolean,
): void {
  for (const other of all) {
    if (other.organizationId === organizationId && other.version === version) return;
  }
  all.push({ organizationId, version, orLater });
}

/** Returns true if a proposal leaves every organization unchanged and depends only on guards. */
function restsOnGuards({ restsOnGuard, changes, children }: Proposal): boolean {
  const { claims = [], redeliveries = [] } = changes;
  const isAlone = claims.length === 0 && redeliveries.length === 0 && children.length === 0;
  return restsOnGuard && isAlone && changesNothing(changes);
}
