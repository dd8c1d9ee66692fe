// The steps from a caller on one state to the recorded outcome. Submissions, prepared answers and votes share
// them, and supply their own functions.

import { ServiceError } from '../core/errors/errors.ts';
import type { Decision } from '../core/policy/decision/decision.ts';
import type { Caller } from '../operations/operation.ts';
import type { Turn } from './concurrency.ts';
import { type Executed, execute, type Obtained, obtain } from './execute.ts';
import { originOf } from './find_caller.ts';
import type { Ports, Request } from './ports.ts';
import type { Preparation } from './prepare.ts';
import { isCounted, type RecordedOutcome } from './record.ts';

/** The caller of a request, and the functions of its entry point. */
type Entrance<Verdict extends Authorized> = {
  readonly request: Request;
  readonly caller: Caller;
  readonly dryRun: boolean;
  /** A change takes the turn of the organization. */
  readonly turn: Pick<Turn, 'take'>;
  readonly prepare: () => Promise<Preparation>;
  readonly authorize: (preparation: Preparation) => Verdict;
  /** Returns false if the entry point neither executes nor records the decision. */
  readonly goesOn: (verdict: Verdict) => boolean;
  /** Returns true if the decision changes only its own activity, so it needs no turn. */
  readonly onlyAdds: (decision: Decision) => boolean;
  /** Returns the failure to record if an allowed activity cannot be executed, or throws the error. */
  readonly failedBy: (error: unknown) => ServiceError;
  readonly record: (
    preparation: Preparation,
    verdict: Verdict,
    executed: Executed | ServiceError | undefined,
  ) => RecordedOutcome;
};

export type Authorized = { readonly decision: Decision };

/** `outcome` is undefined if the entry point does not continue. */
export type CarriedOut = {
  readonly preparation: Preparation;
  readonly decision: Decision;
  readonly outcome: RecordedOutcome | undefined;
};

/**
 * Decides, executes and records without a commit. Returns `must_serialize` if another request has the turn
 * that the change needs. Raises the errors of the operation and those of `authorize`.
 */
export async function carryOut<Verdict extends Authorized>(
  entrance: Entrance<Verdict>,
  ports: Ports,
): Promise<CarriedOut | 'must_serialize'> {
  const { request, caller, dryRun, turn, failedBy } = entrance;
  const { enter } = request;
  enter?.('prepare');
  const preparation = await entrance.prepare();
  enter?.('authorize');
  const verdict = entrance.authorize(preparation);
  const { decision } = verdict;
  if (!entrance.goesOn(verdict)) return { preparation, decision, outcome: undefined };

  enter?.('execute');
  const isAllowed = decision.outcome === 'allow';
  // An error here does not fail the activity: the vote can be repeated.
  const needsProofs = isAllowed && preparation.parsed.generatesAppProofs && !dryRun;
  if (needsProofs) await ports.proofs.keepBootProof();
  const begun = isAllowed ? obtain(preparation, dryRun) : undefined;
  const obtained = begun instanceof Promise ? await begun.catch(failedBy) : begun;
  if (!entrance.onlyAdds(decision) && !turn.take()) return 'must_serialize';
  const executed = obtained && executeObtained(obtained);

  enter?.('record');
  const outcome = entrance.record(preparation, verdict, executed);
  // A used token and a counted limit both change the organization.
  const changesIt =
    decision.outcome !== 'refuse' && (caller.token !== undefined || isCounted(outcome));
  if (changesIt && !turn.take()) return 'must_serialize';
  return { preparation, decision, outcome };

  function executeObtained(value: Obtained | ServiceError): Executed | ServiceError {
    if (value instanceof ServiceError) return value;
    try {
      const origin = originOf(caller.credential, request);
      return execute(preparation, { ...value, needsProofs }, origin, ports);
    } catch (error) {
      return failedBy(error);
    }
  }
}
