// The path of a request that changes or signs something: the list of its steps, in their order.

import { assert, fail, ServiceError } from '../core/errors/errors.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import type { ActivityInsert } from '../store/addition.ts';
import { answer, type Result, type SubmitAnswer } from './answer.ts';
import { authenticate } from './authenticate.ts';
import type { Catalog } from './catalog.ts';
import { createBoundedServices, LookupNeededError } from './chain_lookups.ts';
import { checkFreshness } from './check_freshness.ts';
import { commit } from './commit.ts';
import {
  type AsksFirst,
  type Attempted,
  createConcurrency,
  type Mode,
  type Turn,
} from './concurrency.ts';
import { deduplicate } from './deduplicate.ts';
import { takeFastPath } from './fast_path.ts';
import { fetchOnce } from './fetch_once.ts';
import { freezingParent } from './freezes.ts';
import { load } from './load.ts';
import { createAskOnce, createOnce } from './once.ts';
import { type ParsedActivity, type ParsedVote, parse } from './parse.ts';
import { largeBodyBytes, parseBodyInParts } from './parse_body.ts';
import { placeOf } from './place_of.ts';
import type { Ports, Request } from './ports.ts';
import { resolveActingOrganization } from './resolve_organization.ts';
import { carryOutSubmission } from './submission.ts';
import { requireStampHeader, type VerifiedStamp, verifyStamp } from './verify_stamp.ts';
import { vote } from './vote.ts';

/** A prepared request returns `addition`, which must be committed before the answer is shown. */
type Submitted = SubmitAnswer & { readonly addition?: ActivityInsert };

/** Creates the submit path of the operations of a catalog. */
export function createSubmit(
  catalog: Catalog,
  ports: Ports,
): (request: Request) => Promise<Submitted> {
  const runConcurrently = createConcurrency(ports);
  const boundTo = createBoundedServices();

  return async function submit(request) {
    const { enter } = request;
    enter?.('parse');
    // The gateway uses names of operations as labels, so invented names are rejected first.
    const operation = catalog.operation(request.operation);
    const header = requireStampHeader(request);
    const betweenSteps = request.body.length > largeBodyBytes ? ports.pause : undefined;
    const members = await parseBodyInParts(request.body, ports.pause);
    const hashing = betweenSteps === undefined ? ports : await hashedBefore(request, ports);
    const parsed = parse(request, members, operation, catalog, hashing);
    if (betweenSteps !== undefined) await betweenSteps();
    enter?.('verify_stamp');
    const verified = await verifyStamp(header, request, ports);
    if (verified.kind === 'session') fail('session_read_only');

    if (betweenSteps !== undefined) await betweenSteps();
    enter?.('fast_path');
    const fast = await takeFastPath(request, parsed, verified, ports);
    if (fast !== undefined) {
      if (betweenSteps !== undefined) await betweenSteps();
      enter?.('answer');
      const { result, addition } = fast;
      return { ...(await answer(result, request, parsed, catalog, ports)), addition };
    }
    enter?.('resolve_organization');
    const organizationId = await resolveActingOrganization(parsed, verified, request, ports);
    const submission = { request, parsed, verified, organizationId };
    const external = fetchOnce(boundTo(ports.external, organizationId), ports.clock);
    const once = createOnce();
    const asking = createAskOnce();
    // A request with an external call has already begun, and may have used an authorization code.
    const checkNotCancelled = isBegunEarly(parsed) ? undefined : request.checkNotCancelled;
    const inMode = (mode: Mode) => ({ external: external[mode], once, askOnce: asking[mode] });
    const result = await runConcurrently(
      {
        organizationId,
        dryRun: parsed.dryRun,
        checkNotCancelled,
        enter,
      },
      (mode, turn) =>
        ports.largeReads
          .run(
            checkNotCancelled ?? noCheck,
            () => attempt(submission, turn, catalog, { ...ports, ...inMode(mode) }),
            mode === 'serialized',
          )
          .catch(asksFirst),
    );
    if (betweenSteps !== undefined) await betweenSteps();
    enter?.('answer');
    return answer(result, request, parsed, catalog, ports);
  };
}

const noCheck = (): void => undefined;

