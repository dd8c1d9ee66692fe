// Bounds concurrent reads of large rows: one request per organization, and a few in total. A request that
// meets a large row waits for a place and keeps it until the request ends. Small rows need no place. Requests
// with the turn of their organization have separate places. The holder of a place never waits for a turn, so
// neither kind can block the other.

import { AsyncLocalStorage } from 'node:async_hooks';

export type LargeReads = {
  /**
   * Runs a request with reads. `check` raises once the answer is no longer needed. `hasTurn` is true if the
   * request has the turn of its organization.
   */
  run<Result>(check: () => void, work: () => Promise<Result>, hasTurn?: boolean): Promise<Result>;
  /** Returns true if the current request must enter before it reads a large row. */
  mustEnter(): boolean;
  /** Settles once the current request may read large rows of the organization. */
  enter(organizationId: string): Promise<void>;
  /** Returns the number of requests that wait for a place. */
  waiting(): number;
};

/** Maximum number of requests of each kind that read large rows at one time. */
export const maximumLargeReads = 2;

type Scope = {
  readonly check: () => void;
  readonly places: ReturnType<typeof createPlaces>;
  entered: Promise<void> | undefined;
  leave: () => void;
};
type Waiting = () => void;

/** Applies no bound, for callers without concurrent requests, such as tests. */
export const unboundedReads: LargeReads = {
  run: (_, work) => work(),
  mustEnter: () => false,
  enter: async () => undefined,
  waiting: () => 0,
};

export function createLargeReads(): LargeReads {
  const scopes = new AsyncLocalStorage<Scope>();
  const places = createPlaces();
  const placesInTurn = createPlaces();

  async function take(organizationId: string, scope: Scope): Promise<void> {
    await scope.places.take(organizationId);
    scope.leave = () => scope.places.free(organizationId);
    scope.check();
  }

  return {
    run: (check, work, hasTurn = false) => {
      const scope: Scope = {
        check,
        places: hasTurn ? placesInTurn : places,
        entered: undefined,
        leave: () => undefined,
      };
      return scopes.run(scope, async () => {
        try {
          return await work();
        } finally {
          // A started read may still wait for its place.
          await scope.entered?.catch(() => undefined);
          scope.leave();
        }
      });
    },
    mustEnter: () => {
      const scope = scopes.getStore();
      return scope !== undefined && scope.entered === undefined;
    },
    enter: async (organizationId) => {
      const scope = scopes.getStore();
      if (scope === undefined) return;
      scope.entered ??= take(organizationId, scope);
      await scope.entered;
    },
    waiting: () => places.waiting() + placesInTurn.waiting(),
  };
}

/** The places: at most one for each organization. Waiting organizations take turns. */
function createPlaces() {
  const taken = new Set<string>();
  const waiting = new Map<string, Waiting[]>();

  function begin(organizationId: string, next: Waiting): void {
    taken.add(organizationId);
    next();
  }

  function beginNext(): void {
    for (const [organizationId, queue] of waiting) {
      if (taken.size >= maximumLargeReads) return;
      if (taken.has(organizationId)) continue;
      const next = queue.shift();
      // Moves behind the other waiting organizations.
      waiting.delete(organizationId);
      if (queue.length > 0) waiting.set(organizationId, queue);
      if (next !== undefined) begin(organizationId, next);
    }
  }

  return {
    take: (organizationId: string): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.getOrInsertComputed(organizationId, () => []).push(resolve);
      beginNext();
      return promise;
    },
    free: (organizationId: string): void => {
      taken.delete(organizationId);
      beginNext();
    },
    waiting: (): number => [...waiting.values()].reduce((sum, queue) => sum + queue.length, 0),
  };
}
