// The entry point for a new activity on one state, used by submissions and prepared answers.

import { assert, ServiceError } from '../core/errors/errors.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import { voterWith } from '../core/policy/decision/facts.ts';
import { requireCredentialFor } from '../core/users/credential_limits.ts';
import type { Caller } from '../operations/operation.ts';
import { authorize } from './authorize.ts';
import { type Authorized, type CarriedOut, carryOut } from './carry_out.ts';
import type { Turn } from './concurrency.ts';
import { submittedWith } from './find_caller.ts';
import type { ParsedActivity } from './parse.ts';
import type { Ports, Request } from './ports.ts';
import { prepare } from './prepare.ts';
import { record } from './record.ts';

/** A parsed activity, its caller, and the state for its decision. */
type Submission = {
  readonly request: Request;
  readonly parsed: ParsedActivity;
  readonly caller: Caller;
  readonly state: OrganizationState;
  /** The parent, if its quorum and policies decide. */
  readonly decidedBy?: OrganizationState | undefined;
  /** The parent, for activities that a freeze can stop. */
  readonly parent: OrganizationState | undefined;
  readonly turn: Pick<Turn, 'take'>;
  /** Returns false to leave the decision to another entry point. Default: record every decision. */
  readonly goesOn?: (verdict: Authorized) => boolean;
};

/** Decides, executes and records a new activity. Raises `credential_limited` and the errors of `carryOut`. */
export function carryOutSubmission(
  { request, parsed, caller, state, decidedBy, parent, turn, goesOn = everyDecision }: Submission,
  ports: Ports,
): Promise<CarriedOut | 'must_serialize'> {
  const { operation, parameters, dryRun } = parsed;
  const { credential, user: submitter } = caller;
  return carryOut(
    {
      request,
      caller,
      dryRun,
      turn,
      goesOn,
      prepare: () => {
        requireCredentialFor(operation, parameters, credential);
        const asker = voterWith(submitter, credential);
        const submitted = { parsed, submitter, submittedWith: submittedWith(caller) };
        return prepare({ ...submitted, state, decidedBy, parent, asker }, ports);
      },
      authorize: (preparation) => ({ decision: authorize(preparation, caller) }),
      // A rejection and a signature only add their activity.
      onlyAdds: ({ outcome }) =>
        outcome === 'refuse' || (outcome === 'allow' && operation.concurrent === true),
      failedBy: (error) => {
        throw error;
      },
      record: (preparation, { decision }, executed) => {
        assert(!(executed instanceof ServiceError), 'a failed submission raises its error');
        return record({ preparation, caller, body: request.body, decision, executed }, ports);
      },
    },
    ports,
  );
}

const everyDecision = () => true;