/** Hashes a large body in its own step. */
async function hashedBefore({ body }: Pick<Request, 'body'>, ports: Ports): Promise<Ports> {
  await ports.pause();
  const digest = ports.sha256(body);
  await ports.pause();
  return { ...ports, sha256: () => digest };
}

/** The steps that are repeated when another change was committed first. */
async function attempt(
  { request, parsed: asked, verified, organizationId }: Submission,
  turn: Turn,
  catalog: Catalog,
  ports: Ports,
): Promise<Attempted<Result>> {
  const { enter } = request;
  enter?.('load');
  const { state, existing } = await load(organizationId, asked, ports);
  enter?.('authenticate');
  const { caller, parent } = await authenticate(state, verified, request, ports);
  ports.chargeTo(caller.organizationId, caller.user.id);
  requireMayWrite(asked, parent, state);
  turn.place = placeOf({ request, caller, deciding: parent ?? state, parsed: asked });

  enter?.('deduplicate');
  const found = deduplicate(asked, existing, caller);
  if (found.kind === 'repeated') {
    return { activity: found.activity, caller, state, decision: undefined, warnings: [] };
  }
  enter?.('check_freshness');
  checkFreshness(asked.timestampMs, ports);
  if (found.kind === 'vote') {
    // Votes come from the organization's own users, even if users of the parent may submit.
    if (parent !== undefined) failToWrite(state, parent);
    enter?.('vote');
    const { timestampMs, dryRun } = asked;
    const { ballot } = found;
    return vote({ request, ballot, timestampMs, dryRun, caller, state, turn }, catalog, ports);
  }
  const { parsed } = found;
  const freezing = parent ?? (await freezingParent(parsed, caller, state, ports));
  // The load of the parent took time.
  if (freezing !== undefined) checkFreshness(asked.timestampMs, ports);
  const done = await carryOutSubmission(
    { request, parsed, caller, state, decidedBy: parent, parent: freezing, turn },
    ports,
  ).catch((error: unknown) => throwUnlessRepeated(error, parsed, state, ports));
  if (done === 'must_serialize' || done === 'overtaken') return done;
  const { preparation, decision, outcome } = done;
  assert(outcome !== undefined, 'every decision on a submission is recorded');
  enter?.('commit');
  if (!(await commit(outcome, parsed, ports))) return 'overtaken';
  const { activity, warnings } = outcome;
  return { activity, caller, state, decision, warnings, preparation };
}

/**
 * Returns `overtaken` if an activity with the same body was committed since the state was loaded, because an
 * operation may have found the rows of that activity and rejected them. Throws the error otherwise.
 */
async function throwUnlessRepeated(
  error: unknown,
  { fingerprint }: ParsedActivity,
  { id }: OrganizationState,
  { repository }: Ports,
): Promise<'overtaken'> {
  if (!(error instanceof ServiceError)) throw error;
  const { activity } = await repository.organization(id, fingerprint);
  if (activity === undefined) throw error;
  return 'overtaken';
}

/** A request with its verified stamp, and the organization that it acts in. */
type Submission = {
  readonly request: Request;
  readonly parsed: ParsedActivity | ParsedVote;
  readonly verified: VerifiedStamp;
  readonly organizationId: string;
};

/** Returns true if an activity signs or makes external calls before its turn. */
function isBegunEarly(parsed: ParsedActivity | ParsedVote): boolean {
  if (parsed.kind === 'vote') return false;
  const { operation, parameters } = parsed;
  return operation.concurrent === true || operation.callsExternal?.(parameters) === true;
}

/** Leaves the line of the organization when a chain lookup is needed. */
function asksFirst(error: unknown): AsksFirst {
  if (error instanceof LookupNeededError) return { asksFirst: error.ask };
  throw error;
}

/** Rejects users of the parent, who may only read, unless the operation lets them act. */
function requireMayWrite(
  parsed: ParsedActivity | ParsedVote,
  parent: OrganizationState | undefined,
  state: OrganizationState,
): void {
  if (parent === undefined) return;
  if (parsed.kind === 'vote' || parsed.operation.parentActs !== true) failToWrite(state, parent);
}

function failToWrite({ id: organizationId }: OrganizationState, parent: OrganizationState): never {
  return fail('parent_cannot_write', { organizationId, callerOrganizationId: parent.id });
}
