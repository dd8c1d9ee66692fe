// Step 8: decides whether a new activity is allowed, waits or is refused.

import { otherVoters } from '../core/activity/votes.ts';
import { fail } from '../core/errors/errors.ts';
import { statusesWith } from '../core/mfa/mfa.ts';
import { type Decision, decideActivity } from '../core/policy/decision/decision.ts';
import { voterWith } from '../core/policy/decision/facts.ts';
import { requireMfa } from '../core/policy/decision/require_mfa.ts';
import {
  deletesItself,
  rejectScopeEscape,
  requireScope,
} from '../core/policy/decision/session_scope.ts';
import type { Caller } from '../operations/operation.ts';
import { requireUnexpired } from './find_caller.ts';
import { requireUnfrozen } from './freezes.ts';
import type { Preparation } from './prepare.ts';

/**
 * Decides on a submission, which is also a vote. Raises `frozen`, `session_scope_denies`, and
 * `parent_votes_needed` or `parent_authenticators_needed` if the policies of a parent would require more
 * votes.
 */
export function authorize(preparation: Preparation, caller: Caller): Decision {
  const { credential } = caller;
  const { parsed, submitter, state, deciding, decidedBy, context, input, scopes } = preparation;
  // Loading took time, and the activity is recorded at `context.now`.
  requireUnexpired(caller, [state, decidedBy], context.now);
  requireUnfrozen(preparation, caller);
  const { parameters, version } = parsed;
  const submitted = { type: version.wire.type, parameters, submitterId: submitter.id };
  if (!deletesItself(credential, submitted)) requireScope(credential.scope, scopes, deciding.id);
  rejectScopeEscape(credential.scope, submitter.id, submitted);
  const voters = [voterWith(submitter, credential)];
  const decision = decideActivity(input, voters, submitter.id, () => otherVoters(voters, deciding));
  if (decision.outcome === 'refuse') return decision;
  const statuses = statusesWith(preparation.mfaPolicies(submitter.id), [credential]);
  const required = requireMfa(decision, statuses);
  if (decidedBy !== undefined && required.outcome === 'wait') {
    const lacksVotes = required.missing === undefined;
    fail(lacksVotes ? 'parent_votes_needed' : 'parent_authenticators_needed', {
      parentId: decidedBy.id,
    });
  }
  return required;
}
