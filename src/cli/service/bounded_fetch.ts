// Fetch functions with a maximum response size, because a service may be hostile.

import { setTimeout as timer } from 'node:timers/promises';

/** Maximum answer of an operation. A list of a large organization has a tenth of it. */
const maximumAnswerBytes = 64 * 1024 * 1024;
/** Maximum size of public documents: health, keys, configuration of the page. */
const maximumDocumentBytes = 1024 * 1024;
const documentTimeoutMs = 10_000;

/** Like `fetch`, but the body fails beyond the maximum. */
export const boundedFetch: typeof fetch = async (...parameters) =>
  bounded(await fetch(...parameters), maximumAnswerBytes);

/**
 * Returns a fetch function and a pause between attempts that both end with the signal. Requests that start
 * after the signal are clean-up, which the signal does not abort.
 */
export function interruptible(send: typeof fetch, signal: AbortSignal) {
  let isUndoing = false;
  return {
    fetch: async (...[input, options = {}]: Parameters<typeof fetch>) => {
      isUndoing = signal.aborted;
      if (isUndoing) return send(input, options);
      const own = options.signal instanceof AbortSignal ? [options.signal] : [];
      return send(input, { ...options, signal: AbortSignal.any([signal, ...own]) });
    },
    pause: async (ms: number, own?: AbortSignal) => {
      const ends = [...(isUndoing ? [] : [signal]), ...(own === undefined ? [] : [own])];
      await timer(ms, undefined, { signal: AbortSignal.any(ends) });
    },
  };
}

/** Fetches a public document, without redirects and with a timeout. */
export const fetchDocument: typeof fetch = async (input, options = {}) => {
  const { signal } = options;
  const timeout = AbortSignal.timeout(documentTimeoutMs);
  const response = await fetch(input, {
    ...options,
    redirect: 'error',
    signal: signal instanceof AbortSignal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  return bounded(response, maximumDocumentBytes);
};

function bounded(response: Response, maximumBytes: number): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  let bytes = 0;
  const bound = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (bytes <= maximumBytes) controller.enqueue(chunk);
      else controller.error(new Error(`the answer is longer than ${maximumBytes} bytes`));
    },
  });
  return new Response(body.pipeThrough(bound), { status, statusText, headers });
}
