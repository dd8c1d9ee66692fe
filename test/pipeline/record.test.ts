// Records of an activity at each vote, which contain more than its answer shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKey, RecordKind } from '../../src/core/organization/model.ts';
import { isCounted } from '../../src/pipeline/record.ts';
import type { StoreChange, StorePort } from '../../src/store/port.ts';
import { activityBody, startServiceOver } from '../enclave/service_over.ts';
import { makeMfaPolicy } from '../operations/mfa_policies/mfa_requests.ts';
import {
  sealedCode,
  startedOtp,
  submit,
  verifyOtp,
} from '../operations/one_time_codes/otp_requests.ts';
import {
  minimal,
  operation,
  rootUser,
  type,
} from '../operations/organizations/sub_organization_requests.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { storeKeys } from '../operations/signing/signing_keys.ts';
import {
  signTransactionType,
  transactionVectors,
} from '../operations/signing/transaction_vectors.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import {
  ethereumAccount,
  makeWallet as makeWalletWith,
} from '../operations/wallets/wallet_requests.ts';
import { startTestService, type TestService, testKey } from '../support/harness.ts';
import {
  approve,
  by,
  makeWallet,
  reject,
  rename,
  renameType,
  type Shown,
  shownAs,
  startVoters,
} from '../votes/voting.ts';
import { storedActivity } from './stored_activity.ts';

type Started = { after: (done: () => void) => void };

async function started(t: Started) {
  const voters = await startVoters();
  t.after(() => voters.service.close());
  return voters;
}

/** Returns the decisions of an activity at each vote, and the names of the stored members. */
async function decisionsOf(service: TestService, id: string, organizationId?: string) {
  const { decisions = [] } = await storedActivity(service, id, organizationId);
  const base = ['voteId', 'userId', 'selection', 'voterIds', 'createdAtMs'];
  return decisions.map((decision) => ({
    reason: decision.reason,
    kept: Object.keys(decision)
      .filter((name) => !base.includes(name))
      .toSorted(),
  }));
}

test('a decision by policies stores their clauses and a digest of the facts, one by the root quorum does not', async (t) => {
  const { service, bothTags, formQuorum } = await started(t);
  await bothTags();
  const byPolicies = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  shownAs('COMPLETED', await approve(service, byPolicies, by('Officer')));
  const kept = ['clauses', 'factsDigest', 'reason'];
  assert.deepEqual(await decisionsOf(service, byPolicies.id), [
    { reason: 'awaits_policy_votes', kept },
    { reason: 'policy_allows', kept },
  ]);

  await formQuorum();
  const byQuorum = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  shownAs('COMPLETED', await approve(service, byQuorum, by('Second')));
  const [asked, met] = await decisionsOf(service, byQuorum.id);
  assert.deepEqual(met, { reason: 'root_quorum_met', kept: ['reason'] });
  assert.equal(asked?.reason, 'awaits_root_quorum');
});

test('a refusal stores the positions of the policies that deny', async (t) => {
  const { service, ids } = await started(t);
  await makePolicy(service, 'Allow', { consensus: 'approvers.count() >= 1' });
  await makePolicy(service, 'Deny', {
    effect: 'EFFECT_DENY',
    consensus: `approvers.any(user, user.id == '${ids.plain}')`,
  });
  assert.equal((await makeWallet(service, 'W', by('Plain'))).status, 403);
  const filter = { filterByStatus: ['ACTIVITY_STATUS_FAILED'] };
  const [failed] = (await service.query('list_activities', filter)).body.activities;
  const { decisions = [] } = await storedActivity(service, failed.id);
  assert.deepEqual(decisions[0]?.denying, [1]);
});

