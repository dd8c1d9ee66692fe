// Decides how often a request is attempted, and when it takes the turn of its organization.

import type { StageName } from '../core/base/stages.ts';
import { assert, fail } from '../core/errors/errors.ts';
import type { EndTurn, LinePlace } from './change_lines.ts';
import type { Ports } from './ports.ts';

/** Maximum attempts of a decision whose organization keeps changing. */
export const maximumAttempts = 20;

/**
 * Maximum attempts outside of the turn. A refusal or a signature depends only on the guard, so few changes
 * conflict with it. After this many conflicts the request waits in the line.
 */
const optimisticAttempts = 3;

/**
 * Maximum number of times that a request may leave the line to fetch an external answer. A claim of rewards
 * needs three answers, and two of them can expire once while a slow node gives the third.
 */
const maximumAskings = 8;

/** Outside of the line, or after a wait in the line. */
export type Mode = 'optimistic' | 'serialized';

/**
 * `overtaken`: another change was committed first. `must_serialize`: the request changes its organization,
 * and another request has the turn. `AsksFirst`: the request needs an external answer, and no request waits
 * for an external answer during its turn.
 */
export type Attempted<Result> = Result | 'overtaken' | 'must_serialize' | AsksFirst;

export type AsksFirst = { readonly asksFirst: () => Promise<void> };

/** The turn of a request: an attempt takes it once its user is known and the change is allowed. */
export type Turn = {
  /** The place where the request waits if necessary; set once its user is known. */
  place: LinePlace | undefined;
  /** Takes the turn if it is free. Returns true if the request has it, or needs none: a dry run. */
  take(): boolean;
};

type Concurrency = <Result extends object>(
  request: {
    readonly organizationId: string;
    /** A dry run changes nothing and never waits in the line. */
    readonly dryRun: boolean;
    /**
     * Raises `not_begun` after a wait in the line. Undefined for requests that have already made an external
     * call.
     */
    readonly checkNotCancelled: (() => void) | undefined;
    /** Called when the request begins to wait in the line. */
    readonly enter?: ((stage: StageName) => void) | undefined;
  },
  attempt: (mode: Mode, turn: Turn) => Promise<Attempted<Result>>,
) => Promise<Result>;

/**
 * Creates the function that attempts a request until it is not overtaken. The first attempt runs outside of
 * the line, up to its decision. It ends there if the request is refused or only signs. A change takes the
 * turn if it is free, and continues. Other changes wait in the line and are decided again in their turn.
 * Raises `organization_busy` after the last attempt, and `overloaded` where the line is full.
 */
export function createConcurrency({
  holdTurnOf,
  changeLines: lines,
}: Pick<Ports, 'holdTurnOf' | 'changeLines'>): Concurrency {
  const held = (organizationId: string, endTurn: EndTurn): EndTurn => {
    const letGo = holdTurnOf(organizationId);
    return () => {
      letGo();
      endTurn();
    };
  };
  return async ({ organizationId, dryRun, checkNotCancelled, enter }, attempt) => {
    let endTurn: EndTurn | undefined;
    const turn: Turn = {
      place: undefined,
      take: () => {
        if (dryRun || endTurn !== undefined) return true;
        const taken = lines.take(organizationId);
        if (taken !== undefined) endTurn = held(organizationId, taken);
        return taken !== undefined;
      },
    };
    try {
      let attempts = 0;
      while (attempts < optimisticAttempts && endTurn === undefined) {
        attempts += 1;
        const result = await attempt('optimistic', turn);
        if (result === 'must_serialize') break;
        if (result !== 'overtaken' && !isAsking(result)) return result;
      }
      // The attempt that took the turn counts as an attempt within the turn.
      let attemptsInTurn = endTurn === undefined ? 0 : 1;
      for (let asked = 0; asked <= maximumAskings; asked += 1) {
        if (endTurn === undefined) {
          enter?.('queue');
          assert(turn.place !== undefined, 'only requests of known users wait in the line');
          endTurn = held(organizationId, await lines.wait(organizationId, turn.place));
          checkNotCancelled?.();
        }
        const left = maximumAttempts - attemptsInTurn;
        const result = await repeat(left, () => attempt('serialized', turn));
        attemptsInTurn = 0;
        if (result === undefined) break;
        if (!isAsking(result)) return result;
        endTurn();
        endTurn = undefined;
        await result.asksFirst();
      }
      return fail('organization_busy', { attempts: maximumAttempts });
    } finally {
      endTurn?.();
    }
  };
}

function isAsking(result: object): result is AsksFirst {
  return 'asksFirst' in result;
}

async function repeat<Result extends object>(
  maximum: number,
  attempt: () => Promise<Attempted<Result>>,
): Promise<Result | AsksFirst | undefined> {
  for (let count = 1; count <= maximum; count += 1) {
    const result = await attempt();
    assert(result !== 'must_serialize', 'a request with the turn need not wait for it');
    if (result !== 'overtaken') return result;
  }
  return undefined;
}
