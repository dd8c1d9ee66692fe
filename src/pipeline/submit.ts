// The path of a request that changes or signs something, as one list of steps.

import { activityView, isOpen } from '../core/activity/activity.ts';
import { proofOf } from '../core/activity/proofs.ts';
import { otherVoters } from '../core/activity/votes.ts';
import { base64url } from '../core/base/bytes.ts';
import { fail, ServiceError } from '../core/errors/errors.ts';
import type { ExternalResponse, ExternalServices } from '../core/external/external_services.ts';
import { mfaStatuses } from '../core/mfa/mfa.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import { type OrganizationState, viewOf } from '../core/organization/state.ts';
import { type Decision, decideActivity } from '../core/policy/decision/decision.ts';
import { voterWith } from '../core/policy/decision/facts.ts';
import { requireMfa } from '../core/policy/decision/require_mfa.ts';
import { requireNoWayOut, requireScope } from '../core/policy/decision/session_scope.ts';
import type { JsonObject } from '../core/schema/json.ts';
import { requireCredentialFor } from '../core/users/credential_limits.ts';
import { dryRunView, explain, refusalOf } from '../core/views/explanation.ts';
import { activityShownTo } from '../operations/bearer_members.ts';
import type { ActivityOperation, Caller, VoteOperation } from '../operations/operation.ts';
import type { Addition } from '../store/addition.ts';
import {
  callerByApiKey,
  callerIn,
  callerInParent,
  failUnknown,
  originOf,
  type Proven,
  prove,
  requireLiving,
} from './authenticate.ts';
import { childLedTo } from './children.ts';
import { commit, requireUnclaimed } from './commit.ts';
import { createTurns } from './keyed_queue.ts';
import {
  type Admission,
  type AdmittedActivity,
  admitVote,
  checkLiveness,
  withDryRun,
} from './parse.ts';
import type { Ports, Request } from './ports.ts';
import { consider } from './prepare.ts';
import { isCounted, newVote, type Settlement, settleSubmission } from './record.ts';
import { homeOf } from './resolve_organization.ts';
import { createVoting } from './vote.ts';
import { createVotingRights } from './voting_rights.ts';

/** A decision whose organization changed under it is taken again at most this often. */
export const maximumAttempts = 20;

/**
 * What runs beside the changes of its organization may lose to each of them; after so many losses
 * it takes its turn between them.
 */
const attemptsBesideOthers = 3;

export type SubmitAnswer = {
  readonly body: JsonObject;
  /** Undefined after a dry run, which makes none. */
  readonly activity: Activity | undefined;
  readonly organizationId: string;
  /** What is to be committed before the answer may be shown; only where the request prepares. */
  readonly addition?: Addition;
};

/** What an attempt came to. */
export type Settled = {
  readonly activity: Activity;
  readonly caller: Caller;
  readonly state: OrganizationState;
  /** Set where this request decided, not an earlier one. */
  readonly decision: Decision | undefined;
  readonly warnings: readonly JsonObject[];
};

/**
 * One attempt; undefined when another change overtook it, and `needs_turn` when it turned out to
 * change the organization and runs beside its changes.
 */
type Attempt = () => Promise<Settled | 'needs_turn' | undefined>;

/** Whether a request takes its turn among the changes of its organization. */
type Place = 'beside' | 'in_turn';

