import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stampOf, startTestService, testKey } from '../../support/harness.ts';
import { activityBody, assertCompleted, assertRefused, assertViolation } from '../checks.ts';
import { addChild, addPlainUser } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { resultOf, sessionHeader } from './session_requests.ts';

const wire = {
  operation: 'create_read_only_session', // OP-READ-ONLY-SESSION-01
  type: 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', // OP-READ-ONLY-SESSION-02
  intent: 'createReadOnlySessionIntent', // OP-READ-ONLY-SESSION-05
  result: 'createReadOnlySessionResult', // OP-READ-ONLY-SESSION-07
  parameters: {}, // OP-READ-ONLY-SESSION-04, OP-READ-ONLY-SESSION-06
};
const hourMs = 3_600_000;

test('create_read_only_session: every user gets a session that reads for an hour', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const { organizationId } = service.root;
  const body = activityBody(service, wire.type, {});
  const answer = await service.send('submit', wire.operation, body, [stampOf(body, plain.key)]);
  assertCompleted(answer, wire, body, organizationId);
  const { session, sessionExpiry, userId, ...rest } = resultOf(answer);
  const { username } = rest;
  // OP-READ-ONLY-SESSION-08, OP-READ-ONLY-SESSION-11 to OP-READ-ONLY-SESSION-13
  assert.deepEqual(rest, {
    organizationId,
    organizationName: 'Test organization',
    username: 'Plain user',
  });
  assert.equal(userId, answer.body.activity.votes[0].userId);
  assert.equal(typeof session, 'string'); // OP-READ-ONLY-SESSION-14
  const expiresAtMs = Number(sessionExpiry) * 1000; // OP-READ-ONLY-SESSION-15
  assert.ok(Math.abs(expiresAtMs - service.now() - hourMs) <= 1000); // OP-READ-ONLY-SESSION-03, LIM-03

  const query = new TextEncoder().encode(JSON.stringify({ organizationId }));
  const whoami = () => service.send('query', 'whoami', query, [sessionHeader(session)]);
  assert.deepEqual((await whoami()).body.username, username); // AUTH-13
  service.advance(expiresAtMs - service.now() - 1);
  assert.equal((await whoami()).status, 200);
  service.advance(1);
  const late = await whoami();
  assertRefused(late, 401, 16);
  assert.equal(late.body.turnkeyErrorCode, 'API_KEY_EXPIRED');
});

test('create_read_only_session: refused without a stamp, with parameters, and by policies', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const child = await addChild(service);
  const send = (parameters: object, as = {}) =>
    service.submit(wire.operation, wire.type, parameters, as);
  assertViolation(await send({ surprise: 1 }), 'parameters.surprise');
  const body = activityBody(service, wire.type, {});
  assertRefused(await service.send('submit', wire.operation, body, []), 401, 16); // REQ-10
  assertRefused(await send({}, { key: testKey('stranger') }), 401, 16);
  // A user of the parent reads the child without a session there.
  assertRefused(await send({}, { organizationId: child.organizationId }), 400, 3);
  await makePolicy(service, 'No sessions', {
    effect: 'EFFECT_DENY',
    condition: "activity.kind == 'CREATE_READ_ONLY_SESSION'",
    consensus: 'true',
  });
  assertRefused(await send({}, plain), 403, 7);
});

test('create_read_only_session: a user of a child may name the parent', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const { key } = child;
  // OP-READ-ONLY-SESSION-09, OP-READ-ONLY-SESSION-10
  for (const organizationId of [service.root.organizationId, child.organizationId]) {
    const answer = await service.submit(wire.operation, wire.type, {}, { organizationId, key });
    const result = resultOf(answer);
    assert.equal(result.organizationId, child.organizationId);
    assert.equal(result.organizationName, 'Child');
    assert.equal(result.username, 'Child root');
    assert.equal(answer.body.activity.organizationId, child.organizationId);
  }
});
