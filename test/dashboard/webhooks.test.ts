// Operators of webhooks: an endpoint is created, its deliveries are viewed, and an event is redelivered.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { apiKey, type Client, connect } from '../../src/client/index.ts';
import { newKeyPair } from '../../src/client/stamps.ts';
import { until } from '../e2e/service.ts';
import {
  before,
  dashboardOfThisFile,
  goTo,
  missing,
  patiently,
  signInAs,
  test,
} from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

let page: Page;
let root: Client;

before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const of = credentials('root-credentials');
  root = connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { port } = receiver.address() as AddressInfo;
  await root.submit('create_webhook_endpoint', {
    name: 'receiver',
    url: `http://127.0.0.1:${port}/`,
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  });
  await root.submit('create_wallet', { walletName: 'example', accounts: [] });
  page = await dashboard.openAs('Root user', { path: 'webhooks' });
});

const status = (text: RegExp) => page.getByRole('status').filter({ hasText: text });
const deliveries = () => page.getByRole('table', { name: 'Deliveries' });

/** Ids of the received events, in order. The receiver reads only headers. */
const received: string[] = [];
const receiver = createServer((request, response) => {
  received.push(String(request.headers['x-service-event-id']));
  request.resume().on('end', () => response.end());
});
after(() => receiver.close());

test('24: a delivery is found in three clicks, verified, and sent again with its event id', async () => {
  await goTo(page, 'Webhooks');
  await page.getByRole('link', { name: 'receiver' }).click();
  const row = deliveries()
    .getByRole('row', { name: /Activities .* UTC delivered 1$/ })
    .first();
  await row.getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: /^Delivery \d+$/ }).waitFor();
  const payload = page.getByRole('region', { name: 'Payload' });
  await payload
    .getByRole('status')
    .filter({ hasText: /^Signature verified/ })
    .waitFor();
  await page.getByText('Details', { exact: true }).first().click();
  // The terms before the id are event, state, time and activity.
  const eventId = (await page.getByRole('definition').nth(4).textContent()) ?? '';
  const times = () => received.filter((each) => each === eventId).length;
  assert.equal(times(), 1);
  await page.getByRole('button', { name: 'Redeliver' }).click();
  await status(/^Done/).waitFor();
  const attempts = page.getByRole('table', { name: 'Attempts' });
  await attempts.getByRole('row').nth(2).waitFor();
  assert.equal(times(), 2);
});

test('a range of events is redelivered', async () => {
  await page.getByRole('link', { name: 'receiver' }).click();
  await page.getByRole('button', { name: 'Redeliver' }).click();
  const dialog = page.getByRole('dialog', { name: 'Redeliver' });
  await dialog.getByRole('spinbutton', { name: 'First number' }).fill('1');
  await dialog.getByRole('spinbutton', { name: 'Last number' }).fill('3');
  await dialog.getByRole('button', { name: 'Redeliver' }).click();
  await status(/^Done\. Events that are sent again: 3\./).waitFor();
});

test('a filter is tried on past events by the rules of the service', async () => {
  const filter = page.getByRole('textbox', { name: 'Filter' });
  await filter.fill('{"resources": ["WALET"]}');
  await page.getByText(/expected one of .*WALLET/).waitFor();
  await filter.fill('{"resources": ["WALLET"]}');
  await page.getByRole('button', { name: 'Try on past events' }).click();
  const resultText = await status(/^\d+ of \d+ past events match/).textContent();
  const [, matching, of] = /^(\d+) of (\d+)/.exec(resultText ?? '') ?? [];
  assert(Number(matching) >= 1 && Number(matching) < Number(of), resultText ?? '');
});