/** Makes the submit path of the operations that are admitted, and of votes. */
export function createSubmit(
  admission: Admission,
  voteOperations: Readonly<Record<string, VoteOperation>>,
  ports: Ports,
): (request: Request) => Promise<SubmitAnswer> {
  const turns = createTurns();
  const castVote = createVoting(admission, ports);
  const votingRights = createVotingRights(admission, ports);

  return function submit(request) {
    const operation = voteOperations[request.operation];
    return operation === undefined ? submitActivity(request) : submitVote(request, operation);
  };

  async function submitActivity(given: Request): Promise<SubmitAnswer> {
    const admitted = admission.admit(given);
    const request = withDryRun(given, admitted.dryRun);
    const { operation } = admitted;
    const proven = await proveToSubmit(request, ports);
    const callsExternal = operation.callsExternal?.(admitted.parameters) === true;
    const isConcurrent = operation.concurrent === true;
    if (isConcurrent && !callsExternal && request.prepares === true) {
      const prepared = await onKnownState(request, admitted, proven, ports);
      if (prepared !== undefined) {
        const answer = await answerOf(request, admitted.organizationId, prepared.settled);
        return { ...answer, addition: prepared.addition };
      }
    }
    const organizationId = await actingOrganization(request, admitted, proven, ports);
    const external = askedOnce(ports.external);
    const asked = { request, admitted, proven, organizationId, external };
    const onNewest = (place: Place) => onNewestState(asked, place);
    const attempts = isConcurrent || callsExternal ? attemptsBesideOthers : 0;
    const settled =
      (await repeated(attempts, () => onNewest('beside'))) ??
      (await turns(organizationId, () => {
        // A request that tried beside others has begun, and may have used up a code of a provider.
        if (attempts === 0) request.checkNotCancelled?.();
        return repeated(maximumAttempts, () => onNewest('in_turn'));
      }));
    return answerOf(request, organizationId, settled);
  }

  async function submitVote(given: Request, operation: VoteOperation): Promise<SubmitAnswer> {
    const vote = admitVote(given, operation);
    const request = withDryRun(given, vote.dryRun);
    const { organizationId } = vote;
    const proven = await proveToSubmit(request, ports);
    const attempt: Attempt = async () => {
      const { state: found } = await ports.repository.organization(organizationId);
      const state = requireLiving(found, organizationId);
      const { caller } = await authenticate(state, proven, request, ports);
      checkLiveness(vote.timestampMs, ports);
      return castVote({ request, vote, caller, state });
    };
    const settled = await turns(organizationId, () => {
      request.checkNotCancelled?.();
      return repeated(maximumAttempts, attempt);
    });
    return answerOf(request, organizationId, settled);
  }

  async function onNewestState(asked: Asked, place: Place): ReturnType<Attempt> {
    const { request, admitted, proven, organizationId } = asked;
    const found = await ports.repository.organization(organizationId, admitted.fingerprint);
    const state = requireLiving(found.state, organizationId);
    const { operation } = admitted;
    const { caller, decidedBy } = await authenticate(state, proven, request, ports, operation);
    const { activity } = found;
    if (activity === undefined) {
      checkLiveness(admitted.timestampMs, ports);
      return settle(asked, { caller, state, decidedBy }, place);
    }
    if (!isOpen(activity) || caller.user.id === activity.submitterId) {
      return { activity, caller, state, decision: undefined, warnings: [] };
    }
    // Votes are of the organization's own users, even where users of the parent may ask.
    if (decidedBy !== undefined) failToWrite(state, decidedBy);
    if (place === 'beside') return 'needs_turn';
    // The same body, signed by another user: that user asks for the same, which is a vote for it.
    checkLiveness(admitted.timestampMs, ports);
    const selection = 'VOTE_SELECTION_APPROVED';
    const { timestampMs } = admitted;
    const vote = {
      fingerprint: activity.fingerprint,
      operation: { selection },
      timestampMs,
    } as const;
    return castVote({ request, vote, caller, state });
  }

  /**
   * Decides on this state and commits. Undefined when the state was overtaken. Raises `not_permitted`
   * once the refusal is kept.
   */
  async function settle(
    { request, admitted, external }: Asked,
    acting: Acting,
    place: Place,
  ): ReturnType<Attempt> {
    const { caller, state } = acting;
    const asking = { ...ports, external };
    const { proposal, decision } = await propose(request, admitted, acting, asking);
    const { activity, warnings, refusal } = proposal;
    const settled = { activity, caller, state, decision, warnings };
    if (request.dryRun === true) {
      await requireUnclaimed(proposal, ports.repository);
      return settled;
    }
    // To wait changes the organization, and so do a token that is used up and a limit that counts.
    const changesIt =
      decision.outcome === 'wait' || caller.token !== undefined || isCounted(proposal);
    if (changesIt && place === 'beside') return 'needs_turn';
    const outcome = await commit(proposal, ports);
    // A refusal that is kept already is refused again.
    if (decision.outcome === 'refuse' && outcome !== 'conflict') {
      throw refusalOf(decision, state.id);
    }
    if (refusal !== undefined && outcome !== 'conflict') throw refusal;
    return outcome === 'committed' ? settled : undefined;
  }

  async function answerOf(
    request: Request,
    organizationId: string,
    settled: Settled | undefined,
  ): Promise<SubmitAnswer> {
    if (settled === undefined) fail('organization_busy', { attempts: maximumAttempts });
    const { activity, caller, state, decision, warnings } = settled;
    if (request.dryRun === true) {
      return { body: { dryRun: dryRunView(settled) }, activity: undefined, organizationId };
    }
    const rights = await votingRights(activity, state, caller);
    const { timestampObjects } = request;
    const body = {
      activity: activityView(activityShownTo(caller, activity), { ...rights, timestampObjects }),
      ...(isOpen(activity) && decision !== undefined
        ? { decision: explain(decision, activity) }
        : {}),
      ...(warnings.length === 0 ? {} : { warnings }),
    };
    return { body, activity, organizationId };
  }
}

