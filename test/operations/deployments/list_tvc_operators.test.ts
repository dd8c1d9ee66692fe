import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { describedSet, make, makeApp, shownApp, timeOf } from './deployment_requests.ts';

const operation = 'list_tvc_operators';

test('list_tvc_operators: lists operators oldest first, with both keys and their origin', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  assert.deepEqual(await checkQuery(service, { operation, body: {} }), { tvcOperators: [] });
  const hosted = await make(service, 'create_tvc_operator', {
    walletName: 'Operators',
    path: "m/5527107'/0'/0'",
    operatorName: 'Zoe',
  });
  const createdAt = timeOf(service.now());
  const set = describedSet(['Ada', 'Bob'], 2);
  const existing = { ...set, existingOperatorIds: [hosted.operatorId] };
  const appId = await makeApp(service, { manifestSetParams: existing, shareSetParams: set });
  await makeApp(service, {}, await addChild(service));
  const { tvcOperators } = (await service.query(operation)).body;
  const { encryptPublicKey, signPublicKey } = hosted;
  const [first, ...others] = tvcOperators;
  assert.deepEqual(first, {
    id: hosted.operatorId,
    name: 'Zoe',
    publicKey: `${encryptPublicKey}${signPublicKey}`,
    encryptPublicKey,
    signPublicKey,
    keySource: 'ORG_WALLET_ACCOUNT',
    createdAt,
    updatedAt: createdAt,
  });
  assert.deepEqual(others, (await shownApp(service, appId)).shareSet.operators);
});
