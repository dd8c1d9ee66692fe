import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeWallet } from './wallet_requests.ts';

test('list_wallets: lists the wallets of this organization, oldest first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  assert.deepEqual(await checkQuery(service, { operation: 'list_wallets', body: {} }), {
    wallets: [],
  });
  const made = [await makeWallet(service), await makeWallet(service)];
  await makeWallet(service, [], await addChild(service));
  const { wallets } = (await service.query('list_wallets')).body;
  const ids = wallets.map((wallet: { walletId: string }) => wallet.walletId);
  assert.deepEqual(
    ids,
    made.map(({ walletId }) => walletId),
  );
  const { wallet } = (await service.query('get_wallet', { walletId: ids[0] })).body;
  assert.deepEqual(wallets[0], wallet);
});