async function repeated(maximum: number, attempt: Attempt): Promise<Settled | undefined> {
  for (let count = 1; count <= maximum; count += 1) {
    const settled = await attempt();
    if (settled === 'needs_turn') return undefined;
    if (settled !== undefined) return settled;
  }
  return undefined;
}

/** A request with its proof, and the organization that it acts in. */
type Asked = {
  readonly request: Request;
  readonly admitted: AdmittedActivity;
  readonly proven: Proven;
  readonly organizationId: string;
  /** The world as this one request asks it. */
  readonly external: ExternalServices;
};

/** Who acts on which state; `decidedBy` is the parent where its user acts and its policies decide. */
type Acting = {
  readonly caller: Caller;
  readonly state: OrganizationState;
  readonly decidedBy: OrganizationState | undefined;
};

async function propose(
  request: Request,
  admitted: AdmittedActivity,
  { caller, state, decidedBy }: Acting,
  ports: Ports,
): Promise<{ proposal: Settlement; decision: Decision }> {
  const { user: submitter, credential } = caller;
  requireCredentialFor(admitted.operation, admitted.parameters, credential);
  const {
    organization,
    context,
    input,
    scopes,
    explain: explainEffects,
    reach,
    execute,
  } = await consider({
    admitted,
    submitter,
    asker: { credentialId: credential.id, publicKey: caller.stamp?.publicKeyText ?? '' },
    origin: originOf(credential, request),
    state,
    deciding: decidedBy,
    ports,
    dryRun: request.dryRun,
  });
  requireScope(credential.scope, scopes);
  const { parameters } = admitted;
  const asked = { type: admitted.version.wire.type, parameters, submitterId: submitter.id };
  requireNoWayOut(credential.scope, submitter.id, asked);
  const voting = decidedBy === undefined ? organization : viewOf(decidedBy);
  const voters = [voterWith(submitter, credential)];
  const meant = decideActivity(input, voters, submitter.id, () => otherVoters(voters, voting));
  const statuses = mfaStatuses(submitter.id, [credential], voting, scopes);
  const decision = meant.outcome === 'refuse' ? meant : requireMfa(meant, statuses);
  if (decidedBy !== undefined && decision.outcome === 'wait') {
    const isMeant = decision.missing === undefined;
    fail(isMeant ? 'parent_votes_needed' : 'parent_authenticators_needed', {
      parentId: decidedBy.id,
    });
  }
  if (decision.outcome === 'allow') await reach();
  const selection = 'VOTE_SELECTION_APPROVED';
  const vote = newVote({ caller, body: request.body, selection, organization, context });
  const { token } = caller;
  const settling = { admitted, state, decidedBy, context, decision, execute, token };
  // Nobody looks at what is carried out at once.
  const isShown = request.dryRun === true || decision.outcome === 'wait';
  const explanation = isShown ? explainEffects() : undefined;
  const proof = proofOf(credential, vote.publicKey, context.now);
  const submitterMeetsMfa = decision.missing === undefined;
  return {
    decision,
    proposal: settleSubmission(vote, { ...settling, proof, submitterMeetsMfa, explanation }),
  };
}

