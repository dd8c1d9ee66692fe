// The path of a read-only request.

import { activityView, isOpen } from '../core/activity/activity.ts';
import { usedBefore } from '../core/auth/verifications.ts';
import type { NewsState } from '../core/base/news.ts';
import { fail } from '../core/errors/errors.ts';
import { unknownOperation } from '../core/errors/unknown_operation.ts';
import { type OrganizationState, viewOf } from '../core/organization/state.ts';
import { maximumQuerySteps } from '../core/policy/language/bounds.ts';
import type { Meter } from '../core/policy/language/clause.ts';
import type { JsonObject } from '../core/schema/json.ts';
import { checkMembers, memberNamesOf, warningsOfIgnored } from '../core/schema/unknown_members.ts';
import { validatorOf } from '../core/schema/validator.ts';
import { activityShownTo } from '../operations/activities/bearer_members.ts';
import type { Caller, QueryOperation } from '../operations/operation.ts';
import { type Authenticated, authenticate } from './authenticate.ts';
import type { Catalog } from './catalog.ts';
import { createBoundedServices } from './chain_lookups.ts';
import { onKnownStates } from './known_states.ts';
import { requireActive } from './load.ts';
import { mfaStatuses } from './mfa_statuses.ts';
import { parentOf, readerOfParent } from './parent_of.ts';
import { envelopeNames } from './parse.ts';
import { organizationIdOf, parseBodyInParts } from './parse_body.ts';
import type { Ports, Request } from './ports.ts';
import { resolveByRecord, resolveOrganization } from './resolve_organization.ts';
import { simulationOf } from './simulate.ts';
import { requireStampHeader, type VerifiedStamp, verifyStamp } from './verify_stamp.ts';
import { votingRights } from './voting_rights.ts';
import { waitingStateOf } from './waiting_state.ts';

type QueryAnswer = {
  readonly body: JsonObject;
  readonly organizationId: string;
  /** The topic for callers that wait for changes, and whether the answer has any. */
  readonly news: NewsState | undefined;
  /** Members of the request that the service does not know and left out. */
  readonly ignored: readonly string[];
};

/** Creates the query path of the given operations; `catalog` is that of the activities they show. */
export function createQuery(
  operations: Readonly<Record<string, QueryOperation>>,
  catalog: Catalog,
  own: Ports,
): (request: Request) => Promise<QueryAnswer> {
  const names = memberNamesOf(Object.values(operations).map(({ body }) => body));
  const knownNames = new Set([...names, ...catalog.memberNames, ...envelopeNames]);
  // A limit for queries only, so that activities do not wait for queries.
  const boundTo = createBoundedServices();
  const tolerance = own.deployment.refusesUnknownMembers ? undefined : { knownNames };
  return async function query(request) {
    const { enter, knownStates } = request;
    const ports =
      knownStates === undefined
        ? own
        : { ...own, repository: onKnownStates(own.repository, knownStates) };
    enter?.('parse');
    const operation = operations[request.operation];
    if (operation === undefined) throw unknownOperation(request.operation, Object.keys(operations));
    const header = requireStampHeader(request);
    const members = await parseBodyInParts(request.body, ports.pause);
    const { organizationId: named, ...sent } = members;
    const organizationId = organizationIdOf({ organizationId: named });
    const checked = { schema: operation.body, validate: validatorOf(operation.body) };
    const { value: body, ignored } = checkMembers(checked, sent, '', tolerance);
    enter?.('verify_stamp');
    const verified = await verifyStamp(header, request, ports);
    enter?.('load');
    const { state, caller } = await findReader(
      organizationId,
      operation,
      body,
      verified,
      request,
      ports,
    );
    await requireUnusedToken(caller, ports);
    ports.chargeTo(caller.organizationId, caller.user.id);
    enter?.('query');
    const meter: Meter = { steps: maximumQuerySteps };
    const organization = viewOf(state);
    const answer = await operation.answer({
      organization,
      body,
      caller,
      read: ports.repository.reader(state),
      parent: () => parentOf(state, ports),
      readParent: () => readerOfParent(state, ports),
      proofs: ports.proofs,
      services: { ...ports, external: boundTo(ports.external, caller.organizationId) },
      viewActivity: async (activity) => {
        // Policies can make the following steps long, and a list repeats them.
        if (isOpen(activity)) await ports.pause();
        const rights = await votingRights({ activity, state, caller }, catalog, ports, meter);
        return activityView(activityShownTo(caller, activity), {
          ...rights,
          timestampObjects: request.timestampObjects,
        });
      },
      shownActivity: (activity) => activityShownTo(caller, activity),
      pause: ports.pause,
      isSpent: () => meter.steps <= 0,
      mfaStatuses: (activity, userId) => mfaStatuses(activity, state, userId, catalog, ports),
      simulation: (change) => simulationOf(state, change, catalog, ports, meter),
      standing: (activity) => waitingStateOf({ activity, state }, catalog, ports, meter),
    });
    const news = operation.news?.({ organization, body }, answer);
    const warnings = ignored.length === 0 ? {} : { warnings: warningsOfIgnored(ignored) };
    return { body: { ...answer, ...warnings }, organizationId: state.id, news, ignored };
  };
}

/**
 * Returns the organization to read and the reader: a user of it or of its parent. Queries with `findsChild`
 * may resolve to a child.
 */
async function findReader(
  organizationId: string,
  { findsChild }: QueryOperation,
  body: JsonObject,
  verified: VerifiedStamp,
  request: Request,
  ports: Ports,
): Promise<Authenticated & { readonly state: OrganizationState }> {
  const found = await ports.repository.organization(organizationId);
  const named = requireActive(found.state, organizationId);
  if (findsChild !== undefined) request.enter?.('resolve_organization');
  const state = await resolved();
  request.enter?.('authenticate');
  return { state, ...(await authenticate(state, verified, request, ports, organizationId)) };

  function resolved(): OrganizationState | Promise<OrganizationState> {
    if (findsChild === undefined) return named;
    if (typeof findsChild !== 'function') {
      return resolveOrganization(named, verified, request, ports);
    }
    const read = ports.repository.reader(named);
    const hasRecord = () => findsChild({ body, read });
    return resolveByRecord(named, verified, request, ports, hasRecord);
  }
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
