// Decides past activities again under changed policies. It writes nothing and calls no services. Past facts
// that cannot be restored are reported as an obstacle, not guessed.

import { fingerprintText } from '../core/activity/activity.ts';
import { isBeyondPolicies, type Replay, recordedOutcome, replay } from '../core/activity/replay.ts';
import { otherVoters } from '../core/activity/votes.ts';
import { utf8 } from '../core/base/bytes.ts';
import type { Context } from '../core/base/context.ts';
import { isRefusal, ServiceError } from '../core/errors/errors.ts';
import type { ExternalServices } from '../core/external/external_services.ts';
import type { Activity, RecordedDecision } from '../core/organization/records/activity.ts';
import {
  createDraft,
  type OrganizationDraft,
  type OrganizationState,
  stateAfter,
  viewOf,
} from '../core/organization/state.ts';
import {
  type DecisionInput,
  type PartialVerdict,
  partialVerdict,
} from '../core/policy/decision/decision.ts';
import { clausesAgain, wasEditedSince } from '../core/policy/decision/kept_clauses.ts';
import { stepsPerByte } from '../core/policy/language/bounds.ts';
import { type Meter, take } from '../core/policy/language/clause.ts';
import { isFailure } from '../core/policy/language/clause_outcomes.ts';
import { identifiersIn } from '../core/policy/language/controls_read.ts';
import type { Simulation } from '../operations/simulation.ts';
import type { Catalog } from './catalog.ts';
import { type ParsedActivity, parseStored } from './parse.ts';
import type { Ports } from './ports.ts';
import { prepare } from './prepare.ts';
import { firstSubmittedWith } from './prepare_waiting.ts';

/**
 * Returns a function that decides activities again after a change of the policies. Raises the errors of the
 * change. The meter is charged for the work.
 */
export function simulationOf(
  state: OrganizationState,
  change: (draft: OrganizationDraft, context: Context) => void,
  catalog: Catalog,
  ports: Ports,
  within: Meter,
): Simulation {
  const draft = createDraft(state);
  change(draft, { now: ports.clock(), newId: ports.newId });
  const changed = withoutControls(stateAfter(state, draft.changes(), state.version));
  return {
    redecide: async (activity) => {
      const was = recordedOutcome(activity);
      if (was === undefined) return { was, obstacle: 'NOT_RECORDED' };
      if (isBeyondPolicies(activity)) return { was, outcome: was, decision: undefined };
      const redone = await redo(activity, changed, catalog, ports, within);
      return { was, ...redone };
    },
  };
}

/** Raised inside a replay when a fact of the past decision is unknown. */
class Obstacle extends Error {
  readonly replay: Replay;

  constructor(obstacle: Extract<Replay, { readonly obstacle: unknown }>['obstacle']) {
    super(obstacle);
    this.replay = { obstacle };
  }
}

async function redo(
  activity: Activity,
  state: OrganizationState,
  catalog: Catalog,
  ports: Ports,
  within: Meter,
): Promise<Replay> {
  try {
    const parsed = await parsedAgain(activity, catalog, ports);
    return await replay(
      activity,
      (kept) => inputAt(kept, activity, parsed, state, ports, within),
      (voters) => otherVoters(voters, viewOf(state)),
    );
  } catch (error) {
    if (error instanceof Obstacle) return error.replay;
    throw error;
  }
}

/** Returns the input of the decision at a vote. The facts must equal those of the past decision. */
async function inputAt(
  kept: RecordedDecision,
  activity: Activity,
  parsed: ParsedActivity,
  state: OrganizationState,
  ports: Ports,
  within: Meter,
): Promise<DecisionInput> {
  await ports.pause();
  take(within, requestOf(activity).length * stepsPerByte);
  const submitter = state.records.user.get(activity.submitterId);
  if (submitter === undefined) throw new Obstacle('FACTS_GONE');
  const submittedWith = firstSubmittedWith(activity);
  const prepared = await prepare(
    { parsed, submitter, submittedWith, state, within, begunAtMs: activity.createdAtMs },
    { ...ports, clock: () => kept.createdAtMs, external: noExternalServices },
  ).catch((error) => {
    if (error instanceof Obstacle || !isRefusal(error)) throw error;
    throw new Obstacle('FACTS_GONE');
  });
  const { input, factsDigest } = prepared;
  const isRead = kept.selection === 'VOTE_SELECTION_APPROVED' && input.rule === 'policy';
  if (isRead && kept.reason !== 'root_quorum_met') {
    const { factsDigest: digest } = kept;
    if (digest === undefined || digest !== factsDigest()) throw new Obstacle('FACTS_CHANGED');
  }
  return withKeptLimits(input, kept, activity, state, ports);
}

