import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfUtf8 } from '../../../src/core/base/bytes.ts';
import { keyKeptMs, keyLeadMs } from '../../../src/core/webhooks/signing_keys.ts';
import { startTestService, type TestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';

const wire = {
  operation: 'rotate_webhook_key',
  type: 'ACTIVITY_TYPE_ROTATE_WEBHOOK_KEY',
  intent: 'rotateWebhookKeyIntent',
  result: 'rotateWebhookKeyResult',
};

/** Returns the ids of the published keys, after the cached key set has expired. */
async function publishedKeys(service: TestService): Promise<string[]> {
  service.advance(2_000);
  const { body } = await service.enclave.webhookKeySet(undefined);
  const { keys } = JSON.parse(textOfUtf8(body) ?? '');
  return keys.map(({ kid }: { kid: string }) => kid);
}

// DISC-03, DISC-04, HOOK-28
test('rotate_webhook_key: publishes a second key, and later removes the first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await publishedKeys(service);
  assert.equal(first.length, 1);
  const { signsFrom } = await checkActivity(service, {
    ...wire,
    parameters: { immediately: false },
    optional: ['immediately'],
  });
  assert.equal(Date.parse(signsFrom) > service.now() + keyLeadMs - 60_000, true);
  const both = await publishedKeys(service);
  assert.deepEqual(both.slice(0, 1), first);
  assert.equal(new Set(both).size, 2);
  service.advance(keyLeadMs + keyKeptMs);
  assert.deepEqual(await publishedKeys(service), both.slice(1));
});

test('rotate_webhook_key: replaces a compromised key immediately', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await publishedKeys(service);
  await service.submit(wire.operation, wire.type, { immediately: true });
  const next = await publishedKeys(service);
  assert.equal(next.length, 1);
  assert.notDeepEqual(next, first);
});

test('rotate_webhook_key: refuses a sub-organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  await checkRefused(
    service,
    { ...wire, parameters: {}, as: child },
    { status: 403, code: 7, text: /a sub-organization cannot rotate the key of webhooks/ },
  );
});
