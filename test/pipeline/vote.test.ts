// One vote on a waiting activity, next to other votes, time, and failures of the service.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../src/core/errors/errors.ts';
import type { StorePort } from '../../src/store/port.ts';
import { activityBody, startServiceOver } from '../enclave/service_over.ts';
import { assertRefused, storedCount } from '../operations/checks.ts';
import { makeKeys, sign } from '../operations/freezes/freeze_requests.ts';
import {
  apiKey,
  makeMfaPolicy,
  passkey,
  stepsOf,
} from '../operations/mfa_policies/mfa_requests.ts';
import { addChild } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { seededRandom, testKey } from '../support/harness.ts';
import {
  approve,
  approveType,
  assertNothingChanged,
  by,
  makeWallet,
  organizationName,
  read,
  rejectType,
  rename,
  type Shown,
  shownAs,
  startVoters,
} from '../votes/voting.ts';

/** Starts voters, and another node that runs a function after its next read of an activity. */
async function startBesides(t: { after: (done: () => void) => void }) {
  const voters = await startVoters();
  const { service } = voters;
  t.after(() => service.close());
  let besides: (() => Promise<void>) | undefined;
  let afterParent: (() => void) | undefined;
  const { port } = service.store;
  const store: StorePort = {
    ...port,
    organization: async (request) => {
      const answer = await port.organization(request);
      if (request.organizationId === service.root.organizationId) afterParent?.();
      return answer;
    },
    activity: async (request) => {
      const action = besides;
      besides = undefined;
      await action?.();
      return port.activity(request);
    },
  };
  const other = await startServiceOver({ store, seed: 'other node', clock: service.now });
  const voteThere =
    (operation: string, type: string) =>
    (
      fingerprint: string,
      name: string,
      action: () => Promise<void>,
      {
        organizationId = service.root.organizationId,
        ...more
      }: { organizationId?: string; dryRun?: true } = {},
    ) => {
      service.advance(1);
      besides = action;
      const body = activityBody(type, organizationId, { fingerprint }, service.now(), more);
      return other.send('submit', operation, body, testKey(name));
    };
  return {
    ...voters,
    approveThere: voteThere('approve_activity', approveType),
    rejectThere: voteThere('reject_activity', rejectType),
    /** Runs a function after each later read of the parent. */
    afterParent: (action: () => void) => {
      afterParent = action;
    },
  };
}

test('a vote that meets another vote is decided again with it', async (t) => {
  const { service, formQuorum, approveThere } = await startBesides(t);
  await formQuorum(3);
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  const answer = await approveThere(waiting.fingerprint, 'Third', async () => {
    shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  });
  assert.equal(shownAs('COMPLETED', answer).votes.length, 3);
  assert.equal(await organizationName(service), 'Renamed');
});

