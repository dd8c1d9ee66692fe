// Measures the longest piece of work between two turns of the event loop. Pieces of the store and of the
// client that reads an answer are measured separately, because both run in other processes in reality.

import type { StorePort } from '../../src/store/port.ts';

export type Pieces = {
  /** The milliseconds of the enclave's longest piece. */
  readonly enclaveMs: number;
  readonly storeMs: number;
  readonly totalMs: number;
};

export type Monitor = ReturnType<typeof createMonitor>;

export function createMonitor() {
  let isOfStore = false;
  let isOfClient = false;

  return {
    /** Runs a function, and returns its longest pieces. */
    watch: async <Result>(work: () => Promise<Result>): Promise<readonly [Result, Pieces]> => {
      await turn();
      let last = now();
      const pieces = { enclaveMs: 0, storeMs: 0, totalMs: 0 };
      let isDone = false;
      const look = (): void => {
        const here = now();
        // Other processes lengthen the elapsed time, and some kernels measure processor time coarsely, so
        // the shorter counts.
        const ms = Math.min(here.wallMs - last.wallMs, here.workedMs - last.workedMs);
        if (!isOfClient) {
          const part = isOfStore ? 'storeMs' : 'enclaveMs';
          pieces[part] = Math.max(pieces[part], ms);
          pieces.totalMs += ms;
        }
        isOfStore = false;
        isOfClient = false;
        last = here;
        if (!isDone) setImmediate(look);
      };
      setImmediate(look);
      try {
        const result = await work();
        await turn();
        return [result, pieces];
      } finally {
        isDone = true;
      }
    },
    /** Ends a piece. The next one, up to the next turn, belongs to the client. */
    beforeReading: async (): Promise<void> => {
      await turn();
      isOfClient = true;
    },
    /** Returns a store that starts and ends each call in a separate turn of the event loop. */
    storeApart: (port: StorePort): StorePort => {
      const apart = Object.entries(port).map(([name, member]) => {
        if (typeof member !== 'function') return [name, member];
        const call = async (...given: unknown[]) => {
          await turn();
          isOfStore = true;
          const outcome: unknown = await Reflect.apply(member, port, given);
          await turn();
          return outcome;
        };
        return [name, call];
      });
      return Object.fromEntries(apart);
    },
  };
}

function now(): { readonly wallMs: number; readonly workedMs: number } {
  const { user, system } = process.threadCpuUsage();
  return { wallMs: performance.now(), workedMs: (user + system) / 1000 };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
