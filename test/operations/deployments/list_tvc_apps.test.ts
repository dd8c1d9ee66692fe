import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeApp, makeLiveApp, shownApp } from './deployment_requests.ts';

const operation = 'list_tvc_apps';

test('list_tvc_apps: lists applications oldest first, each as get_tvc_app shows it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  assert.deepEqual(await checkQuery(service, { operation, body: {} }), { tvcApps: [] });
  const { appId } = await makeLiveApp(service);
  const second = await makeApp(service, { name: 'Second' });
  await makeApp(service, {}, await addChild(service));
  const { body } = await service.query(operation);
  const expected = [await shownApp(service, appId), await shownApp(service, second)];
  assert.deepEqual(body.tvcApps, expected);
});
