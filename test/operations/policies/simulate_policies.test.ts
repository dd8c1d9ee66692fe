import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { noTurns } from '../../../src/enclave/turns/fair_turns.ts';
import {
  approve,
  by,
  dayMs,
  makeWallet,
  reject,
  type Shown,
  shownAs,
  startVoters,
  type Voters,
} from '../../votes/voting.ts';
import { assertRefused, assertViolation, checkQuery, storedCount } from '../checks.ts';
import { makeControl } from '../velocity_controls/velocity_control_requests.ts';
import {
  ethereumAccount,
  makeWallet as makeWalletWith,
  unknownId,
} from '../wallets/wallet_requests.ts';
import { describedPolicy, makePolicy, shownPolicyIds } from './policy_requests.ts';

let voters: Voters;
beforeEach(async () => {
  voters = await startVoters();
});
afterEach(() => voters.service.close());

async function simulated(changes: readonly object[], more: object = {}): Promise<Shown> {
  const request = { changes, limit: '100', ...more };
  const { status, body } = await voters.service.query('simulate_policies', request);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Returns the only decision on an activity under changed policies. */
async function on({ id }: Shown, changes: readonly object[]): Promise<Shown> {
  const { decisions } = await simulated(changes);
  return decisions.find(({ activityId }: Shown) => activityId === id);
}

/** Returns the newest failed activity. */
async function failed(): Promise<Shown> {
  const filter = { filterByStatus: ['ACTIVITY_STATUS_FAILED'] };
  const { body } = await voters.service.query('list_activities', filter);
  return body.activities[0];
}

const createsTwo = { create: describedPolicy('Two approve') };

test('a refused activity would wait under a new policy, and the simulation stores nothing', async () => {
  const { service } = voters;
  const both = await voters.bothTags();
  assertRefused(await makeWallet(service, 'W', by('Plain')), 403, 7);
  const refused = await failed();
  const before = await storedCount(service);
  const all = await simulated([createsTwo]);
  assert.equal(all.flipped, 1);
  assert.equal(all.undecided, 0);
  assert.equal(all.decided, before.activities);
  assert.equal(all.decisions.length, before.activities);
  const { decisions } = await simulated([createsTwo], { onlyFlips: true });
  const [flip, another] = decisions;
  assert.equal(another, undefined);
  const { policies, ...rest } = flip;
  assert.deepEqual(rest, {
    activityId: refused.id,
    type: 'ACTIVITY_TYPE_CREATE_WALLET',
    was: 'REFUSE',
    wouldBe: 'WAIT',
    flips: true,
    reason: 'AWAITS_POLICY_VOTES',
    message: 'A policy allows this action with further approvals',
  });
  assert.deepEqual(
    policies.map(({ policyName, outcome, clauses }: Shown) => [policyName, outcome, clauses]),
    ['Both tags', 'Two approve'].map((name) => [
      name,
      'OUTCOME_REQUIRES_CONSENSUS',
      [
        { clause: 'condition', value: true },
        { clause: 'consensus', value: false },
      ],
    ]),
  );
  assert.deepEqual(await storedCount(service), before);
  assert.deepEqual(await shownPolicyIds(service), [both]);
});

test('an allowed activity would be refused or wait under policies that are edited or deleted', async () => {
  const { service, ids } = voters;
  const policyId = await makePolicy(service, 'One', { consensus: 'approvers.count() >= 1' });
  const done = shownAs('COMPLETED', await makeWallet(service, 'W', by('Plain')));
  const kept = await on(done, []);
  assert.deepEqual([kept.was, kept.wouldBe, kept.flips], ['ALLOW', 'ALLOW', false]);
  const gone = await on(done, [{ delete: { policyId } }]);
  assert.deepEqual([gone.wouldBe, gone.reason, gone.flips], ['REFUSE', 'NO_POLICY_ALLOWS', true]);
  const two = 'approvers.count() >= 2';
  const edited = await on(done, [{ update: { policyId, policyConsensus: two } }]);
  assert.deepEqual([edited.wouldBe, edited.reason], ['WAIT', 'AWAITS_POLICY_VOTES']);
  const deny = describedPolicy('Deny', {
    effect: 'EFFECT_DENY',
    consensus: `approvers.any(user, user.id == '${ids.plain}')`,
  });
  const denied = await on(done, [{ create: deny }]);
  assert.deepEqual([denied.wouldBe, denied.reason], ['REFUSE', 'POLICY_DENIES']);
  const moved = { update: { policyId, policyCondition: "activity.action == 'SIGN'" } };
  assert.equal((await on(done, [moved])).wouldBe, 'REFUSE');
});

test('votes are replayed in order, with the users and the times of the votes', async () => {
  const { service, ids } = voters;
  const both = await voters.bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const decidedAt = service.now() + 1;
  service.advance(3_600_000);
  shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
  // The officer loses the tag.
  const type = 'ACTIVITY_TYPE_DELETE_USER_TAGS';
  const tags = { userTagIds: [voters.officers] };
  shownAs('COMPLETED', await service.submit('delete_user_tags', type, tags));
  const same = await on(waiting, []);
  assert.deepEqual([same.was, same.wouldBe], ['ALLOW', 'ALLOW']);
  const early = `time.now < Timestamp('${new Date(decidedAt + 1_800_000).toISOString()}')`;
  const late = await on(waiting, [{ update: { policyId: both, time: early } }]);
  assert.deepEqual([late.was, late.wouldBe], ['ALLOW', 'WAIT']);
  const other = describedPolicy('Officer denied', {
    effect: 'EFFECT_DENY',
    consensus: `approvers.any(user, user.id == '${ids.officer}')`,
  });
  // With the officer the request would be denied, so no policy can allow it and it does not wait.
  const denied = await on(waiting, [{ create: other }]);
  assert.deepEqual([denied.wouldBe, denied.reason], ['REFUSE', 'NO_POLICY_ALLOWS']);
});

test('an activity that cannot be replayed is reported with the reason, and never flips', async () => {
  const { service, ids } = voters;
  await voters.bothTags();
  const again = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'A', by('Trader')));
  service.advance(dayMs);
  shownAs('CONSENSUS_NEEDED', await approve(service, again, by('Trader')));
  const gone = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'B', by('Trader')));
  shownAs('REJECTED', await reject(service, gone, by('Officer')));
  const policyId = await makePolicy(service, 'Signing', {
    condition: "activity.action == 'SIGN'",
    consensus: 'approvers.count() >= 1',
  });
  const { walletId, addresses } = await makeWalletWith(service, [ethereumAccount()]);
  const parameters = {
    signWith: addresses[0],
    payload: 'text',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  };
  const signing = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
  const answer = await service.submit('sign_raw_payload', signing, parameters, by('Plain'));
  const signed = shownAs('COMPLETED', answer);
  const withoutIt = [{ delete: { policyId } }];
  assert.equal((await on(signed, withoutIt)).wouldBe, 'REFUSE');
  const type = 'ACTIVITY_TYPE_UPDATE_WALLET';
  const rename = { walletId, walletName: 'Other' };
  shownAs('COMPLETED', await service.submit('update_wallet', type, rename));
  assert.equal((await on(gone, [])).wouldBe, 'REJECT');
  const users = { userIds: [ids.trader] };
  const removal = 'ACTIVITY_TYPE_DELETE_USERS';
  shownAs('COMPLETED', await service.submit('delete_users', removal, users));
  const obstacles = [again, gone, signed].map(async (activity) => {
    const { obstacle, flips, wouldBe, message } = await on(activity, withoutIt);
    assert.deepEqual([flips, wouldBe], [false, undefined]);
    assert.equal(typeof message, 'string');
    return obstacle;
  });
  assert.deepEqual(await Promise.all(obstacles), [
    'VOTE_REPLACED',
    'FACTS_GONE',
    // Its wallet had another name at the decision.
    'FACTS_CHANGED',
  ]);
});

