// The path of a request that changes or signs something, as one list of steps.

import { type Activity, activityView } from '../core/activity/activity.ts';
import { fail, ServiceError } from '../core/errors.ts';
import type { OrganizationState } from '../core/organization.ts';
import type { JsonObject } from '../core/schema/json.ts';
import type { ActivityOperation, Caller } from '../operations/operation.ts';
import {
  type ActivityVersion,
  type AdmittedActivity,
  activityVersions,
  admit,
  checkLiveness,
} from './admit.ts';
import {
  callerIn,
  callerInParent,
  failUnknownKey,
  type ProvenStamp,
  proveStamp,
  requireLiving,
} from './authenticate.ts';
import { decide } from './decide.ts';
import type { Ports, Proposal, Request } from './ports.ts';
import { createTurns } from './turns.ts';

/** A decision whose organization changed under it is taken again at most this often. */
export const maximumAttempts = 20;

/**
 * What runs beside the changes of its organization may lose to each of them; after so many losses
 * it takes its turn between them.
 */
const attemptsBesideOthers = 3;

export type SubmitAnswer = { readonly body: JsonObject; readonly activity: Activity };

type Done = { readonly activity: Activity; readonly caller: Caller };

/** Makes the submit path of the given operations. */
export function createSubmit(
  operations: Readonly<Record<string, ActivityOperation>>,
  ports: Ports,
): (request: Request) => Promise<SubmitAnswer> {
  const versions = new Map<string, ReadonlyMap<string, ActivityVersion>>();
  const turns = createTurns();

  return async function submit(request) {
    const operation = operations[request.operation];
    if (operation === undefined) fail('operation_unknown', { operation: request.operation });
    let accepted = versions.get(request.operation);
    if (accepted === undefined) {
      accepted = activityVersions(operation);
      versions.set(request.operation, accepted);
    }

    const admitted = admit(request, operation, accepted, ports);
    const proven = await proveStamp(request, ports);
    const attempt = (maximum: number) => decideAndCommit(request, admitted, proven, ports, maximum);
    const beside = operation.concurrent === true ? await attempt(attemptsBesideOthers) : undefined;
    const done = beside ?? (await turns(admitted.organizationId, () => attempt(maximumAttempts)));
    if (done === undefined) fail('organization_busy', { attempts: maximumAttempts });
    const { activity, caller } = done;
    const viewer = { userId: caller.user.id, timestampObjects: request.timestampObjects };
    return { body: { activity: activityView(activity, viewer) }, activity };
  };
}

/**
 * Decides and commits; a decision that something else overtook is thrown away and taken again.
 * Undefined when all of so many attempts were overtaken.
 */
async function decideAndCommit(
  request: Request,
  admitted: AdmittedActivity,
  proven: ProvenStamp,
  ports: Ports,
  attempts: number,
): Promise<Done | undefined> {
  const done = await onKnownState(request, admitted, proven, ports);
  if (done !== undefined) return done;
  const { organizationId, fingerprint } = admitted;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const found = await ports.repository.organization(organizationId, fingerprint);
    const state = requireLiving(found.state, organizationId);
    const caller = await authenticate(state, proven, ports);
    if (found.activity !== undefined) return { activity: found.activity, caller };
    checkLiveness(admitted.timestampMs, ports);
    const proposal = await decide({ request, admitted, caller, state, ports });
    const outcome = await ports.repository.commit(proposal);
    if (outcome === 'committed') return { activity: proposal.activity, caller };
  }
  return undefined;
}

/**
 * Signing on the state in memory, without asking the store first: the commit is conditional on that
 * very version and on a new fingerprint, so it succeeds only where the store would have told nothing
 * else. A refusal is no answer yet; undefined sends the request the long way.
 */
async function onKnownState(
  request: Request,
  admitted: AdmittedActivity,
  proven: ProvenStamp,
  ports: Ports,
): Promise<Done | undefined> {
  if (admitted.operation.concurrent !== true) return undefined;
  const state = ports.repository.known(admitted.organizationId);
  if (state === undefined || state.head.deletedAtMs !== undefined) return undefined;
  let done: Done & { readonly proposal: Proposal };
  try {
    const caller = callerIn(state, proven, ports.clock());
    if (caller === undefined) return undefined;
    checkLiveness(admitted.timestampMs, ports);
    const proposal = await decide({ request, admitted, caller, state, ports });
    done = { activity: proposal.activity, caller, proposal };
  } catch (error) {
    // A refusal may come from a state that is no longer true.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
  // A commit that fails may have become durable all the same: no refusal may follow it.
  const outcome = await ports.repository.commit(done.proposal);
  return outcome === 'committed' ? done : undefined;
}

/** A user of the organization itself; a parent's user learns that it may only read. */
async function authenticate(
  state: OrganizationState,
  proven: ProvenStamp,
  ports: Ports,
): Promise<Caller> {
  const caller = callerIn(state, proven, ports.clock());
  if (caller !== undefined) return caller;
  const reader = await callerInParent(state, proven, ports);
  if (reader !== undefined) {
    fail('parent_cannot_write', {
      organizationId: state.id,
      callerOrganizationId: reader.organizationId,
    });
  }
  return failUnknownKey(state.id, proven);
}