test('missing credentials have their own mark', async (t) => {
  const { service, ids } = await started(t);
  await makePolicy(service, 'Allow', { consensus: 'approvers.count() >= 1' });
  await makeMfaPolicy(service, ids.trader);
  const waiting = shownAs('AUTHENTICATORS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const { decisions = [] } = await storedActivity(service, waiting.id);
  assert.equal(decisions[0]?.awaitsAuthenticators, true);
});

test('a decision by the policies of the parent stores nothing of them in the child', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const backend = await makeUser(service, 'Backend');
  const consensus = `approvers.any(user, user.id == '${backend}')`;
  await makePolicy(service, 'Mail', { condition: "activity.resource == 'AUTH'", consensus });
  await makePolicy(service, 'Rest', { condition: 'true', consensus });
  const owner = rootUser('Child root', { userEmail: 'owner@child.example' });
  const child = { ...minimal('Child'), rootUsers: [owner] };
  const made = await service.submit(operation, type, child);
  const organizationId: string =
    made.body.activity.result.createSubOrganizationResultV8.subOrganizationId;
  const ofChild = { organizationId, key: testKey('Child root') };
  await makePolicy(service, 'Of the child', {}, ofChild);
  const done = await service.submit(
    'init_user_email_recovery',
    'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2',
    {
      email: 'owner@child.example',
      targetPublicKey: testKey('target').publicKey,
      emailCustomization: { appName: 'App' },
    },
    { organizationId, key: testKey('Backend') },
  );
  const { id } = shownAs('COMPLETED', done);
  assert.deepEqual(await decisionsOf(service, id, organizationId), [
    { reason: 'policy_allows', kept: ['byParent', 'reason'] },
  ]);
  const { evaluations } = await storedActivity(service, id, organizationId);
  assert.deepEqual(evaluations, []);
  const explained = await service.query('explain_activity', { activityId: id }, ofChild);
  assert.equal(explained.body.votes[0].decision.decidedByParent, true);
  const simulated = await service.query('simulate_policies', { changes: [] }, ofChild);
  const ofIt = simulated.body.decisions.find(({ activityId }: Shown) => activityId === id);
  assert.equal(ofIt.obstacle, 'BY_PARENT');
  const { status, body } = await service.query(
    'get_policy_evaluations',
    { activityId: id },
    ofChild,
  );
  assert.deepEqual([status, body.policyEvaluations], [200, []]);
});

test('only votes of a user whose address a stranger typed are marked', async (t) => {
  const { service, ids, bothTags } = await started(t);
  await bothTags();
  await changeOrganization(service, (draft) => {
    const user = draft.get('user', ids.trader);
    assert(user !== undefined);
    draft.put('user', { ...user, email: 'claimed@example.com', emailClaimed: true });
    return undefined;
  });
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
  const { votes } = await storedActivity(service, waiting.id);
  assert.deepEqual(
    votes.map(({ userId, emailClaimed }) => [userId, emailClaimed]),
    [
      [ids.trader, true],
      [ids.officer, undefined],
    ],
  );
});

test('a mailed key counts as used once it votes, for any outcome of the activity', async (t) => {
  const { service, bothTags } = await started(t);
  await bothTags();
  const keyOf = async (name: string, change?: (key: ApiKey) => ApiKey) => {
    let found: ApiKey | undefined;
    await changeOrganization(service, (draft) => {
      const { publicKey } = testKey(name);
      found = draft.list('api_key').find((key) => key.publicKey === publicKey);
      if (found !== undefined && change !== undefined) draft.put('api_key', change(found));
      return undefined;
    });
    assert(found !== undefined);
    return found;
  };
  const mail = (name: string) =>
    keyOf(name, ({ leads: _leads, ...key }) => ({ ...key, isUnused: true }));
  const assertUsed = async (name: string) => {
    const { isUnused, leads } = await keyOf(name);
    assert.deepEqual([isUnused, leads], [undefined, 'proven']);
  };
  await mail('Trader');
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  await assertUsed('Trader');
  await mail('Officer');
  shownAs('REJECTED', await reject(service, waiting, by('Officer')));
  await assertUsed('Officer');
});

