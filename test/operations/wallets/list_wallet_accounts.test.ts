import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, assertViolation, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { ethereumAccount, makeWallet, unknownId } from './wallet_requests.ts';

const operation = 'list_wallet_accounts';

test('list_wallet_accounts: lists accounts of one wallet or of all, with details on request', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const one = await makeWallet(service, [ethereumAccount(), ethereumAccount(1)]);
  const two = await makeWallet(service, [ethereumAccount()]);
  const child = await addChild(service);
  const ofChild = await makeWallet(service, [ethereumAccount()], child);
  const body = { walletId: one.walletId, includeWalletDetails: true, paginationOptions: {} };
  const { accounts } = await checkQuery(service, {
    operation,
    body,
    optional: Object.keys(body),
    malformed: [{ field: 'walletId', parameters: { ...body, walletId: 'x' } }],
  });
  const { wallet } = (await service.query('get_wallet', { walletId: one.walletId })).body;
  // RES-WALLET-ACCOUNT-14 to RES-WALLET-ACCOUNT-20
  assert.deepEqual(
    accounts.map((row: { walletDetails: object }) => row.walletDetails),
    [wallet, wallet],
  );
  const { account } = (
    await service.query('get_wallet_account', { walletId: one.walletId, address: one.addresses[1] })
  ).body;
  const { walletDetails: _, ...second } = accounts[1];
  assert.deepEqual(second, account);

  const all = (await service.query(operation)).body.accounts;
  assert.deepEqual(
    all.map((row: { address: string }) => row.address),
    [...one.addresses, ...two.addresses],
  );
  assert.equal(
    all.some((row: object) => 'walletDetails' in row),
    false,
  );
  for (const walletId of [unknownId, ofChild.walletId]) {
    assertRefused(await service.query(operation, { walletId }), 404, 5);
  }
});

test('list_wallet_accounts: pages have 10 accounts by default, and exclude their cursors', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const accounts = Array.from({ length: 11 }, (_, i) => ethereumAccount(i));
  const { walletId } = await makeWallet(service, accounts);
  await makeWallet(service, [ethereumAccount()]);
  const list = async (body: object): Promise<string[]> => {
    const answer = await service.query(operation, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.accounts.map((row: { walletAccountId: string }) => row.walletAccountId);
  };
  const all = await list({ paginationOptions: { limit: '100' } });
  assert.equal(all.length, 12);
  for (const [given, expected] of [
    [{}, all.slice(0, 10)],
    [{ walletId, paginationOptions: { limit: 20 } }, all.slice(0, 11)],
    [{ paginationOptions: { limit: '2', after: all[9]?.toUpperCase() } }, all.slice(10)],
    [{ paginationOptions: { limit: '3', after: all[9] } }, all.slice(10)],
    [{ walletId, paginationOptions: { limit: '5', after: all[9] } }, all.slice(10, 11)],
    [{ paginationOptions: { limit: '2', before: all[3] } }, all.slice(1, 3)],
    [{ walletId, paginationOptions: { before: all[1] } }, all.slice(0, 1)],
    [{ paginationOptions: { after: all[0], before: all[3] } }, all.slice(1, 3)],
    [{ paginationOptions: { after: all[11] } }, []],
  ] as const) {
    assert.deepEqual(await list(given), expected, JSON.stringify(given));
  }
  for (const [options, field] of [
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ limit: 'ten' }, 'limit'],
    [{ before: 'x' }, 'before'],
    [{ after: 'x' }, 'after'],
    [{ offset: 1 }, 'offset'],
  ] as const) {
    const answer = await service.query(operation, { paginationOptions: options });
    assertViolation(answer, `paginationOptions.${field}`);
  }
});
