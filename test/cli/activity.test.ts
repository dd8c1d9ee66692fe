// A waiting activity from its request to the last vote, with three users and their keys.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serializeTransaction } from 'viem';
import { newKey } from '../../src/cli/service/new_key.ts';
import { serviceOfThisFile } from '../e2e/service.ts';
import { folderOfTests, runIn } from './terminal.ts';

const service = await serviceOfThisFile();
const folder = folderOfTests();
const { organizationId } = service.credentials;
const rootFile = join(service.dataDirectory, 'root-credentials.json');
const as = (file: string) => ['--credentials', file, '--url', service.baseUrl];
const root = as(rootFile);

async function run(words: readonly string[], more: Parameters<typeof runIn>[2] = {}) {
  const ran = await runIn(folder, words, more);
  return { ...ran, json: () => JSON.parse(ran.out) };
}

async function user(name: string): Promise<{ file: string; id: string }> {
  const key = await newKey();
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ ...key, organizationId }), { mode: 0o600 });
  const users = [
    {
      userName: name,
      apiKeys: [{ apiKeyName: name, publicKey: key.apiPublicKey, curveType: 'API_KEY_CURVE_P256' }],
      authenticators: [],
      oauthProviders: [],
      userTags: [],
    },
  ];
  const input = JSON.stringify({ users });
  const created = await run(['api', 'create_users', '--params', '-', ...root], { input });
  assert.equal(created.code, 0, created.err);
  return { file, id: created.json().userIds[0] };
}

const [alice, bob] = [await user('alice'), await user('bob')];
const policy = {
  policyName: 'two make a wallet',
  effect: 'EFFECT_ALLOW',
  condition: "activity.resource == 'WALLET' && activity.action == 'CREATE'",
  consensus: 'approvers.count() >= 2',
  notes: '',
};
const created = await run(['api', 'create_policy', '--params', '-', ...root], {
  input: JSON.stringify(policy),
});
assert.equal(created.code, 0, created.err);

type Voter = { readonly userName: string; readonly canApprove: boolean };

async function waiting(name: string): Promise<{ id: string; fingerprint: string }> {
  const { code, err } = await run(['wallet', 'create', name, '--json', ...as(alice.file)]);
  assert.equal(code, 3);
  const { activityId, next } = JSON.parse(err).error;
  const fingerprint = /--fingerprint (sha256:[0-9a-f]{64})$/.exec(next)?.[1];
  assert(fingerprint !== undefined, next);
  return { id: activityId, fingerprint };
}

test('a command whose activity waits ends with 3, and the list names the command of an approver', async () => {
  const { id } = await waiting('listed');
  const list = await run(['activity', 'list', '--status', 'waiting', ...root]);
  assert.match(list.out, new RegExp(`Create wallet "listed" +waits +alice +${id}`));
  const explained = await run(['activity', 'explain', id, ...as(bob.file)]);
  assert.match(explained.out, /two make a wallet/);
  assert.match(explained.out, /alice approved \(counts until \d{4}-\d\d-\d\d [\d:]+ UTC\)/);
  assert.match(explained.out, /May still approve: .*bob/);
});

test('activity list shows payments with amount and recipient, and names instead of ids', async () => {
  const input = serializeTransaction({
    chainId: 1,
    to: '0x000000000000000000000000000000000000dEaD',
    nonce: 0,
    gas: 21_000n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    value: 500_000_000_000_000_000n,
  });
  assert.equal((await run(['wallet', 'create', 'payer', ...root])).code, 0);
  const signed = await run(['sign', 'transaction', '-', '--with', 'payer', ...root], { input });
  assert.equal(signed.code, 0, signed.err);
  const renamed = await run(['api', 'update_user', '--user-id', alice.id, ...root]);
  assert.equal(renamed.code, 0, renamed.err);
  const { out } = await run(['activity', 'list', ...root]);
  assert.match(out, /^\S+ \S+ UTC +Sign transaction 0\.5 ETH to 0x0000…dEaD +done +/m);
  assert.match(out, /^\S+ \S+ UTC +Update user "alice" +done +/m);
  assert.match(out, /^\S+ \S+ UTC +Create policy "two make a wallet" +done +/m);
});

test('a command whose activity waits names the possible approvers and the deadline', async () => {
  const other = ['policy', 'create', 'other', '--condition', "activity.action == 'EXPORT'"];
  assert.equal((await run([...other, '--consensus', 'false', ...root])).code, 0);
  const { code, err } = await run(['wallet', 'create', 'waits', ...as(alice.file)]);
  assert.equal(code, 3);
  assert.match(err, /^ {2}policy two make a wallet \(ALLOW\): REQUIRES_CONSENSUS$/m);
  assert.doesNotMatch(err, /policy other/);
  assert.match(err, /^May still approve: .*bob/m);
  assert.match(err, /^The votes so far count until \d{4}-\d\d-\d\d [\d:]+ UTC$/m);
});

