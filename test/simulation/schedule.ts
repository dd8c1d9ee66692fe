// The order of events. An event is one arriving message, or one action of the simulated world. The seed
// selects the next event, which runs with all its immediate consequences before another. Nothing waits for
// real time.

import { createHash } from 'node:crypto';
import type { Choice } from './choice.ts';

type Event = { readonly label: string; readonly run: () => void };

export type Schedule = ReturnType<typeof createSchedule>;

/** Creates an empty schedule. */
export function createSchedule(choice: Choice) {
  /** Events of one line run in the order in which they were added. */
  const lines = new Map<string, Event[]>();
  const log: string[] = [];
  let serial = 0;

  function add(line: string, label: string, run: () => void): void {
    const events = lines.get(line);
    if (events === undefined) lines.set(line, [{ label, run }]);
    else events.push({ label, run });
  }
  function note(text: string): void {
    log.push(text);
  }

  return {
    add,
    /** Adds an event without an order relative to others; `owner` is the argument of `dropOwned`. */
    addAlone: (owner: string, label: string, run: () => void) => {
      serial += 1;
      add(`${owner}/${serial}`, label, run);
    },
    /** Removes all but the first events of a line. */
    cut: (line: string, keptEvents = 0) => {
      const kept = lines.get(line)?.slice(0, keptEvents) ?? [];
      if (kept.length === 0) lines.delete(line);
      else lines.set(line, kept);
    },
    /** Removes all lines of an owner. */
    dropOwned: (owner: string) => {
      for (const line of [...lines.keys()]) if (line.startsWith(`${owner}/`)) lines.delete(line);
    },
    lengthOf: (line: string): number => lines.get(line)?.length ?? 0,
    isEmpty: (): boolean => lines.size === 0,
    /** Runs one event with all its immediate consequences. */
    step: async () => {
      const line = choice.pick([...lines.keys()]);
      const events = lines.get(line) ?? [];
      const event = events.shift();
      if (events.length === 0) lines.delete(line);
      if (event === undefined) return;
      note(event.label);
      event.run();
      await settled();
    },
    note,
    /** The steps so far. */
    log: log as readonly string[],
    /** Returns a digest of the steps so far, in hex. */
    digest: () => createHash('sha256').update(log.join('\n')).digest('hex'),
  };
}

/**
 * Resolves when only scheduled events are left. A link sends at the end of an event loop turn, which is
 * after the first immediate, and this only schedules the arrival.
 */
export async function settled(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    await promise;
  }
}
