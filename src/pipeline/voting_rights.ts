import { type ActivityViewer, isOpen } from '../core/activity/activity.ts';
import { otherVoters } from '../core/activity/votes.ts';
import { isRefusal } from '../core/errors/errors.ts';
import { freezeOfUser } from '../core/freezes/frozen.ts';
import type { User } from '../core/organization/model.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import { kindOf } from '../core/policy/decision/activity_kind.ts';
import { isAllowed, mayVote } from '../core/policy/decision/decision.ts';
import { possibleVoter } from '../core/policy/decision/facts.ts';
import { stepsPerByte } from '../core/policy/language/bounds.ts';
import { type Meter, take } from '../core/policy/language/clause.ts';
import type { Caller } from '../operations/operation.ts';
import type { Catalog } from './catalog.ts';
import { readOnlyPorts } from './chain_lookups.ts';
import { isFrozen } from './freezes.ts';
import type { Ports } from './ports.ts';
import type { Preparation } from './prepare.ts';
import {
  awaitsCredentials,
  firstSubmittedWith,
  parseWaiting,
  prepareWaiting,
  type Tally,
  tallyOf,
} from './prepare_waiting.ts';

type VotingRights = Pick<ActivityViewer, 'canApprove' | 'canReject'>;

/** The rights to an activity that can no longer change by votes. */
export const noRights: VotingRights = { canApprove: false, canReject: false };

/**
 * Returns the votes that a caller can still cast on an activity, on this state. The meter counts the steps.
 * `preparation` is reused if the request has prepared the activity.
 */
export async function votingRights(
  shown: {
    readonly activity: Activity;
    readonly state: OrganizationState;
    readonly caller: Caller;
    readonly preparation?: Preparation | undefined;
  },
  catalog: Catalog,
  ports: Ports,
  within?: Meter,
): Promise<VotingRights> {
  const { activity, state, caller } = shown;
  const { user } = caller;
  if (!isOpen(activity) || caller.organizationId !== state.id) return noRights;
  const isSubmitter = user.id === activity.submitterId;
  const isRoot = state.head.rootQuorum.userIds.includes(user.id);
  try {
    const given = stillPrepared(shown);
    const preparation = given ?? (await prepareAnew());
    const rights = rightsOf(user, activity, preparation, tallyOf(activity, preparation));
    // Caches the conditions for the next reader.
    given?.rememberConditions(activity.fingerprint);
    return rights;
  } catch (error) {
    // A resource of the activity was deleted, so the activity can only be rejected.
    if (isRefusal(error)) return { canApprove: false, canReject: isSubmitter || isRoot };
    throw error;
  }

  async function prepareAnew(): Promise<Preparation> {
    take(within, (activity.request?.length ?? 0) * stepsPerByte);
    const parsed = await parseWaiting(activity, catalog, ports);
    return prepareWaiting(activity, parsed, state, readOnlyPorts(ports), { within });
  }
}

/** Returns the rights of a user of the organization to a waiting activity. */
export function rightsOf(
  user: User,
  activity: Activity,
  preparation: Preparation,
  { counted, statuses }: Tally,
): VotingRights {
  const { input, organization } = preparation;
  if (freezeOfUser(organization, user.id, kindOf(activity.type)) !== undefined) return noRights;
  const isSubmitter = user.id === activity.submitterId;
  const voter = possibleVoter(user, organization);
  const mayShow = isSubmitter && awaitsCredentials(activity, statuses(user.id));
  const mayGive = mayShow || mayVote(input, voter);
  const others = counted.filter(({ userId }) => userId !== user.id);
  const wouldAllow = () => {
    const voters = [...others, voter];
    const further = () => otherVoters(voters, organization);
    return isAllowed(input, voters, activity.submitterId, further);
  };
  const isRepeated = others.length < counted.length;
  const canApprove = mayGive && !isFrozen(preparation) && (!isRepeated || wouldAllow());
  return { canApprove, canReject: mayGive || isSubmitter };
}

/** Returns the preparation if it still uses the submitter's first credential; undefined otherwise. */
export function stillPrepared({
  activity,
  preparation,
}: {
  readonly activity: Activity;
  readonly preparation?: Preparation | undefined;
}): Preparation | undefined {
  const now = firstSubmittedWith(activity);
  const { credentialId, publicKey } = preparation?.submittedWith ?? {};
  return credentialId === now.credentialId && publicKey === now.publicKey ? preparation : undefined;
}