test('a failed request stores no stamp that others could send again', async (t) => {
  const { service } = await started(t);
  const { otpId, bundle, code } = await startedOtp(service);
  const wrong = (code[0] === '2' ? '3' : '2') + code.slice(1);
  const parameters = { otpId, encryptedOtpBundle: await sealedCode(wrong, bundle) };
  assert.equal((await submit(service, verifyOtp, parameters)).status, 400);
  const filter = { filterByStatus: ['ACTIVITY_STATUS_FAILED'] };
  const [failed] = (await service.query('list_activities', filter)).body.activities;
  const { votes } = await storedActivity(service, failed.id);
  assert.deepEqual(
    votes.map(({ signature }) => signature),
    [''],
  );
});

test('a waiting activity stores an explanation for its voters, and a decided one does not', async (t) => {
  const { service } = await started(t);
  const transfer = transactionVectors.find(({ name }) => name === 'type 2 transfer');
  assert(transfer !== undefined);
  await storeKeys(service, [transfer]);
  const { signWith, type: kind, unsignedTransaction } = transfer;
  const sign = (name: string) =>
    service.submit(
      'sign_transaction',
      signTransactionType,
      { signWith, type: kind, unsignedTransaction },
      by(name),
    );
  const isExplained = async ({ id }: Shown) =>
    (await storedActivity(service, id)).explanation !== undefined;
  assert.equal(await isExplained(shownAs('COMPLETED', await sign('root'))), false);
  assert.equal((await sign('Plain')).status, 403);
  const filter = { filterByStatus: ['ACTIVITY_STATUS_FAILED'] };
  const [refused] = (await service.query('list_activities', filter)).body.activities;
  assert.equal(await isExplained(refused), false);
  await makePolicy(service, 'Two', { condition: "activity.action == 'SIGN'" });
  assert.equal(await isExplained(shownAs('CONSENSUS_NEEDED', await sign('Plain'))), true);
});

test('a signature and a refusal are committed on the guard, and a change on the exact version', async (t) => {
  const { service } = await started(t);
  const { addresses } = await makeWalletWith(service, [ethereumAccount()]);
  const conditions: StoreChange['conditions'][] = [];
  const { port } = service.store;
  const store: StorePort = {
    ...port,
    commit: (change) => {
      conditions.push(change.conditions);
      return port.commit(change);
    },
  };
  const watched = await startServiceOver({ store, seed: 'watched', clock: service.now });
  const { organizationId } = service.root;
  const send = (operation: string, ofType: string, parameters: object, name: string) => {
    service.advance(1);
    const body = activityBody(ofType, organizationId, parameters, service.now());
    return watched.send('submit', operation, body, testKey(name));
  };
  const payload = {
    signWith: addresses[0],
    payload: 'text',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  };
  const signing = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
  shownAs('COMPLETED', await send('sign_raw_payload', signing, payload, 'root'));
  // A refusal does not change the organization, and does not wait for its turn.
  const named = { organizationName: 'Renamed' };
  assert.equal((await send('update_organization_name', renameType, named, 'Plain')).status, 403);
  shownAs('COMPLETED', await send('update_organization_name', renameType, named, 'root'));
  assert.deepEqual(
    conditions.map((each) => each.map(({ orLater }) => orLater)),
    [[true], [true], [false]],
  );
});

test('an outcome is counted if any of several records is a counter', () => {
  const records = (...kinds: readonly RecordKind[]) =>
    kinds.map((kind) => ({ kind, id: 'id', before: undefined, after: undefined }));
  const counted = (...kinds: readonly RecordKind[]) =>
    isCounted({ changes: { head: undefined, records: records(...kinds) } });
  assert.equal(counted(), false);
  assert.equal(counted('voted_activity'), false);
  assert.equal(counted('voted_activity', 'velocity_counter'), true);
});
