// `keywright migrate` between the organizations of two services: plan, run, run again, verify.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newP256KeyPair } from '../../src/gateway/base/p256_key_pair.ts';
import { startService, temporaryDirectory } from '../e2e/service.ts';
import { reviewedRun } from './migrating.ts';
import { commandsOfThisFile } from './running_service.ts';

const { service, run, json } = await commandsOfThisFile();
const other = await startService({ dataDirectory: temporaryDirectory() });
after(() => other.stop());

for (const [name, { dataDirectory, baseUrl }] of [
  ['source', other],
  ['target', service],
] as const) {
  const file = join(dataDirectory, 'root-credentials.json');
  const { code, err } = await run(`login --with ${file} --profile ${name} --url ${baseUrl}`);
  assert.equal(code, 0, err);
}

/** Calls an operation of one of the organizations. */
const api = (profile: 'source' | 'target', name: string, parameters: object = {}) =>
  json(`api ${name} --params - --profile ${profile}`, { input: JSON.stringify(parameters) });
const pair = '--from source --profile target';
const plan = async () => {
  const { rows } = await json(`migrate plan ${pair}`);
  const states = rows.map((row: Record<string, string>) => [
    `${row['kind']} ${row['name']}`,
    row['state'],
  ]);
  return Object.fromEntries(states);
};

const runReviewed = reviewedRun({ run, json });

const { userTagId } = await api('source', 'create_user_tag', { userTagName: 'ops', userIds: [] });
const newUser = (userName: string, ...apiKeys: readonly object[]) => ({
  userName,
  userEmail: `${userName}@example.com`,
  apiKeys,
  authenticators: [],
  oauthProviders: [],
  userTags: [userTagId],
});
const newKey = (apiKeyName: string, more: object = {}) => ({
  apiKeyName,
  publicKey: newP256KeyPair((length) => randomBytes(length)).apiPublicKey,
  curveType: 'API_KEY_CURVE_P256',
  ...more,
});
const { userIds } = await api('source', 'create_users', {
  users: [
    newUser('ann', newKey('laptop')),
    newUser('ben', newKey('laptop'), newKey('phone', { expirationSeconds: '5000' })),
  ],
});
const { walletId } = await api('source', 'create_wallet', { walletName: 'shop', accounts: [] });
const policy = (policyName: string, condition: string, consensus: string) => ({
  policyName,
  effect: 'EFFECT_ALLOW',
  condition,
  consensus,
  notes: '',
});
await api('source', 'create_policies', {
  policies: [
    policy(
      'two of ops',
      "activity.action == 'SIGN'",
      `approvers.filter(user, user.tags.contains('${userTagId}')).count() >= 2 && approvers.any(user, user.id == '${userIds[0]}')`,
    ),
    policy('of the shop', `wallet.id == '${walletId}'`, 'true'),
  ],
});
await api('source', 'create_webhook_endpoint', {
  name: 'books',
  subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
});

test('the plan lists the rows to create, and the rows to move by hand', async () => {
  assert.deepEqual(await plan(), {
    'user tag ops': 'create',
    'user Root user': 'differs',
    'user ann': 'create',
    'user ben': 'create',
    'root quorum 1 of Root user': 'done',
    'policy two of ops': 'create',
    'policy of the shop': 'by hand',
    'webhook books': 'create',
    'wallet shop': 'by hand',
  });
  const { userTags } = await api('target', 'list_user_tags');
  assert.deepEqual(userTags, [], 'a plan changes nothing');
});

test('the run creates users with their keys and tags, and policies with the ids of the target', async () => {
  const { code, err } = await runReviewed(pair);
  assert.equal(code, 0, err);
  const { users } = await api('target', 'list_users');
  const [ann, ben] = ['ann', 'ben'].map((name) =>
    users.find(({ userName }: { userName: string }) => userName === name),
  );
  const { userTags } = await api('target', 'list_user_tags');
  assert.deepEqual(ann.userTags, [userTags[0].tagId]);
  assert.equal(ann.userEmail, 'ann@example.com');
  const seconds = Number(ben.apiKeys[1].expirationSeconds);
  assert(seconds > 4_000 && seconds <= 5_000, `the key lives as long as before: ${seconds}`);
  const { policies } = await api('target', 'list_policies');
  const moved = policies.find(
    ({ policyName }: { policyName: string }) => policyName === 'two of ops',
  );
  assert(moved.consensus.includes(ann.userId) && moved.consensus.includes(userTags[0].tagId));
  assert(!moved.consensus.includes(userTagId) && !moved.consensus.includes(userIds[0]));
});

