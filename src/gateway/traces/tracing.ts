// Traces: requests of clients with the stages that they took, and calls to others. The library
// behind it is loaded only where traces are switched on.

import type { StageTime } from '../../core/base/stages.ts';

/** A completed request, for its span, without any text of the caller. */
export type TracedRequest = {
  /** `submit`, `query` or `proxy`. */
  readonly kind: string;
  /** Name of a known operation, or `unknown`. */
  readonly operation: string;
  readonly status: number;
  readonly errorCode?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly activityId?: string | undefined;
  /** Milliseconds for which its answer was held for news. */
  readonly heldMs: number;
  /** End of the request, by `performance.now()`. */
  readonly endMs: number;
  /** Start of the call to the enclave, by `performance.now()`: stages count from here. */
  readonly askedAtMs: number;
  readonly stages: readonly StageTime[];
};

export type RequestTrace = {
  /** 32 hexadecimal digits, for the log. */
  readonly traceId: string;
  end(request: TracedRequest): void;
};

type CallTrace = {
  /** Names the span of the call to the other side (W3C Trace Context). */
  readonly headers: { readonly traceparent: string };
  /** The other side answered, by HTTP with a status, or `failure` says why it did not. */
  end(outcome: { readonly status?: number } | { readonly failure: string }): void;
};

export type Tracing = {
  /**
   * Begins the trace of a request that came at `startMs` (by `performance.now()`), with its header
   * `traceparent`. Returns undefined where the request is not traced.
   */
  request(startMs: number, traceparent: string | undefined): RequestTrace | undefined;
  /** Begins the trace of a call to others. Returns undefined where the call is not traced. */
  call(purpose: string): CallTrace | undefined;
};

/** Traces nothing. */
export const noTracing: Tracing = { request: () => undefined, call: () => undefined };
