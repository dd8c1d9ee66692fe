// Requests without a stamp: health and public documents.

import { fetchDocument } from '../service/bounded_fetch.ts';
import { reasonOf } from '../service/unreachable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from '../words/failures.ts';

export type Probed = {
  readonly status: number;
  /** The time of the service in milliseconds since 1970, and the local time at which the request was sent. */
  readonly serviceMs: number | undefined;
  readonly askedMs: number;
  readonly body: unknown;
};

/** Sends one `GET` request. Throws `unreachable` with the reason. */
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

/** Returns the failure for a request without a response. */
export const unreachable = (url: string, error: unknown): Failure =>
  new Failure({
    exit: 'unreachable',
    message: `${url} cannot be reached: ${reasonOf(error)}`,
    next: 'Check the address, or start the service: keywright serve, or npm start.',
  });

/** Parses JSON. Returns undefined for other text. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
