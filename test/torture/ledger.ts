// The record of the clients' requests and their answers, with which the service is compared.

import assert from 'node:assert/strict';
import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { base64url } from '../../src/core/base/bytes.ts';
import type { RunningService } from '../e2e/service.ts';
import type { TestKey } from '../support/harness.ts';

/** A body that was sent once or several times, and its activity. */
export type Entry = {
  readonly operation: string;
  readonly organizationId: string;
  readonly parameters: Parameters;
  readonly body: Uint8Array;
  readonly stamp: string;
  /** Called once with the result. */
  readonly take: (result: Activity) => void;
  /** The first acknowledgement; absent until there is one. */
  acknowledged?: Activity;
  /** The number of answers that asked the client to retry. */
  refusals: number;
};

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export type Activity = any;
// biome-ignore lint/suspicious/noExplicitAny: what a request asks for is looked into by path as well
type Parameters = any;

/** A request that may be sent repeatedly. */
export type StampedRequest = {
  readonly path: string;
  readonly body: Uint8Array;
  readonly stamp: string;
};

/** An answer; undefined if the connection broke before it. */
export type Answer =
  | { readonly status: number; readonly body: Activity; readonly retryAfter: string | null }
  | undefined;

/** A user and the organization of the user's requests. */
export type Member = {
  readonly organizationId: string;
  readonly userId: string;
  readonly key: TestKey;
};

/** Creates an entry for an activity, without sending it. */
export function newEntry(
  operation: string,
  type: string,
  parameters: object,
  by: Pick<Member, 'organizationId' | 'key'>,
  take: Entry['take'] = () => undefined,
): Entry {
  const { organizationId, key } = by;
  const timestampMs = String(Date.now());
  const body = Buffer.from(JSON.stringify({ type, timestampMs, organizationId, parameters }));
  const stamp = stampOf(body, key);
  return { operation, organizationId, parameters, body, stamp, take, refusals: 0 };
}

const settleTimeoutMs = 60_000;
const sendersOfSettling = 8;

/**
 * Sends an activity and records the answer; returns undefined without an answer, or if it asks for a retry.
 */
export async function sendEntry(baseUrl: string, entry: Entry): Promise<Activity | undefined> {
  const answer = await post(baseUrl, { ...entry, path: `submit/${entry.operation}` });
  // A dying service gives no answer, or one that its enclave is unavailable.
  if (answer === undefined) return undefined;
  if (isAway(answer)) {
    entry.refusals += 1;
    return undefined;
  }
  assert.equal(answer.status, 200, `${entry.operation}: ${JSON.stringify(answer.body)}`);
  const { activity } = answer.body;
  if (entry.acknowledged === undefined) {
    entry.acknowledged = activity;
    entry.take(activity.result);
  }
  assert.deepEqual(activity, entry.acknowledged, 'the same body is the same activity');
  return activity;
}

/** Sends a query, and repeats it while a dependency of the service is unavailable. */
export async function ask(
  baseUrl: string,
  operation: string,
  parameters: object,
  by: Pick<Member, 'organizationId' | 'key'>,
): Promise<Activity> {
  const { organizationId, key } = by;
  const body = Buffer.from(JSON.stringify({ organizationId, ...parameters }));
  const stamp = stampOf(body, key);
  const send = () => post(baseUrl, { path: `query/${operation}`, body, stamp });
  let answer = await send();
  for (let times = 1; answer !== undefined && isAway(answer) && times < 100; times += 1) {
    await pause(50);
    answer = await send();
  }
  assert.equal(answer?.status, 200, `${operation}: ${JSON.stringify(answer)}`);
  return answer.body;
}

/**
 * Returns true if the answer asks for a retry. Requires that it states the time and the reason correctly.
 */
function isAway({ status, body, retryAfter }: Exclude<Answer, undefined>): boolean {
  if (status !== 503) return false;
  assert.equal(retryAfter, '1');
  assert.equal(body.code, 14);
  assert.match(body.message, /again$/);
  return true;
}

async function post(baseUrl: string, { path, body, stamp }: StampedRequest): Promise<Answer> {
  try {
    const response = await fetch(`${baseUrl}/public/v1/${path}`, {
      method: 'POST',
      headers: { 'X-Stamp': stamp },
      body: Buffer.from(body),
    });
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, body: await response.json(), retryAfter };
  } catch (error) {
    // The error of fetch for a refused connection, or one that broke before the answer was complete.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Sends entries until each is acknowledged. Requires that each acknowledgement equals the first. */
export async function settle(baseUrl: string, entries: readonly Entry[]): Promise<void> {
  const waiting = [...entries];
  const sendNext = async (): Promise<void> => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const deadlineMs = performance.now() + settleTimeoutMs;
      while ((await sendEntry(baseUrl, entry)) === undefined) {
        assert.ok(performance.now() < deadlineMs, 'the service does not come back');
        await pause(20);
      }
    }
  };
  await Promise.all(Array.from({ length: sendersOfSettling }, sendNext));
}

/** Returns the root user of a running service. */
export async function rootOf({ baseUrl, credentials }: RunningService): Promise<Member> {
  const { organizationId, userId, apiPrivateKey, apiPublicKey } = credentials;
  const key = { privateKey: Uint8Array.fromHex(apiPrivateKey), publicKey: apiPublicKey };
  const member = { organizationId, userId, key };
  assert.equal((await ask(baseUrl, 'whoami', {}, member)).userId, userId);
  return member;
}

/**
 * Returns the value of the X-Stamp header. Uses the fastest implementation, to leave the processor to the
 * service.
 */
export function stampOf(body: Uint8Array, key: TestKey): string {
  const signing = keys.get(key) ?? keyObjectOf(key);
  keys.set(key, signing);
  const stamp = {
    publicKey: key.publicKey,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    signature: sign('sha256', body, signing).toString('hex'),
  };
  return base64url(Buffer.from(JSON.stringify(stamp)));
}

const keys = new WeakMap<TestKey, KeyObject>();

function keyObjectOf({ privateKey }: TestKey): KeyObject {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  const point = pair.getPublicKey();
  const [d, x, y] = [privateKey, point.subarray(1, 33), point.subarray(33)].map(base64url);
  assert(d !== undefined && x !== undefined && y !== undefined);
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', d, x, y } });
}

/** Returns a function whose numbers follow from a text. */
export function randomOf(seed: string): (below: number) => number {
  let state = Buffer.from(base64url(Buffer.from(seed))).reduce(
    (hash, byte) => Math.imul(hash ^ byte, 0x01000193),
    0x811c9dc5,
  );
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
