// Sends stamped requests. A retry sends the same bytes, so the service treats it as the same activity.

import { type Sent, Unreachable } from './errors.ts';

/** External dependencies, which tests replace. */
export type World = {
  readonly fetch: typeof fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after this time. Rejects when the signal aborts. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** A response of the service with any status. */
export type Answer = {
  readonly status: number;
  readonly requestId: string | undefined;
  /** True if the service held the request (long polling). */
  readonly isHeld: boolean;
  readonly body: Readonly<Record<string, unknown>>;
};

/** Fetches a public document. Throws `Unreachable`. */
export const get = (url: string, world: World, signal?: AbortSignal): Promise<Answer> =>
  send({ url, method: 'GET', headers: {} }, world, signal);

/** Maximum attempts: retries if there is no response or the service is busy. */
const maximumTries = 5;
/** Maximum pause that a `retry-after` header can cause. */
const maximumPauseMs = 30_000;
const firstPauseMs = 200;
/** Timeout of one attempt. */
const timeoutMs = 60_000;
/** Statuses of a busy service, which permit a retry. */
const busy: readonly number[] = [429, 502, 503, 504];

/**
 * Returns the response of the service. Throws `Unreachable` without a JSON response, and the reason of an
 * aborted signal.
 */
export async function send(request: Sent, world: World, signal?: AbortSignal): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await sendOnce(request, world, signal).catch((error: unknown) => {
      signal?.throwIfAborted();
      return { failure: error };
    });
    const failed = 'failure' in answer;
    if (!failed && !busy.includes(answer.status)) return answer.read();
    const backOffMs = firstPauseMs * 2 ** tries * (0.5 + Math.random() / 2);
    const askedMs = failed ? 0 : answer.retryAfterMs;
    if (tries === maximumTries || askedMs > maximumPauseMs) {
      if (failed) throw new Unreachable(request, answer.failure);
      return answer.read();
    }
    await world.pause(Math.max(askedMs, backOffMs), signal);
  }
}

async function sendOnce(request: Sent, world: World, signal?: AbortSignal) {
  const { url, method, headers } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await world.fetch(url, {
    method,
    headers,
    body: method === 'POST' ? request.body : null,
    credentials: 'omit',
    // Only the named service may receive the stamped body.
    redirect: 'error',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
  const { boundedText } = await import('./bounded_text.ts');
  const text = await boundedText(response);
  const { status } = response;
  const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000 || 0;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const read = (): Answer => {
    const value = objectOf(text);
    if (value === undefined) {
      throw new Unreachable(request, new Error('the answer is not a JSON object'), status);
    }
    const isHeld = response.headers.has('preference-applied');
    return { status, requestId, isHeld, body: value };
  };
  return { status, retryAfterMs, read };
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
