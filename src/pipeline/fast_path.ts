// Prepared answers: requests that only sign are decided on the state in memory, and answered before they are
// stored (docs/decisions/0009-prepared-answers.md).

import { ServiceError } from '../core/errors/errors.ts';
import type { ActivityInsert } from '../store/addition.ts';
import type { Result } from './answer.ts';
import type { Authorized } from './carry_out.ts';
import { checkFreshness } from './check_freshness.ts';
import { findCallerByApiKey } from './find_caller.ts';
import type { ParsedActivity, ParsedVote } from './parse.ts';
import type { Ports, Request } from './ports.ts';
import { carryOutSubmission } from './submission.ts';
import type { VerifiedStamp } from './verify_stamp.ts';

type Prepared = {
  readonly result: Result;
  /** The addition to commit before the answer may be shown. */
  readonly addition: ActivityInsert;
};

/**
 * Takes the steps of a submission without reading the store. The addition is conditional on the version of
 * the decision and on a new fingerprint, so it is committed only if the store would have given the same
 * state. Returns undefined if the request needs the store: it is of another kind, or not allowed on a
 * possibly outdated state.
 */
export async function takeFastPath(
  request: Request,
  parsed: ParsedActivity | ParsedVote,
  verified: VerifiedStamp,
  ports: Ports,
): Promise<Prepared | undefined> {
  if (request.prepares !== true || parsed.dryRun || !isForFastPath(parsed)) return undefined;
  // The lookup of other stamps may need the store.
  if (verified.kind !== 'api_key') return undefined;
  const state = ports.repository.known(parsed.organizationId);
  if (state === undefined || state.head.deletedAtMs !== undefined) return undefined;
  const parent = state.parentId === undefined ? undefined : ports.repository.known(state.parentId);
  if (state.parentId !== undefined && parent === undefined) return undefined;
  try {
    const caller = findCallerByApiKey(state, verified, request, ports.clock());
    if (caller === undefined) return undefined;
    ports.chargeTo(caller.organizationId, caller.user.id);
    request.authenticated?.(caller);
    request.enter?.('check_freshness');
    checkFreshness(parsed.timestampMs, ports);
    const turn = noTurn;
    const submission = { request, parsed, caller, state, parent, turn, goesOn: isAllowed };
    const done = await carryOutSubmission(submission, ports);
    if (done === 'must_serialize' || done.outcome === undefined) return undefined;
    const { decision, outcome } = done;
    // Work after a durable commit needs the path through the store.
    if (outcome.refusal !== undefined || outcome.messages.length > 0) return undefined;
    const addition = await ports.repository.addition(outcome);
    if (addition === undefined) return undefined;
    const { activity, warnings } = outcome;
    return { result: { activity, caller, state, decision, warnings }, addition };
  } catch (error) {
    // The state in memory may be outdated, so the refusal may be too.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** A state in memory takes no turn. Changes use the path through the store. */
const noTurn = { take: () => false };

const isAllowed = ({ decision }: Authorized): boolean => decision.outcome === 'allow';

function isForFastPath(parsed: ParsedActivity | ParsedVote): parsed is ParsedActivity {
  if (parsed.kind === 'vote') return false;
  const { operation, parameters } = parsed;
  return operation.concurrent === true && operation.callsExternal?.(parameters) !== true;
}