test('an endpoint is paused, resumed and deleted after its name was typed', async () => {
  await goTo(page, 'Webhooks');
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'New endpoint' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('ledger');
  await dialog.getByRole('textbox', { name: 'URL' }).fill('ftp://127.0.0.1/');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('alert').filter({ hasText: /https/ }).waitFor();
  await dialog.getByRole('textbox', { name: 'URL' }).fill('');
  const events = dialog.getByRole('group', { name: 'Events' }).getByRole('checkbox');
  await events.nth(4).waitFor();
  assert.equal(await events.count(), 5);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'ledger' }).waitFor();
  await deliveries()
    .getByRole('row', { name: /^1 Activities/ })
    .waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  const isActive = async () =>
    (await root.query('list_webhook_endpoints')).webhookEndpoints.find(
      ({ name }) => name === 'ledger',
    )?.isActive;
  assert.equal(await isActive(), false);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  assert.equal(await isActive(), true);
  await page.getByRole('button', { name: 'Delete endpoint' }).click();
  const asks = page.getByRole('alertdialog', { name: 'Delete endpoint ledger' });
  await asks.getByRole('textbox', { name: 'Type ledger to confirm' }).fill('ledger');
  await asks.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await missing(page, page.getByRole('link', { name: 'ledger' }));
});

test('the overview warns of a failing endpoint, keys, an open policy and a freeze', async () => {
  const refusing = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(500).end());
  });
  after(() => refusing.close());
  await once(refusing.listen(0, '127.0.0.1'), 'listening');
  const { port } = refusing.address() as AddressInfo;
  await root.submit('create_webhook_endpoint', {
    name: 'refusing',
    url: `http://127.0.0.1:${port}/`,
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  });
  const { publicKey } = await newKeyPair();
  const { userId } = await root.query('whoami');
  await root.submit('create_api_keys', {
    userId,
    apiKeys: [
      {
        apiKeyName: 'for a day',
        publicKey,
        curveType: 'API_KEY_CURVE_P256',
        expirationSeconds: '86400',
      },
    ],
  });
  const { webhookEndpoints } = await root.query('list_webhook_endpoints');
  const { endpointId = '' } = webhookEndpoints.find(({ name }) => name === 'refusing') ?? {};
  await until('a delivery has failed', async () => {
    const { deliveries } = await root.query('list_webhook_deliveries', { endpointId });
    return deliveries.at(-1)?.attempts.length === 1;
  });
  await root.submit('create_policy', {
    policyName: 'open to all',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN'",
    notes: '',
  });
  const { wallets } = await root.query('list_wallets');
  const [{ walletId: resourceId = '' } = {}] = wallets;
  await root.submit('create_freeze', { type: 'FREEZE_TYPE_WALLET', resourceId });
  const other = await dashboard.openAs('Root user');
  const warnings = other.getByRole('region', { name: 'Warnings' });
  await warnings.getByText('Deliveries to the endpoint refusing fail.', { exact: false }).waitFor();
  await warnings.getByText(/^The API key for a day of Root user expires on /).waitFor();
  await warnings.getByText(/^Root user of the root quorum has an API key that does not/).waitFor();
  await warnings.getByText(/^1 freeze stops signatures, exports and sends/).waitFor();
  assert.equal(await warnings.getByText(/endpoint receiver/).count(), 0);
  await warnings.getByRole('link', { name: /^The policy open to all lets one user alone/ }).click();
  await other.getByRole('heading', { level: 1, name: 'open to all' }).waitFor();
});

test('a body that the gateway altered is not shown as verified', async () => {
  const hostile = await dashboard.open({ isHostile: true });
  await hostile.route('**/query/list_webhook_deliveries', async (route) => {
    const response = await route.fetch(patiently);
    const text = (await response.text()).replaceAll(
      'ACTIVITY_STATUS_COMPLETED',
      'ACTIVITY_STATUS_FAILED',
    );
    await route.fulfill({ response, body: text });
  });
  await signInAs(hostile, 'Root user');
  await goTo(hostile, 'Webhooks');
  await hostile.getByRole('link', { name: 'receiver' }).click();
  await hostile.getByRole('table', { name: 'Deliveries' }).getByRole('link').last().click();
  await hostile
    .getByRole('alert')
    .filter({ hasText: /^The signature does not verify/ })
    .waitFor();
});
