// The stored form of the decisions of one activity. A decision does not repeat the IDs of voters or the
// failures of the decision before, so an activity with hundreds of votes stays below a megabyte.

import type { Vote } from '../organization/records/activity.ts';

/** Members of a decision by their letters: `w` is the list of voters, `l` the clauses. */
type Members = { readonly [letter: string]: unknown };

/** Replaces a member of the clauses that equals the same member of the decision before. */
const unchanged = 0;

/**
 * Returns the functions that pack and unpack the decisions of one activity, called in the order of the
 * decisions. A packed voter is the position of its vote, or the ID of a user without a vote. Earlier stored
 * forms have all members.
 */
export function decisionHistory(votes: readonly Pick<Vote, 'userId'>[]): {
  readonly pack: (members: Members) => Members;
  readonly unpack: (members: Members) => Members;
} {
  let places: ReadonlyMap<unknown, number> | undefined;
  let before: Members = {};
  const placeOf = (userId: unknown): unknown => {
    places ??= new Map(votes.map((vote, place) => [vote.userId, place]));
    return places.get(userId) ?? userId;
  };
  const noteClauses = ({ l: clauses }: Members): void => {
    if (isObject(clauses)) before = clauses;
  };
  return {
    pack: (members) => {
      const packed = changed(members, placeOf, (name, value) =>
        isSame(value, before[name]) ? unchanged : value,
      );
      noteClauses(members);
      return packed;
    },
    unpack: (members) => {
      const unpacked = changed(
        members,
        (voter) => (typeof voter === 'number' ? votes[voter]?.userId : voter),
        (name, value) => (value === unchanged ? before[name] : value),
      );
      noteClauses(unpacked);
      return unpacked;
    },
  };
}

/** Applies `voter` to each voter, and `clause` to each member of the clauses, if they are present. */
function changed(
  members: Members,
  voter: (value: unknown) => unknown,
  clause: (name: string, value: unknown) => unknown,
): Members {
  const { w: voters, l: clauses } = members;
  if (voters === undefined && clauses === undefined) return members;
  return {
    ...members,
    ...(Array.isArray(voters) ? { w: voters.map(voter) } : {}),
    ...(isObject(clauses)
      ? { l: Object.fromEntries(Object.entries(clauses).map(([k, v]) => [k, clause(k, v)])) }
      : {}),
  };
}

/** Unpacked decisions share equal members, so only those of a new decision are compared as text. */
const isSame = (value: unknown, last: unknown): boolean =>
  value === last || (isObject(value) && JSON.stringify(value) === JSON.stringify(last));

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;