test('a run creates nothing if the source differs from the reviewed plan', async () => {
  const { sourceDigest, rows } = await json(`migrate plan ${pair}`);
  const { userTagId: added } = await api('source', 'create_user_tag', {
    userTagName: 'added',
    userIds: [],
  });
  const { code, err } = await run(`migrate run ${pair} --reviewed ${sourceDigest}`);
  assert.equal(code, 9);
  assert.match(err, /has changed since the review/);
  const { userTags } = await api('target', 'list_user_tags');
  assert(!userTags.some(({ tagName }: { tagName: string }) => tagName === 'added'));
  const planned = (await json(`migrate plan ${pair}`)).rows.find(
    ({ name }: { name: string }) => name === 'added',
  );
  assert.equal(planned.creation.parameters.userTagName, 'added');
  await api('source', 'delete_user_tags', { userTagIds: [added] });
  const again = await json(`migrate plan ${pair}`);
  assert.deepEqual(again, { sourceDigest, rows }, 'the same source has the same digest');
  assert.equal((await run(`migrate run ${pair}`)).code, 2, 'a run needs a review');
});

test('a second run creates nothing', async () => {
  const { code, err } = await runReviewed(pair);
  assert.equal(code, 0);
  assert.doesNotMatch(err, /created/);
});

test('verification names the remaining rows until the wallet exists', async () => {
  const before = await run(`migrate verify ${pair}`);
  assert.equal(before.code, 9);
  assert.match(before.out, /of the shop +by hand/);
  await api('target', 'create_wallet', { walletName: 'shop', accounts: [] });
  assert.equal((await plan())['policy of the shop'], 'create');
  assert.equal((await runReviewed(pair)).code, 0);
  const { policies } = await api('target', 'list_policies');
  await api('target', 'delete_policy', { policyId: policies.at(-1).policyId });
  assert.match((await run(`migrate verify ${pair}`)).out, /of the shop +create/);
  assert.equal((await runReviewed(pair)).code, 0);
  // The key of the source's administrator is not moved.
  const { out } = await run(`migrate verify ${pair} --quiet`);
  assert.equal(out, 'Root user\n');
});

test('a policy that the target changed differs', async () => {
  const { policies } = await api('target', 'list_policies');
  const { policyId } = policies.find(
    ({ policyName }: { policyName: string }) => policyName === 'two of ops',
  );
  await api('target', 'update_policy', { policyId, policyConsensus: 'true' });
  assert.equal((await plan())['policy two of ops'], 'differs');
});

test('a dry run reports the decision of the target on each row, and creates nothing', async () => {
  const userTagName = 'dry';
  await api('source', 'create_user_tag', { userTagName, userIds: [] });
  const { rows } = await json(`migrate run ${pair} --dry-run`);
  const row = rows.find(({ name }: { name: string }) => name === userTagName);
  assert.deepEqual([row.state, row.note], ['create', 'would be created']);
  const { userTags } = await api('target', 'list_user_tags');
  assert(!userTags.some(({ tagName }: { tagName: string }) => tagName === userTagName));
});

test('the plan names different behaviour, and rows that stay with the reason', async () => {
  const sends = "activity.type == 'ACTIVITY_TYPE_ETH_SEND_TRANSACTION'";
  await api('source', 'create_policies', { policies: [policy('sends', sends, 'true')] });
  const addresses = [{ address: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf' }];
  await api('source', 'create_address_label', { label: 'payroll', addresses });
  const { rows } = await json(`migrate plan ${pair}`);
  const noteOf = (wanted: string) =>
    rows.find(({ kind, name }: Record<string, string>) => `${kind} ${name}` === wanted)?.note;
  assert.equal(noteOf('policy sends'), 'behaves differently: one call per transaction');
  assert.match(noteOf('address label payroll'), /create it again/);
});

test('a creation that waits for votes is not requested again', async () => {
  const { userTagId: voters } = await api('target', 'create_user_tag', {
    userTagName: 'voters',
    userIds: [],
  });
  assert.equal(typeof voters, 'string');
  const file = `${service.dataDirectory}/runner.json`;
  assert.equal((await run(`user create runner --key-file ${file} --profile target`)).code, 0);
  const allow = policy(
    'tags by two',
    "activity.kind == 'CREATE_USER_TAG'",
    'approvers.count() >= 2',
  );
  await api('target', 'create_policies', { policies: [allow] });
  const words = `--from source --credentials ${file}`;
  await runReviewed(words);
  const waiting = async () => {
    const filterByStatus = ['ACTIVITY_STATUS_CONSENSUS_NEEDED'];
    return (await api('target', 'list_activities', { filterByStatus })).activities.length;
  };
  assert.equal(await waiting(), 1);
  await runReviewed(words);
  assert.equal(await waiting(), 1);
});

test('a run without a source, or as curl commands, is refused', async () => {
  assert.equal((await run('migrate run --profile target')).code, 2);
  assert.equal((await run(`migrate run ${pair} --curl`)).code, 2);
});