test('--dry-run of a waiting request names the possible approvers, and --json lists all voters', async () => {
  const words = ['wallet', 'create', 'tried', '--dry-run'];
  const tried = await run([...words, ...as(alice.file)]);
  assert.equal(tried.code, 3, tried.err);
  assert.match(tried.out, /^Outcome +It would wait for approval\.$/m);
  assert.match(tried.err, /^ {2}policy two make a wallet \(ALLOW\): REQUIRES_CONSENSUS$/m);
  assert.match(tried.err, /^May still approve: [^(\n]*bob$/m);
  const dryRun = await run([...words, '--json', ...as(alice.file)]);
  const { outcome, voters, truncated } = dryRun.json();
  assert.deepEqual([outcome, truncated], ['waiting', false]);
  const possible = voters.map(({ userName, canApprove }: Voter) => [userName, canApprove]);
  assert.deepEqual(possible.slice(-2), [
    ['alice', false],
    ['bob', true],
  ]);
  const done = await run([...words, ...root]);
  assert.equal(done.code, 0, done.err);
  assert.doesNotMatch(done.err, /approve/);
});

test('an approver sees the signed content, types eight digits, and completes the activity', async () => {
  const { id, fingerprint } = await waiting('approved');
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return fingerprint.slice(7, 15);
  };
  const approved = await run(['activity', 'approve', id, ...as(bob.file)], { ask });
  assert.equal(approved.code, 0, approved.err);
  assert.equal(questions.length, 1);
  assert.match(approved.err, /^Create wallet requested by alice/);
  assert.match(approved.err, /^ {2}1 of 2 approvals, yours completes it\.$/m);
  assert.match(approved.err, /^ {2}Approved by: alice\n {2}May still approve: you, /m);
  assert.match(approved.err, /\(signature verified\)/);
  assert.match(approved.err, /"walletName": "approved"/);
  assert.match(approved.out, /State +done/);
  const shown = await run(['activity', 'show', id, ...root]);
  assert.match(shown.out, /State: done\nVotes:\n.* alice approved\n.* bob approved\n/);
});

test('--fingerprint replaces the question', async () => {
  const { id, fingerprint } = await waiting('scripted');
  const words = ['activity', 'approve', id, '--fingerprint', fingerprint, '--json'];
  const approved = await run([...words, ...as(bob.file)]);
  assert.equal(approved.code, 0, approved.err);
  assert.equal(approved.json().status, 'ACTIVITY_STATUS_COMPLETED');
});

test('--yes asks nothing: it votes on the given fingerprint, and not without one', async () => {
  const ask = () => assert.fail('the command asked a question');
  for (const [verb, said] of [
    ['approve', /State +done/],
    ['reject', /State +/],
  ] as const) {
    const { id, fingerprint } = await waiting(`unasked ${verb}`);
    const words = ['activity', verb, id, '--yes', ...as(bob.file)];
    const refused = await run(words, { ask });
    assert.equal(refused.code, 10);
    assert.match(refused.err, /next: Give --fingerprint sha256:/);
    const voted = await run([...words, '--fingerprint', fingerprint], { ask });
    assert.equal(voted.code, 0, voted.err);
    assert.match(voted.out, said);
  }
});

test('another fingerprint ends with 9 and without a vote', async () => {
  const { id } = await waiting('other');
  const other = `sha256:${'0'.repeat(64)}`;
  const words = ['activity', 'approve', id, '--fingerprint', other];
  const { code, err } = await run([...words, ...as(bob.file)]);
  assert.equal(code, 9);
  assert.match(err, /Do not approve/);
  const { out } = await run(['activity', 'show', id, '--json', ...root]);
  assert.equal(JSON.parse(out).votes.length, 1);
});

test('without a terminal a vote requires a fingerprint, and wrong digits do not vote', async () => {
  const { id } = await waiting('unasked');
  assert.equal((await run(['activity', 'approve', id, ...as(bob.file)])).code, 10);
  const ask = async () => '00000000';
  assert.equal((await run(['activity', 'approve', id, ...as(bob.file)], { ask })).code, 10);
  const { out } = await run(['activity', 'show', id, '--json', ...root]);
  assert.equal(JSON.parse(out).votes.length, 1);
});

