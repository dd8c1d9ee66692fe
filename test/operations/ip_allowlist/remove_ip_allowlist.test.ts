import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeUser } from '../users/user_requests.ts';
import { from, rulesOf, setList } from './allowlist_requests.ts';

const wire = {
  operation: 'remove_ip_allowlist',
  type: 'ACTIVITY_TYPE_REMOVE_IP_ALLOWLIST',
  intent: 'removeIpAllowlistIntent',
  result: 'removeIpAllowlistResult',
};

test('remove_ip_allowlist: removes the list of the organization, or of one key', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeUser(service, 'Alice');
  const { key } = { key: testKey('Alice') };
  await setList(service, { rules: rulesOf('127.0.0.1') });
  await setList(service, { publicKey: key.publicKey, rules: rulesOf('192.0.2.1') });
  const whoami = () => service.query('whoami', {}, { key });
  assert.equal((await whoami()).status, 403);
  const parameters = { publicKey: key.publicKey.toUpperCase() };
  const result = await checkActivity(service, { ...wire, parameters, optional: ['publicKey'] });
  assert.deepEqual(result, {});
  assert.equal((await whoami()).status, 200);
  assert.equal((await from(service, '192.0.2.1', whoami)).status, 403);
  const missing = { status: 404, code: 5, text: /^unable to find IP allowlist / };
  await checkRefused(service, { ...wire, parameters }, missing);
  await service.submit(wire.operation, wire.type, {});
  assert.equal((await from(service, '192.0.2.1', whoami)).status, 200);
  await checkRefused(service, { ...wire, parameters: {} }, missing);
  const child = await addChild(service);
  const text = /a sub-organization cannot have IP allowlists/;
  const refusal = { status: 403, code: 7, text };
  await checkRefused(service, { ...wire, parameters: {}, as: child }, refusal);
});
