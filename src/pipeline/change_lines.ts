// Queues the changes of each organization. Two changes that decide on one version cannot both be committed,
// so one change of an organization runs at a time. Requests enter the line only once their user is known and
// the change is allowed, and users take turns in it.

import { fail } from '../core/errors/errors.ts';

/** The ranks in order of precedence: root quorum and revocations, users, strangers of the proxy. */
const ranks = ['first', 'users', 'strangers'] as const;
export type Rank = (typeof ranks)[number];

/** The place of a request in the line. Users of a rank take turns, and so do the sources of a user. */
export type LinePlace = {
  readonly rank: Rank;
  readonly userId: string;
  /** The network of a stranger; empty for users. */
  readonly source: string;
};

export const lineBounds = {
  /** Maximum number of waiting requests of one user; for strangers, of one source. */
  waitingOfUser: 512,
  /** Maximum number of waiting requests of all strangers together. */
  waitingOfStrangers: 512,
  /** The number of turns of higher ranks after which a waiting rank gets a turn. */
  turnsBeforeLowerRank: 3,
} as const;

/** Ends a turn and starts the next one. A second call does nothing. */
export type EndTurn = () => void;

export type ChangeLines = {
  /** Takes the turn of an organization if it is free; undefined if another request has it. */
  take(organizationId: string): EndTurn | undefined;
  /** Waits for a turn. Raises `overloaded` if too many requests of the user already wait. */
  wait(organizationId: string, place: LinePlace): Promise<EndTurn>;
  /** Returns the waits of each rank over all queues. */
  waits(): WaitsOfRanks;
};

/**
 * The waits of a rank: the current number, the completed number, and the total milliseconds of completed
 * waits.
 */
type Waits = { readonly waiting: number; readonly ended: number; readonly waitedMs: number };
type WaitsOfRanks = Readonly<Record<Rank, Waits>>;

type Begin = (end: EndTurn) => void;

/** The waiting requests of one user, by source. Sources take turns. */
type Waiting = Map<string, Begin[]>;

/** A rank of one line. Its users take turns, starting with the first entry. */
type RankLine = { readonly users: Map<string, Waiting>; waiting: number; passedOver: number };

type Line = Readonly<Record<Rank, RankLine>>;

/**
 * Creates the queues of all organizations; a queue exists while its turn is taken. `clock` returns
 * milliseconds.
 */
export function createChangeLines(clock: () => number): ChangeLines {
  const lines = new Map<string, Line>();
  const noWaits = () => ({ waiting: 0, ended: 0, waitedMs: 0 });
  const waits = { first: noWaits(), users: noWaits(), strangers: noWaits() };

  function turnOf(organizationId: string, line: Line): EndTurn {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = takeNext(line);
      if (next === undefined) lines.delete(organizationId);
      else next(turnOf(organizationId, line));
    };
  }

  function take(organizationId: string): EndTurn | undefined {
    if (lines.has(organizationId)) return undefined;
    const line = newLine();
    lines.set(organizationId, line);
    return turnOf(organizationId, line);
  }

  return {
    take,
    wait: async (organizationId, place) => {
      const line = lines.get(organizationId);
      if (line === undefined) return take(organizationId) ?? fail('overloaded');
      const { promise, resolve } = Promise.withResolvers<EndTurn>();
      add(line[place.rank], place, resolve);
      const ofRank = waits[place.rank];
      const beganAtMs = clock();
      ofRank.waiting += 1;
      const end = await promise;
      ofRank.waiting -= 1;
      ofRank.ended += 1;
      ofRank.waitedMs += Math.max(0, clock() - beganAtMs);
      return end;
    },
    waits: () => structuredClone(waits),
  };
}

function newLine(): Line {
  const empty = (): RankLine => ({ users: new Map(), waiting: 0, passedOver: 0 });
  return { first: empty(), users: empty(), strangers: empty() };
}

function add(line: RankLine, { rank, userId, source }: LinePlace, begin: Begin): void {
  const waiting = line.users.get(userId) ?? new Map<string, Begin[]>();
  const own = waiting.get(source) ?? [];
  const isFull = rank === 'strangers' && line.waiting >= lineBounds.waitingOfStrangers;
  if (isFull || own.length >= lineBounds.waitingOfUser) fail('overloaded');
  line.users.set(userId, waiting);
  waiting.set(source, own);
  own.push(begin);
  line.waiting += 1;
}

/** Removes the next request from the line. */
function takeNext(line: Line): Begin | undefined {
  const rank = nextRank(line);
  if (rank === undefined) return undefined;
  line[rank].waiting -= 1;
  return nextOf(line[rank].users, (waiting) => nextOf(waiting, (own) => own.shift()));
}

/** Returns the first waiting rank, unless a lower rank has been passed over often enough. */
function nextRank(line: Line): Rank | undefined {
  const waiting = ranks.filter((rank) => line[rank].waiting > 0);
  const isDue = (rank: Rank) => line[rank].passedOver >= lineBounds.turnsBeforeLowerRank;
  const next = waiting.find(isDue) ?? waiting[0];
  for (const rank of waiting) {
    if (rank === next) line[rank].passedOver = 0;
    else line[rank].passedOver += 1;
  }
  return next;
}

/** Removes one item of the next group, and moves the group behind the others. */
function nextOf<Group extends { readonly size: number } | { readonly length: number }>(
  groups: Map<string, Group>,
  takeOf: (group: Group) => Begin | undefined,
): Begin | undefined {
  for (const [name, group] of groups) {
    groups.delete(name);
    const begin = takeOf(group);
    const left = 'size' in group ? group.size : group.length;
    if (left > 0) groups.set(name, group);
    return begin;
  }
  return undefined;
}
