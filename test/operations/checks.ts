// Checks of requests that every operation must refuse, and of the form of its answers. Each check is driven
// by one accepted request: one check for activities and one for queries.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { hex, utf8 } from '../../src/core/base/bytes.ts';
import {
  type Sender,
  stampOf,
  type TestAnswer,
  type TestKey,
  type TestService,
  testKey,
} from '../support/harness.ts';
import { addChild, addPlainUser } from './other_callers.ts';

type Members = Readonly<Record<string, unknown>>;
type Malformed = { readonly field: string; readonly parameters: Members };

/** An accepted activity, and the facts that the checks need to break it. */
export type ActivityCase = {
  readonly operation: string;
  readonly type: string;
  readonly intent: string;
  readonly result: string;
  readonly parameters: Members;
  /** Members that may be omitted. */
  readonly optional?: readonly string[];
  /** Malformed inner members, each with the path of its refusal. */
  readonly malformed?: readonly Malformed[];
  /** The refusal by a child of its parent, if the parent may call the operation in a child. */
  readonly refusedInChild?: { readonly status: number; readonly code: number };
};

/** Checks refusals, then sends the request twice; returns the result of its only effect. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export async function checkActivity(service: TestService, wanted: ActivityCase): Promise<any> {
  const { operation, type, parameters } = wanted;
  const { organizationId, key: rootKey } = service.root;
  const plain = await addPlainUser(service);
  const child = await addChild(service);
  const bodyOf = (given: Members, to: string) => activityBody(service, type, given, to);
  const send = (body: Uint8Array, key: typeof rootKey | undefined) =>
    service.send('submit', operation, body, key === undefined ? [] : [stampOf(body, key)]);
  const before = await storedCount(service);

  for (const { field, parameters: broken } of malformedOf(wanted, 'parameters')) {
    const answer = await send(bodyOf(broken, organizationId), rootKey);
    assertViolation(answer, field);
  }
  const body = bodyOf(parameters, organizationId);
  assertRefused(await send(body, undefined), 401, 16); // REQ-10
  assertRefused(await send(body, testKey('stranger')), 401, 16);
  const other = stampOf(bodyOf(parameters, child.organizationId), rootKey);
  assertRefused(await service.send('submit', operation, body, [other]), 401, 16);
  assertRefused(await send(body, plain.key), 403, 7);
  const atChild = bodyOf(parameters, child.organizationId);
  const { status, code } = wanted.refusedInChild ?? { status: 400, code: 3 };
  assertRefused(await send(atChild, rootKey), status, code);
  const kept = { ...before, activities: before.activities + 1 };
  assert.deepEqual(await storedCount(service), kept, 'only what was not permitted is kept');

  const answer = await send(body, rootKey);
  assertCompleted(answer, wanted, body, organizationId);
  const after = await storedCount(service);
  const again = await send(body, rootKey);
  assert.equal(again.status, 200);
  assert.equal(again.body.activity.id, answer.body.activity.id);
  assert.deepEqual(again.body.activity.result, answer.body.activity.result);
  assert.deepEqual(await storedCount(service), after, 'a repetition has no effect');
  return answer.body.activity.result[wanted.result];
}

/** Asserts the envelope of a completed activity. */
export function assertCompleted(
  { status, body }: TestAnswer,
  wanted: Pick<ActivityCase, 'type' | 'intent' | 'result' | 'parameters'>,
  sent: Uint8Array,
  organizationId: string,
): void {
  assert.equal(status, 200, JSON.stringify(body));
  const { activity, ...beside } = body; // REQ-08
  // Operations on policies may add warnings next to the activity.
  const mayWarn = wanted.type.includes('_POLIC');
  assert.ok(Object.keys(beside).every((name) => mayWarn && name === 'warnings'));
  assert.match(activity.id, /^[0-9a-f-]{36}$/); // ENV-01
  assert.equal(activity.organizationId, organizationId); // ENV-02
  assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED'); // ENV-03
  assert.equal(activity.type, wanted.type); // ENV-04
  assert.deepEqual(activity.intent, { [wanted.intent]: wanted.parameters }); // ENV-05, ENV-06, ENV-07
  assert.deepEqual(Object.keys(activity.result), [wanted.result]); // ENV-08, ENV-09
  assert.equal(activity.votes.length, 1); // ENV-10
  const digest = hex(Uint8Array.from(createHash('sha256').update(sent).digest()));
  assert.equal(activity.fingerprint, `sha256:${digest}`); // ENV-11
  assert.equal(activity.canApprove, false); // ENV-12
  assert.equal(activity.canReject, false); // ENV-13
  assert.equal(typeof activity.createdAt, 'string'); // ENV-14
  assert.equal(typeof activity.updatedAt, 'string'); // ENV-15
}

/** An accepted query. */
export type QueryCase = {
  readonly operation: string;
  readonly body: Members;
  readonly optional?: readonly string[];
  readonly malformed?: readonly Malformed[];
  /** The query finds a caller who names the parent in its child. */
  readonly findsChild?: true;
};

