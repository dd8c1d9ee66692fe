// Rights of a reader on an activity: the possible actions, and the credentials that they need.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../src/core/errors/errors.ts';
import type { StorePort } from '../../src/store/port.ts';
import { queryBody, startServiceOver } from '../enclave/service_over.ts';
import { assertRefused } from '../operations/checks.ts';
import { makeMfaPolicy } from '../operations/mfa_policies/mfa_requests.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { type TestKey, testKey } from '../support/harness.ts';
import {
  approve,
  approveType,
  bodyOf,
  by,
  makeWallet,
  read,
  reject,
  shownAs,
  startVoters,
} from '../votes/voting.ts';
import {
  addProvider,
  attestedContact,
  attestedIdentity,
  attestedStamp,
} from './attested_requests.ts';

test('a reader has no rights on a decided activity', async (t) => {
  const { service, bothTags } = await startVoters();
  t.after(() => service.close());
  await bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const other = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'X', by('Trader')));
  shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
  shownAs('REJECTED', await reject(service, other, by('Officer')));
  for (const activity of [waiting, other]) {
    const { canApprove, canReject } = await read(service, activity);
    assert.deepEqual([canApprove, canReject], [false, false]);
  }
});

test('a failure of the store is reported as such, not as an activity that can only be rejected', async (t) => {
  const { service, formQuorum } = await startVoters();
  t.after(() => service.close());
  const { walletId } = (await makeWallet(service, 'W')).body.activity.result.createWalletResult;
  await formQuorum();
  const parameters = { walletIds: [walletId], deleteWithoutExport: true };
  const type = 'ACTIVITY_TYPE_DELETE_WALLETS';
  const waiting = shownAs(
    'CONSENSUS_NEEDED',
    await service.submit('delete_wallets', type, parameters),
  );
  const { port } = service.store;
  let isBroken = false;
  const store: StorePort = {
    ...port,
    recordPage: async (request) => {
      if (isBroken) throw new ServiceError('store_unavailable');
      return port.recordPage(request);
    },
  };
  const broken = await startServiceOver({ store, seed: 'broken', clock: service.now });
  const ask = (operation: string) => {
    const body = queryBody(service.root.organizationId, { activityId: waiting.id });
    return broken.send('query', operation, body, testKey('root'));
  };
  for (const operation of ['get_activity', 'get_mfa_status']) {
    assert.equal((await ask(operation)).status, 200);
    isBroken = true;
    assertRefused(await ask(operation), 503, 14);
    isBroken = false;
  }
  assert.equal((await ask('get_activity')).body.activity.canReject, true);
  assertRefused(
    await broken.send('query', 'get_activity', queryBody('x'), testKey('root')),
    400,
    3,
  );
});

test('rights after a vote are those of the key that its user showed last with the same account', async (t) => {
  const { service, ids } = await startVoters();
  t.after(() => service.close());
  const condition = "activity.resource == 'USER'";
  await makePolicy(service, 'Two', { condition, consensus: 'approvers.count() >= 2' });
  await addProvider(service, ids.trader, 'trader');
  const [first, second] = [testKey('first'), testKey('second')];
  const send = (operation: string, type: string, parameters: object, key: TestKey) => {
    const body = bodyOf(service, type, parameters);
    const stamp = attestedStamp(body, key, attestedIdentity(service, key, 'trader'));
    return service.send('submit', operation, body, [stamp]);
  };
  const userEmail = 'plain@example.com';
  const { token: verificationToken } = attestedContact(service, first, userEmail);
  const parameters = { userId: ids.plain, userEmail, verificationToken };
  const type = 'ACTIVITY_TYPE_UPDATE_USER_EMAIL';
  const asked = await send('update_user_email', type, parameters, first);
  const { fingerprint } = shownAs('CONSENSUS_NEEDED', asked);

  // The same account counts again only with a further factor.
  await makeMfaPolicy(service, ids.trader);
  const voted = await send('approve_activity', approveType, { fingerprint }, second);
  const { canApprove, canReject } = shownAs('AUTHENTICATORS_NEEDED', voted);
  assert.deepEqual([canApprove, canReject], [false, true], 'the token is bound to the first key');
  const officer = await read(service, voted.body.activity, by('Officer'));
  assert.equal(officer.canApprove, false);
});
