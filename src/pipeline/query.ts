// The path of a request that only reads.

import { activityView } from '../core/activity/activity.ts';
import { fail } from '../core/errors.ts';
import { type OrganizationState, viewOf } from '../core/organization.ts';
import type { JsonObject } from '../core/schema/json.ts';
import { validatorOf } from '../core/schema/validator.ts';
import type { Caller, QueryOperation } from '../operations/operation.ts';
import type { Admission } from './admit.ts';
import {
  callerIn,
  callerInParent,
  failUnknownKey,
  type ProvenStamp,
  proveStamp,
  requireLiving,
} from './authenticate.ts';
import { organizationIdOf, parseBody } from './parse_body.ts';
import type { Ports, Request } from './ports.ts';
import { createVotingRights } from './voting_rights.ts';

export type QueryAnswer = { readonly body: JsonObject; readonly organizationId: string };

/** Makes the query path of the given operations; `admission` reads activities that wait once more. */
export function createQuery(
  operations: Readonly<Record<string, QueryOperation>>,
  admission: Admission,
  ports: Ports,
): (request: Request) => Promise<QueryAnswer> {
  const votingRights = createVotingRights(admission, ports);

  return async function query(request) {
    const operation = operations[request.operation];
    if (operation === undefined) fail('operation_unknown', { operation: request.operation });
    const { organizationId: named, ...body } = parseBody(request.body);
    const organizationId = organizationIdOf({ organizationId: named });
    validatorOf(operation.body)(body, '');
    const proven = await proveStamp(request, ports);
    const { state, caller } = await findReader(organizationId, operation, proven, ports);
    const answer = await operation.answer({
      organization: viewOf(state),
      body,
      caller,
      read: ports.repository.reader(state),
      viewActivity: async (activity) => {
        const rights = await votingRights(activity, state, caller);
        return activityView(activity, { ...rights, timestampObjects: request.timestampObjects });
      },
    });
    return { body: answer, organizationId: state.id };
  };
}

/** The organization to read and the user who reads: of itself, of its parent, or found below it. */
async function findReader(
  organizationId: string,
  operation: QueryOperation,
  proven: ProvenStamp,
  ports: Ports,
): Promise<{ state: OrganizationState; caller: Caller }> {
  const now = ports.clock();
  const found = await ports.repository.organization(organizationId);
  const state = requireLiving(found.state, organizationId);
  const own = callerIn(state, proven, now);
  if (own !== undefined) return { state, caller: own };
  const reader = await callerInParent(state, proven, ports);
  if (reader !== undefined) return { state, caller: reader };
  if (operation.findsChild === true && state.parentId === undefined) {
    const [childId, second] = await ports.repository.childrenWithPublicKey(
      organizationId,
      proven.publicKeyHex,
    );
    if (second !== undefined) fail('public_key_ambiguous', { publicKey: proven.publicKeyHex });
    const child =
      childId === undefined ? undefined : (await ports.repository.organization(childId)).state;
    const caller = child === undefined ? undefined : callerIn(child, proven, now);
    if (child !== undefined && caller !== undefined) return { state: child, caller };
  }
  return failUnknownKey(organizationId, proven);
}
