// The client library in a real browser: a passkey signs in and approves, and the page stores a session.

import assert from 'node:assert/strict';
import { before } from 'node:test';
import { apiKey, connect, newKey } from '../../../src/client/index.ts';
import { testsThatNeed } from '../../support/tests_that_need.ts';
import { serviceOfThisFile } from '../service.ts';
import { browserOfThisFile, missingBrowser, type Site, type TestPage } from './browser.ts';
import type * as clientProgram from './pages/client.ts';

const service = await serviceOfThisFile();
const { credentials, baseUrl: url } = service;
const { organizationId, userId } = credentials;
const { openPage, servePage } = await browserOfThisFile();
const { test } = testsThatNeed(missingBrowser);
const root = connect({ url, organizationId, stamp: await apiKey(credentials) });
const where = { url, organizationId };

let site: Site;
let page: TestPage<typeof clientProgram>;
before(async () => {
  if (missingBrowser !== undefined) return;
  site = await servePage('client.ts');
  page = await openPage<typeof clientProgram>(site);
  await page.call('register', where, credentials, userId);
});

test('a passkey starts a session, which survives a reload, and whose key is not extractable', async () => {
  assert.equal(await page.call('whoIsKept', where), null);
  assert.deepEqual(await page.call('signIn', where), { username: 'Root user', organizationId });
  await page.goTo(site);
  assert.equal((await page.call('whoIsKept', where))?.userId, userId);
  assert.equal(await page.call('isKeyExtractable'), false);
  await page.call('signOut');
  assert.equal(await page.call('whoIsKept', where), null);
});

test('a passkey approves the content of the signed bytes', async () => {
  const key = await newKey();
  const { publicKey } = key;
  await root.submit('create_users', {
    users: [
      {
        userName: 'alice',
        apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  });
  await root.submit('create_policy', {
    policyName: 'Two for tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const submitted = await root.as(key).ask('create_user_tag', { userTagName: 'paid', userIds: [] });
  assert.equal(submitted.outcome, 'waiting');
  assert.equal(await page.call('approve', where, submitted.activity.id), 'done');
  const { userTagId } = await submitted.error.settled();
  assert.match(userTagId, /^[0-9a-f-]{36}$/);
});
