// Receipts of a running service, verified from saved files without a network.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { auditOrganization, createAuditReader } from '../../src/cli/receipts/audit_reader.ts';
import { apiKey, connect, newKey } from '../../src/client/index.ts';
import { readCheckpoint, readNote } from '../../src/core/log/note.ts';
import { commandsOfThisFile } from './running_service.ts';
import { folderOfTests } from './terminal.ts';

const { service, run, json } = await commandsOfThisFile({ KEYWRIGHT_RECEIPTS: 'true' });
const { organizationId, baseUrl: url } = service.credentials;
const client = connect({ url, organizationId, stamp: await apiKey(service.credentials) });
const folder = folderOfTests();
const saved = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
/** Waits for the receipt of an activity, which exists after the log adds its entry. */
const patienceMs = 60_000;

async function receiptOf(activityId: string): Promise<string> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return JSON.stringify(await client.query('get_receipt', { activityId }));
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

test('a receipt verifies without a network, and an altered one ends with 9', async () => {
  const submitted = await client.ask('create_wallet', { walletName: 'Logged', accounts: [] });
  assert.equal(submitted.outcome, 'done');
  const text = await receiptOf(submitted.activity.id);
  const policyText = await (await fetch(`${url}/log/policy`)).text();
  const receipt = saved('receipt.json', text);
  const policy = saved('policy.txt', policyText);
  const good = await run(['verify', 'receipt', receipt, '--trust', policy]);
  assert.equal(good.code, 0, good.err);
  assert.match(good.out, /^Verified +yes\nActivity +0/);
  assert.ok(good.out.includes('ACTIVITY_TYPE_CREATE_WALLET'), good.out);
  const { entry } = await json(`verify receipt ${receipt} --trust ${policy}`);
  assert.equal(entry.activityId, submitted.activity.id);

  const altered = saved('altered.json', text.replace('Logged', 'Lagged'));
  const bad = await run(['verify', 'receipt', altered, '--trust', policy]);
  assert.equal(bad.code, 9, bad.out);
  assert.match(bad.err, /not the one that the entry commits to/);
  const mistake = await run(['verify', 'receipt', receipt]);
  assert.equal(mistake.code, 2, mistake.err);
});

test('an audit proves that the log has every activity, and that it continues an earlier one', async () => {
  const policy = saved('audited.txt', await (await fetch(`${url}/log/policy`)).text());
  const first = await run(['audit', '--trust', policy, '--json']);
  assert.equal(first.code, 0, first.err);
  const { size, entries } = JSON.parse(first.out);
  assert.ok(entries > 0 && size > entries);
  const since = saved('audit.json', first.out);
  const submitted = await client.ask('create_wallet', { walletName: 'Later', accounts: [] });
  assert.equal(submitted.outcome, 'done');
  await receiptOf(submitted.activity.id);
  const second = await run(['audit', '--trust', policy, '--since', since]);
  assert.equal(second.code, 0, second.err);
  assert.match(second.out, /complete/);
  const other = saved(
    'other.json',
    JSON.stringify({ size, root: Buffer.alloc(32).toString('base64') }),
  );
  const forked = await run(['audit', '--trust', policy, '--since', other]);
  assert.equal(forked.code, 9, forked.out);
  assert.match(forked.err, /other entries than at the last audit/);
});

test('an audit of a service that claims a new activity to be archived ends with 9', async () => {
  const policy = await (await fetch(`${url}/log/policy`)).text();
  const submitted = await client.ask('create_wallet', { walletName: 'Hidden', accounts: [] });
  assert.equal(submitted.outcome, 'done');
  const { id } = submitted.activity;
  await receiptOf(id);
  const hiding = {
    ...client,
    query: async (name: string, parameters?: object) => {
      const answer = await client.query(name as 'list_activities', parameters);
      if (name !== 'list_activities') return answer;
      const activities = answer.activities.filter((each) => each.id !== id);
      return { ...answer, activities, archivedSegments: [{ lastActivityId: 'f'.repeat(36) }] };
    },
  } as unknown as Parameters<typeof createAuditReader>[0];
  const asked = { organizationId, policy, earlier: undefined };
  await assert.rejects(
    auditOrganization(createAuditReader(hiding, url), asked, {
      pause: async () => undefined,
      clock: Date.now,
    }),
    new RegExp(`activity ${id} of entry \\d+ is withheld`),
  );
});

test('a verified receipt prints the selection and key of each vote', async () => {
  const { activityId, publicKey } = await rejectedByRoot();
  const receipt = saved('votes.json', await receiptOf(activityId));
  const policy = saved('votes.txt', await (await fetch(`${url}/log/policy`)).text());
  const { out, code, err } = await run(['verify', 'receipt', receipt, '--trust', policy]);
  assert.equal(code, 0, err);
  assert.match(out, new RegExp(`Votes .* approved by key ${publicKey}; .* rejected by key 0`));
});

/** Submits an activity by a new user whose policy needs two approvals, and rejects it as the root user. */
async function rejectedByRoot() {
  const key = await newKey();
  const { publicKey } = key;
  await client.submit('create_users', {
    users: [
      {
        userName: 'Rejected',
        apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  });
  await client.submit('create_policy', {
    policyName: 'Two create a wallet',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_WALLET'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const asked = await client.as(key).ask('create_wallet', { walletName: 'Two', accounts: [] });
  if (asked.outcome !== 'waiting') return assert.fail(JSON.stringify(asked));
  await client.reject(await client.activity(asked.activity.id));
  return { activityId: asked.activity.id, publicKey };
}

test('the log is served in tiles, and its checkpoint is stored beside the root key', async () => {
  const note = readNote(await (await fetch(`${url}/log/checkpoint`)).text());
  const size = (note && readCheckpoint(note.text))?.size ?? 0;
  assert.ok(size > 0);
  const tile = await fetch(`${url}/log/tile/0/000.p/${size}`);
  assert.equal((await tile.bytes()).length, 32 * size);
  assert.match(tile.headers.get('cache-control') ?? '', /immutable/);
  for (const path of ['tile/0/001', 'tile/9/000', 'tile/0/../x', 'nothing']) {
    assert.equal((await fetch(`${url}/log/${path}`)).status, 404, path);
  }
  assert.ok(existsSync(join(service.dataDirectory, 'log-anchor.txt')));
});
