// Freezes and votes: no freeze is bypassed by a waiting activity, a frozen user cannot vote, and the root
// quorum can always lift a freeze.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import {
  assertFrozen,
  freeze,
  lift,
  makeFreeze,
  makeKeys,
  sign,
  unfreeze,
} from '../operations/freezes/freeze_requests.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { stampOf, testKey } from '../support/harness.ts';
import { approve, by, makeWallet, read, reject, shownAs, startVoters } from '../votes/voting.ts';

/** Starts a service in which a signature needs a trader and an officer. */
async function startSigning() {
  const voters = await startVoters();
  const { service, traders, officers } = voters;
  const tagged = (tag: string) => `approvers.any(user, user.tags.contains('${tag}'))`;
  await makePolicy(service, 'Signatures', {
    condition: "activity.action == 'SIGN'",
    consensus: `${tagged(traders)} && ${tagged(officers)}`,
  });
  const [key] = await makeKeys(service);
  return {
    ...voters,
    key,
    wait: async () => shownAs('CONSENSUS_NEEDED', await sign(service, key, by('Trader'))),
  };
}

test('a vote that would suffice completes nothing after a freeze, and completes it after the lift', async (t) => {
  const { service, ids, key, wait } = await startSigning();
  t.after(() => service.close());
  const subjects = [
    ['ORGANIZATION', undefined],
    ['DEPLOYMENT', undefined],
    ['PRIVATE_KEY', key],
    // A freeze of the submitter, and one of the voter.
    ['USER', ids.trader],
    ['USER', ids.officer],
  ] as const;
  for (const [type, id] of subjects) {
    const waiting = await wait();
    const freezeId = await makeFreeze(service, type, id);
    assertFrozen(await approve(service, waiting, by('Officer')), /./);
    const shown = await read(service, waiting, by('Officer'));
    assert.equal(shown.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', type);
    assert.equal(shown.canApprove, false);
    assert.equal(shown.votes.length, 1);
    await lift(service, freezeId);
    assert.equal((await read(service, waiting, by('Officer'))).canApprove, true);
    shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
  }
});

test('the same body by another user is a vote, which a freeze stops too', async (t) => {
  const { service, key, wait } = await startSigning();
  t.after(() => service.close());
  const { votes } = await wait();
  const freezeId = await makeFreeze(service, 'PRIVATE_KEY', key);
  const body = utf8(votes[0].message);
  const send = () =>
    service.send('submit', 'sign_raw_payload', body, [stampOf(body, testKey('Officer'))]);
  assertFrozen(await send(), /private key/);
  await lift(service, freezeId);
  shownAs('COMPLETED', await send());
});

test('a vote that was given does not count while its user is frozen', async (t) => {
  const { service, ids, formQuorum } = await startVoters();
  t.after(() => service.close());
  await makePolicy(service, 'Plain freezes', {
    condition: "activity.kind == 'CREATE_FREEZE'",
    consensus: `approvers.any(user, user.id == '${ids.plain}')`,
  });
  await formQuorum(3);
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'Three', by('Second')));
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Third')));
  const freezeId = await makeFreeze(service, 'USER', ids.third, by('Plain'));
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting));
  assertFrozen(await reject(service, waiting, by('Third')), /user/);
  // The two other members cannot reach a threshold of three, so the frozen member is needed.
  const asked = shownAs('CONSENSUS_NEEDED', await unfreeze(service, freezeId));
  shownAs('CONSENSUS_NEEDED', await approve(service, asked, by('Second')));
  shownAs('COMPLETED', await approve(service, asked, by('Third')));
  // The earlier vote counts again.
  shownAs('COMPLETED', await approve(service, waiting, by('Third')));
});

test('a frozen member lifts a freeze only while the others cannot reach the threshold', async (t) => {
  const { service, ids, formQuorum } = await startVoters();
  t.after(() => service.close());
  await makePolicy(service, 'Plain freezes', {
    condition: "activity.kind == 'CREATE_FREEZE'",
    consensus: `approvers.any(user, user.id == '${ids.plain}')`,
  });
  await formQuorum(2);
  const plain = by('Plain');
  const third = await makeFreeze(service, 'USER', ids.third, plain);
  // The two other members suffice, so the frozen member can neither request the lift nor vote.
  assertFrozen(await unfreeze(service, third, by('Third')), /user/);
  const asked = shownAs('CONSENSUS_NEEDED', await unfreeze(service, third, by('Second')));
  assertFrozen(await approve(service, asked, by('Third')), /user/);
  // With two frozen members the third one alone cannot lift the freeze, so frozen members count.
  const second = await makeFreeze(service, 'USER', ids.second, plain);
  shownAs('COMPLETED', await approve(service, asked, by('Third')));
  assertFrozen(await unfreeze(service, second, by('Second')), /user/);
  // With all members frozen, the quorum can still lift freezes, and nothing else.
  await makeFreeze(service, 'USER', ids.third, plain);
  await makeFreeze(service, 'USER', ids.root, plain);
  assertFrozen(await makeWallet(service, 'None'), /user/);
  const last = shownAs('CONSENSUS_NEEDED', await unfreeze(service, second));
  shownAs('COMPLETED', await approve(service, last, by('Third')));
});

test('a freeze that waits for votes freezes nothing, and only the root quorum lifts it', async (t) => {
  const { service, ids, key } = await startSigning();
  t.after(() => service.close());
  await makePolicy(service, 'Two freeze', {
    condition: "activity.resource == 'FREEZE'",
    consensus: 'approvers.count() >= 2',
  });
  const waiting = shownAs(
    'CONSENSUS_NEEDED',
    await freeze(service, 'PRIVATE_KEY', key, by('Plain')),
  );
  assert.equal((await sign(service, key)).status, 200);
  const done = shownAs('COMPLETED', await approve(service, waiting, by('Trader')));
  assertFrozen(await sign(service, key), /private key/);
  const { freezeId } = done.result.createFreezeResult;
  for (const name of ['Plain', 'Trader']) {
    assert.equal((await unfreeze(service, freezeId, by(name))).status, 403);
  }
  await makeFreeze(service, 'USER', ids.plain);
  await lift(service, freezeId);
});

test('a user who is deleted takes the freeze along', async (t) => {
  const { service, ids } = await startVoters();
  t.after(() => service.close());
  await makeFreeze(service, 'USER', ids.plain);
  const { status } = await service.submit('delete_users', 'ACTIVITY_TYPE_DELETE_USERS', {
    userIds: [ids.plain],
  });
  assert.equal(status, 200);
  assert.deepEqual((await service.query('list_freezes')).body.freezes, []);
});
