// Bundles of evidence of a running service, verified without a network, with time stamps of openssl.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { collectEvidence } from '../../src/cli/evidence/collect.ts';
import { filesOfTar, tarOf } from '../../src/cli/evidence/tar.ts';
import { apiKey, connect, newKey } from '../../src/client/index.ts';
import { activityOperations } from '../../src/operations/index.ts';
import { loginTypes } from '../../src/receipts/signed_votes.ts';
import { startLoopbackServer } from '../support/loopback_server.ts';
import { p256PublicKey } from '../support/p256.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { commandsOfThisFile } from './running_service.ts';
import { folderOfTests } from './terminal.ts';

const { service, run, json } = await commandsOfThisFile({ KEYWRIGHT_RECEIPTS: 'true' });
const { organizationId, baseUrl: url } = service.credentials;
const client = connect({ url, organizationId, stamp: await apiKey(service.credentials) });
const folder = folderOfTests();
const file = (name: string) => join(folder, name);
/** Waits for the receipt of an activity, which exists after the log adds its entry. */
const patienceMs = 60_000;

async function activityWithReceipt(walletName: string): Promise<string> {
  const submitted = await client.ask('create_wallet', { walletName, accounts: [] });
  assert.equal(submitted.outcome, 'done');
  await receiptOf(submitted.activity.id);
  return submitted.activity.id;
}

