// Schedules the one thread. Requests run in pieces, up to the next wait or to a pause in long work. The next
// piece belongs to the account with the least use, so an organization delays its own requests before those of
// others (start-time fair queueing).

import { AsyncLocalStorage } from 'node:async_hooks';
import { type Account, type AccountUsage, createAccountUsage } from './account_usage.ts';
import { createWaitingLanes } from './waiting_lanes.ts';

/** The account that a request is charged to, and its source. */
export type RequestAccount = {
  /** The organization that the request names, or the strangers of its onboarding proxy. */
  readonly account: string;
  readonly source: string;
  /** Until the user is proven, the source pays. `both`: the request never has a proven user. */
  readonly payer: 'account' | 'source' | 'both';
};

export type FairTurns = {
  /** Runs the work of a request in its turns. */
  run<Result>(asker: RequestAccount, work: () => Promise<Result>): Promise<Result>;
  /** Resolves in the next turn of the calling request. For use after each wait, and in long work. */
  pause(): Promise<void>;
  /**
   * Reports the authenticated user of the request. From here on the request is charged to the organization,
   * and to the user within the organization.
   */
  chargeTo(organizationId: string, userId: string): void;
  /**
   * Lets the calling request wait separately from other requests of its user, until the returned function is
   * called. The request holds the turn among the changes of its organization, for which other changes wait.
   * Meanwhile the organization is charged.
   */
  holdTurnOf(organizationId: string): () => void;
  /**
   * Lets the calling request wait in a lane of its own on the account of an organization, until the returned
   * function is called. Other requests of that organization wait for its work, and must not wait for the
   * other requests of a busy source. The caller is charged as before, so it gains no time by naming many
   * organizations.
   */
  workFor(organizationId: string): () => void;
};

/** Turns that report whether other requests wait. */
type FairTurnsOfProcess = FairTurns & {
  /**
   * Returns true while requests of one account wait and no other account has started any. The answers of
   * several turns may then leave together.
   */
  mayHold(): boolean;
};

type FairTurnsPorts = {
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number;
  /** Calls back in the next turn of the event loop, after pending input was read and answers were sent. */
  readonly inNextTurn: (callback: () => void) => void;
  /** Calls back once all started work has ended or waits. */
  readonly atEndOfPiece: (callback: () => void) => void;
  /** Optional. The outgoing answers; by default they are not counted. */
  readonly outgoing?: Outgoing;
};

/** The answers that the gateway has not read yet. */
type Outgoing = {
  /** Returns true while these answers are too large to begin further work. */
  isFull(): boolean;
  /** Calls back once the answers are below the bound again. */
  whenTaken(callback: () => void): void;
};

const noOutgoing: Outgoing = { isFull: () => false, whenTaken: (callback) => callback() };

/** The event loop of this process. A piece ends once no promise job is left. */
export const eventLoop: Omit<FairTurnsPorts, 'clock' | 'outgoing'> = {
  inNextTurn: (callback) => setImmediate(callback),
  // Ticks run before waiting microtasks, and a tick queued by a microtask runs after all of them.
  atEndOfPiece: (callback) => queueMicrotask(() => process.nextTick(callback)),
};

/**
 * Pieces shorter than this continue at a pause, and several share one turn of the event loop, because a
 * switch has a cost.
 */
const shortestTurnMs = 1;

/**
 * Maximum duration of a turn while only one account has requests. During this time after the first request in
 * a turn of the event loop, further requests begin at once. No other account waits meanwhile, and a new
 * account waits no longer than this. The answers of one turn leave together, so the gateway commits them
 * together.
 */
export const longestBurstMs = 4;

/**
 * Maximum number of waiting requests that begin together while only one account has requests. They run each
 * step one after the other, which keeps the code and tables of the step in the processor caches.
 */
const maximumGroup = 32;

/** All requests that need not wait share this promise. */
const atOnce = Promise.resolve();

