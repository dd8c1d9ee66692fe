// Who has the one thread next. Requests take it in pieces: up to the next wait, or to the next pause in
// something long. Of all that wait for a piece the one goes first whose account has used least, so what
// an organization uses delays its own requests before those of others (start-time fair queueing).

import { AsyncLocalStorage } from 'node:async_hooks';

/** On whose account a request runs, and where it came from. */
export type RequestAccount = {
  /** The organization that it names, or strangers of one. */
  readonly account: string;
  readonly source: string;
  /** The source pays until somebody is proven to ask; both where nobody ever will be. */
  readonly payer: 'account' | 'source' | 'both';
};

export type FairTurns = {
  /** Runs the work of a request in its turns. */
  run<Result>(asker: RequestAccount, work: () => Promise<Result>): Promise<Result>;
  /** Settles in the next turn of the request that calls it: after each wait, and between long parts. */
  pause(): Promise<void>;
  /** Says whose user the request was proven to be of: from here on that organization pays. */
  provenOf(organizationId: string): void;
};

export type FairTurnsPorts = {
  /** Milliseconds since any moment; never goes back. */
  readonly clock: () => number;
  /** Calls back in the next turn of the event loop: once what came in was read, and answers were sent. */
  readonly inNextTurn: (callback: () => void) => void;
  /** Calls back once whatever was begun has ended or waits for something. */
  readonly atEndOfPiece: (callback: () => void) => void;
};

/** The turns of this process: pieces end where no promise is left to be followed. */
export const eventLoop: Omit<FairTurnsPorts, 'clock'> = {
  inNextTurn: (callback) => setImmediate(callback),
  // Ticks run before the microtasks that are there, and those added by these after all of them.
  atEndOfPiece: (callback) => queueMicrotask(() => process.nextTick(callback)),
};

/**
 * Pieces shorter than this go on at a pause, and several make one turn of the event loop: letting go of
 * the thread costs something, too.
 */
export const shortestTurnMs = 1;

/**
 * While requests of one account are the only ones, they begin at once, so long after the first of a turn of
 * the event loop: nobody else waits, and whoever comes next waits no longer than this.
 */
export const longestBurstMs = 4;

/** Accounts that are remembered; those that owe nothing are forgotten first. */
export const maximumAccounts = 4_096;

/** No turns at all: where nobody else waits, as in tests. */
export const noTurns: FairTurns = {
  run: (_, work) => work(),
  pause: async () => undefined,
  provenOf: () => undefined,
};

/** What one name has used. */
type Account = {
  readonly name: string;
  /** The virtual time up to which it has had the thread. */
  usedUntil: number;
};

type Ticket = { account: Account; source: Account; payer: RequestAccount['payer'] };

/** Requests that wait together: of one account, from one source. */
type Lane = {
  readonly account: Account;
  readonly source: Account;
  /** The virtual time from which it waits. */
  since: number;
  readonly waiting: { readonly ticket: Ticket; readonly begin: () => void }[];
};

