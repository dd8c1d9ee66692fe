// The unmodified @turnkey/indexed-db-stamper in a real browser: a key that survives a reload stamps
// requests until it is replaced.

import assert from 'node:assert/strict';
import { testsThatNeed } from '../../support/tests_that_need.ts';
import { isRefusal, serverClient } from '../clients.ts';
import { serviceOfThisFile } from '../service.ts';
import { browserOfThisFile, missingBrowser } from './browser.ts';
import type * as program from './pages/indexed_db_stamper.ts';

const service = await serviceOfThisFile();
const { openPage, servePage } = await browserOfThisFile();
const { test } = testsThatNeed(missingBrowser);

test('a key of the browser stamps over a reload, and not after its replacement', async () => {
  const { baseUrl, credentials } = service;
  const call = { baseUrl, organizationId: credentials.organizationId };
  const site = await servePage('indexed_db_stamper.ts');
  const page = await openPage<typeof program>(site);
  const publicKey = await page.call('start');
  const { userIds } = await serverClient(service).createUsers({
    users: [
      {
        userName: 'Browser',
        apiKeys: [{ apiKeyName: 'Browser', publicKey, curveType: 'API_KEY_CURVE_P256' }],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  });
  assert.equal((await page.call('whoami', call)).userId, userIds[0]);

  await page.goTo(site);
  assert.equal(await page.call('start'), publicKey);
  assert.equal((await page.call('whoami', call)).userId, userIds[0]);

  assert.notEqual(await page.call('replace'), publicKey);
  await assert.rejects(page.call('whoami', call), isRefusal(16, 'PUBLIC_KEY_NOT_FOUND'));
});