/** No scheduling, for tests. */
export const noTurns: FairTurns = {
  run: (_, work) => work(),
  pause: async () => undefined,
  chargeTo: () => undefined,
  holdTurnOf: () => () => undefined,
  workFor: () => () => undefined,
};

type Payers = Readonly<Pick<Ticket, 'account' | 'source' | 'payer'>>;

type Ticket = {
  account: Account;
  /** The source of a request; its user, once authenticated. */
  source: Account;
  payer: RequestAccount['payer'];
  /** Further accounts that pay, during work that other requests wait for. */
  alsoPays: Payers | undefined;
  /** True for strangers of the onboarding proxy, who wait separately from the users of its organization. */
  readonly isOfStranger: boolean;
  holdsTurn: boolean;
};

/** Replaces members of a ticket. Returns a function that restores them. */
function replace(ticket: Ticket, members: Partial<Ticket>): () => void {
  const before = { ...ticket };
  Object.assign(ticket, members);
  return () => Object.assign(ticket, before);
}

/** Creates turns that divide the thread among accounts by their use. */
export function createFairTurns(ports: FairTurnsPorts): FairTurnsOfProcess {
  const tickets = new AsyncLocalStorage<Ticket>();
  const usage = createAccountUsage();
  const requests = createRequestsUnderWay(ports);
  const pieces = createPieces(ports, usage, requests.areOfOne);
  const { outgoing = noOutgoing } = ports;
  const isAlone = (): boolean => !pieces.areTaken() && !outgoing.isFull() && requests.beginAtOnce();

  return {
    run: ({ account, source, payer }, work) => {
      const ticket = {
        account: usage.accountOf(account),
        source: usage.accountOf(source),
        payer,
        alsoPays: undefined,
        isOfStranger: payer === 'both',
        holdsTurn: false,
      };
      const sender = `${account} ${source}`;
      return tickets.run(ticket, async () => {
        requests.count(sender, 1);
        try {
          if (!isAlone()) await pieces.waitFor(ticket);
          return await work();
        } finally {
          requests.count(sender, -1);
        }
      });
    },
    pause: () => {
      const ticket = tickets.getStore();
      if (ticket === undefined || isAlone() || pieces.isShortFor(ticket)) return atOnce;
      return pieces.waitFor(ticket);
    },
    mayHold: () => pieces.areAwaited() && requests.areOfOne(),
    chargeTo: (organizationId, userId) => {
      const ticket = tickets.getStore();
      if (ticket === undefined || ticket.isOfStranger || ticket.holdsTurn) return;
      if (ticket.alsoPays !== undefined) return;
      ticket.account = usage.accountOf(organizationId);
      ticket.source = usage.accountOf(userId);
      ticket.payer = 'both';
    },
    holdTurnOf: (organizationId) => {
      const ticket = tickets.getStore();
      if (ticket === undefined) return () => undefined;
      return replace(ticket, {
        account: usage.accountOf(organizationId),
        source: usage.accountOf(`turn of ${organizationId}`),
        payer: 'account',
        holdsTurn: true,
      });
    },
    workFor: (organizationId) => {
      const ticket = tickets.getStore();
      const isOfOthers = ticket?.holdsTurn === true || ticket?.alsoPays !== undefined;
      if (ticket === undefined || isOfOthers) return () => undefined;
      return replace(ticket, {
        account: usage.accountOf(organizationId),
        source: usage.accountOf(`work for ${organizationId}`),
        payer: 'source',
        alsoPays: { ...ticket },
      });
    },
  };
}

type Pieces = {
  /** Returns true while a piece runs or requests wait for pieces. */
  areTaken(): boolean;
  /** Returns true while requests wait for pieces. */
  areAwaited(): boolean;
  /** Resolves in the next piece of a request. */
  waitFor(ticket: Ticket): Promise<void>;
  /** Returns true if the piece of a request began recently, so that it may continue. */
  isShortFor(ticket: Ticket): boolean;
};

