// Traces without a service: the spans of a request, their export, and an absent collector.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  maximumWaitingSpans,
  openTracing,
  type TracingOptions,
} from '../../../src/gateway/traces/open_telemetry.ts';
import type { TracedRequest } from '../../../src/gateway/traces/tracing.ts';
import { startCollector } from '../../support/otlp_collector.ts';

async function tracingTo(t: TestContext, options: Partial<TracingOptions> = {}) {
  const collector = await startCollector();
  t.after(() => collector.stop());
  const counts = { sent: 0, dropped: 0, failed: 0 };
  const reasons: string[] = [];
  const tracing = openTracing({
    url: collector.url,
    token: undefined,
    ratio: 1,
    followsCallers: false,
    version: '1.2.3',
    ended: (outcome, spans) => {
      counts[outcome] += spans;
    },
    failed: (reason) => reasons.push(reason),
    ...options,
  });
  return { collector, tracing, counts, reasons };
}

const parentId = '00f067aa0ba902b7';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = (flags: string) => `00-${traceId}-${parentId}-${flags}`;

const request = (endMs: number): TracedRequest => ({
  kind: 'submit',
  operation: 'sign_raw_payload',
  status: 200,
  heldMs: 0,
  askedAtMs: 0,
  stages: [],
  endMs,
});

test('a request is one span with a span for each stage, in order and within it', async (t) => {
  const { collector, tracing, counts } = await tracingTo(t, { token: 'the token' });
  const trace = tracing.request(100, traceparent('00'));
  assert.equal(trace?.traceId, traceId);
  trace?.end({
    ...request(103),
    organizationId: 'organization-1',
    activityId: 'activity-1',
    askedAtMs: 101,
    stages: [
      { stage: 'turn', at: 0, lasts: 3 },
      { stage: 'load', at: 4, lasts: 6 },
      // A clock with coarse steps reported slightly too much.
      { stage: 'commit', at: 10, lasts: 11 },
    ],
  });
  await tracing.close();
  const [sent] = collector.requests;
  assert.equal(sent?.path, '/v1/traces');
  assert.equal(sent?.headers['content-type'], 'application/x-protobuf');
  assert.equal(sent?.headers.authorization, 'Bearer the token');
  const spans = collector.spans();
  assert.deepEqual(counts, { sent: 4, dropped: 0, failed: 0 });
  const root = spans.find(({ kind }) => kind === 2);
  assert(root !== undefined);
  assert.equal(root.name, 'submit sign_raw_payload');
  assert.equal(root.parentSpanId, parentId);
  assert.equal(root.endNs - root.startNs, 3_000_000n);
  assert.deepEqual(root.attributes, {
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'keywright.kind': 'submit',
    'keywright.operation': 'sign_raw_payload',
    'keywright.organization_id': 'organization-1',
    'keywright.activity_id': 'activity-1',
  });
  assert.equal(root.resource['service.name'], 'keywright');
  assert.equal(root.resource['service.version'], '1.2.3');
  const stages = spans.filter((span) => span !== root);
  const offsets = stages.map(({ name, startNs, endNs }) => [
    name,
    ...[startNs, endNs].map((at) => Math.round(Number(at - root.startNs) / 1e4) / 100),
  ]);
  assert.deepEqual(offsets, [
    ['turn', 1, 1.3],
    ['load', 1.4, 2],
    ['commit', 2, 3],
  ]);
  for (const span of stages) {
    assert.equal(span.parentSpanId, root.spanId);
    assert.equal(span.traceId, traceId);
    assert.deepEqual(span.attributes, {});
  }
  const ids = new Set(spans.map(({ spanId }) => spanId));
  assert.equal(ids.size, spans.length);
});

test('a request with a 5xx answer has failed, and a refused one has not', async (t) => {
  const { collector, tracing } = await tracingTo(t);
  const trace = (status: number, errorCode: string) =>
    tracing.request(0, undefined)?.end({ ...request(1), status, errorCode });
  trace(503, 'overloaded');
  trace(403, 'permission_denied');
  await tracing.close();
  const shown = collector.spans().map(({ statusCode, attributes }) => ({
    statusCode,
    type: attributes['error.type'],
    code: attributes['keywright.error_code'],
  }));
  assert.deepEqual(shown, [
    { statusCode: 2, type: '503', code: 'overloaded' },
    { statusCode: 0, type: undefined, code: 'permission_denied' },
  ]);
});

