// Activities as large as they may be, alone and together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrivateKey, httpClient, isRefusal, timestampMs } from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const client = httpClient(service);
const { organizationId } = service.credentials;
const signWith = await createPrivateKey(service, 'Large', 'ADDRESS_FORMAT_ETHEREUM');

// Quotes are quoted once more in the vote, which keeps the body as it was signed.
const payload = '"'.repeat(2_000_000);

test('the largest bodies become activities; too many of them are asked for in smaller pages', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 6; i += 1) {
    const { activity } = await client.signRawPayload({
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      timestampMs: timestampMs(),
      organizationId,
      parameters: {
        signWith,
        payload,
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_SHA256',
      },
    });
    ids.unshift(activity.id);
  }
  const page = (limit: string) =>
    client.getActivities({ organizationId, paginationOptions: { limit } });
  await assert.rejects(page('100'), isRefusal(9, 'REQUEST_INVALID', /with a smaller `limit`/));
  const { activities } = await page('2');
  assert.deepEqual(
    activities.map(({ id }) => id),
    ids.slice(0, 2),
  );
});
