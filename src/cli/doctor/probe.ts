// Requests without a stamp: health, and what everybody may read.

import { fetchDocument } from '../service/bounded_fetch.ts';
import { reasonOf } from '../service/unreachable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from '../words/failures.ts';

export type Probed = {
  readonly status: number;
  /** The time of the service, in milliseconds since 1970, and when it was asked. */
  readonly serviceMs: number | undefined;
  readonly askedMs: number;
  readonly body: unknown;
};

/** One `GET`. Raises `unreachable` with the reason in words. */
export async function probe(url: string, path: string, terminal: Terminal): Promise<Probed> {
  const askedMs = terminal.clock();
  try {
    const { signal } = terminal;
    const response = await fetchDocument(`${url}${path}`, { signal });
    const date = Date.parse(response.headers.get('date') ?? '');
    const text = await response.text();
    return {
      status: response.status,
      serviceMs: Number.isNaN(date) ? undefined : date,
      askedMs,
      body: jsonIn(text),
    };
  } catch (error) {
    throw unreachable(url, error);
  }
}

/** The failure of a request that a service did not answer. */
export const unreachable = (url: string, error: unknown): Failure =>
  new Failure({
    exit: 'unreachable',
    message: `${url} cannot be reached: ${reasonOf(error)}`,
    next: 'Check the address and whether the service runs: keywright serve, or npm start.',
  });

/** Returns the JSON value of a text; undefined for anything else. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
