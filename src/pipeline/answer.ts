// The client's answer to a submission.

import { activityView, isOpen } from '../core/activity/activity.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import { type OrganizationState, viewOf } from '../core/organization/state.ts';
import type { Decision } from '../core/policy/decision/decision.ts';
import { maximumQuerySteps } from '../core/policy/language/bounds.ts';
import type { JsonObject } from '../core/schema/json.ts';
import { warningsOfIgnored } from '../core/schema/unknown_members.ts';
import { dryRunView, explain } from '../core/views/explanation.ts';
import { activityShownTo } from '../operations/activities/bearer_members.ts';
import type { Warnings } from '../operations/once.ts';
import type { Caller } from '../operations/operation.ts';
import { votersView } from '../operations/waiting_state.ts';
import type { Catalog } from './catalog.ts';
import type { ParsedActivity, ParsedVote } from './parse.ts';
import type { Ports, Request } from './ports.ts';
import type { Preparation } from './prepare.ts';
import { readScopes } from './read_scopes.ts';
import { noRights, votingRights } from './voting_rights.ts';
import { waitingStateOf } from './waiting_state.ts';

/** The outcome of a submission. */
export type Result = {
  readonly activity: Activity;
  readonly caller: Caller;
  readonly state: OrganizationState;
  /** Set where this request decided, not an earlier one. */
  readonly decision: Decision | undefined;
  readonly warnings: Warnings;
  /** Preparation of the activity by this request. */
  readonly preparation?: Preparation | undefined;
};

export type SubmitAnswer = {
  readonly body: JsonObject;
  /** Undefined after a dry run, which makes none. */
  readonly activity: Activity | undefined;
  readonly organizationId: string;
  /** Members of the request that the service does not know and left out. */
  readonly ignored: readonly string[];
};

/** Returns the answer to a submission: the activity, or the simulated outcome of a dry run. */
export async function answer(
  result: Result,
  { timestampObjects }: Pick<Request, 'timestampObjects'>,
  { dryRun, ignored }: Pick<ParsedActivity | ParsedVote, 'dryRun' | 'ignored'>,
  catalog: Catalog,
  ports: Ports,
): Promise<SubmitAnswer> {
  const { activity, caller, state, decision } = result;
  const ofOperation =
    typeof result.warnings === 'function' ? await result.warnings(ports.pause) : result.warnings;
  const warnings =
    ignored.length === 0 ? ofOperation : [...warningsOfIgnored(ignored), ...ofOperation];
  const organizationId = state.id;
  const { preparation } = result;
  const scopes = preparation === undefined ? {} : readScopes(preparation, caller);
  if (dryRun) {
    const standing = await waitingStateOf(result, catalog, ports, { steps: maximumQuerySteps });
    const voters = standing && votersView(standing, viewOf(state));
    const body = { dryRun: { ...dryRunView({ ...result, warnings, scopes }), ...voters } };
    return { body, activity: undefined, organizationId, ignored };
  }
  const rights = isOpen(activity) ? await votingRights(result, catalog, ports) : noRights;
  const body = {
    activity: activityView(activityShownTo(caller, activity), { ...rights, timestampObjects }),
    ...(isOpen(activity) && decision !== undefined
      ? { decision: explain(decision, activity, scopes) }
      : {}),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
  return { body, activity, organizationId, ignored };
}
