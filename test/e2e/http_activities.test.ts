// @turnkey/http: the list of activities, in pages and filtered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TActivity } from '@turnkey/http';
import { accountParameters, createWallet, httpClient, timestampMs, walletBody } from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const client = httpClient(service);
const { organizationId } = service.credentials;

const made = await makeActivities();

test('pages have no overlap and begin with the newest activity', async () => {
  for (const limit of [1, 3, 100]) {
    const pages = await allPages(String(limit));
    assert(pages.every((page) => page.length <= limit));
    assert.deepEqual(idsOf(pages.flat()), made.toReversed(), `pages of ${limit}`);
  }
});

test('repeated pages are equal', async () => {
  assert.deepEqual(await allPages('2'), await allPages('2'));
});

test('a new activity does not shift later pages', async () => {
  const first = await client.getActivities({ organizationId, paginationOptions: { limit: '4' } });
  const after = first.activities.at(-1)?.id ?? '';
  const second = { organizationId, paginationOptions: { limit: '4', after } };
  const before = await client.getActivities(second);
  const { activity } = await client.createWallet(walletBody(service, 'Arrives between', []));
  made.push(activity.id);
  assert.deepEqual(await client.getActivities(second), before);
});

test('the filter by type returns only activities of the type', async () => {
  const { activities } = await client.getActivities({
    organizationId,
    filterByType: ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'],
  });
  assert.equal(activities.length, 3);
  for (const activity of activities) {
    assert.equal(activity.type, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2');
    assert(made.includes(activity.id));
  }
});

test('the filter by status returns only activities with the status', async () => {
  const completed = await client.getActivities({
    organizationId,
    filterByStatus: ['ACTIVITY_STATUS_COMPLETED'],
    paginationOptions: { limit: '100' },
  });
  assert.equal(completed.activities.length, made.length);
  const rejected = await client.getActivities({
    organizationId,
    filterByStatus: ['ACTIVITY_STATUS_REJECTED', 'ACTIVITY_STATUS_FAILED'],
  });
  assert.deepEqual(rejected.activities, []);
});

test('a listed activity equals the answer of get_activity', async () => {
  const { activities } = await client.getActivities({ organizationId });
  for (const listed of activities) {
    const { activity } = await client.getActivity({ organizationId, activityId: listed.id });
    assert.deepEqual(listed, activity);
  }
});

/** Creates wallets and signatures. Returns the IDs of their activities, oldest first. */
async function makeActivities(): Promise<string[]> {
  const { addresses } = await createWallet(service, 'First', [accountParameters.ethereum]);
  const [first] = (await client.getActivities({ organizationId })).activities;
  const ids = [first?.id ?? ''];
  for (let i = 0; i < 3; i += 1) {
    const wallet = await client.createWallet(walletBody(service, `Wallet ${i}`, []));
    const signature = await client.signRawPayload({
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      timestampMs: timestampMs(),
      organizationId,
      parameters: {
        signWith: addresses[0] ?? '',
        payload: `payload ${i}`,
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_KECCAK256',
      },
    });
    ids.push(wallet.activity.id, signature.activity.id);
  }
  return ids;
}

async function allPages(limit: string): Promise<TActivity[][]> {
  const pages: TActivity[][] = [];
  let after: string | undefined;
  // More pages than activities mean a list without an end.
  while (pages.length <= made.length + 1) {
    const paginationOptions = after === undefined ? { limit } : { limit, after };
    const { activities } = await client.getActivities({ organizationId, paginationOptions });
    if (activities.length === 0) return pages;
    pages.push(activities);
    after = activities.at(-1)?.id;
  }
  throw new Error('the pages do not end');
}

function idsOf(activities: readonly TActivity[]): readonly string[] {
  return activities.map((activity) => activity.id);
}
