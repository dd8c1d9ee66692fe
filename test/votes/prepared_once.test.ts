// A request that leaves an activity waiting prepares it once, and loads nothing again for the answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StorePort } from '../../src/store/port.ts';
import { activityBody, startServiceOver } from '../enclave/service_over.ts';
import { testKey } from '../support/harness.ts';
import { approveType, makeWallet, startVoters } from './voting.ts';

test('a submission and a vote that leave an activity waiting load its accounts once', async (t) => {
  const { service, formQuorum } = await startVoters();
  t.after(() => service.close());
  const { body: made } = await makeWallet(service, 'Wallet');
  const { walletId } = made.activity.result.createWalletResult;
  await formQuorum(3);

  let loads = 0;
  const { port } = service.store;
  const store: StorePort = {
    ...port,
    recordPage: (request) => {
      loads += 1;
      return port.recordPage(request);
    },
  };
  const counting = await startServiceOver({ store, seed: 'counting', clock: service.now });
  const send = async (operation: string, type: string, parameters: object, user: string) => {
    loads = 0;
    service.advance(1);
    const body = activityBody(type, service.root.organizationId, parameters, service.now());
    return counting.send('submit', operation, body, testKey(user));
  };

  const type = 'ACTIVITY_TYPE_DELETE_WALLETS';
  const parameters = { walletIds: [walletId], deleteWithoutExport: true };
  const asked = await send('delete_wallets', type, parameters, 'Second');
  assert.equal(asked.body.activity?.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.equal(asked.body.activity.canApprove, false);
  assert.equal(loads, 1);

  const { fingerprint } = asked.body.activity;
  const voted = await send('approve_activity', approveType, { fingerprint }, 'Third');
  assert.equal(voted.body.activity?.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.equal(voted.body.activity.votes.length, 2);
  assert.equal(loads, 1);
});
