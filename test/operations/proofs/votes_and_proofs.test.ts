// App proofs of activities that wait for votes: their contents, and their readers.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { textOfUtf8, utf8 } from '../../../src/core/base/bytes.ts';
import type { StorePort } from '../../../src/store/port.ts';
import { startServiceOver } from '../../enclave/service_over.ts';
import { type TestAnswer, testKey } from '../../support/harness.ts';
import {
  approve,
  approveType,
  bodyOf,
  by,
  changeQuorum,
  read,
  reject,
  renameType,
  type Shown,
  sendBody,
  shownAs,
  startVoters,
  type Voters,
} from '../../votes/voting.ts';
import { assertRefused } from '../checks.ts';
import { startAnother } from './another_run.ts';
import { ethereumAccount, payloadsOf } from './proof_requests.ts';

let voters: Voters;
beforeEach(async () => {
  voters = await startVoters();
  await voters.formQuorum();
});
afterEach(() => voters.service.close());

const asking = (body: Uint8Array): Uint8Array =>
  utf8((textOfUtf8(body) ?? '').replace(/\}$/, ',"generateAppProofs":true}'));

const walletOf = (walletName: string) =>
  bodyOf(voters.service, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName,
    accounts: [ethereumAccount],
  });

const renamedTo = (organizationName: string) =>
  bodyOf(voters.service, renameType, { organizationName });

const listed = async ({ id }: Shown): Promise<readonly Shown[]> =>
  (await voters.service.query('list_app_proofs', { activityId: id })).body.appProofs;

const waitingIn = (answer: TestAnswer): Shown => {
  const waiting = shownAs('CONSENSUS_NEEDED', answer);
  assert.ok(!('appProofs' in waiting));
  return waiting;
};

test('a waiting activity has no proof; the deciding vote creates it, for all readers', async () => {
  const { service } = voters;
  const body = asking(walletOf('Proved'));
  const waiting = waitingIn(await sendBody(service, 'create_wallet', body));
  assert.deepEqual(await listed(waiting), []);
  service.advance(1_000);
  const done = shownAs('COMPLETED', await approve(service, waiting, by('Second')));
  const [payload] = payloadsOf(done.appProofs);
  assert.equal(payload.timestampMs, String(service.now()));
  assert.deepEqual(payload.activity, {
    id: waiting.id,
    type: waiting.type,
    organizationId: waiting.organizationId,
    fingerprint: waiting.fingerprint,
    resultDigest: createHash('sha256').update(JSON.stringify(done.result)).digest('hex'),
  });
  const [address] = done.result.createWalletResult.addresses;
  assert.equal(payload.addressDerivationProof.address, address);
  // The submitter with the repeated body, a reader, and a late voter.
  const again = shownAs('COMPLETED', await sendBody(service, 'create_wallet', body));
  const late = shownAs('COMPLETED', await approve(service, waiting, by('Third')));
  for (const one of [again, late, await read(service, waiting, by('Plain'))]) {
    assert.deepEqual(one.appProofs, done.appProofs);
  }
  assert.deepEqual(await listed(waiting), done.appProofs);
});

test('a vote that does not decide stores no boot statement', async () => {
  const { service, ids } = voters;
  const { organizationId } = service.root;
  const threshold = { threshold: 3, userIds: [ids.root, ids.second, ids.third] };
  await changeQuorum(service, threshold, [{}, by('Second')]);
  const versionOf = async () => {
    const asked = { organizationId, kinds: [], knownVersion: 0, fingerprint: undefined };
    return (await service.store.port.organization(asked)).version ?? 0;
  };
  const waiting = waitingIn(await sendBody(service, 'create_wallet', asking(walletOf('Waits'))));
  const before = await versionOf();
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  assert.equal(await versionOf(), before + 1);
  shownAs('COMPLETED', await approve(service, waiting, by('Third')));
  assert.equal(await versionOf(), before + 3);
});

