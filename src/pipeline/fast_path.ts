// Prepared answers: what only signs is decided on the state in memory, and answered before it is
// stored (docs/decisions/0009-prepared-answers.md).

import { ServiceError } from '../core/errors/errors.ts';
import { requireCredentialFor } from '../core/users/credential_limits.ts';
import type { Addition } from '../store/addition.ts';
import type { Result } from './answer.ts';
import { authorize } from './authorize.ts';
import { checkFreshness } from './check_freshness.ts';
import { execute, obtain } from './execute.ts';
import { findCallerByApiKey, originOf, submittedWith } from './find_caller.ts';
import type { ParsedActivity, ParsedVote } from './parse.ts';
import type { Ports, Request } from './ports.ts';
import { prepare } from './prepare.ts';
import { record } from './record.ts';
import type { VerifiedStamp } from './verify_stamp.ts';

export type Prepared = {
  readonly result: Result;
  /** The addition to commit before the answer may be shown. */
  readonly addition: Addition;
};

/**
 * Takes the steps of a submission without asking the store. The addition is conditional on the very
 * version that was decided on and on a new fingerprint, so it is committed only where the store would
 * have told nothing else. Returns undefined where the request has to take the steps with the store: it
 * is not of that kind, or not allowed on a state that may be old.
 */
export async function takeFastPath(
  request: Request,
  parsed: ParsedActivity | ParsedVote,
  verified: VerifiedStamp,
  ports: Ports,
): Promise<Prepared | undefined> {
  if (request.prepares !== true || parsed.dryRun || !isForFastPath(parsed)) return undefined;
  // Users of other stamps may have to be asked for.
  if (verified.kind !== 'api_key') return undefined;
  const state = ports.repository.known(parsed.organizationId);
  if (state === undefined || state.head.deletedAtMs !== undefined) return undefined;
  try {
    const caller = findCallerByApiKey(state, verified, request, ports.clock());
    if (caller === undefined) return undefined;
    const { user: submitter, credential } = caller;
    ports.provenOf(caller.organizationId, submitter.id);
    request.authenticated?.(caller);
    const { enter } = request;
    enter?.('check_freshness');
    checkFreshness(parsed.timestampMs, ports);
    enter?.('prepare');
    requireCredentialFor(parsed.operation, parsed.parameters, credential);
    const preparation = await prepare(
      { parsed, submitter, submittedWith: submittedWith(caller), state },
      ports,
    );
    enter?.('authorize');
    const decision = authorize(preparation, credential);
    if (decision.outcome !== 'allow') return undefined;
    enter?.('execute');
    const origin = originOf(credential, request);
    const obtained = await obtain(preparation, false, ports);
    const executed = execute(preparation, obtained, origin, ports);
    enter?.('record');
    const { body } = request;
    const outcome = record({ preparation, caller, body, decision, executed }, ports);
    // Work that follows a durable commit takes the steps with the store.
    if (outcome.refusal !== undefined || outcome.messages.length > 0) return undefined;
    const addition = ports.repository.addition(outcome);
    if (addition === undefined) return undefined;
    const { activity, warnings } = outcome;
    return { result: { activity, caller, state, decision, warnings }, addition };
  } catch (error) {
    // A refusal may come from a state that is no longer true.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function isForFastPath(parsed: ParsedActivity | ParsedVote): parsed is ParsedActivity {
  if (parsed.kind === 'vote') return false;
  const { operation, parameters } = parsed;
  return operation.concurrent === true && operation.callsExternal?.(parameters) !== true;
}
