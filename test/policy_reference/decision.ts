// The rules of a decision, applied slowly: every clause is parsed again for every question, and every set
// of further voters is tried. For organizations with few users.

import { type ClauseName, check, type Types } from './checker.ts';
import { evaluate, type Value } from './interpreter.ts';
import { read, type Tree } from './reader.ts';

export type ReferencePolicy = {
  readonly effect: 'EFFECT_ALLOW' | 'EFFECT_DENY';
  readonly condition: string | undefined;
  readonly consensus: string | undefined;
  readonly time: string | undefined;
};

export type ReferenceUser = { readonly id: string; readonly tags: readonly string[] };

export type Question = {
  readonly policies: readonly ReferencePolicy[];
  readonly users: readonly ReferenceUser[];
  readonly rootUserIds: readonly string[];
  readonly threshold: number;
  readonly skipsFailedDenies: boolean;
  readonly isRootQuorumOnly: boolean;
  /** True if the request changes a credential of another member of the root quorum. */
  readonly isOfOtherMember: boolean;
  readonly ownUserId: string | undefined;
  /** The facts that the condition reads, for each part of the request. */
  readonly scopes: readonly { readonly [name: string]: Value }[];
  readonly now: bigint;
  /** The ids of the users who approved, the submitter first. */
  readonly voterIds: readonly string[];
};

/** Returns the reason of the decision, which determines its outcome. */
export function decide(question: Question): string {
  const { voterIds, rootUserIds, ownUserId } = question;
  const [submitterId = ''] = voterIds;
  const hasRootVoter = voterIds.some((id) => rootUserIds.includes(id));

  // The root quorum bypasses everything.
  if (isRootQuorum(question, voterIds)) return 'root_quorum_met';
  if (question.isRootQuorumOnly) {
    return hasRootVoter ? 'awaits_root_quorum' : 'root_quorum_required';
  }
  if (question.isOfOtherMember) {
    return hasRootVoter ? 'awaits_root_quorum' : 'root_member_protected';
  }

  // A DENY overrides every ALLOW.
  const isDenied = denies(question, voterIds);
  if (!isDenied && allows(question, voterIds)) return 'policy_allows';

  // Further votes could change that, if the submitter is among those who may vote.
  const isOwn = ownUserId !== undefined && voterIds.includes(ownUserId);
  if ((isSpokenOf(question, submitterId) || isOwn) && allowingVoters(question) !== undefined) {
    return 'awaits_policy_votes';
  }
  if (!isDenied && isOwn && !lacksConsensus(question)) return 'own_credential';
  if (hasRootVoter) return 'awaits_root_quorum';
  return isDenied ? 'policy_denies' : 'no_policy_allows';
}

/** Returns users whose further votes would make policies allow the request; undefined if there are none. */
export function allowingVoters(question: Question): readonly string[] | undefined {
  const { users, voterIds } = question;
  const mayVote = users
    .map(({ id }) => id)
    .filter((id) => !voterIds.includes(id) && isSpokenOf(question, id));
  return subsets(mayVote).find((further) => {
    const all = [...voterIds, ...further];
    return further.length > 0 && !denies(question, all) && allows(question, all);
  });
}

/** Returns true if these users meet the root quorum. */
export function isRootQuorum(question: Question, voterIds: readonly string[]): boolean {
  const members = new Set(question.rootUserIds.filter((id) => voterIds.includes(id)));
  return question.threshold > 0 && members.size >= question.threshold;
}

/** Returns true if a DENY applies with these voters, or fails in a way that counts as true. */
export function denies(question: Question, voterIds: readonly string[]): boolean {
  return question.policies.some((policy) => {
    if (policy.effect !== 'EFFECT_DENY') return false;
    const clauses = [
      conditionOf(question, policy),
      consensusOf(question, policy, voterIds),
      timeOf(question, policy),
    ];
    if (clauses.every((clause) => clause === 'true')) return true;
    const isOpen = clauses.includes('false') || clauses.includes('absent');
    return clauses.includes('failed') && !isOpen && !question.skipsFailedDenies;
  });
}

function allows(question: Question, voterIds: readonly string[]): boolean {
  return question.policies.some(
    (policy) => couldAllow(question, policy) && consensusOf(question, policy, voterIds) === 'true',
  );
}

