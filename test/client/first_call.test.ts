// The client library against a running service, with the calls of the README.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiKey, connect, NeedsVotes, Refused, RequestFailed } from '../../src/client/index.ts';
import { newApiKey } from '../e2e/clients.ts';
import { serviceOfThisFile } from '../e2e/service.ts';

const service = await serviceOfThisFile();
const { organizationId, baseUrl: url } = service.credentials;
const root = connect({ url, organizationId, stamp: await apiKey(service.credentials) });

test('an activity gives its result, a query its answer, and a list its rows', async () => {
  const { walletId, addresses } = await root.submit('create_wallet', {
    walletName: 'shop',
    accounts: [root.account('ethereum'), root.account('solana')],
  });
  assert.equal(addresses.length, 2);
  const { wallets } = await root.query('list_wallets');
  assert.deepEqual(
    wallets.map((wallet) => wallet.walletId),
    [walletId],
  );
  const listed: string[] = [];
  for await (const { address } of root.pages('list_wallet_accounts', { walletId })) {
    listed.push(address);
  }
  assert.deepEqual(listed, [...addresses]);
});

test('a dry run tells what would be, and does nothing', async () => {
  const preview = await root.dryRun('create_user_tag', { userTagName: 'ops', userIds: [] });
  assert.equal(preview.outcome, 'done');
  assert.equal(preview.decision?.reason, 'ROOT_QUORUM_MET');
  assert.deepEqual([preview.voters, preview.truncated], [[], false]);
  assert.deepEqual((await root.query('list_user_tags')).userTags, []);
});

test('any holder of a stamped request can send it, and it stays one activity', async () => {
  const parameters = { userTagName: 'printed', userIds: [] };
  const { url: to, ...request } = await root.stamped('submit', 'create_user_tag', parameters);
  const answers = [await fetch(to, request), await fetch(to, request)];
  const [first, second] = await Promise.all(answers.map((answer) => answer.json()));
  assert.equal(first.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal(second.activity.id, first.activity.id);
});

test('submit throws for an activity that waits or is refused, and ask returns it', async () => {
  const key = newApiKey();
  const { userIds } = await root.submit('create_users', {
    users: [
      {
        userName: 'alice',
        apiKeys: [
          { apiKeyName: 'key', publicKey: key.apiPublicKey, curveType: 'API_KEY_CURVE_P256' },
        ],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  });
  const alice = root.as(await apiKey(key));
  const newTag = { userTagName: 'hers', userIds: [] };
  await assert.rejects(alice.submit('create_user_tag', newTag), (error) => {
    assert(error instanceof Refused);
    assert.equal(error.code, 'REQUEST_NOT_AUTHORIZED');
    assert.equal(error.status, 403);
    assert.match(error.requestId ?? '', /./);
    assert.equal(error.decision.reason, 'NO_POLICY_ALLOWS');
    return true;
  });
  await root.submit('create_policy', {
    policyName: 'two for tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
    consensus: `approvers.count() >= 2`,
    notes: '',
  });
  const preview = await alice.dryRun('create_user_tag', newTag);
  assert.equal(preview.outcome, 'waiting');
  const asked = await alice.ask('create_user_tag', newTag);
  assert.equal(asked.outcome, 'waiting');
  assert(asked.error instanceof NeedsVotes);
  assert.equal(asked.error.decision?.reason, 'AWAITS_POLICY_VOTES');

  const { activityId } = asked.error;
  const { now } = await alice.query('explain_activity', { activityId });
  assert.deepEqual([preview.voters, preview.truncated], [now?.voters, false]);
  assert(preview.voters.some(({ userName, canApprove }) => canApprove && userName !== 'alice'));

  const waiting = await root.activity(activityId);
  assert.deepEqual(waiting.intent, newTag);
  assert.equal(waiting.submitter.userId, userIds[0]);
  const voted = await root.approve(waiting);
  assert.equal(voted.outcome, 'done');
  const { userTagId } = await asked.error.settled();
  const { userTags } = await alice.query('list_user_tags');
  assert(userTags.some(({ tagId }) => tagId === userTagId));
});

test('an invalid request names its members', async () => {
  await assert.rejects(root.submit('create_wallet', { walletName: '', accounts: [] }), (error) => {
    assert(error instanceof RequestFailed);
    assert.equal(error.status, 400);
    assert.deepEqual(
      error.fields.map(({ field }) => field),
      ['parameters.walletName'],
    );
    return true;
  });
});
