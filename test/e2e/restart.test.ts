// The state after SIGTERM and SIGKILL of the service, and after SIGKILL of the enclave.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import type { TurnkeyClient } from '@turnkey/http';
import {
  accountParameters,
  createAddress,
  createWallet,
  httpClient,
  timestampMs,
  walletBody,
} from './clients.ts';
import {
  childrenOf,
  isRunning,
  type RunningService,
  startService,
  temporaryDirectory,
  until,
} from './service.ts';

type StampedRequest = Awaited<ReturnType<TurnkeyClient['stampCreateWallet']>>;
type Answer = { readonly status: number; readonly body: unknown };

for (const [signal, end] of [
  ['SIGTERM', (service: RunningService) => service.stop()],
  ['SIGKILL', (service: RunningService) => service.kill()],
] as const) {
  test(`after ${signal} every answered request has its effect`, async () => {
    const dataDirectory = temporaryDirectory();
    const first = await startService({ dataDirectory });
    const { organizationId } = first.credentials;
    const { walletId } = await createWallet(first, 'Lasting', [accountParameters.ethereum]);
    const address = await createAddress(first, 'Signing', accountParameters.ethereum);
    const signing = signatureBody(first, address);
    const before = await readAll(first, walletId);
    const signed = await httpClient(first).signRawPayload(signing);
    await end(first);

    const second = await startService({ dataDirectory });
    const client = httpClient(second);
    const after = await readAll(second, walletId);
    // The signature was created after `before` was read.
    assert.deepEqual(after.activities.slice(1), before.activities);
    assert.deepEqual({ ...after, activities: [] }, { ...before, activities: [] });
    const { activity } = await client.getActivity({
      organizationId,
      activityId: signed.activity.id,
    });
    assert.deepEqual(activity, signed.activity);

    assert.deepEqual(await client.signRawPayload(signing), signed, 'same body, same activity');
    const again = await client.signRawPayload({ ...signing, timestampMs: timestampMs() });
    assert.notEqual(again.activity.id, signed.activity.id);
    assert.deepEqual(again.activity.result, signed.activity.result, 'same payload, same signature');
    await second.stop();
  });
}

test('later starts do not change the root credentials', async () => {
  const dataDirectory = temporaryDirectory();
  const file = join(dataDirectory, 'root-credentials.json');
  await (await startService({ dataDirectory })).stop();
  // The addresses contain the port of the service.
  const contentOf = () => {
    const { baseUrl: _, authProxyUrl: __, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
    return rest;
  };
  const written = contentOf();
  const names = readdirSync(dataDirectory);
  for (const end of ['kill', 'stop'] as const) {
    const service = await startService({ dataDirectory });
    assert.deepEqual(contentOf(), written);
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).baseUrl, service.baseUrl);
    await service[end]();
    assert.deepEqual(contentOf(), written);
  }
  assert.deepEqual(readdirSync(dataDirectory), names);
});

test('SIGKILL under load loses no answered request', async () => {
  const dataDirectory = temporaryDirectory();
  const first = await startService({ dataDirectory });
  const requests = await stampedWallets(first, 60);
  const answered = new Map<StampedRequest, Answer>();
  const enough = Promise.withResolvers<void>();
  const sent = requests.map(async (stamped) => {
    const answer = await post(stamped).catch(() => undefined);
    if (answer?.status === 200) answered.set(stamped, answer);
    if (answered.size >= 10) enough.resolve();
  });
  await Promise.race([enough.promise, Promise.all(sent)]);
  await first.kill();
  await Promise.all(sent);
  assert(answered.size >= 10);

  const second = await startService({ dataDirectory });
  for (const stamped of requests) {
    const again = await post(stamped, second.baseUrl);
    assert.equal(again.status, 200);
    const before = answered.get(stamped);
    if (before !== undefined) assert.deepEqual(again, before);
  }
  await assertEachMadeOnce(second, requests.length);
  await second.stop();
});

