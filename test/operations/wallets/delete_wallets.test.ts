import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maximumDroppedAccounts } from '../../../src/core/keys/wallets.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { exported } from './transfer_requests.ts';
import { accountsOf, ethereumAccount, makeWallet, unknownId } from './wallet_requests.ts';

const wire = {
  operation: 'delete_wallets',
  type: 'ACTIVITY_TYPE_DELETE_WALLETS',
  intent: 'deleteWalletsIntent',
  result: 'deleteWalletsResult',
};
const signing = (signWith: string | undefined) => ({
  operation: 'sign_raw_payload',
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  parameters: {
    signWith,
    payload: 'hello',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  },
});
const unsignable = { status: 404, code: 5, text: /^Could not find any resource to sign with/ };

test('delete_wallets: deletes wallets with their accounts and account names', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const account = { ...ethereumAccount(), name: 'Savings' };
  const first = await makeWallet(service, [account]);
  const second = await makeWallet(service, [ethereumAccount()]);
  const kept = await makeWallet(service, [ethereumAccount()]);
  const walletIds = [second.walletId, first.walletId.toUpperCase()];
  const parameters = { walletIds, deleteWithoutExport: true };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['deleteWithoutExport'],
    malformed: [
      { field: 'parameters.walletIds', parameters: { ...parameters, walletIds: [] } },
      { field: 'parameters.walletIds.0', parameters: { ...parameters, walletIds: ['1'] } },
      {
        field: 'parameters.walletIds.1',
        parameters: { ...parameters, walletIds: [first.walletId, first.walletId.toUpperCase()] },
      },
    ],
  });
  assert.deepEqual(result, { walletIds: [second.walletId, first.walletId] });
  const { wallets } = (await service.query('list_wallets')).body;
  assert.deepEqual(
    wallets.map((wallet: { walletId: string }) => wallet.walletId),
    [kept.walletId],
  );
  assert.equal((await accountsOf(service, undefined)).length, 1);
  assert.deepEqual(await accountRows(service), 1);
  await checkRefused(service, signing(first.addresses[0]), unsignable);
  await makeWallet(service, [account]);
});

test('delete_wallets: requires an export unless the request waives it, all or none, once', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId, addresses } = await makeWallet(service, [ethereumAccount()]);
  const ofChild = await makeWallet(service, [], await addChild(service));
  const notExported = { status: 400, code: 3, text: /^wallet has not been exported: / };
  const missing = { status: 404, code: 5, text: /^unable to find wallet / };
  for (const [parameters, refusal] of [
    [{ walletIds: [walletId] }, notExported],
    [{ walletIds: [walletId], deleteWithoutExport: false }, notExported],
    [{ walletIds: [walletId, unknownId], deleteWithoutExport: true }, missing],
    [{ walletIds: [walletId, ofChild.walletId], deleteWithoutExport: true }, missing],
  ] as const) {
    await checkRefused(service, { ...wire, parameters }, refusal);
  }
  const parameters = { walletIds: [walletId] };
  await exported(service, 'wallet_account', { address: addresses[0] ?? '' });
  // An exported account key does not count as an export of the wallet.
  await checkRefused(service, { ...wire, parameters }, notExported);
  await exported(service, 'wallet', { walletId });
  assert.equal((await service.submit(wire.operation, wire.type, parameters)).status, 200);
  await checkRefused(service, { ...wire, parameters }, missing);
});

test('delete_wallets: rows beyond the bound stay in the store and are never found', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const account = { ...ethereumAccount(), name: 'Last' };
  const large = await makeWallet(service);
  await changeOrganization(service, (draft, newId) => {
    for (let i = 0; i <= maximumDroppedAccounts; i += 1) {
      const { curve, pathFormat, addressFormat } = { ...account } as const;
      draft.add('wallet_account', {
        id: newId(),
        walletId: large.walletId,
        curve: curve as 'CURVE_SECP256K1',
        pathFormat: pathFormat as 'PATH_FORMAT_BIP32',
        addressFormat: addressFormat as 'ADDRESS_FORMAT_ETHEREUM',
        path: `m/${i}`,
        address: `address ${i}`,
        publicKey: '',
        ...(i === maximumDroppedAccounts ? { name: 'Last' } : {}),
        createdAtMs: service.now(),
        updatedAtMs: service.now(),
      });
    }
  });
  const kept = await makeWallet(service, [ethereumAccount(1)]);
  const parameters = { walletIds: [large.walletId], deleteWithoutExport: true };
  assert.equal((await service.submit(wire.operation, wire.type, parameters)).status, 200);
  assert.equal(await accountRows(service), 2);

  await checkRefused(service, signing(`address ${maximumDroppedAccounts}`), unsignable);
  await makeWallet(service, [account]);
  const listed = await accountsOf(service, undefined);
  assert.deepEqual(
    listed.map((row) => row.name),
    [undefined, 'Last'],
  );
  // The leftover row does not shorten a page in either direction.
  const pages = [{ limit: '1' }, { limit: '1', before: listed[1].walletAccountId }];
  for (const paginationOptions of pages) {
    const { accounts } = (await service.query('list_wallet_accounts', { paginationOptions })).body;
    assert.deepEqual(
      accounts.map((row: { walletId: string }) => row.walletId),
      [kept.walletId],
    );
  }
});

async function accountRows(service: Awaited<ReturnType<typeof startTestService>>): Promise<number> {
  const rows = await service.store.port.recordPage({
    organizationId: service.root.organizationId,
    kind: 'wallet_account',
    groupId: undefined,
    page: { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 10_000 },
  });
  return rows.length;
}
