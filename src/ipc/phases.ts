// Rejects messages outside of their phase. No other code checks phases.

import { assert, fail } from '../core/errors/errors.ts';
import type { Handlers, Messages } from './message_table.ts';
import type { Phase } from './messages.ts';

type PhasedMessages = Readonly<Record<string, Messages[string] & { readonly phase: Phase }>>;

/** The handlers of those messages that are accepted in one phase. */
export type HandlersIn<P extends Phase, M extends PhasedMessages> = Handlers<{
  readonly [Name in keyof M as M[Name]['phase'] extends P ? Name : never]: M[Name];
}>;

/**
 * Returns the handler of each message in its phase. A message of a phase that has not started raises
 * `enclave_unavailable`. A second start throws.
 *
 * `started` returns the handlers of the started phase, and undefined before the start.
 */
export function acceptInPhase<M extends PhasedMessages>(
  messages: M,
  beforeStart: HandlersIn<'before_start', M>,
  started: () => Partial<Handlers<M>> | undefined,
): Handlers<M>;
export function acceptInPhase(
  messages: PhasedMessages,
  beforeStart: Handlers<Messages>,
  started: () => Partial<Handlers<Messages>> | undefined,
): Handlers<Messages> {
  return Object.fromEntries(
    Object.entries(messages).map(([name, { phase }]) => {
      const handle = (request: unknown) => {
        const running = started();
        assert(phase !== 'before_start' || running === undefined, `${name} is accepted once`);
        const handler = phase === 'before_start' ? beforeStart[name] : running?.[name];
        assert(phase !== 'before_start' || handler !== undefined, `message ${name} has a handler`);
        return handler === undefined ? fail('enclave_unavailable') : handler(request);
      };
      return [name, handle];
    }),
  );
}
