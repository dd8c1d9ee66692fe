// The conditions of a commit: a change of an organization depends on its version, a signature on its guard
// (docs/decisions/0030-guards.md).

import type { OrganizationState } from '../../core/organization/state.ts';
import type { Proposal } from '../../pipeline/ports.ts';
import type { Condition, StoreChange } from '../../store/port.ts';
import { changesNothing, type LoadedOrganization } from './change_writer.ts';

/**
 * Returns the state that a proposal is written on. `known` is the newest state in memory: undefined if the
 * decided one is overtaken already, or if it left the memory and is to be changed.
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

/** The rows of an organization that a proposal does not change. */
const unchanged = { marks: new Map<string, string>(), bytes: 0, recent: [] };

/** Returns the conditions of a proposal in an organization whose parent receives its events. */
export function conditionsOfProposal(
  proposal: Proposal,
  parent: OrganizationState | undefined,
): StoreChange['conditions'] {
  const { sponsor } = proposal;
  const paying = sponsor === undefined ? [] : [sponsor.state];
  const decidedOn = [proposal.state, ...proposal.alsoDecidedOn, ...paying];
  // From the parent only its endpoints and the origins of passkeys are read, and both guard.
  const above = parent === undefined ? [] : [parent];
  return restsOnGuards(proposal)
    ? conditionsOf([], [...decidedOn, ...above])
    : conditionsOf(decidedOn, above);
}

/**
 * Requires that the first organizations have these versions, and that no guarded change happened in the
 * others. Each is named once, by the stricter condition.
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
  const isNamed = all.some(
    (other) => other.organizationId === organizationId && other.version === version,
  );
  if (!isNamed) all.push({ organizationId, version, orLater });
}

/** Returns true if it leaves every organization unchanged, and depends on guards alone. */
function restsOnGuards({ restsOnGuard, changes, children }: Proposal): boolean {
  const { claims = [], redeliveries = [] } = changes;
  const isAlone = claims.length === 0 && redeliveries.length === 0 && children.length === 0;
  return restsOnGuard && isAlone && changesNothing(changes);
}