/** Checks refusals and readers; returns the answer. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export async function checkQuery(service: TestService, wanted: QueryCase): Promise<any> {
  const { operation, body: members } = wanted;
  const { organizationId } = service.root;
  const plain = await addPlainUser(service);
  const child = await addChild(service);
  for (const { field, parameters } of malformedOf({ ...wanted, parameters: members }, '')) {
    assertViolation(await service.query(operation, parameters), field);
  }
  for (const field of ['type', 'timestampMs', 'parameters']) {
    assertViolation(await service.query(operation, { ...members, [field]: '1' }), field);
  }
  const body = utf8(JSON.stringify({ organizationId, ...members }));
  assertRefused(await service.send('query', operation, body, []), 401, 16);
  const sentBy = (key: TestKey) => service.send('query', operation, body, [stampOf(body, key)]);
  assertRefused(await sentBy(testKey('stranger')), 401, 16);
  // A query that finds its caller in a child finds none of the parent's records there.
  const [status, code] = wanted.findsChild === true ? ([404, 5] as const) : ([401, 16] as const);
  assertRefused(await sentBy(child.key), status, code);
  const answer = await service.query(operation, members);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(await service.query(operation, members, { key: plain.key }), answer);
  return answer.body;
}

/** Asserts a refusal with this status and code, in the common form. */
export function assertRefused({ status, body }: TestAnswer, http: number, code: number): void {
  assert.deepEqual({ status, code: body.code }, { status: http, code }, JSON.stringify(body));
  assert.equal(typeof body.message, 'string');
}

/** Asserts a refusal of one member, named by its path. */
export function assertViolation(answer: TestAnswer, field: string): void {
  assertRefused(answer, 400, 3);
  const [violation] = answer.body.details[0].fieldViolations ?? [];
  assert.equal(violation?.field, field, JSON.stringify(answer.body));
}

/**
 * Sends a request that must be refused. Asserts that nothing changed, and that only a refusal by policies
 * is recorded.
 */
export async function checkRefused(
  service: TestService,
  request: {
    readonly operation: string;
    readonly type: string;
    readonly parameters: Members;
    readonly as?: Sender;
  },
  refusal: {
    readonly status: number;
    readonly code: number;
    readonly text: RegExp;
    readonly field?: string;
    readonly clientCode?: string;
  },
): Promise<void> {
  const before = await storedCount(service);
  const { operation, type, parameters, as } = request;
  const answer = await service.submit(operation, type, parameters, as);
  assertRefused(answer, refusal.status, refusal.code);
  assert.match(answer.body.message, refusal.text);
  if (refusal.field !== undefined) assertViolation(answer, refusal.field);
  if (refusal.clientCode !== undefined) {
    assert.equal(answer.body.turnkeyErrorCode, refusal.clientCode);
  }
  const { organizationId } = service.root;
  const isKept =
    answer.body.turnkeyErrorCode === 'REQUEST_NOT_AUTHORIZED' &&
    (as?.organizationId ?? organizationId) === organizationId;
  const kept = { ...before, activities: before.activities + (isKept ? 1 : 0) };
  assert.deepEqual(await storedCount(service), kept, 'only what was not permitted is kept');
}

/** Returns the version and the number of activities of the first organization in the store. */
export async function storedCount(
  service: TestService,
): Promise<{ version: number | undefined; activities: number }> {
  const { organizationId } = service.root;
  const { version } = await service.store.port.organization({
    organizationId,
    kinds: [],
    knownVersion: 0,
    fingerprint: undefined,
  });
  const page = { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 10_000 };
  const filter = { organizationId, statuses: [], types: [], page };
  return { version, activities: (await service.store.port.activityPage(filter)).length };
}

/** Returns the raw body of an activity, to send later. */
export function activityBody(
  service: TestService,
  type: string,
  parameters: Members,
  organizationId = service.root.organizationId,
): Uint8Array {
  service.advance(1);
  const timestampMs = String(service.now());
  return utf8(JSON.stringify({ type, timestampMs, organizationId, parameters }));
}

/**
 * Yields each member missing (unless optional) and with a wrong type, an unknown member, and the given
 * cases.
 */
function* malformedOf(
  wanted: Pick<ActivityCase, 'parameters' | 'optional' | 'malformed'>,
  root: string,
): Generator<Malformed> {
  const { parameters, optional = [], malformed = [] } = wanted;
  const pathOf = (name: string) => (root === '' ? name : `${root}.${name}`);
  for (const name of Object.keys(parameters)) {
    const { [name]: _, ...rest } = parameters;
    if (!optional.includes(name)) yield { field: pathOf(name), parameters: rest };
    const member = parameters[name];
    // No member is a list of lists.
    const field = pathOf(name) + (Array.isArray(member) ? '.0' : '');
    yield { field, parameters: { ...parameters, [name]: [[]] } };
    const isObject = typeof member === 'object' && !Array.isArray(member);
    yield { field: pathOf(name), parameters: { ...parameters, [name]: isObject ? 'text' : {} } };
  }
  yield { field: pathOf('surprise'), parameters: { ...parameters, surprise: 1 } };
  yield* malformed;
}