test('the submitter may reject its own activity again', async () => {
  const { id, fingerprint } = await waiting('rejected');
  const words = ['activity', 'reject', id, '--fingerprint', fingerprint];
  const rejected = await run([...words, ...as(alice.file)]);
  assert.equal(rejected.code, 0, rejected.err);
  assert.match(rejected.out, /State +rejected/);
});

test('--wait prints the result after the votes', async () => {
  const words = ['wallet', 'create', 'awaited', '--wait=1m', '--json', ...as(alice.file)];
  const awaited = run(words);
  let id: string | undefined;
  while (id === undefined) {
    const list = await run(['activity', 'list', '--status', 'waiting', '--json', ...root]);
    id = list
      .json()
      .activities.find(({ intent }: { intent: { createWalletIntent: { walletName: string } } }) => {
        return intent.createWalletIntent.walletName === 'awaited';
      })?.id;
  }
  const { fingerprint } = (await run(['activity', 'show', id, '--json', ...root])).json();
  await run(['activity', 'approve', id, '--fingerprint', fingerprint, ...as(bob.file)]);
  const ended = await awaited;
  assert.equal(ended.code, 0, ended.err);
  assert.match(ended.json().walletId, /^[0-9a-f-]{36}$/);
});

test('a refusal ends with 4, shows each policy with its clauses, and can be explained', async () => {
  const words = ['api', 'create_user_tag', '--user-tag-name', 'x', ...as(alice.file)];
  const refused = await run(words);
  assert.equal(refused.code, 4);
  assert.match(refused.err, /policy two make a wallet \(ALLOW\): /);
  assert.match(refused.err, /condition: false/);
  const list = await run(['activity', 'list', '--status', 'refused', '--quiet', ...root]);
  const [id = ''] = list.out.split('\n');
  const explained = await run(['activity', 'explain', id, ...root]);
  assert.equal(explained.code, 0, explained.err);
  assert.match(explained.out, /condition: false/);
});

test('votes by `api` are refused, and the command that verifies the request is named', async () => {
  for (const verb of ['approve', 'reject']) {
    const voted = await run(['api', `${verb}_activity`, '--fingerprint', 'sha256:00', ...root]);
    assert.equal(voted.code, 2, voted.err);
    assert.match(voted.err, /a vote needs the signed request of its activity/);
    assert.match(voted.err, new RegExp(`keywright activity ${verb} ACTIVITY`));
  }
});

test('a failed clause has a caret below its position while the policy is unchanged', async () => {
  const condition = "'é' == 'é' && eth.tx.value > 5";
  const failing = { ...policy, policyName: 'about transactions', condition };
  const saved = await run(['api', 'create_policy', '--params', '-', ...root], {
    input: JSON.stringify(failing),
  });
  assert.equal(saved.code, 0, saved.err);
  const refused = await run(['api', 'create_user_tag', '--user-tag-name', 'y', ...as(alice.file)]);
  const id = /activity explain (\S+)/.exec(refused.err)?.[1] ?? assert.fail(refused.err);
  const place = `      ${condition}\n${' '.repeat(6 + condition.indexOf('eth'))}^\n`;
  assert(refused.err.includes(place), refused.err);
  const explained = await run(['activity', 'explain', id, ...root]);
  assert(explained.out.includes(place), explained.out);
  const words = ['api', 'create_user_tag', '--user-tag-name', 'z', '--dry-run', ...as(alice.file)];
  const tried = await run(words);
  assert.equal(tried.code, 4);
  assert(tried.err.includes(place), tried.err);
  const read = await run([...words, '--json']);
  assert.doesNotMatch(read.err, /\^/);
  const { policyId } = saved.json();
  const edited = { policyId, policyNotes: 'edited' };
  await run(['api', 'update_policy', '--params', '-', ...root], { input: JSON.stringify(edited) });
  const later = await run(['activity', 'explain', id, ...root]);
  assert.equal(later.code, 0, later.err);
  assert(!later.out.includes('^'), later.out);
});

test('watch prints a line for each new activity until it is interrupted', async () => {
  const interrupted = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  const watching = run(['activity', 'watch', '--json', ...root], {
    signal: interrupted.signal,
    out: resolve,
    err: () => undefined,
  });
  let line: string | undefined;
  void promise.then((text) => {
    line = text;
  });
  // The watch starts at an unknown moment, and does not show earlier activities.
  for (let serial = 0; line === undefined; serial += 1) await waiting(`watched ${serial}`);
  assert.equal(JSON.parse(await promise).type, 'ACTIVITY_TYPE_CREATE_WALLET');
  interrupted.abort();
  assert.equal((await watching).code, 130);
});