/**
 * Signing on the state in memory, without asking the store first: the addition is conditional on that
 * very version and on a new fingerprint, so it is committed only where the store would have told
 * nothing else. A refusal is no answer yet; undefined sends the request the long way.
 */
async function onKnownState(
  request: Request,
  admitted: AdmittedActivity,
  proven: Proven,
  ports: Ports,
): Promise<{ readonly settled: Settled; readonly addition: Addition } | undefined> {
  const state = ports.repository.known(admitted.organizationId);
  if (state === undefined || state.head.deletedAtMs !== undefined) return undefined;
  // What else proves a user may have to be asked for.
  if (proven.kind !== 'api_key') return undefined;
  try {
    const caller = callerByApiKey(state, proven, request, ports.clock());
    if (caller === undefined) return undefined;
    ports.provenOf(caller.organizationId);
    checkLiveness(admitted.timestampMs, ports);
    const acting = { caller, state, decidedBy: undefined };
    const { proposal, decision } = await propose(request, admitted, acting, ports);
    if (decision.outcome !== 'allow' || request.dryRun === true) return undefined;
    const { activity, warnings, refusal, messages } = proposal;
    // What follows once it is durable follows here.
    if (refusal !== undefined || messages.length > 0) return undefined;
    const addition = ports.repository.addition(proposal);
    if (addition === undefined) return undefined;
    return { settled: { activity, caller, state, decision, warnings }, addition };
  } catch (error) {
    // A refusal may come from a state that is no longer true.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

async function proveToSubmit(request: Request, ports: Ports): Promise<Proven> {
  const proven = await prove(request, ports);
  return proven.kind === 'session' ? fail('session_read_only') : proven;
}

/**
 * The organization that is named; or the child of it in which the credential lives, or that its user
 * means by what the parameters say.
 */
async function actingOrganization(
  request: Request,
  { operation, organizationId, parameters }: AdmittedActivity,
  proven: Proven,
  ports: Ports,
): Promise<string> {
  const { findsChild, childEntry } = operation;
  if (findsChild !== true && childEntry === undefined) return organizationId;
  const { state: found } = await ports.repository.organization(organizationId);
  const state = requireLiving(found, organizationId);
  if (childEntry === undefined) return (await homeOf(state, proven, request, ports)).id;
  const isHere = (await callerIn(state, proven, request, ports)) !== undefined;
  if (!isHere || state.parentId !== undefined) return organizationId;
  // Only now: strangers are not told who is where.
  const entry = childEntry(parameters);
  return (await childLedTo(organizationId, entry, 'an identity', ports)) ?? organizationId;
}

/**
 * The world, where the same request is made of others once however often it is decided anew: a code
 * is good for one exchange.
 */
function askedOnce(external: ExternalServices): ExternalServices {
  const answers = new Map<string, Promise<ExternalResponse>>();
  return {
    ...external,
    fetch: (request) => {
      const { url, method, headers, body } = request;
      const key = JSON.stringify([url, method, headers, base64url(body)]);
      const answer = answers.get(key) ?? external.fetch(request);
      answers.set(key, answer);
      return answer;
    },
  };
}

/** A user of the organization itself; a parent's user learns that it may only read. */
async function authenticate(
  state: OrganizationState,
  proven: Proven,
  request: Request,
  ports: Ports,
  operation?: Pick<ActivityOperation, 'parentActs'>,
): Promise<Omit<Acting, 'state'>> {
  const caller = await callerIn(state, proven, request, ports);
  if (caller !== undefined) {
    ports.provenOf(state.id);
    return { caller, decidedBy: undefined };
  }
  const above = await callerInParent(state, proven, request, ports);
  if (above === undefined) return failUnknown(state.id, proven);
  ports.provenOf(above.parent.id);
  if (operation?.parentActs === true) return { caller: above.caller, decidedBy: above.parent };
  return failToWrite(state, above.parent);
}

function failToWrite({ id: organizationId }: OrganizationState, parent: OrganizationState): never {
  return fail('parent_cannot_write', { organizationId, callerOrganizationId: parent.id });
}
