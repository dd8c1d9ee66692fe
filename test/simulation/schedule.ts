// The order in which things happen. An event is one message that arrives or one thing that the
// world does; the seed says which comes next, and all that follows from it at once is done before
// the one after it. Nothing waits for real time.

import { createHash } from 'node:crypto';
import type { Choice } from './choice.ts';

type Event = { readonly label: string; readonly run: () => void };

export type Schedule = ReturnType<typeof createSchedule>;

/** An empty schedule. */
export function createSchedule(choice: Choice) {
  /** Events of one line happen in the order in which they were added. */
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
    /** Adds an event that keeps no order with others; `owner` is what `dropOwned` asks for. */
    addAlone: (owner: string, label: string, run: () => void) => {
      serial += 1;
      add(`${owner}/${serial}`, label, run);
    },
    /** Forgets a line but for its first events. */
    cut: (line: string, keptEvents = 0) => {
      const kept = lines.get(line)?.slice(0, keptEvents) ?? [];
      if (kept.length === 0) lines.delete(line);
      else lines.set(line, kept);
    },
    /** Forgets all lines of an owner. */
    dropOwned: (owner: string) => {
      for (const line of [...lines.keys()]) if (line.startsWith(`${owner}/`)) lines.delete(line);
    },
    lengthOf: (line: string): number => lines.get(line)?.length ?? 0,
    isEmpty: (): boolean => lines.size === 0,
    /** Lets one event happen, and all that follows from it at once. */
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
    /** The steps so far, in one value: hex. */
    digest: () => createHash('sha256').update(log.join('\n')).digest('hex'),
  };
}

/**
 * Settles when nothing is left to do but what is scheduled. A link sends at the end of its turn:
 * that is after the first immediate, and all it does is schedule the arrival.
 */
export async function settled(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    await promise;
  }
}
