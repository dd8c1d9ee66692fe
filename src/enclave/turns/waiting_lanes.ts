// The queue of requests that wait for the thread.

import type { Account, AccountUsage } from './account_usage.ts';

/** The accounts for which a request waits. */
type WaitingAccounts = { readonly account: Account; readonly source: Account };

type Waiting<Ticket> = { readonly ticket: Ticket; readonly begin: () => void };

/** Requests of one account from one source, which wait together. */
type Lane<Ticket> = WaitingAccounts & {
  /** The virtual time from which it waits. */
  since: number;
  /** Orders lanes of one account, see `placeOf`. */
  place: number;
  readonly waiting: Waiting<Ticket>[];
};

type WaitingLanes<Ticket> = {
  /** Adds a request at the end of its lane. */
  add(ticket: Ticket, begin: () => void): void;
  /** Removes the next request, and advances virtual time to its start; undefined if none waits. */
  takeNext(): Waiting<Ticket> | undefined;
  isEmpty(): boolean;
  count(): number;
  /** Returns true if all waiting requests have the same account and source. */
  isOne(): boolean;
};

export function createWaitingLanes<Ticket extends WaitingAccounts>(
  usage: Pick<AccountUsage, 'virtualTime' | 'advanceTo' | 'placeOf'>,
): WaitingLanes<Ticket> {
  const lanes = new Map<string, Lane<Ticket>>();

  /**
   * Returns the lane with the earliest start. At equal starts the account with less use goes first, then the
   * lane that waits longer. Recent use of its source or user counts as a later start of the wait.
   */
  function first(): Lane<Ticket> | undefined {
    let best: Lane<Ticket> | undefined;
    for (const lane of lanes.values()) {
      if (best === undefined || isBefore(lane, best)) best = lane;
    }
    return best;
  }

  function isBefore(one: Lane<Ticket>, other: Lane<Ticket>): boolean {
    const [start, otherStart] = [startOf(one), startOf(other)];
    if (start !== otherStart) return start < otherStart;
    const [used, otherUsed] = [one.account.usedUntil, other.account.usedUntil];
    if (used !== otherUsed) return used < otherUsed;
    return one.place < other.place;
  }

  const beginOf = (source: Account) => ({
    since: usage.virtualTime(),
    place: usage.placeOf(source),
  });

  return {
    isEmpty: () => lanes.size === 0,
    count: () => lanes.size,
    isOne: () => lanes.size === 1,
    add: (ticket, begin) => {
      const name = nameOf(ticket);
      const { account, source } = ticket;
      const lane = lanes.get(name) ?? { account, source, ...beginOf(source), waiting: [] };
      lanes.set(name, lane);
      lane.waiting.push({ ticket, begin });
    },
    takeNext: () => {
      const lane = first();
      const next = lane?.waiting.shift();
      if (lane === undefined || next === undefined) return undefined;
      usage.advanceTo(startOf(lane));
      const name = nameOf(lane);
      lanes.delete(name);
      // The lane moves behind equal lanes that wait longer.
      Object.assign(lane, beginOf(lane.source));
      if (lane.waiting.length > 0) lanes.set(name, lane);
      return next;
    },
  };
}

const startOf = ({ account, source, since }: Lane<unknown>): number =>
  Math.max(since, account.usedUntil, source.usedUntil);

const nameOf = ({ account, source }: WaitingAccounts): string => `${account.name} ${source.name}`;
