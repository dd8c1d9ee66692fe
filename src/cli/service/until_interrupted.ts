import { once } from 'node:events';
import type { Terminal } from '../terminal/terminal.ts';

/** A server that a command started. */
type Started = {
  /** Rejects with an internal error. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
};

/** Serves until SIGINT, and stops the server. Throws internal errors. */
export async function untilInterrupted(
  server: Started,
  { signal }: Pick<Terminal, 'signal'>,
): Promise<void> {
  try {
    if (!signal.aborted) await Promise.race([once(signal, 'abort'), server.failed]);
  } finally {
    await server.stop();
  }
}