test('a malformed traceparent is ignored', async (t) => {
  const { collector, tracing } = await tracingTo(t, { followsCallers: true, ratio: 1 });
  const given = [
    '',
    'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00',
    '00-00000000000000000000000000000000-00f067aa0ba902b7-00',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-00',
    '00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-00',
    `${traceparent('00')}, ${traceparent('00')}`,
    `${traceparent('00')}-more`,
    `${'0'.repeat(16_000)}-`,
  ];
  for (const value of given) tracing.request(0, value)?.end(request(1));
  await tracing.close();
  const spans = collector.spans();
  assert.equal(spans.length, given.length);
  for (const { parentSpanId, traceId: id } of spans) {
    assert.equal(parentSpanId, '');
    assert.match(id, /^(?!0{32})[0-9a-f]{32}$/);
  }
});

test('a call sends its own span to the other side, and records neither address nor content', async (t) => {
  const { collector, tracing } = await tracingTo(t);
  const answered = tracing.call('webhook');
  const failed = tracing.call('webhook');
  answered?.end({ status: 200 });
  failed?.end({ failure: 'timeout' });
  const mail = tracing.call('email');
  mail?.end({});
  await tracing.close();
  const spans = collector.spans();
  const headers = [answered, failed, mail].map((call) => call?.headers.traceparent);
  assert.deepEqual(
    spans.map((span) => `00-${span.traceId}-${span.spanId}-01`),
    headers,
  );
  assert.deepEqual(
    spans.map(({ name, kind, statusCode, attributes }) => ({ name, kind, statusCode, attributes })),
    [
      { name: 'webhook', kind: 3, statusCode: 0, attributes: { 'http.response.status_code': 200 } },
      { name: 'webhook', kind: 3, statusCode: 2, attributes: { 'error.type': 'timeout' } },
      { name: 'email', kind: 3, statusCode: 0, attributes: {} },
    ],
  );
});

test('requests that are not sampled create no span', async (t) => {
  const { tracing, collector, counts } = await tracingTo(t, { ratio: 0 });
  assert.equal(tracing.request(0, traceparent('01')), undefined);
  assert.equal(tracing.call('webhook'), undefined);
  await tracing.close();
  assert.deepEqual(counts, { sent: 0, dropped: 0, failed: 0 });
  assert.equal(collector.requests.length, 0);
});

test('spans that a collector never accepts are bounded, and each is counted', async (t) => {
  const { collector, tracing, counts, reasons } = await tracingTo(t, { timeoutMs: 100 });
  const arrived = Promise.withResolvers<void>();
  collector.answer(() => arrived.resolve());
  const all = 2 * maximumWaitingSpans;
  for (let i = 0; i < all; i += 1) tracing.request(0, undefined)?.end(request(1));
  assert.equal(counts.dropped, all - maximumWaitingSpans);
  await arrived.promise;
  // One batch at a time: the others wait where they are counted.
  assert.equal(collector.requests.length, 1);
  collector.stop();
  const closed = tracing.close();
  while (counts.failed + counts.sent + counts.dropped < all) await nextTurn();
  await closed;
  assert.equal(counts.sent, 0);
  assert.equal(counts.failed, maximumWaitingSpans);
  assert(reasons.length > 0);
});

test('the reason of a failed export is a code or a status, never the collector’s text', async (t) => {
  const { collector, tracing, counts, reasons } = await tracingTo(t);
  collector.answer((response) => response.writeHead(400, 'secret words').end('secret words'));
  tracing.request(0, undefined)?.end(request(1));
  await tracing.close();
  assert.deepEqual(reasons, ['the collector answered 400']);
  assert.deepEqual(counts, { sent: 0, dropped: 0, failed: 1 });
});
