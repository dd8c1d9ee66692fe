import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import { storedCount } from '../operations/checks.ts';
import { addPlainUser } from '../operations/other_callers.ts';
import {
  stampOf,
  startTestService,
  type TestAnswer,
  type TestKey,
  type TestService,
} from '../support/harness.ts';

let service: TestService;
let plain: Awaited<ReturnType<typeof addPlainUser>>;

before(async () => {
  service = await startTestService();
  plain = await addPlainUser(service);
});
after(() => service.close());

const wallet = { walletName: 'Tried', accounts: [] };
const rawPayload = {
  payload: 'abc',
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
  hashFunction: 'HASH_FUNCTION_SHA256',
};

test('a dry run returns the result, and changes nothing', async () => {
  const { status, body } = await tried('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', wallet);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    dryRun: {
      status: 'ACTIVITY_STATUS_COMPLETED',
      outcome: 'ALLOW',
      reason: 'ROOT_QUORUM_MET',
      message: 'The root quorum approved',
      policies: [],
    },
  });
  assert.deepEqual((await service.query('list_wallets')).body.wallets, []);
});

test('a refusal is returned with each policy and each of its clauses', async () => {
  const policies = [
    { policyName: 'Wallets', effect: 'EFFECT_ALLOW', condition: "activity.resource == 'WALLET'" },
    {
      policyName: 'Keys',
      effect: 'EFFECT_ALLOW',
      condition: "private_key.id == 'x'",
      consensus: 'approvers.count() >= 1',
    },
    { policyName: 'Not now', effect: 'EFFECT_DENY', condition: "activity.action == 'CREATE'" },
  ].map((policy) => ({ ...policy, notes: '' }));
  const type = 'ACTIVITY_TYPE_CREATE_POLICIES';
  assert.equal((await service.submit('create_policies', type, { policies })).status, 200);
  const { status, body } = await tried(
    'create_wallet',
    'ACTIVITY_TYPE_CREATE_WALLET',
    wallet,
    plain.key,
  );
  assert.equal(status, 200);
  const { dryRun } = body;
  assert.equal(dryRun.status, 'ACTIVITY_STATUS_FAILED');
  assert.deepEqual([dryRun.outcome, dryRun.reason], ['REFUSE', 'POLICY_DENIES']);
  const [wallets, keys, notNow] = dryRun.policies;
  assert.deepEqual(
    [wallets.outcome, keys.outcome, notNow.outcome],
    ['OUTCOME_ALLOW', 'OUTCOME_ERROR', 'OUTCOME_DENY_EXPLICIT'],
  );
  assert.deepEqual(wallets.clauses, [{ clause: 'condition', value: true }]);
  const [condition, consensus] = keys.clauses;
  assert.equal(condition.failure.code, 'namespace_absent');
  // A consensus is not evaluated after a failed condition.
  assert.deepEqual(consensus, { clause: 'consensus' });
});

test('nothing is signed', async () => {
  const created = await service.submit(
    'create_private_keys',
    'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
    {
      privateKeys: [
        { privateKeyName: 'K', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
      ],
    },
  );
  const [{ privateKeyId }] = created.body.activity.result.createPrivateKeysResultV2.privateKeys;
  const { body } = await tried('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
    signWith: privateKeyId,
    ...rawPayload,
  });
  assert.equal(body.dryRun.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.deepEqual(Object.keys(body), ['dryRun']);
  assert.ok(!/"(r|s|v|result)"/.test(JSON.stringify(body)));
});

test('a dry run is refused if the operation itself refuses', async () => {
  const { status, body } = await tried('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    ...wallet,
    mnemonicLength: 13,
  });
  assert.equal(status, 400);
  assert.match(body.message, /mnemonicLength/);
});

test('a dry run reports that the request would wait', async () => {
  const { organizationId, userId } = service.root;
  const { users } = (await service.query('list_users')).body;
  const userIds = [userId, users.find((user: { userId: string }) => user.userId !== userId).userId];
  const quorum = { threshold: 2, userIds };
  const type = 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM';
  assert.equal((await service.submit('update_root_quorum', type, quorum)).status, 200);
  const { body } = await tried('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', wallet);
  assert.equal(body.dryRun.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.equal(body.dryRun.reason, 'AWAITS_ROOT_QUORUM');

  const waiting = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', wallet);
  const { id, fingerprint } = waiting.body.activity;
  const approve = { fingerprint };
  const vote = await tried(
    'approve_activity',
    'ACTIVITY_TYPE_APPROVE_ACTIVITY',
    approve,
    plain.key,
  );
  assert.equal(vote.body.dryRun.status, 'ACTIVITY_STATUS_COMPLETED', JSON.stringify(vote.body));
  const still = await service.query('get_activity', { activityId: id });
  assert.equal(still.body.activity.organizationId, organizationId);
  assert.equal(still.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.equal(still.body.activity.votes.length, 1);
});

/** Sends a dry run, and asserts that the store is unchanged. */
async function tried(
  operation: string,
  type: string,
  parameters: object,
  key?: TestKey,
): Promise<TestAnswer> {
  const before = await storedCount(service);
  service.advance(1);
  const { organizationId } = service.root;
  const timestampMs = String(service.now());
  const body = utf8(JSON.stringify({ type, timestampMs, organizationId, parameters }));
  const answer = await service.enclave.request({
    requestId: 'dry run',
    kind: 'dry_run',
    operation,
    headers: [stampOf(body, key ?? service.root.key)],
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
    body,
  });
  assert.equal(answer.activityId, undefined);
  assert.deepEqual(await storedCount(service), before);
  return { status: answer.status, body: JSON.parse(textOfUtf8(answer.body) ?? '') };
}
