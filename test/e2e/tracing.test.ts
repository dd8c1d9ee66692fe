// Traces of the real service, received by a collector of the test.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type CollectedSpan, startCollector } from '../support/otlp_collector.ts';
import { serverClient, stamper, timestampMs } from './clients.ts';
import {
  type RunningService,
  startInVain,
  startService,
  temporaryDirectory,
  until,
} from './service.ts';
import { startReceiver } from './webhook_receiver.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const traceparent = (flags: string, trace = traceId) => `00-${trace}-${parentId}-${flags}`;

const collector = await startCollector();
const service = await startService({
  dataDirectory: temporaryDirectory(),
  environment: {
    KEYWRIGHT_TRACES_URL: collector.url,
    KEYWRIGHT_TRACES_FOLLOW_CALLERS: 'true',
    KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  },
});
const client = serverClient(service);
const { organizationId } = service.credentials;
const { walletId, addresses } = await client.createWallet({
  walletName: 'Traced',
  accounts: [
    {
      curve: 'CURVE_SECP256K1',
      pathFormat: 'PATH_FORMAT_BIP32',
      path: "m/44'/60'/0'/0/0",
      addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    },
  ],
});

/** Sends a stamped request of a client with an additional header. */
async function sent(path: string, body: object, header: string): Promise<Response> {
  const text = JSON.stringify(body);
  const stamp = await stamper(service.credentials).stamp(text);
  return await fetch(`${service.baseUrl}/public/v1/${path}`, {
    method: 'POST',
    headers: { [stamp.stampHeaderName]: stamp.stampHeaderValue, traceparent: header },
    body: text,
  });
}

const signing = () => ({
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  timestampMs: timestampMs(),
  organizationId,
  parameters: {
    signWith: addresses[0],
    payload: 'traced',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  },
});

/** Returns all spans of a trace after the span of its request arrived. */
async function traceOf(id: string): Promise<readonly CollectedSpan[]> {
  const find = () => collector.spans().filter((span) => span.traceId === id);
  await until('the trace arrives', () => find().some(({ kind }) => kind === 2));
  return find();
}

/** Returns the stages of a trace in order. Requires that they are within their parent. */
function stagesWithin(spans: readonly CollectedSpan[], root: CollectedSpan): readonly string[] {
  const stages = spans
    .filter(({ kind }) => kind === 1)
    .sort((one, other) => Number(one.startNs - other.startNs));
  let before = root.startNs;
  for (const { name, parentSpanId, startNs, endNs } of stages) {
    assert.equal(parentSpanId, root.spanId);
    assert(startNs >= before, `${name} begins after the one before it has ended`);
    assert(endNs >= startNs && endNs <= root.endNs, `${name} ends within the request`);
    before = endNs;
  }
  return stages.map(({ name }) => name);
}

const rootOf = (spans: readonly CollectedSpan[]): CollectedSpan =>
  spans.find(({ kind }) => kind === 2) ?? assert.fail('no span of a request');

test('a request with a traceparent continues its trace, with the steps of the pipeline in order', async () => {
  const response = await sent('submit/sign_raw_payload', signing(), traceparent('01'));
  assert.equal(response.status, 200);
  const { activity } = await response.json();
  const spans = await traceOf(traceId);
  const root = rootOf(spans);
  assert.equal(root.parentSpanId, parentId);
  assert.equal(root.name, 'submit sign_raw_payload');
  assert.deepEqual(root.attributes, {
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'keywright.kind': 'submit',
    'keywright.operation': 'sign_raw_payload',
    'keywright.organization_id': organizationId,
    'keywright.activity_id': activity.id,
  });
  assert.equal(root.resource['service.name'], 'keywright');
  assert.equal(root.resource['deployment.environment.name'], 'test');
  // A signature is prepared on the state in memory.
  const begin = ['turn', 'parse', 'verify_stamp', 'fast_path', 'check_freshness', 'prepare'];
  const end = ['authorize', 'execute', 'record', 'answer', 'commit'];
  assert.deepEqual(stagesWithin(spans, root), [...begin, ...end]);
});

test('a change takes each step once', async () => {
  const id = '2'.repeat(32);
  const body = {
    type: 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { organizationName: 'Traced' },
  };
  await sent('submit/update_organization_name', body, traceparent('01', id));
  const spans = await traceOf(id);
  const stages = stagesWithin(spans, rootOf(spans));
  const decided = ['load', 'authenticate', 'deduplicate', 'check_freshness', 'prepare'];
  const done = ['authorize', 'execute', 'record', 'commit', 'answer'];
  // The turn of the organization is free, so the request does not wait in the queue.
  const steps = ['turn', 'parse', 'verify_stamp', ...decided, ...done];
  assert(!stages.includes('queue'));
  assert.deepEqual(
    stages.filter((name) => steps.includes(name)),
    steps,
  );
});

test('the line of a traced request in the log names its trace', async () => {
  const id = 'a'.repeat(32);
  await sent('query/list_wallets', { organizationId }, traceparent('01', id));
  const spans = await traceOf(id);
  assert.equal(rootOf(spans).name, 'query list_wallets');
  assert(stagesWithin(spans, rootOf(spans)).includes('query'));
  const lines = () => service.output().stdout.split('\n').slice(0, -1);
  await until('the log has the line', () => lines().some((line) => line.includes(id)));
  const line = lines().find((each) => each.includes(id));
  const { msg, traceId: named, operation } = JSON.parse(line ?? '{}');
  assert.deepEqual(
    { msg, named, operation },
    { msg: 'request', named: id, operation: 'list_wallets' },
  );
});