test('an activity keeps waiting while its enclave cannot store its boot statement', async () => {
  const { service } = voters;
  const body = asking(renamedTo('Proved later'));
  const waiting = waitingIn(await sendBody(service, 'update_organization_name', body));
  const { port } = service.store;
  let isBusy = true;
  const store: StorePort = {
    ...port,
    // Only the service itself commits changes without an activity.
    commit: async (change) =>
      isBusy && change.activities.length === 0 ? 'conflict' : port.commit(change),
  };
  const other = await startServiceOver({ store, seed: 'busy node', clock: service.now });
  const { fingerprint } = waiting;
  const approveThere = () => {
    const vote = bodyOf(service, approveType, { fingerprint });
    return other.send('submit', 'approve_activity', vote, testKey('Second'));
  };
  assertRefused(await approveThere(), 409, 10);
  const seen = await read(service, waiting);
  assert.deepEqual([seen.status, seen.votes.length], ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 1]);
  isBusy = false;
  payloadsOf(shownAs('COMPLETED', await approveThere()).appProofs);
});

test('a proof of a decision contains every counted approval with the digest of its message', async () => {
  const { service } = voters;
  const body = asking(renamedTo('Proved'));
  const waiting = waitingIn(await sendBody(service, 'update_organization_name', body));
  const done = shownAs('COMPLETED', await approve(service, waiting, by('Second')));
  const [payload, second] = payloadsOf(done.appProofs);
  assert.equal(second, undefined);
  const approvals = payload.policyOutcomeProof.userRequestApprovals;
  assert.deepEqual(
    approvals,
    done.votes.map(({ scheme, publicKey, signature, message }: Shown) => ({
      scheme,
      publicKey,
      messageDigest: createHash('sha256').update(message).digest('hex'),
      signature,
    })),
  );
  assert.deepEqual(
    approvals.map(({ publicKey }: Shown) => publicKey),
    [service.root.key.publicKey, testKey('Second').publicKey],
  );
});

test('only the submitter can request proofs; a voter who requests them gets none', async () => {
  const { service } = voters;
  const body = renamedTo('Not proved');
  const waiting = waitingIn(await sendBody(service, 'update_organization_name', body));
  const { fingerprint } = waiting;
  const vote = asking(bodyOf(service, approveType, { fingerprint }));
  const done = shownAs(
    'COMPLETED',
    await sendBody(service, 'approve_activity', vote, by('Second')),
  );
  assert.ok(!('appProofs' in done));
  assert.deepEqual(await listed(done), []);
  // The member makes another body, and thus another activity with its own votes.
  const asked = waitingIn(await sendBody(service, 'update_organization_name', asking(body)));
  assert.notEqual(asked.id, done.id);
});

test('a rejected or failed activity has no proof', async () => {
  const { service } = voters;
  const first = waitingIn(await sendBody(service, 'create_wallet', asking(walletOf('Rejected'))));
  const rejected = shownAs('REJECTED', await reject(service, first, by('Second')));
  const named = { ...ethereumAccount, name: 'Taken' };
  const body = (walletName: string) =>
    asking(bodyOf(service, 'ACTIVITY_TYPE_CREATE_WALLET', { walletName, accounts: [named] }));
  const one = waitingIn(await sendBody(service, 'create_wallet', body('One')));
  const other = waitingIn(await sendBody(service, 'create_wallet', body('Other')));
  shownAs('COMPLETED', await approve(service, one, by('Second')));
  await approve(service, other, by('Second'));
  for (const activity of [rejected, await read(service, other)]) {
    assert.ok(!('appProofs' in activity), activity.status);
    assert.deepEqual(await listed(activity), []);
  }
});

test('the node that completes an activity proves it with its own key, and all nodes show the proof', async () => {
  const { service } = voters;
  const body = asking(renamedTo('Elsewhere'));
  const waiting = waitingIn(await sendBody(service, 'update_organization_name', body));
  const other = await startAnother(service, 'other node');
  const { fingerprint } = waiting;
  const vote = bodyOf(service, approveType, { fingerprint });
  const { activity } = await other.send('submit', 'approve_activity', vote, testKey('Second'));
  assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED');
  payloadsOf(activity.appProofs);
  assert.deepEqual(await listed(waiting), activity.appProofs);
  const ephemeralKey = activity.appProofs[0].publicKey;
  const { bootProof: own } = (await service.query('get_latest_boot_proof')).body;
  assert.notEqual(own.ephemeralPublicKeyHex, ephemeralKey);
  const { bootProof } = (await service.query('get_boot_proof', { ephemeralKey })).body;
  assert.equal(bootProof.ephemeralPublicKeyHex, ephemeralKey);
});