test('after a kill of the enclave, requests get 503 until it restarts, and nothing is lost', async () => {
  const service = await startService({ dataDirectory: temporaryDirectory() });
  const { pid } = service;
  const [enclave, ...more] = childrenOf(pid);
  assert(enclave !== undefined);
  assert.deepEqual(more, []);
  const requests = await stampedWallets(service, 40);
  const early = await Promise.all(requests.slice(0, 10).map((stamped) => post(stamped)));
  for (const answer of early) assert.equal(answer.status, 200);

  const meanwhile = requests.slice(10).map((stamped) => post(stamped));
  // The gateway notices the end and the request at the same time, before the enclave can restart.
  process.kill(pid, 'SIGSTOP');
  process.kill(enclave, 'SIGKILL');
  const refused = await send(requests[0]);
  process.kill(pid, 'SIGCONT');
  const first = await refused.answered;
  assert.equal(first.statusCode, 503);
  assert.equal(first.headers['content-type'], 'application/json');
  assert.equal(first.headers['retry-after'], '1');
  assert.deepEqual(await json(first), {
    code: 14,
    message: 'the enclave is restarting; try again',
    details: [
      {
        '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail',
        turnkeyErrorCode: 'INTERNAL',
      },
    ],
    turnkeyErrorCode: 'INTERNAL',
  });
  const answers = await Promise.all(meanwhile);
  for (const { status } of answers) assert(status === 200 || status === 503, String(status));

  await until('the service is ready again', async () => {
    return (await fetch(`${service.baseUrl}/health/ready`)).ok;
  });
  const later = await Promise.all(requests.map((stamped) => post(stamped)));
  for (const [i, before] of [...early, ...answers].entries()) {
    assert.equal(later[i]?.status, 200);
    if (before.status === 200) assert.deepEqual(later[i], before);
  }
  await assertEachMadeOnce(service, requests.length);
  const [restarted, ...others] = childrenOf(pid);
  assert.notEqual(restarted, enclave);
  assert.deepEqual(others, []);
  await service.stop();
});

test('no process remains after a kill of the service', async () => {
  const service = await startService({ dataDirectory: temporaryDirectory() });
  const [enclave] = childrenOf(service.pid);
  assert(enclave !== undefined);
  await service.kill();
  await until('the enclave has ended', () => !isRunning(enclave));
});

async function readAll(service: RunningService, walletId: string) {
  const { organizationId } = service.credentials;
  const client = httpClient(service);
  const [whoami, wallets, accounts, { activities }] = await Promise.all([
    client.getWhoami({ organizationId }),
    client.getWallets({ organizationId }),
    client.getWalletAccounts({ organizationId, walletId }),
    client.getActivities({ organizationId, paginationOptions: { limit: '100' } }),
  ]);
  return { whoami, wallets, accounts, activities };
}

function signatureBody(service: RunningService, signWith: string) {
  return {
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' as const,
    timestampMs: timestampMs(),
    organizationId: service.credentials.organizationId,
    parameters: {
      signWith,
      payload: 'to be signed twice',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' as const,
      hashFunction: 'HASH_FUNCTION_KECCAK256' as const,
    },
  };
}

/** Returns requests that each create a wallet with its own name. */
function stampedWallets(service: RunningService, count: number): Promise<StampedRequest[]> {
  const client = httpClient(service);
  return Promise.all(
    Array.from({ length: count }, (_, i) =>
      client.stampCreateWallet(walletBody(service, walletName(i), [accountParameters.ethereum])),
    ),
  );
}

function walletName(i: number): string {
  return `Wallet ${i}`;
}

async function assertEachMadeOnce(service: RunningService, count: number): Promise<void> {
  const { organizationId } = service.credentials;
  const { wallets } = await httpClient(service).getWallets({ organizationId });
  assert.deepEqual(
    wallets.map((wallet) => wallet.walletName).sort(),
    Array.from({ length: count }, (_, i) => walletName(i)).sort(),
  );
}

async function post(
  { url, stamp, body }: StampedRequest,
  baseUrl: string = new URL(url).origin,
): Promise<Answer> {
  const response = await fetch(new URL(new URL(url).pathname, baseUrl), {
    method: 'POST',
    headers: { [stamp.stampHeaderName]: stamp.stampHeaderValue },
    body,
  });
  return { status: response.status, body: await response.json() };
}

/** Resolves with the promise of the answer once the request is sent. */
async function send(
  stamped: StampedRequest | undefined,
): Promise<{ readonly answered: Promise<IncomingMessage> }> {
  assert(stamped !== undefined);
  const { url, stamp, body } = stamped;
  const headers = { [stamp.stampHeaderName]: stamp.stampHeaderValue };
  const sending = request(url, { agent: false, method: 'POST', headers });
  const answered = Promise.withResolvers<IncomingMessage>();
  sending.once('response', answered.resolve).once('error', answered.reject);
  const sent = once(sending, 'finish');
  sending.end(body);
  await sent;
  return { answered: answered.promise };
}
