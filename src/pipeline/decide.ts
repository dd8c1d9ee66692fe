// The decision itself, on one state of the organization: what the operation needs, whether it may be
// done, what it changes. Nothing of it holds before it is committed.

import { type Activity, fingerprintText } from '../core/activity/activity.ts';
import { textOfUtf8 } from '../core/bytes.ts';
import { assert } from '../core/errors.ts';
import type { OrganizationHead } from '../core/model.ts';
import {
  createDraft,
  newOrganizationState,
  type OrganizationDraft,
  type OrganizationState,
  type OrganizationView,
  viewOf,
} from '../core/organization.ts';
import type { JsonObject } from '../core/schema/json.ts';
import { userView } from '../core/wire.ts';
import type { Caller, ChildDraft, Context } from '../operations/operation.ts';
import type { AdmittedActivity } from './admit.ts';
import { authorize } from './authorize.ts';
import type { Ports, Proposal, Request } from './ports.ts';

/** Loads, authorizes and applies. Raises what the operation refuses with, and `not_permitted`. */
export async function decide(input: {
  readonly request: Request;
  readonly admitted: AdmittedActivity;
  readonly caller: Caller;
  readonly state: OrganizationState;
  readonly ports: Ports;
}): Promise<Proposal> {
  const { request, admitted, caller, state, ports } = input;
  const { operation, organizationId, parameters, fingerprint } = admitted;
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
  const children: { readonly id: string; readonly draft: OrganizationDraft }[] = [];
  const createChild = (id: string, head: OrganizationHead): ChildDraft => {
    const draft = createDraft(newOrganizationState(id, organizationId, head));
    children.push({ id, draft });
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
  return {
    state,
    changes: organization.changes(),
    activity: completed({ request, admitted, caller, view, result, context }),
    fingerprint,
    children: children.map(({ id, draft }) => ({
      id,
      parentId: organizationId,
      head: draft.head,
      changes: draft.changes(),
    })),
  };
}

function completed(input: {
  readonly request: Request;
  readonly admitted: AdmittedActivity;
  readonly caller: Caller;
  readonly view: OrganizationView;
  readonly result: JsonObject;
  readonly context: Context;
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
    fingerprint: fingerprintText(admitted.fingerprint.digest),
    createdAtMs: context.now,
    updatedAtMs: context.now,
    version: 1,
  };
}