test('the state of velocity limits is not simulated', async () => {
  const { service } = voters;
  await makeControl(service);
  await makePolicy(service, 'Limited', {
    condition: "activity.resource == 'WALLET' && controls.hourly",
    consensus: 'approvers.count() >= 1',
  });
  const done = shownAs('COMPLETED', await makeWallet(service, 'W', by('Plain')));
  const [policyId = ''] = await shownPolicyIds(service);
  const same = await on(done, []);
  assert.deepEqual([same.was, same.wouldBe], ['ALLOW', 'ALLOW'], 'as the limit was then');
  const two = { update: { policyId, policyConsensus: 'approvers.count() >= 2' } };
  assert.equal((await on(done, [two])).obstacle, 'LIMITS_NOT_KEPT');
  const create = describedPolicy('Also limited', { condition: 'controls.hourly' });
  assert.equal((await on(done, [{ create }])).obstacle, 'LIMITS_NOT_KEPT');
  assert.equal((await on(done, [{ delete: { policyId } }])).wouldBe, 'REFUSE');
});

test('pages contain the filtered activities once each', async () => {
  const { service, ids } = voters;
  await makePolicy(service, 'One', { consensus: 'approvers.count() >= 1' });
  const made: string[] = [];
  for (let i = 0; i < 5; i += 1) {
    made.unshift(shownAs('COMPLETED', await makeWallet(service, `W ${i}`, by('Plain'))).id);
  }
  const found: string[] = [];
  for (let cursor: object = {}; ; ) {
    const filter = { filterByUser: ids.plain, limit: 2, ...cursor };
    const { decisions, nextCursor } = await simulated([], filter);
    found.push(...decisions.map(({ activityId }: Shown) => activityId));
    if (nextCursor === undefined) break;
    cursor = { after: nextCursor };
  }
  assert.deepEqual(found, made);
  const filterByType = ['ACTIVITY_TYPE_CREATE_POLICY_V3'];
  assert.equal((await simulated([], { filterByType })).decisions.length, 1);
});