test('a vote counts no later votes by the policies of an earlier moment', async (t) => {
  const { service, approveThere } = await startBesides(t);
  const policyId = await makePolicy(service, 'Three', { consensus: 'approvers.count() >= 3' });
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const raiseAndApprove = async () => {
    const policyConsensus = 'approvers.count() >= 4';
    const type = 'ACTIVITY_TYPE_UPDATE_POLICY_V2';
    const raised = await service.submit('update_policy', type, { policyId, policyConsensus });
    shownAs('COMPLETED', raised);
    shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  };
  const dryRun = { dryRun: true } as const;
  const answer = await approveThere(waiting.fingerprint, 'Third', raiseAndApprove, dryRun);
  assert.equal(answer.body.dryRun.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
});

test('a vote that becomes too old while its activity is read does not count', async (t) => {
  const { service, formQuorum, approveThere, rejectThere } = await startBesides(t);
  await formQuorum();
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  for (const voteThere of [approveThere, rejectThere]) {
    const answer = await voteThere(waiting.fingerprint, 'Second', async () => {
      service.advance(3_600_001);
    });
    assertRefused(answer, 400, 3);
    assert.equal((await read(service, waiting)).votes.length, 1);
  }
});

test('a vote that becomes too old while the parent is read does not count', async (t) => {
  const { service, approveThere, afterParent } = await startBesides(t);
  const child = await addChild(service);
  const { organizationId } = child;
  await makeUser(service, 'Signer', {}, child);
  const condition = "activity.action == 'SIGN'";
  await makePolicy(service, 'Two', { condition, consensus: 'approvers.count() >= 2' }, child);
  const [key] = await makeKeys(service, 1, child);
  const signer = { organizationId, key: testKey('Signer') };
  const waiting = shownAs('CONSENSUS_NEEDED', await sign(service, key, signer));
  const whenRead = async () => afterParent(() => service.advance(3_600_001));
  const answer = await approveThere(waiting.fingerprint, 'child root', whenRead, {
    organizationId,
  });
  assertRefused(answer, 400, 3);
  assert.equal((await read(service, waiting, child)).votes.length, 1);
});

test('an internal error of an approved activity leaves it waiting', async (t) => {
  const bytes = seededRandom('keywright test');
  let fault: Error | undefined;
  const random = (length: number): Uint8Array => {
    if (fault !== undefined && length === 32) throw fault;
    return bytes(length);
  };
  const { service, formQuorum } = await startVoters({ random });
  t.after(() => service.close());
  await formQuorum();
  const type = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2';
  const key = {
    privateKeyName: 'Key',
    curve: 'CURVE_SECP256K1',
    privateKeyTags: [],
    addressFormats: [],
  };
  const asked = await service.submit('create_private_keys', type, { privateKeys: [key] });
  const waiting = shownAs('CONSENSUS_NEEDED', asked);
  const before = await storedCount(service);
  for (const [status, thrown] of [
    [500, new Error('no randomness')],
    [503, new ServiceError('store_unavailable')],
  ] as const) {
    fault = thrown;
    const failed = await approve(service, waiting, by('Second'));
    assert.equal(failed.status, status);
    assert.deepEqual(await storedCount(service), before, 'nothing is changed or kept');
    fault = undefined;
    assert.equal((await read(service, waiting)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  }
  shownAs('COMPLETED', await approve(service, waiting, by('Second')));
});

test('a submitter without missing factors approves only as the policies allow', async (t) => {
  const { service, ids, bothTags } = await startVoters();
  t.after(() => service.close());
  const policyId = await bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const type = 'ACTIVITY_TYPE_DELETE_POLICY';
  shownAs('COMPLETED', await service.submit('delete_policy', type, { policyId }));
  const refusal = { status: 403, code: 7 };
  await assertNothingChanged(service, () => approve(service, waiting, by('Trader')), refusal);
  const { canApprove, canReject } = await read(service, waiting, by('Trader'));
  assert.deepEqual([canApprove, canReject], [false, true]);

  // An activity that waits for factors of its submitter does not take those of others either.
  await makePolicy(service, 'Trader', {
    consensus: `approvers.any(user, user.id == '${ids.trader}')`,
  });
  await makeMfaPolicy(service, ids.trader);
  const other = shownAs('AUTHENTICATORS_NEEDED', await makeWallet(service, 'X', by('Trader')));
  await assertNothingChanged(service, () => approve(service, other, by('Plain')), refusal);
  const seen = await read(service, other, by('Plain'));
  assert.deepEqual([seen.canApprove, seen.canReject], [false, false]);
});

test('a credential that meets one of two required policies is shown once', async (t) => {
  const { service, ids } = await startVoters();
  t.after(() => service.close());
  const { userId } = service.root;
  // There is no second user to delete, so the condition fails and may be meant to hold.
  const odd = { condition: "activity.params.user_ids[1] == 'x'", order: 0 };
  const methods = (method: typeof apiKey | typeof passkey) => ({
    requiredAuthenticationMethods: stepsOf([method]),
  });
  await makeMfaPolicy(service, userId, { ...odd, ...methods(apiKey) });
  const condition = "activity.kind == 'DELETE_USERS'";
  await makeMfaPolicy(service, userId, { condition, order: 1, ...methods(passkey) });
  const parameters = { userIds: [ids.third] };
  const type = 'ACTIVITY_TYPE_DELETE_USERS';
  const asked = await service.submit('delete_users', type, parameters);
  const waiting = shownAs('AUTHENTICATORS_NEEDED', asked);
  const status = await service.query('get_mfa_status', { activityId: waiting.id });
  assert.deepEqual(
    status.body.mfaStatuses.map(({ satisfied }: Shown) => satisfied),
    [true, false],
  );
  const before = await storedCount(service);
  const again = shownAs('AUTHENTICATORS_NEEDED', await approve(service, waiting));
  assert.deepEqual(again.votes, waiting.votes);
  assert.deepEqual(await storedCount(service), before, 'nothing is changed or kept');
});
