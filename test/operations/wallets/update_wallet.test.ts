import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeWallet, unknownId } from './wallet_requests.ts';

const wire = {
  operation: 'update_wallet', // OP-UPDATE-WALLET-01
  type: 'ACTIVITY_TYPE_UPDATE_WALLET', // OP-UPDATE-WALLET-02
  intent: 'updateWalletIntent', // OP-UPDATE-WALLET-05
  result: 'updateWalletResult', // OP-UPDATE-WALLET-06
};

test('update_wallet: renames the wallet', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId } = await makeWallet(service);
  const parameters = { walletId, walletName: 'Renamed' }; // OP-UPDATE-WALLET-03, OP-UPDATE-WALLET-04
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['walletName'],
    malformed: [
      { field: 'parameters.walletId', parameters: { ...parameters, walletId: '1' } },
      { field: 'parameters.walletName', parameters: { ...parameters, walletName: ' ' } },
    ],
  });
  assert.deepEqual(result, { walletId }); // OP-UPDATE-WALLET-07
  const renamed = (await service.query('get_wallet', { walletId })).body.wallet;
  assert.equal(renamed.walletName, 'Renamed');
  assert.notDeepEqual(renamed.updatedAt, renamed.createdAt);

  await checkActivity(service, { ...wire, parameters: { walletId } });
  assert.deepEqual((await service.query('get_wallet', { walletId })).body.wallet, renamed);
});

test('update_wallet: refuses the name of another wallet, but not its own', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await makeWallet(service);
  const second = await makeWallet(service);
  const rename = (walletId: string, walletName: string) => ({
    ...wire,
    parameters: { walletId, walletName },
  });
  await checkRefused(service, rename(second.walletId, 'Wallet'), {
    status: 400,
    code: 3,
    text: /^wallet label must be unique: `Wallet` /,
  });
  for (const { walletId, name } of [
    { walletId: first.walletId, name: 'Wallet' },
    { walletId: first.walletId, name: 'Main' },
    { walletId: second.walletId, name: 'Wallet' },
  ]) {
    const { operation, type, parameters } = rename(walletId, name);
    assert.equal((await service.submit(operation, type, parameters)).status, 200);
  }
});

test('update_wallet: takes only wallets of the organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ofChild = await makeWallet(service, [], await addChild(service));
  for (const walletId of [unknownId, ofChild.walletId]) {
    const parameters = { walletId, walletName: 'Taken over' };
    const text = new RegExp(`^unable to find wallet ${walletId} in organization`);
    await checkRefused(service, { ...wire, parameters }, { status: 404, code: 5, text });
  }
});
