// The path of a request that only reads.

import { activityView, isOpen } from '../core/activity/activity.ts';
import { usedBefore } from '../core/auth/verifications.ts';
import { fail } from '../core/errors/errors.ts';
import { type OrganizationState, viewOf } from '../core/organization/state.ts';
import { maximumQuerySteps } from '../core/policy/language/bounds.ts';
import type { Meter } from '../core/policy/language/clause.ts';
import type { JsonObject } from '../core/schema/json.ts';
import { validatorOf } from '../core/schema/validator.ts';
import { activityShownTo } from '../operations/bearer_members.ts';
import type { Caller, QueryOperation } from '../operations/operation.ts';
import {
  callerIn,
  callerInParent,
  failUnknown,
  type Proven,
  prove,
  requireLiving,
} from './authenticate.ts';
import { createMfaStatuses } from './mfa_statuses.ts';
import { parentOf } from './parent_of.ts';
import type { Admission } from './parse.ts';
import { organizationIdOf, parseBody } from './parse_body.ts';
import type { Ports, Request } from './ports.ts';
import { homeOf } from './resolve_organization.ts';
import { createVotingRights } from './voting_rights.ts';

export type QueryAnswer = { readonly body: JsonObject; readonly organizationId: string };

/** Makes the query path of the given operations; `admission` reads activities that wait once more. */
export function createQuery(
  operations: Readonly<Record<string, QueryOperation>>,
  admission: Admission,
  ports: Ports,
): (request: Request) => Promise<QueryAnswer> {
  const votingRights = createVotingRights(admission, ports);
  const statusesOf = createMfaStatuses(admission, ports);

  return async function query(request) {
    const operation = operations[request.operation];
    if (operation === undefined) fail('operation_unknown', { operation: request.operation });
    const { organizationId: named, ...body } = parseBody(request.body);
    const organizationId = organizationIdOf({ organizationId: named });
    validatorOf(operation.body)(body, '');
    const proven = await prove(request, ports);
    const { state, caller } = await findReader(organizationId, operation, proven, request, ports);
    await requireUnusedToken(caller, ports);
    ports.provenOf(caller.organizationId);
    const meter: Meter = { steps: maximumQuerySteps };
    const answer = await operation.answer({
      organization: viewOf(state),
      body,
      caller,
      read: ports.repository.reader(state),
      parent: () => parentOf(state, ports),
      proofs: ports.proofs,
      services: ports,
      viewActivity: async (activity) => {
        // Policies may make what follows long, and a list has many of them.
        if (isOpen(activity)) await ports.pause();
        const rights = await votingRights(activity, state, caller, meter);
        return activityView(activityShownTo(caller, activity), {
          ...rights,
          timestampObjects: request.timestampObjects,
        });
      },
      isSpent: () => meter.steps <= 0,
      mfaStatuses: (activity, userId) => statusesOf(activity, state, userId),
    });
    return { body: answer, organizationId: state.id };
  };
}

/** The organization to read and the user who reads: of itself, of its parent, or found below it. */
async function findReader(
  organizationId: string,
  operation: QueryOperation,
  proven: Proven,
  request: Request,
  ports: Ports,
): Promise<{ state: OrganizationState; caller: Caller }> {
  const found = await ports.repository.organization(organizationId);
  const named = requireLiving(found.state, organizationId);
  const state = operation.findsChild === true ? await homeOf(named, proven, request, ports) : named;
  const own = await callerIn(state, proven, request, ports);
  if (own !== undefined) return { state, caller: own };
  const above = await callerInParent(state, proven, request, ports);
  if (above !== undefined) return { state, caller: above.caller };
  return failUnknown(organizationId, proven);
}

/** Refuses a stamp whose verification token was used up. Raises `attestation_invalid`. */
async function requireUnusedToken(
  { token, organizationId }: Caller,
  { repository }: Ports,
): Promise<void> {
  if (token === undefined) return;
  const usage = repository.known(organizationId)?.records.used_token.get(token.id)?.usage;
  // The first login of a new organization is still open to the token of its sign-up.
  if (usage === 'own_sign_up') return;
  if (usage !== undefined || (await repository.isClaimed(token.id))) {
    fail('attestation_invalid', { reason: `the token cannot be used: ${usedBefore}` });
  }
}
