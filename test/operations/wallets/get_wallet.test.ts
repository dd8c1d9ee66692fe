import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeWallet, unknownId } from './wallet_requests.ts';

test('get_wallet: shows the wallet, also to a parent', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId } = await makeWallet(service);
  const createdAt = { seconds: String(Math.floor(service.now() / 1000)), nanos: '1000000' };
  const malformed = [{ field: 'walletId', parameters: { walletId: 'x' } }];
  const answer = await checkQuery(service, {
    operation: 'get_wallet',
    body: { walletId },
    malformed,
  });
  assert.deepEqual(answer, {
    wallet: {
      walletId,
      walletName: 'Wallet',
      createdAt,
      updatedAt: createdAt,
      exported: false, // STATE-04
      imported: false,
    },
  });
  const child = await addChild(service);
  const ofChild = await makeWallet(service, [], child);
  const asParent = { organizationId: child.organizationId };
  const { body } = await service.query('get_wallet', { walletId: ofChild.walletId }, asParent);
  assert.equal(body.wallet.walletId, ofChild.walletId);
  for (const id of [unknownId, ofChild.walletId]) {
    assertRefused(await service.query('get_wallet', { walletId: id }), 404, 5);
  }
});