test('other requests run before each simulated activity', async () => {
  const turns: string[] = [];
  const { service } = await startVoters({
    turns: { ...noTurns, pause: async () => void turns.push('other') },
  });
  for (let i = 0; i < 3; i += 1) await makeWallet(service, `W ${i}`);
  turns.length = 0;
  const { body } = await service.query('simulate_policies', { changes: [], limit: 100 });
  assert.ok(turns.length >= body.decisions.length);
  await service.close();
});

test('every reader may simulate, and malformed changes are refused', async () => {
  const { service } = voters;
  const policyId = await voters.bothTags();
  const create = describedPolicy('Broken', { condition: 'activity.nothing == 1' });
  await checkQuery(service, {
    operation: 'simulate_policies',
    body: { changes: [{ delete: { policyId } }] },
    malformed: [
      { field: 'changes', parameters: { changes: 'all' } },
      { field: 'changes.0', parameters: { changes: [{}] } },
      {
        field: 'changes.1',
        parameters: { changes: [createsTwo, { ...createsTwo, delete: { policyId } }] },
      },
      { field: 'changes.0.create.condition', parameters: { changes: [{ create }] } },
      {
        field: 'changes.0.update.policyCondition',
        parameters: { changes: [{ update: { policyId, policyCondition: 'nothing' } }] },
      },
      { field: 'limit', parameters: { changes: [], limit: '101' } },
      { field: 'after', parameters: { changes: [], after: 'x' } },
    ],
  });
  const unknown = { changes: [{ delete: { policyId: unknownId } }] };
  assertRefused(await service.query('simulate_policies', unknown), 404, 5);
  const twice = { changes: [createsTwo, createsTwo] };
  assertRefused(await service.query('simulate_policies', twice), 400, 3);
  assertViolation(await service.query('simulate_policies', {}), 'changes');
});

test('without changes no decision flips', async () => {
  const { service, ids } = voters;
  const users = ['Trader', 'Officer', 'Plain'] as const;
  const idOf = { Trader: ids.trader, Officer: ids.officer, Plain: ids.plain };
  const policy = fc.record({
    effect: fc.constantFrom('EFFECT_ALLOW', 'EFFECT_ALLOW', 'EFFECT_DENY'),
    condition: fc.constantFrom('true', 'false', 'eth.tx.value == 1', "activity.action != 'X'"),
    consensus: fc.oneof(
      fc.constantFrom('true', 'approvers.count() >= 2', "credentials.any(c, c.type == 'NONE')"),
      fc.constantFrom(...users).map((name) => `approvers.any(u, u.id == '${idOf[name]}')`),
    ),
  });
  const asking = fc.record({
    voting: fc.subarray([...users], { minLength: 1 }),
    rejects: fc.boolean(),
  });
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(policy, { minLength: 1, maxLength: 4 }),
      fc.array(asking, { minLength: 1, maxLength: 3 }),
      async (policies, askings) => {
        const made: string[] = [];
        for (const changes of policies) {
          serial += 1;
          made.push(await makePolicy(service, `Policy ${serial}`, changes));
        }
        const sinceMs = service.now() + 1;
        for (const { voting, rejects } of askings) {
          serial += 1;
          const [first = 'Plain', ...others] = voting;
          const { status, body } = await makeWallet(service, `Wallet ${serial}`, by(first));
          if (status !== 200) continue;
          for (const other of others) {
            await (rejects ? reject : approve)(service, body.activity, by(other));
          }
        }
        const told = await simulated([], { filterByTime: { sinceMs } });
        assert.deepEqual([told.decided, told.flipped], [askings.length, 0], JSON.stringify(told));
        const type = 'ACTIVITY_TYPE_DELETE_POLICIES';
        shownAs('COMPLETED', await service.submit('delete_policies', type, { policyIds: made }));
      },
    ),
    { numRuns: 30 },
  );
});
