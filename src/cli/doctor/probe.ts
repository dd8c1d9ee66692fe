// Requests without a stamp: health, and what everybody may read.

import { Failure } from '../failures.ts';
import type { Terminal } from '../terminal.ts';
import { reasonOf } from '../unreachable.ts';

export type Probed = {
  readonly status: number;
  /** What the service takes for now, in milliseconds since 1970, and when it was asked. */
  readonly serviceMs: number | undefined;
  readonly askedMs: number;
  readonly body: unknown;
};

const timeoutMs = 10_000;

/** One `GET`. Raises `unreachable` with the reason in words. */
export async function probe(url: string, path: string, terminal: Terminal): Promise<Probed> {
  const askedMs = terminal.clock();
  try {
    const signal = AbortSignal.any([terminal.signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(`${url}${path}`, { redirect: 'error', signal });
    const date = Date.parse(response.headers.get('date') ?? '');
    return {
      status: response.status,
      serviceMs: Number.isNaN(date) ? undefined : date,
      askedMs,
      body: await response.json().catch(() => undefined),
    };
  } catch (error) {
    throw new Failure({
      exit: 'unreachable',
      message: `${url} cannot be reached: ${reasonOf(error)}`,
      next: 'Check the address and whether the service runs: keywright serve, or npm start.',
    });
  }
}
