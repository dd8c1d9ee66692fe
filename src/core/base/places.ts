// Limits the concurrent calls of each name; further calls wait in their order.

type Places = {
  waiting(name: string): number;
  /** Runs a call once it has a place. `waits` receives 1 when the call begins to wait, and -1 afterwards. */
  run<Result>(
    name: string,
    call: () => Promise<Result>,
    waits?: (change: 1 | -1) => void,
  ): Promise<Result>;
};

/** Creates queues with `placesOfName` concurrent calls of each name. */
export function createPlaces(placesOfName: number): Places {
  const lines = new Map<string, { underWay: number; readonly turns: (() => void)[] }>();
  return {
    waiting: (name) => lines.get(name)?.turns.length ?? 0,
    run: async (name, call, waits) => {
      const line = lines.getOrInsertComputed(name, () => ({ underWay: 0, turns: [] }));
      if (line.underWay < placesOfName) line.underWay += 1;
      else {
        // A finished call passes its place to the next one.
        waits?.(1);
        await new Promise<void>((resolve) => line.turns.push(resolve));
        waits?.(-1);
      }
      try {
        return await call();
      } finally {
        const next = line.turns.shift();
        if (next !== undefined) next();
        else line.underWay -= 1;
        if (line.underWay === 0) lines.delete(name);
      }
    },
  };
}
