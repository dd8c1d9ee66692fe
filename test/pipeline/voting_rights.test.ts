// Rights of a reader of an activity: each thing it can still do, and the credentials that takes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StorePort } from '../../src/store/port.ts';
import { queryBody, startServiceOver } from '../enclave/service_over.ts';
import { assertRefused } from '../operations/checks.ts';
import { testKey } from '../support/harness.ts';
import { approve, by, makeWallet, read, reject, shownAs, startVoters } from '../votes/voting.ts';

test('a reader can do nothing with what is decided', async (t) => {
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

test('a fault of the store is told as such, and not as an activity that can only be rejected', async (t) => {
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
      if (isBroken) throw new Error('the disk is gone');
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
    const answer = await ask(operation);
    assert.ok(answer.status >= 500, `${operation}: ${JSON.stringify(answer.body)}`);
    isBroken = false;
  }
  assert.equal((await ask('get_activity')).body.activity.canReject, true);
  assertRefused(
    await broken.send('query', 'get_activity', queryBody('x'), testKey('root')),
    400,
    3,
  );
});
