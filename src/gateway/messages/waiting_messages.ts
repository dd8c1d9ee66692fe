// Messages that wait for a carrier or for their next attempt. Accounts take turns. Above the bound, the
// account with the most messages loses its oldest message, so a sender of many messages delays only its own.

import type { Clock } from '../base/clock.ts';

/** The members of a message that determine its place. */
export type WaitingMessage = {
  /** Order of submission. */
  readonly serial: number;
  readonly account: string;
};

type WaitingMessages<Message> = {
  count(): number;
  add(message: Message): void;
  /** Removes the next ready message: the first message of the account whose turn it is. */
  takeReady(): Message | undefined;
  takeAllReady(): readonly Message[];
  /** Removes the oldest message, ready or paused, of the account with the most messages. */
  takeOldest(): Message | undefined;
  /** Makes the message ready after a time, and then calls back. */
  pause(message: Message, pauseMs: number, isReady: () => void): void;
  /** Makes all paused messages ready. */
  endPauses(): void;
};

export function createWaitingMessages<Message extends WaitingMessage>(
  after: Clock['after'],
): WaitingMessages<Message> {
  /** By account, in the order of turns; each account's messages in the order of arrival. */
  const ready = new Map<string, Set<Message>>();
  /** Functions that cancel each pause. */
  const pausing = new Map<Message, () => void>();

  const allReady = (): Message[] => [...ready.values()].flatMap((messages) => [...messages]);

  function add(message: Message): void {
    ready.getOrInsertComputed(message.account, () => new Set()).add(message);
  }

  function remove(message: Message): void {
    const { account } = message;
    const ofAccount = ready.get(account);
    ofAccount?.delete(message);
    if (ofAccount?.size === 0) ready.delete(account);
    pausing.get(message)?.();
    pausing.delete(message);
  }

  return {
    count: () => pausing.size + [...ready.values()].reduce((sum, { size }) => sum + size, 0),
    add,
    takeReady: () => {
      const [turn] = ready;
      const [first] = turn?.[1] ?? [];
      if (turn === undefined || first === undefined) return undefined;
      remove(first);
      // The account moves behind the others.
      const [account, rest] = turn;
      if (ready.delete(account)) ready.set(account, rest);
      return first;
    },
    takeAllReady: () => {
      const messages = allReady();
      ready.clear();
      return messages;
    },
    takeOldest: () => {
      const all = [...allReady(), ...pausing.keys()].sort((a, b) => a.serial - b.serial);
      const counts = [...Map.groupBy(all, ({ account }) => account).values()];
      const most = Math.max(0, ...counts.map(({ length }) => length));
      const largest = new Set(counts.filter(({ length }) => length === most).flat());
      const oldest = all.find((message) => largest.has(message));
      if (oldest !== undefined) remove(oldest);
      return oldest;
    },
    pause: (message, pauseMs, isReady) => {
      const cancel = after(pauseMs, () => {
        pausing.delete(message);
        add(message);
        isReady();
      });
      pausing.set(message, cancel);
    },
    endPauses: () => {
      for (const [message, cancel] of pausing) {
        cancel();
        add(message);
      }
      pausing.clear();
    },
  };
}