/**
 * Adds the recorded outcomes of policies that read velocity controls or the address book. Raises `Obstacle`
 * for a policy that was created or edited since.
 */
async function withKeptLimits(
  input: DecisionInput,
  kept: RecordedDecision,
  { evaluations }: Activity,
  state: OrganizationState,
  ports: Ports,
): Promise<DecisionInput> {
  const partial = input.partialVerdicts();
  const { policy: rows } = state.records;
  const isUnknown = ({ policy, condition }: PartialVerdict) =>
    isFailure(condition) && readsChosenNames(rows.get(policy.id)?.condition);
  if (!partial.some(isUnknown)) return input;
  const setId = evaluations.find(({ voteId }) => voteId === kept.voteId)?.policySetId;
  const set =
    setId === undefined ? undefined : await ports.repository.reader(state).policySet(setId);
  const ids = set?.policyIds ?? [];
  const records = clausesAgain(kept.clauses ?? {}, ids.length);
  const known = partial.map((each) => {
    if (!isUnknown(each)) return each;
    const row = rows.get(each.policy.id);
    const record = records[ids.indexOf(each.policy.id)]?.condition;
    const isKept = row !== undefined && !wasEditedSince(row, kept.createdAtMs);
    if (!isKept || record === undefined || typeof record === 'string') {
      throw new Obstacle('LIMITS_NOT_KEPT');
    }
    return partialVerdict(each.policy, record, each.time);
  });
  return { ...input, partialVerdicts: () => known };
}

function readsChosenNames(condition: string | undefined): boolean {
  const reads = [identifiersIn(condition), identifiersIn(condition, 'AddressBook')];
  return reads.some(({ length }) => length > 0);
}

/** Parses the signed request again. */
async function parsedAgain(
  activity: Activity,
  catalog: Catalog,
  ports: Ports,
): Promise<ParsedActivity> {
  const { fingerprint, type } = activity;
  const body = utf8(requestOf(activity));
  if (fingerprintText(ports.sha256(body)) !== fingerprint) throw new Obstacle('REQUEST_GONE');
  try {
    return await parseStored(type, body, catalog, ports);
  } catch (error) {
    if (error instanceof ServiceError) throw new Obstacle('REQUEST_GONE');
    throw error;
  }
}

function requestOf({ request, votes, submitterId }: Activity): string {
  return request ?? votes.find(({ userId }) => userId === submitterId)?.message ?? '';
}

/** Removes the velocity controls, whose counters have changed since. */
function withoutControls(state: OrganizationState): OrganizationState {
  return { ...state, records: { ...state.records, velocity_control: new Map() } };
}

async function elsewhere(): Promise<never> {
  throw new Obstacle('FACTS_ELSEWHERE');
}

/** A past activity needs no external calls. */
const noExternalServices: ExternalServices = {
  issuerKeys: elsewhere,
  deliver: elsewhere,
  fetch: elsewhere,
  refusedTarget: elsewhere,
  verifyCaptcha: elsewhere,
  chainAmounts: elsewhere,
  serviceHealth: elsewhere,
  transactionCount: elsewhere,
  fetchEthereumFields: elsewhere,
  fetchSponsoredFields: elsewhere,
  fetchContractValues: elsewhere,
  fetchRewards: elsewhere,
  fetchSolanaFields: elsewhere,
  orderSignatures: elsewhere,
};
