// Traces of client requests with their stages, and of outgoing calls. The library is loaded only if traces
// are on.

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
  /** Milliseconds for which its answer was held. */
  readonly heldMs: number;
  /** End of the request, by `performance.now()`. */
  readonly endMs: number;
  /** Start of the call to the enclave, by `performance.now()`. Stages count from here. */
  readonly askedAtMs: number;
  readonly stages: readonly StageTime[];
};

export type RequestTrace = {
  /** 32 hexadecimal digits, for the log. */
  readonly traceId: string;
  end(request: TracedRequest): void;
};

type CallTrace = {
  /** Identifies the span to the other side (W3C Trace Context). */
  readonly headers: { readonly traceparent: string };
  /** Ends the span with the HTTP status of the other side, or with the failure. */
  end(outcome: { readonly status?: number } | { readonly failure: string }): void;
};

export type Tracing = {
  /**
   * Begins the trace of a request that arrived at `startMs` (by `performance.now()`), with its header
   * `traceparent`. Returns undefined if the request is not traced.
   */
  request(startMs: number, traceparent: string | undefined): RequestTrace | undefined;
  /** Begins the trace of an outgoing call. Returns undefined if the call is not traced. */
  call(purpose: string): CallTrace | undefined;
};

/** Traces nothing. */
export const noTracing: Tracing = { request: () => undefined, call: () => undefined };