/** Turns by what was used. */
export function createFairTurns({ clock, inNextTurn, atEndOfPiece }: FairTurnsPorts): FairTurns {
  const tickets = new AsyncLocalStorage<Ticket>();
  const accounts = new Map<string, Account>();
  const lanes = new Map<string, Lane>();
  /** When the piece that was begun last would have begun, had all shared the thread evenly. */
  let virtualTime = 0;
  let running: { readonly ticket: Ticket; readonly startedAt: number } | undefined;
  let turnStartedAt = 0;
  let isTurning = false;
  /** Requests under way, by the account that they began on. */
  const underWay = new Map<string, number>();
  let burstStartedAt: number | undefined;

  /** Whether nobody else has anything under way, and the thread was not kept for long. */
  function isAlone(): boolean {
    if (isTurning || underWay.size > 1) return false;
    if (burstStartedAt === undefined) {
      burstStartedAt = clock();
      inNextTurn(() => {
        burstStartedAt = undefined;
      });
    }
    return clock() - burstStartedAt < longestBurstMs;
  }

  function count(name: string, change: 1 | -1): void {
    const left = (underWay.get(name) ?? 0) + change;
    if (left === 0) underWay.delete(name);
    else underWay.set(name, left);
  }

  function accountOf(name: string): Account {
    const known = accounts.get(name);
    if (known !== undefined) return known;
    const account: Account = { name, usedUntil: 0 };
    accounts.set(name, account);
    if (accounts.size > maximumAccounts) forget();
    return account;
  }

  /** Those that have used no more than all; were these still too many, all start anew. */
  function forget(): void {
    for (const [name, { usedUntil }] of accounts) {
      if (usedUntil <= virtualTime) accounts.delete(name);
    }
    if (accounts.size > maximumAccounts) accounts.clear();
  }

  function charge(account: Account, cost: number): void {
    account.usedUntil = Math.max(virtualTime, account.usedUntil) + cost;
  }

  /** Of lanes that would start together the one whose account used less, then the one that waits longer. */
  function first(): Lane | undefined {
    let best: Lane | undefined;
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

  function turn(): void {
    turnStartedAt = clock();
    beginNext();
  }

  function beginNext(): void {
    const lane = first();
    const next = lane?.waiting.shift();
    if (lane === undefined || next === undefined) {
      isTurning = false;
      return;
    }
    virtualTime = Math.max(virtualTime, startOf(lane));
    const name = nameOf(lane);
    lanes.delete(name);
    // Behind those that wait since longer, should they be equal.
    lane.since = virtualTime;
    if (lane.waiting.length > 0) lanes.set(name, lane);
    running = { ticket: next.ticket, startedAt: clock() };
    next.begin();
    atEndOfPiece(end);
  }

  function end(): void {
    const now = clock();
    if (running !== undefined) {
      const { ticket, startedAt } = running;
      if (ticket.payer !== 'source') charge(ticket.account, now - startedAt);
      if (ticket.payer !== 'account') charge(ticket.source, now - startedAt);
    }
    running = undefined;
    // What was begun in one turn of the event loop has its answers sent at the end of it.
    if (now - turnStartedAt < shortestTurnMs) beginNext();
    else inNextTurn(turn);
  }

  function waitFor(ticket: Ticket): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const name = nameOf(ticket);
    const { account, source } = ticket;
    const lane = lanes.get(name) ?? { account, source, since: virtualTime, waiting: [] };
    lanes.set(name, lane);
    lane.waiting.push({ ticket, begin: resolve });
    if (!isTurning) {
      isTurning = true;
      inNextTurn(turn);
    }
    return promise;
  }

  return {
    run: (asker, work) => {
      const { account, source, payer } = asker;
      const ticket = { account: accountOf(account), source: accountOf(source), payer };
      return tickets.run(ticket, async () => {
        count(account, 1);
        try {
          if (!isAlone()) await waitFor(ticket);
          return await work();
        } finally {
          count(account, -1);
        }
      });
    },
    pause: async () => {
      const ticket = tickets.getStore();
      if (ticket === undefined || isAlone()) return;
      const isShort = running?.ticket === ticket && clock() - running.startedAt < shortestTurnMs;
      if (!isShort) await waitFor(ticket);
    },
    provenOf: (organizationId) => {
      const ticket = tickets.getStore();
      if (ticket === undefined || ticket.payer === 'both') return;
      ticket.account = accountOf(organizationId);
      ticket.source = accountOf(proven);
      ticket.payer = 'account';
    },
  };
}

/** Whoever is proven is not asked from where. */
const proven = '';

const startOf = ({ account, source, since }: Lane): number =>
  Math.max(since, account.usedUntil, source.usedUntil);

const nameOf = ({ account, source }: Pick<Lane, 'account' | 'source'>) =>
  `${account.name} ${source.name}`;

/** A port whose every answer is gone on with in the turn of whoever asked. */
export function answeringInTurn<Port extends object>(
  port: Port,
  { pause }: Pick<FairTurns, 'pause'>,
): Port {
  const paused = Object.entries(port).map(([name, member]) => {
    if (typeof member !== 'function') return [name, member];
    const answer = async (...given: unknown[]) => {
      try {
        const method: unknown = Reflect.get(port, name);
        return typeof method === 'function' && (await Reflect.apply(method, port, given));
      } finally {
        await pause();
      }
    };
    return [name, answer];
  });
  return Object.fromEntries(paused);
}
