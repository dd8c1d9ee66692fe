// Times of activities as objects, for clients such as `tk` that send no identifying header.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWallet, stamper } from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile({ KEYWRIGHT_ACTIVITY_TIMES: 'objects' });

test('a plain request lists activities whose times are objects', async () => {
  await createWallet(service, 'Main', []);
  const { baseUrl, credentials } = service;
  const body = JSON.stringify({ organizationId: credentials.organizationId });
  const { stampHeaderName, stampHeaderValue } = await stamper(credentials).stamp(body);
  const answer = await fetch(`${baseUrl}/public/v1/query/list_activities`, {
    method: 'POST',
    headers: { [stampHeaderName]: stampHeaderValue },
    body,
  });
  const { activities } = await answer.json();
  assert.ok(activities.length > 0);
  for (const { createdAt, updatedAt } of activities) {
    for (const { seconds, nanos } of [createdAt, updatedAt]) {
      assert.match(seconds, /^\d+$/);
      assert.match(nanos, /^\d+$/);
    }
  }
});