test('with trusted callers, requests that they do not record are not traced', async () => {
  const [silent, recorded] = ['b'.repeat(32), 'c'.repeat(32)];
  await sent('query/list_wallets', { organizationId }, traceparent('00', silent));
  await sent('query/list_wallets', { organizationId }, traceparent('01', recorded));
  await traceOf(recorded);
  assert(!collector.spans().some((span) => span.traceId === silent));
  assert(!service.output().stdout.includes(silent));
});

test('no span contains an invented operation or the text of a tracestate', async () => {
  const id = 'd'.repeat(32);
  const response = await fetch(`${service.baseUrl}/public/v1/submit/invented_by_somebody`, {
    method: 'POST',
    headers: { traceparent: traceparent('01', id), tracestate: 'vendor=invented_by_somebody' },
    body: '{}',
  });
  assert(response.status >= 400);
  const root = rootOf(await traceOf(id));
  assert.equal(root.name, 'submit unknown');
  assert.equal(root.traceState, '');
  assert(!collector.bodies.some((body) => body.includes('invented_by_somebody')));
});

test('probes, pages and documents are not traced', async () => {
  const id = 'e'.repeat(32);
  for (const path of ['/health/live', '/openapi.json', '/nothing']) {
    await fetch(`${service.baseUrl}${path}`, { headers: { traceparent: traceparent('01', id) } });
  }
  const after = 'f'.repeat(32);
  await sent('query/list_wallets', { organizationId }, traceparent('01', after));
  await traceOf(after);
  assert(!collector.spans().some((span) => span.traceId === id));
});

test('a delivery names its span to the receiver of a webhook', async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  await client.createWebhookEndpoint({
    url: receiver.url,
    name: 'Traced',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  });
  const [delivery] = await receiver.atLeast(1);
  const [, id, spanId] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(String(delivery?.headers['traceparent'])) ?? [];
  assert(id !== undefined);
  const find = () => collector.spans().find((span) => span.traceId === id);
  await until('the span of the delivery arrives', () => find() !== undefined);
  const span = find();
  assert.equal(span?.name, 'webhook');
  assert.equal(span?.spanId, spanId);
  assert.deepEqual(span?.attributes, { 'http.response.status_code': 200 });
  assert(!collector.bodies.some((body) => body.includes(new URL(receiver.url).host)));
});

test('spans at the stop of the service are sent', async () => {
  const id = '1'.repeat(32);
  await sent('query/get_wallet', { organizationId, walletId }, traceparent('01', id));
  await service.stop();
  assert.equal(
    rootOf(collector.spans().filter((span) => span.traceId === id)).name,
    'query get_wallet',
  );
  collector.stop();
});

/** Starts a service that prints the name of each loaded package of OpenTelemetry. */
async function startWatched(
  environment: Readonly<Record<string, string>>,
): Promise<RunningService> {
  const directory = temporaryDirectory();
  const watch = join(directory, 'watch.mjs');
  writeFileSync(
    watch,
    `import { registerHooks } from 'node:module';
     registerHooks({ load: (url, context, next) => {
       const [, name] = /(@opentelemetry\\/[a-z-]+)/.exec(url) ?? [];
       if (name !== undefined) process._rawDebug('loaded ' + name);
       return next(url, context);
     } });`,
  );
  return await startService({
    dataDirectory: directory,
    environment: { NODE_OPTIONS: `--import ${pathToFileURL(watch)}`, ...environment },
  });
}

const loadedBy = (of: RunningService) =>
  new Set([...of.output().stderr.matchAll(/^loaded (\S+)$/gm)].map(([, name]) => name));

test('without a collector no package of OpenTelemetry is loaded, and no header is sent or read', async (t) => {
  const off = await startWatched({ KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true' });
  t.after(() => off.stop());
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  await serverClient(off).createWebhookEndpoint({
    url: receiver.url,
    name: 'Untraced',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  });
  const [delivery] = await receiver.atLeast(1);
  assert.equal(delivery?.headers['traceparent'], undefined);
  assert.deepEqual(loadedBy(off), new Set());
  assert(!off.output().stdout.includes('traceId'));
});

test('a missing or silent collector delays no request and no stop', async (t) => {
  const silent = await startCollector();
  silent.answer(() => undefined);
  t.after(() => silent.stop());
  for (const url of ['http://127.0.0.1:9/v1/traces', silent.url]) {
    const on = await startWatched({ KEYWRIGHT_TRACES_URL: url });
    const own = serverClient(on);
    for (let i = 0; i < 50; i += 1) await own.getWhoami();
    assert(loadedBy(on).has('@opentelemetry/sdk-trace'));
    const begun = performance.now();
    await on.stop();
    assert(performance.now() - begun < 10_000, 'the service waits 2 s for its collector at most');
  }
});

test('an impossible address of a collector is refused at the start', async () => {
  const { stderr, code } = await startInVain({
    dataDirectory: temporaryDirectory(),
    environment: { KEYWRIGHT_TRACES_URL: 'https://user:word@collector.example/v1/traces' },
  });
  assert.notEqual(code, 0);
  assert.match(stderr, /the URL of traces: the URL has user info/);
  assert.doesNotMatch(stderr, /word/);
});
