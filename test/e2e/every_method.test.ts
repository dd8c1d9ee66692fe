// Calls every method of the public TypeScript clients once on a running service. Each is answered, or refused
// because the service lacks its operation. A new method of a client and a removed operation fail this test
// until the lists below name them.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { differences } from '../../src/cli/migration/differences.ts';
import { useInstalledClients } from '../support/compiled_clients.ts';
import { startLoopbackServer } from '../support/loopback_server.ts';
import { coreClient, httpClient, serverClient } from './clients.ts';
import { type RunningService, serviceOfThisFile } from './service.ts';

useInstalledClients();
const real = await serviceOfThisFile();

/** The server of the clients: it forwards each request, and records the answer. */
const recorder = await startLoopbackServer(async (request, response) => {
  const { url: path = '/', method = 'POST', headers } = request;
  const body = Buffer.concat(await request.toArray());
  const { host: _, connection: __, 'content-length': ___, ...handed } = headers;
  const answer = await fetch(`${real.baseUrl}${path}`, {
    method,
    headers: handed as Record<string, string>,
    body,
  });
  const text = await answer.text();
  const { message = '' } = JSON.parse(text);
  const isThere = !(answer.status === 404 && /^unknown (operation|path)/.test(message));
  sent.push({ path, isThere, status: answer.status });
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(text);
});
after(() => recorder.stop());
const sent: Sent[] = [];

const service: RunningService = {
  ...real,
  baseUrl: recorder.origin,
  credentials: { ...real.credentials, baseUrl: recorder.origin, authProxyUrl: recorder.origin },
};

/** Operations that clients have and the service lacks, by the list in docs/moving.md. */
const notThere = differences.flatMap(({ isUnserved, words = '' }) =>
  isUnserved === true ? words.split(' ') : [],
);

const named: ReadonlySet<string> = new Set(notThere);

type Method = (input: object) => Promise<unknown>;
type Sent = { readonly path: string; readonly isThere: boolean; readonly status: number };
type Call = Sent & { readonly method: string };

const { organizationId } = service.credentials;

/** Methods that others use: they take a path, an activity or a function. */
const parts = new Set([
  ...[
    'request',
    'command',
    'activity',
    'activityDecision',
    'authProxyRequest',
    'sendSignedRequest',
  ],
  ...['getStamper', 'pollForCompletion', 'pollTransactionStatus', 'handleActivityResponse'],
  ...['handleMfaIfNeeded', 'sleep'],
]);

const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

const clients: readonly (readonly [name: string, client: object])[] = [
  ['@turnkey/http', httpClient(service)],
  ['@turnkey/sdk-server', serverClient(service)],
  ['@turnkey/core', await coreClient(service)],
];

/** For each client, the answers by method, and the methods that sent nothing. */
const seen = new Map<
  string,
  { readonly calls: readonly Call[]; readonly mute: readonly string[] }
>();
for (const [name, client] of clients) {
  const calls: Call[] = [];
  const mute: string[] = [];
  for (const method of methodsOf(client)) {
    const call = await callOf(client, method);
    if (call === undefined) mute.push(method);
    else calls.push(call);
  }
  seen.set(name, { calls, mute });
}

for (const [name, { calls, mute }] of seen) {
  test(`${name}: every method is answered, or has a reason`, (t) => {
    assert.deepEqual(mute, [], 'methods that send nothing');
    const missing = calls.filter(({ isThere }) => !isThere);
    for (const { method, path } of missing) t.diagnostic(`not there: ${method} (${path})`);
    t.diagnostic(`${calls.length - missing.length} of ${calls.length} methods are answered`);
    const unnamed = missing.filter(({ path }) => !named.has(lastOf(path)));
    assert.deepEqual(unnamed, [], 'operations that nobody has given a reason for');
    // Every method of the service succeeds or is refused, without an internal error.
    const failed = calls.filter(({ status }) => status >= 500);
    assert.deepEqual(failed, []);
    assert.ok(calls.some(({ status }) => status === 200));
  });
}

test('each operation in the list of missing ones is offered by a client, and refused', () => {
  const all = [...seen.values()].flatMap(({ calls }) => calls);
  const missing = all.filter(({ isThere }) => !isThere).map(({ path }) => lastOf(path));
  assert.deepEqual([...new Set(missing)].toSorted(), [...named].toSorted());
});

/** Leaves out methods that stamp without sending, and the parts of other methods. */
function methodsOf(client: object): readonly string[] {
  const names = new Set<string>();
  for (let at = client; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      const isPart = name === 'constructor' || /^stamp[A-Z]/.test(name) || parts.has(name);
      if (!isPart && typeof Reflect.get(client, name) === 'function') names.add(name);
    }
  }
  return [...names];
}

/** Calls a method with minimal arguments, and returns its first request, if any. */
async function callOf(client: object, method: string): Promise<Call | undefined> {
  sent.length = 0;
  try {
    await (Reflect.get(client, method) as Method).call(client, { organizationId });
  } catch {
    // Most requests are refused because of missing members. The answer is recorded.
  }
  const [first] = sent;
  return first === undefined ? undefined : { method, ...first };
}