/** Returns true if the request has an ALLOW whose consensus does not hold. */
function lacksConsensus(question: Question): boolean {
  return question.policies.some(
    (policy) =>
      couldAllow(question, policy) && consensusOf(question, policy, question.voterIds) === 'false',
  );
}

function couldAllow(question: Question, policy: ReferencePolicy): boolean {
  return (
    policy.effect === 'EFFECT_ALLOW' &&
    conditionOf(question, policy) === 'true' &&
    timeOf(question, policy) === 'true'
  );
}

/** Returns true if the consensus of an ALLOW for this request names a user. */
function isSpokenOf(question: Question, userId: string): boolean {
  return question.policies.some(
    ({ consensus, ...policy }) =>
      consensus !== undefined &&
      couldAllow(question, { ...policy, consensus }) &&
      speaksOf(consensus, votesOf(question, [userId])),
  );
}

/** The outcome of a clause; an absent clause holds. */
type Standing = 'true' | 'false' | 'failed' | 'absent';

/** An ALLOW must apply to every part of a request, a DENY to at least one. */
function conditionOf({ scopes }: Question, { effect, condition }: ReferencePolicy): Standing {
  if (condition === undefined) return 'true';
  const parts = scopes.map((scope) => standingOf('condition', condition, scope, effect));
  const settles = effect === 'EFFECT_DENY' ? 'true' : 'false';
  const order: readonly Standing[] = [settles, 'failed', 'absent'];
  return (
    order.find((standing) => parts.includes(standing)) ?? (settles === 'true' ? 'false' : 'true')
  );
}

function consensusOf(
  question: Question,
  { effect, consensus }: ReferencePolicy,
  voterIds: readonly string[],
): Standing {
  if (consensus === undefined) return 'true';
  return standingOf('consensus', consensus, votesOf(question, voterIds), effect);
}

function timeOf({ now }: Question, { effect, time }: ReferencePolicy): Standing {
  return time === undefined ? 'true' : standingOf('time', time, { time: { now } }, effect);
}

function standingOf(
  clause: ClauseName,
  text: string,
  scope: Value,
  effect: ReferencePolicy['effect'],
): Standing {
  const tree = read(text);
  const purpose = effect === 'EFFECT_DENY' ? 'forbid' : 'allow';
  const outcome = evaluate(tree, check(clause, tree), clause, scope, purpose);
  if ('value' in outcome) return outcome.value ? 'true' : 'false';
  return outcome.failure === 'namespace_absent' ? 'absent' : 'failed';
}

function votesOf(
  { users }: Question,
  voterIds: readonly string[],
): { approvers: Value[]; credentials: Value[] } {
  const voters = voterIds.flatMap((id) => users.find((user) => user.id === id) ?? []);
  return {
    approvers: voters.map(({ id, tags }) => ({ id, tags, alias: '', email: '' })),
    credentials: voters.map(({ id }) => ({
      id: `key of ${id}`,
      user_id: id,
      type: 'CREDENTIAL_TYPE_API_KEY_P256',
      public_key: '',
      credential_id: '',
    })),
  };
}

/**
 * Returns true if a predicate over the votes holds for one of them, or if the votes are counted without a
 * predicate.
 */
function speaksOf(consensus: string, votes: Value): boolean {
  const tree = read(consensus);
  const types = check('consensus', tree);
  return nodesOf(tree).some((node) => {
    if (node.kind !== 'method' || node.of.kind !== 'name') return false;
    if (node.of.name !== 'approvers' && node.of.name !== 'credentials') return false;
    return node.name === 'count' || holdsForOne(node, types, votes);
  });
}

function holdsForOne(lambda: Tree & { kind: 'method' }, types: Types, votes: Value): boolean {
  const outcome = evaluate({ ...lambda, name: 'any' }, types, 'consensus', votes, 'allow');
  return 'value' in outcome && outcome.value;
}

function nodesOf(tree: Tree): Tree[] {
  switch (tree.kind) {
    case 'method':
      return [tree, ...nodesOf(tree.of), ...tree.inputs.flatMap(nodesOf)];
    case 'not':
      return [tree, ...nodesOf(tree.of)];
    case 'binary':
      return [tree, ...nodesOf(tree.left), ...nodesOf(tree.right)];
    default:
      return [tree];
  }
}

function subsets(ids: readonly string[]): string[][] {
  return Array.from({ length: 2 ** ids.length }, (_, set) =>
    ids.filter((_, i) => Math.floor(set / 2 ** i) % 2 === 1),
  );
}
