// Traces by OpenTelemetry. Spans are created after the end of a request, wait in a bounded queue, and go to
// the collector in batches. No request waits for them: if the collector is slow or unavailable, spans are
// dropped and counted.

import {
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type StageTime, stageStepMs } from '../../core/base/stages.ts';
import { isSampled } from './sampling.ts';
import type { TracedRequest, Tracing } from './tracing.ts';

export type TracingOptions = {
  readonly url: string;
  /** Optional bearer token. */
  readonly token: string | undefined;
  readonly ratio: number;
  readonly followsCallers: boolean;
  readonly version: string;
  /** Called with the number of spans that were `sent`, `dropped` because too many waited, or `failed`. */
  readonly ended: (outcome: SpanOutcome, spans: number) => void;
  /** Called if the collector did not accept spans. The reason quotes nothing. */
  readonly failed: (reason: string) => void;
  readonly random?: () => number;
  /** Timeout of one batch, including the exporter's retries. */
  readonly timeoutMs?: number;
};

export type SpanOutcome = 'sent' | 'dropped' | 'failed';

/** Maximum spans that wait or are in transit to the collector; further spans are dropped. */
export const maximumWaitingSpans = 8_192;
const spansTogether = 512;
/** Interval between two batches that are not full. */
const gatheringMs = 1_000;
const usualTimeoutMs = 5_000;
/** Longer texts are cut; identifiers and codes are shorter. */
const maximumTextCharacters = 128;

/** Opens the traces. `close` sends the waiting spans, with a short timeout. */
export function openTracing(options: TracingOptions): Tracing & { close(): Promise<void> } {
  const { ratio, followsCallers, random = Math.random } = options;
  const processor = createProcessor(options);
  const provider = new TracerProvider({
    resource: resourceOf(options.version),
    // Only sampled requests get here.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [processor],
    spanLimits: { attributeValueLengthLimit: maximumTextCharacters },
  });
  const tracer = provider.getTracer('keywright', options.version);
  const rules = { ratio, followsCallers, random };
  return {
    request: (startMs, traceparent) => {
      const parent = traceparent === undefined ? undefined : contextOf(traceparent);
      if (!isSampled(parent, rules)) return undefined;
      const epochMs = epochOf();
      const around =
        parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
      const begun = { kind: SpanKind.SERVER, startTime: epochMs(startMs) };
      const span = tracer.startSpan('request', begun, around);
      return {
        traceId: span.spanContext().traceId,
        end: (request) => endRequest(tracer, span, request, epochMs),
      };
    },
    call: (purpose) => {
      if (!isSampled(undefined, rules)) return undefined;
      const span = tracer.startSpan(purpose, { kind: SpanKind.CLIENT }, ROOT_CONTEXT);
      return {
        headers: { traceparent: traceparentOf(span.spanContext()) },
        end: (outcome) => {
          if ('failure' in outcome) markFailed(span, outcome.failure);
          else if (outcome.status !== undefined) describeStatus(span, outcome.status, 400);
          span.end();
        },
      };
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** Returns the caller's trace context. Ignores `tracestate`, which may contain any text. */
function contextOf(traceparent: string): SpanContext | undefined {
  const parent = parseTraceParent(traceparent);
  return parent === null ? undefined : { ...parent, isRemote: true };
}

/** Formats a header by W3C Trace Context section 3.2, version 00. Only recorded spans are named. */
function traceparentOf({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`;
}

/** Converts values of `performance.now()` to milliseconds since 1970, with one offset for each trace. */
function epochOf(): (moment: number) => number {
  const offsetMs = Date.now() - performance.now();
  return (moment) => offsetMs + moment;
}

/** Ends the span of a request, after a child span for each stage. */
function endRequest(
  tracer: Tracer,
  span: Span,
  request: TracedRequest,
  epochMs: (moment: number) => number,
): void {
  const { kind, operation, status, errorCode, organizationId, activityId, heldMs } = request;
  const { endMs } = request;
  span.updateName(`${kind} ${operation}`);
  span.setAttributes({
    'http.request.method': 'POST',
    'keywright.kind': kind,
    'keywright.operation': operation,
    ...(organizationId === undefined ? {} : { 'keywright.organization_id': organizationId }),
    ...(activityId === undefined ? {} : { 'keywright.activity_id': activityId }),
    ...(errorCode === undefined ? {} : { 'keywright.error_code': errorCode }),
    ...(heldMs === 0 ? {} : { 'keywright.held_ms': Math.round(heldMs) }),
  });
  describeStatus(span, status, 500);
  const inside = trace.setSpan(ROOT_CONTEXT, span);
  for (const { stage, beginMs, doneMs } of momentsOf(request)) {
    tracer.startSpan(stage, { startTime: epochMs(beginMs) }, inside).end(epochMs(doneMs));
  }
  span.end(epochMs(endMs));
}

/**
 * Returns start and end of each stage. The enclave counts from the arrival of the request, slightly after the
 * call, and in steps. A stage is cut at the end of the request.
 */
function momentsOf({ askedAtMs, stages, endMs }: TracedRequest) {
  const momentOf = (steps: number) => Math.min(askedAtMs + steps * stageStepMs, endMs);
  return stages.map(({ stage, at, lasts }: StageTime) => ({
    stage,
    beginMs: momentOf(at),
    doneMs: momentOf(at + lasts),
  }));
}

function describeStatus(span: Span, status: number, failsFrom: number): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= failsFrom) markFailed(span, String(status));
}

function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the attributes that all spans share. The operator can add more by the standard variables. */
function resourceOf(version: string) {
  return resourceFromAttributes({
    'service.name': 'keywright',
    'service.version': version,
    'service.instance.id': crypto.randomUUID(),
  }).merge(detectResources({ detectors: [envDetector] }));
}

/** Queues spans, sends batches one after the other, and counts the outcome of each span. */
function createProcessor(options: TracingOptions): SpanProcessor {
  const { url, token, ended, failed, timeoutMs = usualTimeoutMs } = options;
  const exporter = new OTLPTraceExporter({
    url,
    timeoutMillis: timeoutMs,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
  let waiting = 0;
  const counting: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        waiting -= spans.length;
        const isSent = result.code === ExportResultCode.SUCCESS;
        ended(isSent ? 'sent' : 'failed', spans.length);
        if (!isSent) failed(reasonOf(result.error));
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counting,
    maxQueueSize: maximumWaitingSpans,
    maxExportBatchSize: spansTogether,
    scheduledDelayMillis: gatheringMs,
    exportTimeoutMillis: 2 * timeoutMs,
  });
  return {
    onStart: () => undefined,
    onEnd: (span) => {
      if (waiting >= maximumWaitingSpans) {
        ended('dropped', 1);
        return;
      }
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}

/** Returns a code or a status, because the collector's text does not belong in the operator's log. */
function reasonOf(error: Error | undefined): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (typeof code === 'number') return `the collector answered ${code}`;
  return typeof code === 'string' ? code : 'it does not take them now';
}
