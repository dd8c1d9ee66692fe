// Sessions read and passkeys write: set up on the overview, enforced by the enclave.

import assert from 'node:assert/strict';
import { apiKey, connect } from '../../src/client/index.ts';
import { newKeyPair } from '../../src/client/stamps.ts';
import { addPasskey, dashboardOfThisFile, goTo, test } from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

test('one step creates a profile and two policies, and sessions no longer write', async () => {
  const page = await dashboard.openAs('Root user');
  await addPasskey(page);
  const step = page
    .getByRole('listitem')
    .filter({ hasText: 'Let sessions read, and passkeys write' });
  await step.getByRole('button', { name: 'Set it up' }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /^Done. From now on, sessions read/ })
    .waitFor();
  await step.getByText('(done)').waitFor();

  const { baseUrl: url } = dashboard.service();
  const root = dashboard.service().credentials('root-credentials');
  const { organizationId } = root;
  const admin = connect({ url, organizationId, stamp: await apiKey(root) });
  const { policies } = await admin.query('list_policies');
  const names = policies.map(({ policyName }) => policyName);
  assert(names.includes('sessions read only') && names.includes('two for a new credential'));

  // Other users get neither a writing session nor a new credential without an approval.
  const credentials = dashboard.service().credentials('alice');
  const alice = connect({ url, organizationId, stamp: await apiKey(credentials) });
  const { userId } = await alice.query('whoami');
  const { publicKey } = await newKeyPair();
  const login = await alice.ask('stamp_login', { publicKey, expirationSeconds: '60' });
  assert.equal(login.outcome, 'refused');
  const key = { apiKeyName: 'lasting', publicKey, curveType: 'API_KEY_CURVE_P256' as const };
  const added = await alice.ask('create_api_keys', { userId, apiKeys: [key] });
  assert.equal(added.outcome, 'waiting');
});

test('a new browser finds the profile, and its session only reads', async () => {
  const page = await dashboard.open();
  const credentials = dashboard.service().credentials('alice');
  const buffer = Buffer.from(JSON.stringify(credentials));
  const file = { name: 'alice.json', mimeType: 'application/json', buffer };
  await page.getByLabel('API key file').setInputFiles(file);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await goTo(page, 'Wallets');
  await page.getByRole('table', { name: 'Wallets' }).waitFor();
  await page.getByRole('button', { name: 'New wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'New wallet' });
  await dialog.getByRole('textbox', { name: 'Wallet name' }).fill('mine');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog
    .getByRole('status')
    .filter({ hasText: /^Refused/ })
    .waitFor();
});