/** Runs one piece of work at a time. */
function createPieces(
  { clock, inNextTurn, atEndOfPiece, outgoing = noOutgoing }: FairTurnsPorts,
  usage: AccountUsage,
  areOfOne: () => boolean,
): Pieces {
  const lanes = createWaitingLanes<Ticket>(usage);
  let running: { readonly group: readonly Ticket[]; readonly startedAt: number } | undefined;
  /** The number of pieces in one burst, estimated from the duration of the last pieces. */
  let groupSize = 1;
  let turnStartedAt = 0;
  let isTurning = false;

  /** Begins no work while the gateway has too many unread answers. */
  function turn(): void {
    if (outgoing.isFull()) {
      outgoing.whenTaken(() => inNextTurn(turn));
      return;
    }
    turnStartedAt = clock();
    beginNext();
  }

  function beginNext(): void {
    // A request from another source or user does not wait for a group.
    const size = areOfOne() && lanes.isOne() ? groupSize : 1;
    const group: Ticket[] = [];
    running = { group, startedAt: clock() };
    while (group.length < size) {
      const next = lanes.takeNext();
      if (next === undefined) break;
      group.push(next.ticket);
      next.begin();
    }
    if (group.length > 0) {
      atEndOfPiece(end);
      return;
    }
    running = undefined;
    isTurning = false;
  }

  function charge({ account, source, payer }: Payers, cost: number): void {
    if (payer !== 'source') usage.charge(account, cost);
    if (payer !== 'account') usage.charge(source, cost);
    usage.noteUse(source, cost);
  }

  /**
   * Sets the next size: the number of pieces of the last duration that fit in a burst, at most twice the last
   * group.
   */
  function adaptGroup(began: number, tookMs: number): void {
    const fitting = Math.floor((longestBurstMs * began) / Math.max(tookMs, shortestTurnMs));
    groupSize = Math.max(1, Math.min(fitting, began * 2, maximumGroup));
  }

  function end(): void {
    const now = clock();
    if (running !== undefined) {
      const { group, startedAt } = running;
      const cost = (now - startedAt) / group.length;
      for (const ticket of group) {
        charge(ticket, cost);
        if (ticket.alsoPays !== undefined) charge(ticket.alsoPays, cost);
      }
      usage.shareAmong(lanes.count() + 1, now - startedAt);
      adaptGroup(group.length, now - startedAt);
    }
    running = undefined;
    // Answers of pieces in one turn of the event loop are sent at its end.
    const turnMs = areOfOne() ? longestBurstMs : shortestTurnMs;
    if (now - turnStartedAt < turnMs && !outgoing.isFull()) beginNext();
    else inNextTurn(turn);
  }

  return {
    areTaken: () => isTurning,
    areAwaited: () => !lanes.isEmpty(),
    waitFor: (ticket) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      lanes.add(ticket, resolve);
      if (!isTurning) {
        isTurning = true;
        inNextTurn(turn);
      }
      return promise;
    },
    isShortFor: (ticket) =>
      running?.group.includes(ticket) === true && clock() - running.startedAt < shortestTurnMs,
  };
}

/** Counts the requests in progress, by their first account. */
function createRequestsUnderWay({
  clock,
  inNextTurn,
}: Pick<FairTurnsPorts, 'clock' | 'inNextTurn'>) {
  const underWay = new Map<string, number>();
  let burstStartedAt: number | undefined;
  const areOfOne = (): boolean => underWay.size <= 1;
  return {
    count: (name: string, change: 1 | -1): void => {
      const left = (underWay.get(name) ?? 0) + change;
      if (left === 0) underWay.delete(name);
      else underWay.set(name, left);
    },
    /** Returns true unless a second account has requests in progress. */
    areOfOne,
    /** Returns true unless a second account has requests in progress or the burst of this turn is over. */
    beginAtOnce: (): boolean => {
      if (!areOfOne()) return false;
      if (burstStartedAt === undefined) {
        burstStartedAt = clock();
        inNextTurn(() => {
          burstStartedAt = undefined;
        });
      }
      return clock() - burstStartedAt < longestBurstMs;
    },
  };
}

/** Wraps a port so that every answer continues in its caller's turn. */
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
