// The path of a request that changes or signs something, as one list of steps.

import { type Activity, activityView } from '../core/activity/activity.ts';
import { hex, textOfUtf8 } from '../core/bytes.ts';
import { assert, fail } from '../core/errors.ts';
import type { OrganizationHead } from '../core/model.ts';
import {
  createDraft,
  emptySmallState,
  type OrganizationDraft,
  type OrganizationState,
  viewOf,
} from '../core/organization.ts';
import type { JsonObject } from '../core/schema/json.ts';
import { userView } from '../core/wire.ts';
import type { ActivityOperation, Caller, ChildDraft, Context } from '../operations/operation.ts';
import {
  type ActivityVersion,
  type AdmittedActivity,
  activityVersions,
  admit,
  checkLiveness,
} from './admit.ts';
import { callerIn, failUnknownKey, type ProvenStamp, proveStamp } from './authenticate.ts';
import { authorize } from './authorize.ts';
import type { NewOrganization, Ports, Request } from './ports.ts';
import { createTurns } from './turns.ts';

/** A decision whose organization changed under it is taken again at most this often. */
export const maximumAttempts = 20;

export type SubmitAnswer = { readonly body: JsonObject; readonly activity: Activity };

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
    const run = () => decideAndCommit(request, admitted, proven, ports);
    const { activity, caller } =
      operation.concurrent === true ? await run() : await turns(admitted.organizationId, run);
    const viewer = { userId: caller.user.id, timestampObjects: request.timestampObjects };
    return { body: { activity: activityView(activity, viewer) }, activity };
  };
}

async function decideAndCommit(
  request: Request,
  admitted: AdmittedActivity,
  proven: ProvenStamp,
  ports: Ports,
): Promise<{ activity: Activity; caller: Caller }> {
  const { operation, organizationId, parameters, fingerprint } = admitted;
  for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
    const found = await ports.repository.organization(organizationId, fingerprint);
    const state = existing(found.state, organizationId);
    const caller = await authenticate(state, proven, ports);
    if (found.activity !== undefined) return { activity: found.activity, caller };
    checkLiveness(admitted.timestampMs, ports);

    const view = viewOf(state);
    const context: Context = { now: ports.clock(), newId: ports.newId };
    const keyring = ports.keyring(organizationId);
    const read = ports.repository.reader(state);
    const loaded = await operation.load({
      organization: view,
      parameters,
      caller,
      read,
      keyring,
      context,
    });
    const facts = operation.facts({ organization: view, parameters, loaded });
    authorize({ operation, organization: view, caller, parameters, facts });

    const organization = createDraft(state);
    const children: (NewOrganization & { draft: OrganizationDraft })[] = [];
    const createChild = (id: string, head: OrganizationHead): ChildDraft => {
      const draft = createDraft(newState(id, organizationId, head));
      children.push({ id, parentId: organizationId, head, changes: draft.changes(), draft });
      return { organization: draft, keyring: ports.keyring(id) };
    };
    const result = operation.apply({
      organization,
      parameters,
      loaded,
      caller,
      keyring,
      context,
      createChild,
    });

    const activity = completed({ request, admitted, caller, view, result, context });
    const outcome = await ports.repository.commit({
      state,
      changes: organization.changes(),
      activity,
      fingerprint,
      children: children.map(({ draft, ...child }) => ({
        ...child,
        head: draft.head,
        changes: draft.changes(),
      })),
    });
    if (outcome === 'committed') return { activity, caller };
  }
  return fail('organization_busy', { attempts: maximumAttempts });
}

function existing(state: OrganizationState | undefined, organizationId: string): OrganizationState {
  if (state === undefined || state.head.deletedAtMs !== undefined) {
    return fail('organization_not_found', { organizationId });
  }
  return state;
}

/** A user of the organization itself; a parent's user learns that it may only read. */
async function authenticate(
  state: OrganizationState,
  proven: ProvenStamp,
  ports: Ports,
): Promise<Caller> {
  const now = ports.clock();
  const caller = callerIn(state, proven, now);
  if (caller !== undefined) return caller;
  if (state.parentId !== undefined) {
    const parent = (await ports.repository.organization(state.parentId)).state;
    const reader = parent === undefined ? undefined : callerIn(parent, proven, now);
    if (reader !== undefined) {
      fail('parent_cannot_write', {
        organizationId: state.id,
        callerOrganizationId: reader.organizationId,
      });
    }
  }
  return failUnknownKey(state.id, proven);
}

function completed(input: {
  request: Request;
  admitted: AdmittedActivity;
  caller: Caller;
  view: Parameters<typeof userView>[1];
  result: JsonObject;
  context: Context;
}): Activity {
  const { request, admitted, caller, view, result, context } = input;
  const { version } = admitted;
  const message = textOfUtf8(request.body);
  assert(message !== undefined, 'an admitted body is UTF-8');
  return {
    id: context.newId(),
    organizationId: admitted.organizationId,
    type: version.wire.type,
    status: 'ACTIVITY_STATUS_COMPLETED',
    intent: { [version.wire.intent]: admitted.submitted },
    result: { [version.wire.result]: version.downgrade(result) },
    votes: [
      {
        id: context.newId(),
        userId: caller.user.id,
        user: userView(caller.user, view),
        selection: 'VOTE_SELECTION_APPROVED',
        message,
        publicKey: caller.stamp.publicKeyText,
        signature: caller.stamp.signatureText,
        scheme: caller.stamp.scheme,
        createdAtMs: context.now,
      },
    ],
    fingerprint: `sha256:${hex(admitted.fingerprint.digest)}`,
    createdAtMs: context.now,
    updatedAtMs: context.now,
    version: 1,
  };
}

function newState(id: string, parentId: string, head: OrganizationHead): OrganizationState {
  return { id, parentId, version: 0, head, records: emptySmallState() };
}
