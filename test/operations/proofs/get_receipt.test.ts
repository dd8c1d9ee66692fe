import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyReceipt } from '../../../src/receipts/verify_receipt.ts';
import { appendAll, policyOf } from '../../receipts/log_of.ts';
import { startTestService, type TestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';

const rename = async (service: TestService, organizationName: string) => {
  const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
  const parameters = { organizationName };
  return (await service.submit('update_organization_name', type, parameters)).body.activity;
};

test('get_receipt: the receipt of an activity verifies without the service', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await rename(service, 'One');
  await appendAll(service);
  const activity = await rename(service, 'Two');
  const body = { activityId: activity.id };
  assertRefused(await service.query('get_receipt', body), 404, 5);
  await appendAll(service);
  const { receipt } = await checkQuery(service, { operation: 'get_receipt', body });
  const verified = verifyReceipt(JSON.stringify({ receipt }), await policyOf(service));
  // The log starts with the boot statement, and each batch ends with the entry of its map.
  assert.equal(verified.index, 3);
  assert.equal(verified.size, 5);
  assert.equal(verified.entry.number, 2);
  assert.equal(verified.entry.activityId, activity.id);
  assert.equal(verified.entry.organizationId, service.root.organizationId);
  assert.equal(verified.entry.status, activity.status);
  assert.equal(verified.activity?.type, activity.type);
  const [vote] = verified.activity?.votes ?? [];
  assert.equal(vote?.userId, service.root.userId);
  assert.ok(vote?.isSignatureVerified);
  assert.equal(JSON.parse(vote?.message ?? '').parameters.organizationName, 'Two');
  assert.ok(verified.cannotShow.some((each) => each.includes('anyone beside the service')));

  const earlier = (await service.query('get_receipt', { activityId: first.id })).body.receipt;
  const { entry, index } = verifyReceipt(JSON.stringify(earlier), await policyOf(service));
  assert.deepEqual([entry.number, index], [1, 1]);
});

test('the receipt of a secret result contains the record only on request, otherwise its digest', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const type = 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION';
  const made = await service.submit('create_read_only_session', type, {});
  assert.equal(made.status, 200, JSON.stringify(made.body));
  await appendAll(service);
  const body = { activityId: made.body.activity.id };
  const own = (await service.query('get_receipt', body)).body.receipt;
  assert.equal(typeof own.record, 'string');
  const { session } = made.body.activity.result.createReadOnlySessionResult;
  const { receipt } = (
    await service.send(
      'query',
      'get_receipt',
      Buffer.from(JSON.stringify({ organizationId: service.root.organizationId, ...body })),
      [{ name: 'x-session', value: session }],
    )
  ).body;
  assert.equal(receipt.record, undefined);
  const verified = verifyReceipt(JSON.stringify(receipt), await policyOf(service));
  assert.equal(verified.activity, undefined);
  assert.match(verified.cannotShow[0] ?? '', /only its digest/);
});
