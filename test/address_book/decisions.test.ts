// Policies that read labels, and changes of labels while activities wait.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  makeLabel,
  solana,
  updateLabel,
} from '../operations/address_book/address_label_requests.ts';
import { transaction } from '../operations/case_parts.ts';
import { makeKeys } from '../operations/freezes/freeze_requests.ts';
import { describedPolicy, makePolicy } from '../operations/policies/policy_requests.ts';
import { signTransactionType } from '../operations/signing/transaction_vectors.ts';
import { approve, by, read, shownAs, startVoters } from '../votes/voting.ts';

/** The recipient of the transaction. */
const recipient = '0x3fbd991fbcee758776ff50db984d7c124b62a94e';

async function startPaying(policies: Readonly<Record<string, object>>, addresses: string[] = []) {
  const { service } = await startVoters();
  const [key] = await makeKeys(service);
  const described = addresses.map((address) => ({ address }));
  const addressLabelId = await makeLabel(service, { addresses: described });
  for (const [name, policy] of Object.entries(policies)) await makePolicy(service, name, policy);
  return {
    service,
    pay: (user: string) => {
      const parameters = { signWith: key, ...transaction };
      return service.submit('sign_transaction', signTransactionType, parameters, by(user));
    },
    change: async (changes: object) => {
      const { status, body } = await updateLabel(service, { addressLabelId, ...changes });
      assert.equal(status, 200, JSON.stringify(body));
    },
  };
}

const isListed = 'eth.tx.to in address_book.treasury';

const denyOthers = { effect: 'EFFECT_DENY', condition: `!(${isListed})`, consensus: 'true' };

test('an ALLOW and a DENY read the addresses of a label, in any letter case', async (t) => {
  for (const policies of [
    { 'Known recipients': { condition: isListed, consensus: 'true' } },
    {
      Everything: { condition: "activity.action == 'SIGN'", consensus: 'true' },
      'No other recipients': denyOthers,
    },
  ]) {
    const { service, pay, change } = await startPaying(policies);
    t.after(() => service.close());
    assert.equal((await pay('Trader')).status, 403);
    await change({ addAddresses: [{ address: recipient }] });
    shownAs('COMPLETED', await pay('Trader'));
    await change({ removeAddresses: [recipient.toUpperCase().replace('X', 'x')] });
    assert.equal((await pay('Trader')).status, 403);
  }
});

for (const minutes of [1, -1]) {
  test(`an address that is added ${minutes} min later widens no activity that waits`, async (t) => {
    const { service, pay, change } = await startPaying({
      'Three approve': {
        condition: "activity.kind == 'SIGN_TRANSACTION'",
        consensus: 'approvers.count() >= 3',
      },
      'Two approve known recipients': { condition: isListed, consensus: 'approvers.count() >= 2' },
    });
    t.after(() => service.close());
    const waiting = shownAs('CONSENSUS_NEEDED', await pay('Trader'));
    service.advance(minutes * 60_000);
    await change({ addAddresses: [{ address: recipient }] });
    shownAs('COMPLETED', await approve(service, await again(), by('Officer')));
    await approve(service, waiting, by('Officer'));
    const shown = await read(service, waiting, by('Officer'));
    assert.equal(shown.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
    assert.equal(shown.votes.length, 2);

    async function again() {
      // Moves the clock beyond the time of the change.
      service.advance(120_000);
      return shownAs('CONSENSUS_NEEDED', await pay('Trader'));
    }
  });
}

test('a change of a label stops an activity that waits and would pass a DENY by it', async (t) => {
  const { service, pay, change } = await startPaying(
    {
      'Two approve': {
        condition: "activity.kind == 'SIGN_TRANSACTION'",
        consensus: 'approvers.count() >= 2',
      },
      'No other recipients': denyOthers,
    },
    [recipient],
  );
  t.after(() => service.close());
  const unchanged = shownAs('CONSENSUS_NEEDED', await pay('Trader'));
  shownAs('COMPLETED', await approve(service, unchanged, by('Officer')));
  const waiting = shownAs('CONSENSUS_NEEDED', await pay('Trader'));
  await change({ addAddresses: [{ address: solana }] });
  await approve(service, waiting, by('Officer'));
  const { status } = await read(service, waiting, by('Officer'));
  assert.notEqual(status, 'ACTIVITY_STATUS_COMPLETED');
  const next = shownAs('CONSENSUS_NEEDED', await pay('Trader'));
  shownAs('COMPLETED', await approve(service, next, by('Officer')));
});

test('an address that is removed stops an activity that waits, even where failed DENYs are skipped', async (t) => {
  const { service, pay, change } = await startPaying(
    {
      'Two approve': {
        condition: "activity.kind == 'SIGN_TRANSACTION'",
        consensus: 'approvers.count() >= 2',
      },
      'No other recipients': denyOthers,
    },
    [recipient],
  );
  t.after(() => service.close());
  const type = 'ACTIVITY_TYPE_UPDATE_POLICY_SETTINGS';
  const failedDeny = 'FAILED_DENY_SKIPPED';
  const { status } = await service.submit('update_policy_settings', type, { failedDeny });
  assert.equal(status, 200);
  const waiting = shownAs('CONSENSUS_NEEDED', await pay('Trader'));
  await change({ removeAddresses: [recipient] });
  await approve(service, waiting, by('Officer'));
  const shown = await read(service, waiting, by('Officer'));
  assert.notEqual(shown.status, 'ACTIVITY_STATUS_COMPLETED');
});

test('a past decision is tried again with its outcome, and not with labels that changed since', async (t) => {
  const { service, pay, change } = await startPaying({
    'Known recipients': { condition: isListed, consensus: 'true' },
    'Two approve': {
      condition: "activity.kind == 'SIGN_TRANSACTION'",
      consensus: 'approvers.count() >= 3',
    },
  });
  t.after(() => service.close());
  const waiting = shownAs('CONSENSUS_NEEDED', await pay('Trader'));
  await change({ addAddresses: [{ address: recipient }] });
  await approve(service, waiting, by('Officer'));
  const done = shownAs('COMPLETED', await pay('Trader'));
  const on = async (changes: readonly object[]) => {
    const { body } = await service.query('simulate_policies', { changes, limit: '100' });
    return [waiting, done].map(({ id }) => {
      const found = body.decisions.find((each: { activityId: string }) => each.activityId === id);
      return [found.was, found.wouldBe, found.obstacle];
    });
  };
  const asBefore = [
    ['WAIT', 'WAIT', undefined],
    ['ALLOW', 'ALLOW', undefined],
  ];
  assert.deepEqual(await on([]), asBefore);
  await change({ removeAddresses: [recipient] });
  assert.deepEqual(await on([]), asBefore);
  const create = describedPolicy('Also', { condition: isListed, consensus: 'true' });
  assert.deepEqual(
    (await on([{ create }])).map(([, , obstacle]) => obstacle),
    ['LIMITS_NOT_KEPT', 'LIMITS_NOT_KEPT'],
  );
});

test('a policy that reads a label needs the label', async (t) => {
  const { service } = await startPaying({});
  t.after(() => service.close());
  const { status, body } = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Misspelled',
    effect: 'EFFECT_ALLOW',
    condition: 'eth.tx.to in address_book.tresury',
    notes: '',
  });
  assert.equal(status, 400, JSON.stringify(body));
  assert.match(body.message, /field does not exist: tresury.*treasury/);
});
