// Activities of maximum size, single and in lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrivateKey, httpClient, timestampMs } from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const client = httpClient(service);
const { organizationId } = service.credentials;
const signWith = await createPrivateKey(service, 'Large', 'ADDRESS_FORMAT_ETHEREUM');

// The vote stores the signed body as a JSON string, which escapes its quotes.
const payload = '"'.repeat(2_000_000);

test('the largest bodies become activities, which are listed in shorter pages', async () => {
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
  const listed: string[] = [];
  for (let after: string | undefined; ; ) {
    const paginationOptions = { limit: '100', ...(after === undefined ? {} : { after }) };
    // The client does not know the members with the next cursor.
    const page: Listed = await client.getActivities({ organizationId, paginationOptions });
    listed.push(...page.activities.map(({ id }) => id));
    if (listed.length >= ids.length) break;
    assert.equal(page.truncated, true);
    assert.equal(page.nextCursor, listed.at(-1));
    after = page.nextCursor;
  }
  assert.deepEqual(listed.slice(0, ids.length), ids);
});

type Listed = {
  readonly activities: readonly { readonly id: string }[];
  readonly truncated?: boolean;
  readonly nextCursor?: string;
};
