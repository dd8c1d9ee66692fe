// Explains a recorded decision to users who may read the organization's policies.

import { assert } from '../errors/errors.ts';
import type { Policy } from '../organization/model.ts';
import type { Evaluation, RecordedDecision } from '../organization/records/activity.ts';
import type { OrganizationView } from '../organization/state.ts';
import {
  type DecisionReason,
  decisionReasons,
  type PolicyOutcome,
  policyOutcomes,
} from '../policy/decision/decision.ts';
import { clausesAgain, wasEditedSince } from '../policy/decision/kept_clauses.ts';
import { spelledOut } from '../policy/decision/verdict_codes.ts';
import type { ClauseName } from '../policy/language/clause.ts';
import type { FalsePart } from '../policy/language/false_parts.ts';
import { awaitsAuthenticators, clausesView, reasonView, relevantFirst } from './explanation.ts';

/** The state of a policy now, compared with the decision. */
export const policyStates = ['AS_DECIDED', 'EDITED_SINCE', 'DELETED_SINCE'] as const;

export const decisionOutcomes = ['ALLOW', 'WAIT', 'REFUSE', 'REJECT'] as const;

const outcomeOfLetter = new Map<string, PolicyOutcome>(
  (Object.keys(policyOutcomes) as PolicyOutcome[]).map((name) => [policyOutcomes[name], name]),
);

/** Returns the outcome of each policy in the set, in its order. */
export function outcomesOf({ outcomes }: Pick<Evaluation, 'outcomes'>): readonly PolicyOutcome[] {
  return [...spelledOut(outcomes)].map((letter) => {
    const outcome = outcomeOfLetter.get(letter);
    assert(outcome !== undefined, 'an evaluation is written in letters of the table');
    return outcome;
  });
}

/**
 * Returns outcome, reason and sentence of a recorded decision, and the outcomes of at most `maximum`
 * policies. `policyIds` are the policies of its evaluation.
 */
export function recordedDecisionView(
  decision: RecordedDecision,
  {
    evaluation,
    policyIds,
    organization,
    maximum,
    because,
  }: {
    readonly evaluation: Evaluation | undefined;
    readonly policyIds: readonly string[];
    readonly organization: OrganizationView;
    readonly maximum: number;
    /** Returns the stored comparisons that made a clause of a policy false. */
    readonly because: (policyId: string, clause: ClauseName) => readonly FalsePart[];
  },
) {
  const { denying = [], voterIds, byParent, createdAtMs } = decision;
  const policies = policiesOf(decision, evaluation, policyIds);
  const denyingIds = denying.flatMap((place) => policies[place] ?? []);
  const shown = relevantFirst(policies).slice(0, maximum);
  return {
    ...decidedView(decision, denyingIds),
    voterIds,
    ...(byParent === true ? { decidedByParent: true } : {}),
    policies: shown.map(({ id, outcome, clauses }) => ({
      policyId: id,
      ...policyNow(organization.get('policy', id), createdAtMs),
      outcome,
      clauses: clausesView(clauses, (clause) => because(id, clause)),
    })),
    ...(shown.length < policies.length ? { truncated: true } : {}),
  };
}

function policiesOf(
  { clauses = {} }: RecordedDecision,
  evaluation: Evaluation | undefined,
  policyIds: readonly string[],
) {
  const outcomes = evaluation === undefined ? [] : outcomesOf(evaluation);
  const records = clausesAgain(clauses, outcomes.length);
  return outcomes.map((outcome, i) => {
    const [id, of] = [policyIds[i], records[i]];
    assert(id !== undefined && of !== undefined, 'an evaluation has a letter for each policy');
    return { id, outcome, clauses: of };
  });
}

/** Outcome, reason and sentence; `denying` are the policies that denied. */
export function decidedView(
  decision: RecordedDecision,
  denying: readonly { readonly id: string }[],
) {
  if (decision.selection === 'VOTE_SELECTION_REJECTED') {
    const message = 'A user who may vote rejected the activity';
    return { outcome: 'REJECT' as const, reason: 'REJECTED', message };
  }
  if (decision.awaitsAuthenticators === true) {
    return { outcome: 'WAIT' as const, ...awaitsAuthenticators };
  }
  const reason = decision.reason as DecisionReason;
  const outcome = outcomeNames[decisionReasons[reason]];
  return { outcome, ...reasonView(reason, denying) };
}

const outcomeNames = { allow: 'ALLOW', wait: 'WAIT', refuse: 'REFUSE' } as const;

/** Returns the current name and effect of a policy that still exists, and its changes since. */
function policyNow(policy: Policy | undefined, decidedAtMs: number) {
  if (policy === undefined) return { state: 'DELETED_SINCE' as const };
  const { name, effect } = policy;
  const isEdited = wasEditedSince(policy, decidedAtMs);
  const state = isEdited ? ('EDITED_SINCE' as const) : ('AS_DECIDED' as const);
  return { policyName: name, effect, state };
}
