// The path of a request that only reads.

import { activityView } from '../core/activity/activity.ts';
import { fail } from '../core/errors.ts';
import { type OrganizationState, viewOf } from '../core/organization.ts';
import type { JsonObject } from '../core/schema/json.ts';
import { compileValidator, type Validator } from '../core/schema/validator.ts';
import type { ActivityOperation, Caller, QueryOperation } from '../operations/operation.ts';
import { createAdmission } from './admit.ts';
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

/** Makes the query path of the given operations. */
export function createQuery(
  operations: {
    readonly queries: Readonly<Record<string, QueryOperation>>;
    /** What activities are made by: it tells what can still be done with one that is read. */
    readonly activities: Readonly<Record<string, ActivityOperation>>;
  },
  ports: Ports,
): (request: Request) => Promise<QueryAnswer> {
  const validators = new Map<string, Validator>();
  const votingRights = createVotingRights(createAdmission(operations.activities, ports), ports);

  return async function query(request) {
    const operation = operations.queries[request.operation];
    if (operation === undefined) fail('operation_unknown', { operation: request.operation });
    let validate = validators.get(request.operation);
    if (validate === undefined) {
      validate = compileValidator(operation.body);
      validators.set(request.operation, validate);
    }

    const { organizationId: named, ...body } = parseBody(request.body);
    const organizationId = organizationIdOf({ organizationId: named });
    validate(body, '');
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
