// Computes values that depend only on the parameters of a request once, however often the request is decided.
// So a request derives nothing while it has the turn of its organization.

import { fail } from '../core/errors/errors.ts';
import type { Once } from '../operations/once.ts';
import { LookupNeededError } from './chain_lookups.ts';
import type { Mode } from './concurrency.ts';

/** Computes the value on every call; for requests that are decided only once. */
export const everyTime: Once = (_name, make) => make();

/** Creates the cache of one request. */
export function createOnce(): Once {
  let made: Map<string, Promise<unknown>> | undefined;
  return <Value>(name: string, make: () => Promise<Value>) => {
    made ??= new Map();
    // Each name has one type, because an operation uses it for one value.
    return made.getOrInsertComputed(name, make) as Promise<Value>;
  };
}

/** Rejects external calls of a request answered from memory, which then takes the path of the store. */
export const refusesToAsk: Once = async () =>
  fail('external_signer_unavailable', { reason: 'it is asked on the newest state only' });

/**
 * Caches the external answers of one request over repeated decisions. After a wait in the line the request
 * does not wait for answers; it raises `LookupNeededError` for a missing answer.
 */
export function createAskOnce(): Readonly<Record<Mode, Once>> {
  const asked = new Map<string, { isSettled: boolean; readonly answer: Promise<unknown> }>();
  const ask = (name: string, make: () => Promise<unknown>) =>
    asked.getOrInsertComputed(name, () => {
      const entry = { isSettled: false, answer: make() };
      const settled = () => {
        entry.isSettled = true;
      };
      // The caller handles a refusal.
      entry.answer.then(settled, settled);
      return entry;
    });
  return {
    // Each name has one type, because an operation uses it for one value.
    optimistic: <Value>(name: string, make: () => Promise<Value>) =>
      ask(name, make).answer as Promise<Value>,
    serialized: async <Value>(name: string, make: () => Promise<Value>) => {
      const found = asked.get(name);
      if (found?.isSettled === true) return found.answer as Promise<Value>;
      const ended = () => undefined;
      throw new LookupNeededError(() => ask(name, make).answer.then(ended, ended));
    },
  };
}
