// Wrong answers of a service, or of an attacker in its place.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type Activity,
  type Client,
  NeedsVotes,
  Refused,
  Untrusted,
} from '../../src/client/index.ts';
import { pagesOf } from '../../src/client/pages.ts';
import { startTestService, type TestService } from '../support/harness.ts';
import { clientOf, fetchOf } from './service_fetch.ts';

let service: TestService;
let other: Activity;
before(async () => {
  service = await startTestService();
  const asked = await (await clientOf(service)).ask('create_user_tag', tag('other'));
  assert.equal(asked.outcome, 'done');
  other = asked.activity;
});
after(() => service.close());

const tag = (userTagName: string) => ({ userTagName, userIds: [] });
let names = 0;
const newTag = () => {
  names += 1;
  return tag(`tag ${names}`);
};

type Body = { activity: Activity } & Record<string, unknown>;

/** Creates a client whose answers are altered by a function. */
const lying = (lie: (body: Body) => unknown): Promise<Client> =>
  clientOf(service, {
    fetch: async (...sent) => {
      const answer = await fetchOf(service)(...sent);
      return Response.json(lie(await answer.json()));
    },
  });

const completed = { status: 'ACTIVITY_STATUS_COMPLETED' };

const lies: Readonly<Record<string, (body: Body) => unknown>> = {
  'the result of another activity': () => ({ activity: other }),
  'another activity under the same fingerprint': ({ activity }) => ({
    activity: { ...other, type: 'ACTIVITY_TYPE_DELETE_WALLETS', fingerprint: activity.fingerprint },
  }),
  'a completed activity of another fingerprint': ({ activity }) => ({
    activity: { ...activity, ...completed, fingerprint: other.fingerprint },
  }),
  'a completed activity without result': ({ activity }) => ({
    activity: { ...activity, ...completed, result: {} },
  }),
  'a completed activity with the result of another type': ({ activity }) => ({
    activity: { ...activity, ...completed, result: { deleteWalletsResult: { walletIds: [] } } },
  }),
  'a completed activity with two results': ({ activity }) => ({
    activity: { ...activity, result: { ...activity.result, deleteWalletsResult: {} } },
  }),
  'a result that is null': ({ activity }) => ({
    activity: { ...activity, result: { createUserTagResult: null } },
  }),
  'no activity': () => ({}),
  'an activity that is null': () => ({ activity: null }),
  'an activity that is a text': () => ({ activity: 'done' }),
  'a dry run in its place': () => ({ dryRun: { status: 'ACTIVITY_STATUS_COMPLETED' } }),
};

for (const [what, lie] of Object.entries(lies)) {
  test(`${what} is not taken for the result`, async () => {
    const client = await lying(lie);
    await assert.rejects(client.submit('create_user_tag', newTag()), Untrusted);
    await assert.rejects(client.ask('create_user_tag', newTag()), Untrusted);
  });
}

test('whatever is not completed is no result, unknown states included', async () => {
  const waits = ['CREATED', 'PENDING', 'CONSENSUS_NEEDED', 'AUTHENTICATORS_NEEDED', 'SOMETHING'];
  for (const state of [...waits, 'FAILED', 'REJECTED']) {
    const status = `ACTIVITY_STATUS_${state}`;
    const client = await lying(({ activity }) => ({ activity: { ...activity, status } }));
    const expected = waits.includes(state) ? NeedsVotes : Refused;
    await assert.rejects(client.submit('create_user_tag', newTag()), expected, state);
  }
});

test('an activity that was really carried out is no dry run', async () => {
  const client = await lying((body) => ({ ...body, dryRun: undefined, activity: other }));
  await assert.rejects(client.dryRun('create_user_tag', newTag()), Untrusted);
});

test('names that every object has are no operations', async () => {
  const client = await clientOf(service);
  for (const name of ['constructor', '__proto__', 'toString']) {
    const sent = await client.stamped('submit', name as 'create_wallet', {} as never);
    assert.equal(JSON.parse(sent.body).type, `ACTIVITY_TYPE_${name.toUpperCase()}`);
  }
});

test('members of parameters do not change what is asked for', async () => {
  const client = await clientOf(service);
  const parameters = { ...newTag(), organizationId: 'other', type: 'other', dryRun: true };
  const { body } = await client.stamped('submit', 'create_user_tag', parameters);
  const { type, organizationId, dryRun } = JSON.parse(body);
  assert.deepEqual(
    [type, organizationId, dryRun],
    ['ACTIVITY_TYPE_CREATE_USER_TAG', client.organizationId, undefined],
  );
});

test('a verified activity is the one that was asked for, in this organization', async () => {
  const client = await clientOf(service);
  assert.equal((await client.activity(other.id)).fingerprint, other.fingerprint);
  const { activityId } = await newActivity(client);
  const swapped = await lying(() => ({ activity: other }));
  await assert.rejects(swapped.activity(activityId), Untrusted, 'another activity');
  const renamed = await lying(({ activity }) => ({
    activity: { ...other, id: activity.id },
  }));
  const shown = await renamed.activity(activityId);
  assert.equal(shown.fingerprint, other.fingerprint, 'the vote goes to what is shown');
  const typed = await lying(({ activity }) => ({
    activity: { ...activity, type: 'ACTIVITY_TYPE_DELETE_WALLETS' },
  }));
  await assert.rejects(typed.activity(activityId), Untrusted, 'another type than was signed');
  const elsewhere = await lying((body) => body);
  await assert.rejects(
    elsewhere.within(other.id).activity(activityId),
    'an organization that it is not of',
  );
});

test('a vote is believed to be for what was approved alone', async () => {
  const client = await clientOf(service);
  const approved = await client.activity((await newActivity(client)).activityId);
  const liar = await lying(() => ({ activity: other }));
  await assert.rejects(liar.approve(approved), Untrusted);
});

test('lists that are none are not read as empty, and lists without end are not read for ever', async () => {
  const without = await lying(() => ({}));
  await assert.rejects(without.pages('list_wallet_accounts').next(), Untrusted);
  await assert.rejects(without.watch().next(), Untrusted);
  const row = { walletAccountId: 'same' };
  const fullPage = Array.from({ length: 100 }, () => row);
  const endless = await lying(() => ({ accounts: fullPage }));
  let rows = 0;
  await assert.rejects(async () => {
    for await (const _ of endless.pages('list_wallet_accounts')) rows += 1;
  }, Untrusted);
  assert(rows <= 200, `${rows} rows`);
  // Cursors in a cycle after a beginning, and ever new cursors of empty pages.
  for (const [cursorOf, page] of [
    [(count: number) => `${count < 50 ? count : count % 7}`, fullPage],
    [(count: number) => `${count}`, []],
  ] as const) {
    let count = 0;
    const pages = pagesOf(async () => {
      count += 1;
      assert(count <= 10_010, 'the requests do not end');
      return { activities: page, truncated: true, nextCursor: cursorOf(count) };
    });
    await assert.rejects(async () => {
      for await (const _ of pages('list_activities')) rows += 1;
    }, Untrusted);
    assert(page.length === 0 || count < 200, `${count} pages`);
  }
});

async function newActivity(client: Client): Promise<{ activityId: string }> {
  const asked = await client.ask('create_user_tag', newTag());
  assert.equal(asked.outcome, 'done');
  return { activityId: asked.activity.id };
}