async function receiptOf(activityId: string, by: Pick<typeof client, 'query'> = client) {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await by.query('get_receipt', { activityId });
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let alterations = 0;

/** Writes an archive with one file replaced or added. */
function altered(from: string, name: string, change: (text: string) => string): string {
  const earlier = filesOfTar(readFileSync(from));
  const files = [...new Map([...earlier, [name, earlier.get(name) ?? Buffer.alloc(0)]])].map(
    ([each, bytes]) => ({
      name: each,
      bytes: each === name ? Buffer.from(change(Buffer.from(bytes).toString())) : bytes,
    }),
  );
  alterations += 1;
  const path = file(`altered-${alterations}.tar`);
  writeFileSync(path, tarOf(files, 0), { mode: 0o600 });
  return path;
}

/** Writes an archive with one file replaced or added, and its digest in the manifest. */
function relistedWith(from: string, name: string, change: (text: string) => string): string {
  let digest = '';
  const changed = altered(from, name, (text) => {
    const bytes = change(text);
    digest = sha256(bytes);
    return bytes;
  });
  return altered(changed, 'manifest.json', (text) => {
    const manifest = JSON.parse(text);
    const others = manifest.files.filter((each: { name: string }) => each.name !== name);
    return JSON.stringify({ ...manifest, files: [...others, { name, sha256: digest }] });
  });
}

test('the evidence of an activity verifies offline, and every alteration ends with 9', async () => {
  const id = await activityWithReceipt('Evidence');
  const archive = file('evidence.tar');
  const policy = file('policy.txt');
  writeFileSync(policy, await (await fetch(`${url}/log/policy`)).text());
  const written = await run(['evidence', '--activity', id, '--out', archive]);
  assert.equal(written.code, 0, written.err);
  // Another program can open the archive.
  const listed = execFileSync('tar', ['tf', archive], { encoding: 'utf8' });
  assert.deepEqual(listed.trim().split('\n'), [
    'manifest.json',
    `activities/${id}.json`,
    `receipts/${id}.json`,
    `decisions/${id}.json`,
    'policies.json',
  ]);
  const good = await json(`verify evidence ${archive} --trust ${policy}`);
  assert.deepEqual(good, {
    verified: true,
    organizationId,
    votes: 1,
    uncheckedVotes: 0,
    receipts: 1,
    digestOnly: 0,
    withoutReceipt: 0,
  });
  const again = await run(['evidence', '--activity', id, '--out', archive]);
  assert.notEqual(again.code, 0, 'an archive is never replaced');

  const name = `activities/${id}.json`;
  const digest = await run(['verify', 'evidence', altered(archive, name, (text) => `${text} `)]);
  assert.equal(digest.code, 9, digest.out);
  assert.match(digest.err, /is not the file that the manifest lists/);
  for (const [change, reason] of [
    [
      (text: string) => text.replaceAll('Evidence', 'Evidense'),
      /not signed by the key|fingerprint/,
    ],
    [(text: string) => text.replace(/"status": "[A-Z_]+"/, '"status": "X"'), /for another state/],
  ] as const) {
    const relisted = relistedWith(archive, name, change);
    const bad = await run(['verify', 'evidence', relisted, '--trust', policy]);
    assert.equal(bad.code, 9, bad.out);
    assert.match(bad.err, reason);
  }
});

test('a bundle with another request, result, intent or vote than the recorded one ends with 9', async () => {
  const [id, otherId] = [await activityWithReceipt('Recorded'), await activityWithReceipt('Other')];
  const archive = file('recorded.tar');
  const policy = file('policy-recorded.txt');
  writeFileSync(policy, await (await fetch(`${url}/log/policy`)).text());
  assert.equal((await run(['evidence', '--activity', id, '--out', archive])).code, 0);
  const { activity: other } = await client.query('get_activity', { activityId: otherId });
  type Shown = Record<string, unknown> & { votes: Record<string, unknown>[] };
  const changes: readonly (readonly [string, (activity: Shown) => object, RegExp])[] = [
    // This is another request of the same user, with the receipt of the first one.
    ['request', () => ({ ...other, id }), /differs from its receipt/],
    ['result', (shown) => ({ ...shown, result: other.result }), /differs from its receipt/],
    ['intent', (shown) => ({ ...shown, intent: other.intent }), /differs from its message/],
    [
      'selection',
      (shown) => ({
        ...shown,
        votes: shown.votes.map((vote) => ({ ...vote, selection: 'VOTE_SELECTION_REJECTED' })),
      }),
      /was not signed as VOTE_SELECTION_REJECTED/,
    ],
    [
      'twice',
      (shown) => ({ ...shown, votes: [...shown.votes, ...shown.votes] }),
      /counts a vote twice/,
    ],
  ];
  for (const [what, change, reason] of changes) {
    const bad = relistedWith(archive, `activities/${id}.json`, (text) =>
      JSON.stringify({ activity: change(JSON.parse(text).activity) }),
    );
    const { code, err } = await run(['verify', 'evidence', bad, '--trust', policy]);
    assert.equal(code, 9, what);
    assert.match(err, reason, what);
  }
  // Without its record, a receipt shows no content, and the output says so.
  const less = relistedWith(archive, `receipts/${id}.json`, (text) => {
    const { receipt } = JSON.parse(text);
    const { record: _, policySets: __, policyTexts: ___, ...rest } = receipt;
    return JSON.stringify({ receipt: rest });
  });
  const { receipts, digestOnly } = await json(`verify evidence ${less} --trust ${policy}`);
  assert.deepEqual({ receipts, digestOnly }, { receipts: 1, digestOnly: 1 });
});

test('without the record of the log, a bundle cannot count a key or a user twice', async () => {
  const id = await activityWithReceipt('Once');
  const archive = file('once.tar');
  assert.equal((await run(['evidence', '--activity', id, '--out', archive])).code, 0);
  const { activity } = await client.query('get_activity', { activityId: id });
  const [vote] = activity.votes;
  assert(vote !== undefined);
  const key = await apiKey(service.credentials);
  const point = p256PublicKey(Buffer.from(service.credentials.apiPrivateKey, 'hex'), false);
  const approval = JSON.stringify({
    type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY',
    timestampMs: String(Date.now()),
    organizationId,
    parameters: { fingerprint: activity.fingerprint },
  });
  const signed = await key.sign(new TextEncoder().encode(approval));
  const userId = randomUUID();
  const seconds: readonly (readonly [string, object])[] = [
    ['upper case', { userId, publicKey: vote.publicKey.toUpperCase() }],
    ['uncompressed', { userId, publicKey: Buffer.from(point).toString('hex') }],
    [
      'another text of the key',
      { userId, message: approval, signature: Buffer.from(signed).toString('hex') },
    ],
  ];
  for (const [what, change] of seconds) {
    const bad = relistedWith(archive, `activities/${id}.json`, () =>
      JSON.stringify({ activity: { ...activity, votes: [vote, { ...vote, ...change }] } }),
    );
    const { code, err } = await run(['verify', 'evidence', bad]);
    assert.equal(code, 9, what);
    assert.match(err, /counts a vote twice/, what);
  }
});

test('a bundle with files, activities or members that the command does not verify ends with 9', async () => {
  const [id, otherId] = [
    await activityWithReceipt('Listed'),
    await activityWithReceipt('Unlisted'),
  ];
  const archive = file('listed.tar');
  const policy = file('policy-listed.txt');
  writeFileSync(policy, await (await fetch(`${url}/log/policy`)).text());
  assert.equal((await run(['evidence', '--activity', id, '--out', archive])).code, 0);
  const { activity: other } = await client.query('get_activity', { activityId: otherId });
  const manifestWith = (members: object) =>
    altered(archive, 'manifest.json', (text) =>
      JSON.stringify({ ...JSON.parse(text), ...members }),
    );
  const fileWith = (name: string, text: string) => relistedWith(archive, name, () => text);
  const name = `activities/${id}.json`;
  const changes: readonly (readonly [string, string, RegExp])[] = [
    [
      'an activity that is not selected',
      fileWith(`activities/${otherId}.json`, JSON.stringify({ activity: other })),
      /has no place for activities\/.*json/,
    ],
    ['a file beside', fileWith('activities/notes.txt', 'text'), /has no place for/],
    ['a path', fileWith('../../.ssh/authorized_keys', 'text'), /has no place for/],
    [
      'an activity twice',
      manifestWith({ activities: [{ activityId: id }, { activityId: id }] }),
      /lists .* twice/,
    ],
    [
      'an activity in two spellings',
      manifestWith({ activities: [{ activityId: id }, { activityId: id.toUpperCase() }] }),
      /is not the id of an activity/,
    ],
    [
      'a receipt that is not verified',
      manifestWith({ activities: [{ activityId: id, withoutReceipt: 'none' }] }),
      /has no place for receipts/,
    ],
    [
      'a member twice',
      relistedWith(archive, name, (text) => text.replace('"status":', '"status": "X", "status":')),
      /repeats a member/,
    ],
    [
      'a manifest with a member twice',
      altered(archive, 'manifest.json', (text) => text.replace('{', '{"createdAt": "",')),
      /repeats a member/,
    ],
  ];
  for (const [what, path, reason] of changes) {
    const { code, err } = await run([
      'verify',
      'evidence',
      path,
      '--trust',
      policy,
      '--allow-missing-receipts',
    ]);
    assert.equal(code, 9, what);
    assert.match(err, reason, what);
  }
});

test('a bundle with other outcomes of policies than its receipt ends with 9', async () => {
  const key = await newKey();
  const { userIds } = await client.submit('create_users', {
    users: [
      {
        userName: 'Decided',
        apiKeys: [keyOf(key, 'Key')],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  });
  const { policyId } = await client.submit('create_policy', {
    policyName: 'Decided creates a wallet',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'WALLET' && activity.action == 'CREATE'",
    consensus: `approvers.any(user, user.id == '${userIds[0]}')`,
    notes: '',
  });
  const submitted = await client.as(key).ask('create_wallet', { walletName: 'D', accounts: [] });
  assert.equal(submitted.outcome, 'done');
  const { id } = submitted.activity;
  await receiptOf(id);
  const archive = file('decided.tar');
  const policy = file('policy-decided.txt');
  writeFileSync(policy, await (await fetch(`${url}/log/policy`)).text());
  assert.equal((await run(['evidence', '--activity', id, '--out', archive])).code, 0);
  const verify = (path: string) => run(['verify', 'evidence', path, '--trust', policy]);
  assert.equal((await verify(archive)).code, 0);
  const changes: readonly (readonly [string, (text: string) => string])[] = [
    ['outcome', (text) => text.replace('OUTCOME_ALLOW', 'OUTCOME_DENY_EXPLICIT')],
    ['policy', (text) => text.replaceAll(policyId, id)],
    ['vote', (text) => text.replace(/"voteId": "[^"]+"/, `"voteId": "${id}"`)],
    ['no decision', () => '{"policyEvaluations":[]}'],
    ['no list', () => '{}'],
  ];
  for (const [what, change] of changes) {
    const { code, err } = await verify(relistedWith(archive, `decisions/${id}.json`, change));
    assert.equal(code, 9, what);
    assert.match(err, /decisions of activity .* differ from its receipt/, what);
  }
});

test('the evidence of refused requests, and of a vote in another letter case, verifies', async () => {
  const key = await newKey();
  await client.submit('create_users', {
    users: [
      {
        userName: 'Without rights',
        apiKeys: [keyOf(key, 'Key')],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  });
  await client.submit('create_policy', {
    policyName: 'Two create a tag',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const from = new Date(Date.now()).toISOString();
  // A large refused request is recorded as its digest.
  for (const length of [1, 9_000]) {
    const refused = await client.as(key).ask('create_policy', {
      policyName: `Length ${length}`,
      effect: 'EFFECT_ALLOW',
      condition: `wallet.label == '${'x'.repeat(length)}'`,
      notes: '',
    });
    assert.equal(refused.outcome, 'refused');
  }
  const asked = await client.as(key).ask('create_user_tag', { userTagName: 'T', userIds: [] });
  if (asked.outcome !== 'waiting') assert.fail(JSON.stringify(asked));
  const fingerprint = asked.activity.fingerprint.toUpperCase();
  const vote = JSON.stringify({
    type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY',
    timestampMs: String(Date.now()),
    organizationId,
    parameters: { fingerprint },
  });
  const stamp = await apiKey(service.credentials);
  const { name, value } = await stamp.header(new TextEncoder().encode(vote));
  const approved = await fetch(`${url}/public/v1/submit/approve_activity`, {
    method: 'POST',
    headers: { [name]: value, 'content-type': 'application/json' },
    body: vote,
  });
  assert.equal(approved.status, 200, await approved.text());
  const to = new Date(Date.now() + 60_000).toISOString();
  const { activities } = await client.query('list_activities');
  const chosen = activities.slice(0, 3);
  assert.deepEqual(
    chosen.map(({ status }) => status.replace('ACTIVITY_STATUS_', '')),
    ['COMPLETED', 'FAILED', 'FAILED'],
  );
  for (const { id } of chosen) await receiptOf(id);
  const archive = file('refused.tar');
  const policy = file('policy-refused.txt');
  writeFileSync(policy, await (await fetch(`${url}/log/policy`)).text());
  const written = await run(['evidence', '--from', from, '--to', to, '--out', archive]);
  assert.equal(written.code, 0, written.err);
  const { votes, uncheckedVotes, receipts } = await json(
    `verify evidence ${archive} --trust ${policy}`,
  );
  assert.deepEqual([votes, uncheckedVotes, receipts], [2, 2, 3]);
  // Only a refused request may lack its signature.
  const bad = relistedWith(archive, `activities/${chosen[2]?.id}.json`, (text) =>
    text.replace('ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_COMPLETED'),
  );
  const { code, err } = await run(['verify', 'evidence', bad]);
  assert.equal(code, 9);
  assert.match(err, /not signed by the key/);
});

const keyOf = ({ publicKey }: { readonly publicKey: string }, apiKeyName: string) => ({
  apiKeyName,
  publicKey,
  curveType: 'API_KEY_CURVE_P256' as const,
});

test('the evidence of an activity whose submitter voted again verifies', async () => {
  const [first, second] = [await newKey(), await newKey()];
  const { userIds } = await client.submit('create_users', {
    users: [
      {
        userName: 'Asker',
        apiKeys: [keyOf(first, 'First'), keyOf(second, 'Second')],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  });
  const [userId = ''] = userIds;
  const { apiKeys } = await client.query('get_api_keys', { userId });
  await client.submit('create_policy', {
    policyName: 'Two create a wallet',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'WALLET' && activity.action == 'CREATE'",
    consensus: `approvers.count() >= 2`,
    notes: '',
  });
  await client.submit('create_mfa_policy', {
    userId,
    mfaPolicyName: 'Both keys',
    condition: 'true',
    requiredAuthenticationMethods: apiKeys.map(({ apiKeyId: id }) => ({
      any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' as const, id }],
    })),
    order: 0,
  });
  const policy = file('policy-again.txt');
  writeFileSync(policy, await (await fetch(`${url}/log/policy`)).text());
  for (const cast of ['approve', 'reject'] as const) {
    const submitted = await client
      .as(first)
      .ask('create_wallet', { walletName: `Again ${cast}`, accounts: [] });
    const { id } =
      submitted.outcome === 'refused' ? assert.fail(submitted.error) : submitted.activity;
    await client.as(second)[cast](await client.as(second).activity(id));
    // The request keeps its own signature, so a voter can still verify the activity.
    const seen = await client.activity(id);
    assert.equal(seen.submitter.publicKey, first.publicKey);
    assert.equal(seen.intent['walletName'], `Again ${cast}`);
    if (cast === 'approve') await client.approve(seen);
    await receiptOf(id);
    const archive = file(`again-${cast}.tar`);
    assert.equal((await run(['evidence', '--activity', id, '--out', archive])).code, 0);
    const good = await json(`verify evidence ${archive} --trust ${policy}`);
    assert.equal(good.votes, cast === 'approve' ? 2 : 1);
    assert.equal(good.receipts, 1);
    const changes: readonly (readonly [(text: string) => string, RegExp])[] = [
      [(text) => text.replaceAll(`Again ${cast}`, 'Another'), /fingerprint/],
      [(text) => text.replace(`"walletName": "Again ${cast}"`, '"walletName": "B"'), /intent/],
    ];
    for (const [change, reason] of changes) {
      const bad = relistedWith(archive, `activities/${id}.json`, change);
      const { code, err } = await run(['verify', 'evidence', bad, '--trust', policy]);
      assert.equal(code, 9);
      assert.match(err, reason);
    }
  }
});

test('the evidence of a login whose message names the parent needs the record of the log', async () => {
  const key = await newKey();
  const { subOrganizationId } = await client.submit('create_sub_organization', {
    subOrganizationName: 'Below',
    rootUsers: [
      {
        userName: 'Below',
        apiKeys: [keyOf(key, 'Key')],
        authenticators: [],
        oauthProviders: [],
      },
    ],
    rootQuorumThreshold: 1,
  });
  const below = client.within(subOrganizationId).as(key);
  const { publicKey } = await newKey();
  const submitted = await client.as(key).ask('stamp_login', { publicKey });
  const { id } = submitted.outcome === 'done' ? submitted.activity : assert.fail('no login');
  await receiptOf(id, below);
  const [archive, policy] = [file('login.tar'), file('policy-login.txt')];
  writeFileSync(policy, await (await fetch(`${url}/log/policy`)).text());
  // Profiles may spell the id in upper case.
  const spelled = subOrganizationId.toUpperCase();
  const files = await collectEvidence(below, spelled, { activityId: id }, 0);
  writeFileSync(archive, tarOf(files, 0), { mode: 0o600 });
  const { votes, uncheckedVotes, digestOnly } = await json(
    `verify evidence ${archive} --trust ${policy}`,
  );
  assert.deepEqual([votes + uncheckedVotes, votes], [1, 1 - digestOnly]);
  const plain = await json(`verify evidence ${archive}`);
  assert.deepEqual([plain.votes, plain.uncheckedVotes], [0, 1]);
  // Another type of activity never names another organization.
  const { activity: foreign } = await client.query('get_activity', {
    activityId: await activityWithReceipt('Foreign'),
  });
  const bad = relistedWith(archive, `activities/${id}.json`, () =>
    JSON.stringify({ activity: { ...foreign, id, organizationId: subOrganizationId } }),
  );
  const { code, err } = await run(['verify', 'evidence', bad]);
  assert.equal(code, 9);
  assert.match(err, /another organization/);
});

test('only logins that find a sub-organization may name the parent', () => {
  const types = Object.values(activityOperations).flatMap((each) =>
    each.findsChild === true || each.childEntry !== undefined
      ? [each.wire.type, ...each.older.map(({ wire }) => wire.type)]
      : [],
  );
  assert.deepEqual([...loginTypes].sort(), types.sort());
});

test('with --trust, an activity without a receipt ends with 9 unless it is allowed', async () => {
  const id = await activityWithReceipt('Left out');
  const archive = file('left-out.tar');
  const policy = file('policy-left-out.txt');
  writeFileSync(policy, await (await fetch(`${url}/log/policy`)).text());
  assert.equal((await run(['evidence', '--activity', id, '--out', archive])).code, 0);
  const receipt = `receipts/${id}.json`;
  const left = [...filesOfTar(readFileSync(archive))]
    .filter(([name]) => name !== receipt)
    .map(([name, bytes]) => {
      if (name !== 'manifest.json') return { name, bytes };
      const manifest = JSON.parse(Buffer.from(bytes).toString());
      manifest.activities[0].withoutReceipt = 'there is no log';
      manifest.files = manifest.files.filter((each: { name: string }) => each.name !== receipt);
      return { name, bytes: Buffer.from(JSON.stringify(manifest)) };
    });
  const without = file('without.tar');
  writeFileSync(without, tarOf(left, 0), { mode: 0o600 });
  const words = ['verify', 'evidence', without];
  const refused = await run([...words, '--trust', policy]);
  assert.equal(refused.code, 9, refused.out);
  assert.match(refused.err, new RegExp(`no receipt of 1 of 1 activities, such as ${id}`));
  const allowed = await run([...words, '--trust', policy, '--allow-missing-receipts', '--json']);
  assert.equal(allowed.code, 0, allowed.err);
  const { receipts, withoutReceipt } = JSON.parse(allowed.out);
  assert.deepEqual({ receipts, withoutReceipt }, { receipts: 0, withoutReceipt: 1 });
  // Without a policy no receipt is verified.
  assert.equal((await run(words)).code, 0);
});

test('the evidence of a period has the activities of the period', async () => {
  const id = await activityWithReceipt('Period');
  const { activity } = await client.query('get_activity', { activityId: id });
  const from = activity.createdAt;
  const to = new Date(Date.parse(from) + 1).toISOString();
  const archive = file('period.tar');
  const written = await run(['evidence', '--from', from, '--to', to, '--out', archive]);
  assert.equal(written.code, 0, written.err);
  const manifest = JSON.parse(
    Buffer.from(filesOfTar(readFileSync(archive)).get('manifest.json') ?? []).toString(),
  );
  assert.deepEqual(manifest.selection, { from, to });
  assert(manifest.activities.some((each: { activityId: string }) => each.activityId === id));
  const past = ['--from', '2001-01-01', '--to', '2001-01-02', '--out', file('past.tar')];
  const empty = await run(['evidence', ...past]);
  assert.equal(empty.code, 2, empty.err);
  assert.match(empty.err, /no activity was submitted/);
});

test('keywright evidence rejects invalid UUIDs and endless pages', async () => {
  const from = '2026-01-01T00:00:00.000Z';
  const selection = { from, to: '2026-02-01T00:00:00.000Z' };
  let pages = 0;
  const serviceWith = (ids: string[], createdAt: string, cursorAfter: (page: number) => string) =>
    ({
      query: async (name: string) => {
        if (name !== 'list_activities') return {};
        pages += 1;
        return { activities: ids.map((id) => ({ id, createdAt })), nextCursor: cursorAfter(pages) };
      },
    }) as unknown as Parameters<typeof collectEvidence>[0];
  const outside = serviceWith(['../../../.ssh/authorized_keys'], from, () => 'last');
  await assert.rejects(collectEvidence(outside, organizationId, selection, 0), /is not the id/);
  pages = 0;
  const endless = serviceWith(['a'], '2026-03-01T00:00:00.000Z', String);
  await assert.rejects(
    collectEvidence(endless, organizationId, selection, 0),
    /over 10000 pages of activities/,
  );
  assert.equal(pages, 10_000);
});

test('a damaged archive is refused', () => {
  const archive = Buffer.from(tarOf([{ name: 'a', bytes: Buffer.from('text') }], 0));
  assert.deepEqual([...filesOfTar(archive).keys()], ['a']);
  const twice = tarOf(
    [
      { name: 'a', bytes: Buffer.from('1') },
      { name: 'a', bytes: Buffer.from('2') },
    ],
    0,
  );
  const link = Buffer.from(archive);
  link[156] = 0x32;
  for (const [bytes, reason] of [
    [twice, /a twice/],
    [archive.subarray(0, 512), /ends early/],
    [archive.subarray(0, 700), /ends early/],
    [Buffer.concat([archive, Buffer.from('x')]), /has data after its end/],
    [link, /damaged header/],
    [Buffer.alloc(512, 1), /damaged header/],
  ] as const) {
    assert.throws(() => filesOfTar(bytes), reason);
  }
});

const missing = isInstalled('openssl') ? undefined : 'openssl is not installed';

testsThatNeed(missing).test('a time stamp server stamps the manifest', async () => {
  const authority = makeAuthority();
  const server = await startLoopbackServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    writeFileSync(file('query.tsq'), Buffer.concat(chunks));
    authority.reply();
    response.setHeader('content-type', 'application/timestamp-reply');
    response.end(readFileSync(file('reply.tsr')));
  });
  after(() => server.stop());
  const id = await activityWithReceipt('Stamped');
  const archive = file('stamped.tar');
  const words = ['evidence', '--activity', id, '--out', archive];
  const written = await run([...words, '--timestamp-server', server.origin]);
  assert.equal(written.code, 0, written.err);
  const certificate = ['--timestamp-certificate', file('ca.pem')];
  const good = await run(['verify', 'evidence', archive, ...certificate]);
  assert.equal(good.code, 0, good.err);
  assert.match(good.out, /Time stamp +20\d\d-/);
  // Verifies the time stamps with openssl.
  const files = filesOfTar(readFileSync(archive));
  for (const name of ['manifest.json', 'manifest.json.tsr']) {
    writeFileSync(file(name), files.get(name) ?? '');
  }
  const of = ['-data', file('manifest.json'), '-in', file('manifest.json.tsr')];
  openssl('ts', '-verify', ...of, '-CAfile', file('ca.pem'));

  const other = await run([
    'verify',
    'evidence',
    archive,
    '--timestamp-certificate',
    file('x.pem'),
  ]);
  assert.equal(other.code, 9, other.out);
  assert.match(other.err, /no trusted certificate signed the time stamp/);
  const later = altered(archive, 'manifest.json', (text) => `${text} `);
  const moved = await run(['verify', 'evidence', later, ...certificate]);
  assert.equal(moved.code, 9, moved.out);
  assert.match(moved.err, /for other bytes/);
});

function isInstalled(program: string): boolean {
  return spawnSync(program, ['version']).status === 0;
}

const openssl = (...words: readonly string[]) =>
  execFileSync('openssl', words, { stdio: ['ignore', 'pipe', 'pipe'] });

/** Creates a time stamp authority in the folder, with the certificates of its issuer and of a stranger. */
function makeAuthority() {
  writeFileSync(
    file('tsa.cnf'),
    [
      '[tsa]',
      'default_tsa = here',
      '[here]',
      `serial = ${file('serial')}`,
      `signer_cert = ${file('tsa.pem')}`,
      `signer_key = ${file('tsa.key')}`,
      'signer_digest = sha256',
      'default_policy = 1.2.3.4.1',
      'digests = sha256, sha384, sha512',
      'ess_cert_id_alg = sha256',
    ].join('\n'),
  );
  writeFileSync(file('tsa.ext'), 'extendedKeyUsage = critical,timeStamping\n');
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '30'];
  for (const name of ['ca', 'x']) {
    const of = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)];
    openssl('req', '-x509', ...key, ...of, '-subj', `/CN=${name}`);
  }
  const request = ['-keyout', file('tsa.key'), '-out', file('tsa.csr'), '-subj', '/CN=tsa'];
  openssl('req', '-newkey', 'rsa:2048', '-nodes', ...request);
  const issuer = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial'];
  const signed = ['-in', file('tsa.csr'), '-out', file('tsa.pem'), '-days', '30'];
  openssl('x509', '-req', ...signed, ...issuer, '-extfile', file('tsa.ext'));
  writeFileSync(file('serial'), '01\n');
  return {
    reply: () => {
      const from = ['-queryfile', file('query.tsq'), '-out', file('reply.tsr')];
      openssl('ts', '-reply', ...from, '-config', file('tsa.cnf'));
    },
  };
}
