// The path of a request that changes or signs something: the list of its steps, in their order.

import { fail } from '../core/errors/errors.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import { requireCredentialFor } from '../core/users/credential_limits.ts';
import type { Addition } from '../store/addition.ts';
import { answer, type Result, type SubmitAnswer } from './answer.ts';
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import type { Catalog } from './catalog.ts';
import { checkFreshness } from './check_freshness.ts';
import { commit } from './commit.ts';
import { type Attempted, createConcurrency, type Mode } from './concurrency.ts';
import { deduplicate } from './deduplicate.ts';
import { execute } from './execute.ts';
import { takeFastPath } from './fast_path.ts';
import { fetchOnce } from './fetch_once.ts';
import { originOf, submittedWith } from './find_caller.ts';
import { load } from './load.ts';
import { type ParsedActivity, type ParsedVote, parse } from './parse.ts';
import type { Ports, Request } from './ports.ts';
import { prepare } from './prepare.ts';
import { isCounted, record } from './record.ts';
import { resolveActingOrganization } from './resolve_organization.ts';
import { type VerifiedStamp, verifyStamp } from './verify_stamp.ts';
import { vote } from './vote.ts';

/** `addition` is to be committed before the answer may be shown; only where the request prepares. */
export type Submitted = SubmitAnswer & { readonly addition?: Addition };

/** Creates the submit path of the operations of a catalog. */
export function createSubmit(
  catalog: Catalog,
  ports: Ports,
): (request: Request) => Promise<Submitted> {
  const runConcurrently = createConcurrency();

  return async function submit(request) {
    const parsed = parse(request, catalog, ports);
    const verified = await verifyStamp(request, ports);
    if (verified.kind === 'session') fail('session_read_only');

    const fast = await takeFastPath(request, parsed, verified, ports);
    if (fast !== undefined) {
      const { result, addition } = fast;
      return { ...(await answer(result, request, parsed, catalog, ports)), addition };
    }
    const organizationId = await resolveActingOrganization(parsed, verified, request, ports);
    const submission = { request, parsed, verified, organizationId };
    const own = { ...ports, external: fetchOnce(ports.external) };
    const { checkNotCancelled } = request;
    const startsOptimistic = mayRunBeside(parsed);
    const result = await runConcurrently(
      { organizationId, startsOptimistic, checkNotCancelled },
      (mode) => attempt(submission, mode, own),
    );
    return answer(result, request, parsed, catalog, ports);
  };

  /** The steps that are taken again when another change was committed first. */
  async function attempt(
    { request, parsed: asked, verified, organizationId }: Submission,
    mode: Mode,
    ports: Ports,
  ): Promise<Attempted<Result>> {
    const { state, existing } = await load(organizationId, asked, ports);
    const { caller, parent } = await authenticate(state, verified, request, ports);
    ports.provenOf(caller.organizationId);
    requireMayWrite(asked, parent, state);

    const found = deduplicate(asked, existing, caller);
    if (found.kind === 'repeated') {
      return { activity: found.activity, caller, state, decision: undefined, warnings: [] };
    }
    checkFreshness(asked.timestampMs, ports);
    if (found.kind === 'vote') {
      // Votes are of the organization's own users, even where users of the parent may ask.
      if (parent !== undefined) failToWrite(state, parent);
      if (mode === 'optimistic') return 'must_serialize';
      const { timestampMs, dryRun } = asked;
      const { ballot } = found;
      return vote({ request, ballot, timestampMs, dryRun, caller, state }, catalog, ports);
    }
    const { parsed } = found;
    const { credential, user: submitter } = caller;
    requireCredentialFor(parsed.operation, parsed.parameters, credential);
    const submission = { parsed, submitter, submittedWith: submittedWith(caller) };
    const preparation = await prepare({ ...submission, state, decidedBy: parent }, ports);
    const decision = authorize(preparation, credential);
    const { dryRun } = parsed;
    const origin = originOf(credential, request);
    const isAllowed = decision.outcome === 'allow';
    const executed = isAllowed ? await execute(preparation, { origin, dryRun }, ports) : undefined;
    const { body } = request;
    const outcome = record({ preparation, caller, body, decision, executed }, ports);
    // To wait changes the organization, and so do a token that is used up and a limit that counts.
    const changesIt =
      decision.outcome === 'wait' || caller.token !== undefined || isCounted(outcome);
    if (changesIt && mode === 'optimistic' && !dryRun) return 'must_serialize';
    if (!(await commit(outcome, parsed, ports))) return 'overtaken';
    const { activity, warnings } = outcome;
    return { activity, caller, state, decision, warnings, preparation };
  }
}

/** A request with its verified stamp, and the organization that it acts in. */
type Submission = {
  readonly request: Request;
  readonly parsed: ParsedActivity | ParsedVote;
  readonly verified: VerifiedStamp;
  readonly organizationId: string;
};

/** What only signs, or waits for others who may be slow, starts beside the changes. */
function mayRunBeside(parsed: ParsedActivity | ParsedVote): boolean {
  if (parsed.kind === 'vote') return false;
  const { operation, parameters } = parsed;
  return operation.concurrent === true || operation.callsExternal?.(parameters) === true;
}

/** Refuses users of the parent, who may only read, but for operations that let them act. */
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
