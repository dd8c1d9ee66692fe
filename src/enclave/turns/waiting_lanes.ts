// The requests that wait for a piece of the thread, and which of them goes next.

import type { Account, AccountUsage } from './account_usage.ts';

/** The accounts on which a request waits. */
type WaitingAccounts = { readonly account: Account; readonly source: Account };

type Waiting<Ticket> = { readonly ticket: Ticket; readonly begin: () => void };

/** Requests that wait together: of one account, from one source. */
type Lane<Ticket> = WaitingAccounts & {
  /** The virtual time from which it waits. */
  since: number;
  readonly waiting: Waiting<Ticket>[];
};

type WaitingLanes<Ticket> = {
  /** Adds a request at the end of its lane. */
  add(ticket: Ticket, begin: () => void): void;
  /** Takes the request that goes next, and advances virtual time to it; undefined if none waits. */
  takeNext(): Waiting<Ticket> | undefined;
  isEmpty(): boolean;
  /** Returns true if all waiting requests have the same account and source. */
  isOne(): boolean;
};

export function createWaitingLanes<Ticket extends WaitingAccounts>(
  usage: Pick<AccountUsage, 'virtualTime' | 'advanceTo'>,
): WaitingLanes<Ticket> {
  const lanes = new Map<string, Lane<Ticket>>();

  /**
   * Among lanes that would start together, selects the one whose account used less, then the one that waits
   * longer.
   */
  function first(): Lane<Ticket> | undefined {
    let best: Lane<Ticket> | undefined;
    let bestStart = Number.POSITIVE_INFINITY;
    for (const lane of lanes.values()) {
      const start = startOf(lane);
      const isBetter =
        start < bestStart ||
        (start === bestStart && lane.account.usedUntil < (best?.account.usedUntil ?? 0));
      if (isBetter) [best, bestStart] = [lane, start];
    }
    return best;
  }

  return {
    isEmpty: () => lanes.size === 0,
    isOne: () => lanes.size === 1,
    add: (ticket, begin) => {
      const name = nameOf(ticket);
      const { account, source } = ticket;
      const lane = lanes.get(name) ?? { account, source, since: usage.virtualTime(), waiting: [] };
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
      // Behind those that wait since longer, should they be equal.
      lane.since = usage.virtualTime();
      if (lane.waiting.length > 0) lanes.set(name, lane);
      return next;
    },
  };
}

const startOf = ({ account, source, since }: Lane<unknown>): number =>
  Math.max(since, account.usedUntil, source.usedUntil);

const nameOf = ({ account, source }: WaitingAccounts): string => `${account.name} ${source.name}`;
