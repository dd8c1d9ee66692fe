import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maximumDeletedAccounts } from '../../../src/core/keys/wallets.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, addPlainUser, changeOrganization } from '../other_callers.ts';
import { exported } from './transfer_requests.ts';
import { accountsOf, ethereumAccount, makeWallet, unknownId } from './wallet_requests.ts';

const wire = {
  operation: 'delete_wallet_accounts', // OP-DELETE-WALLET-ACCOUNTS-01
  type: 'ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS', // OP-DELETE-WALLET-ACCOUNTS-02
  intent: 'deleteWalletAccountsIntent', // OP-DELETE-WALLET-ACCOUNTS-07
  result: 'deleteWalletAccountsResult', // OP-DELETE-WALLET-ACCOUNTS-08
};
const idOf = ({ walletAccountId }: { walletAccountId: string }) => walletAccountId;

test('delete_wallet_accounts: removes accounts of several wallets', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const named = { ...ethereumAccount(), name: 'Savings' };
  const one = await makeWallet(service, [named, ethereumAccount(1)]);
  const two = await makeWallet(service, [ethereumAccount()]);
  const [first, kept, last] = (await accountsOf(service, undefined)).map(idOf);
  assert(first !== undefined && last !== undefined);
  const walletAccountIds = [last, first.toUpperCase()];
  // OP-DELETE-WALLET-ACCOUNTS-03, OP-DELETE-WALLET-ACCOUNTS-04, OP-DELETE-WALLET-ACCOUNTS-05
  const parameters = { walletAccountIds, deleteWithoutExport: true };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['deleteWithoutExport'],
    malformed: [
      { field: 'parameters.walletAccountIds', parameters: { ...parameters, walletAccountIds: [] } },
      {
        field: 'parameters.walletAccountIds.0',
        parameters: { ...parameters, walletAccountIds: ['1'] },
      },
      {
        field: 'parameters.walletAccountIds.1',
        parameters: { ...parameters, walletAccountIds: [first, first.toUpperCase()] },
      },
    ],
  });
  assert.deepEqual(result, { walletAccountIds: [last, first] }); // OP-DELETE-WALLET-ACCOUNTS-09
  assert.deepEqual((await accountsOf(service, undefined)).map(idOf), [kept]);
  for (const { walletId, addresses } of [one, two]) {
    const { status, body } = await service.query('get_wallet_account', {
      walletId,
      address: addresses[0],
    });
    assert.equal(status, 404);
    assert.equal(body.message, `Could not find wallet account with address: ${addresses[0]}`);
  }
  // The wallet derives the account again under a new id, and its name is free.
  await service.submit('create_wallet_accounts', 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
    walletId: one.walletId,
    accounts: [named],
  });
  const again = (await accountsOf(service, one.walletId)).at(-1);
  assert.deepEqual([again.name, again.address], ['Savings', one.addresses[0]]);
  assert.notEqual(again.walletAccountId, first);
});

test('delete_wallet_accounts: requires an export unless the request waives it, all or none', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId, addresses } = await makeWallet(service, [
    ethereumAccount(),
    ethereumAccount(1),
  ]);
  const [id, second] = (await accountsOf(service, walletId)).map(idOf);
  const child = await addChild(service);
  await makeWallet(service, [ethereumAccount()], child);
  const [ofChild] = (await service.query('list_wallet_accounts', {}, child)).body.accounts.map(
    idOf,
  );
  const notExported = {
    status: 400,
    code: 3,
    text: /^wallet account has not been exported/,
    clientCode: 'WALLET_ACCOUNT_NOT_EXPORTED',
  };
  const missing = {
    status: 400,
    code: 3,
    text: /^wallet account not part of your organization: /,
    clientCode: 'REQUEST_INVALID',
  };
  for (const [parameters, refusal] of [
    [{ walletAccountIds: [id] }, notExported], // STATE-06
    [{ walletAccountIds: [id], deleteWithoutExport: false }, notExported],
    [{ walletAccountIds: [id, unknownId], deleteWithoutExport: true }, missing],
    [{ walletAccountIds: [id, ofChild], deleteWithoutExport: true }, missing],
  ] as const) {
    await checkRefused(service, { ...wire, parameters }, refusal);
  }
  await exported(service, 'wallet_account', { address: addresses[0] ?? '' });
  const both = { walletAccountIds: [id, second] };
  await checkRefused(service, { ...wire, parameters: both }, notExported);
  // OP-DELETE-WALLET-ACCOUNTS-06
  const parameters = { walletAccountIds: [id], deleteWithoutExport: false };
  assert.equal((await service.submit(wire.operation, wire.type, parameters)).status, 200);
  await checkRefused(service, { ...wire, parameters }, missing);
  // The account is created again with the same key but a new id, so it counts as not exported.
  await service.submit('create_wallet_accounts', 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
    walletId,
    accounts: [ethereumAccount()],
  });
  const again = idOf((await accountsOf(service, walletId)).at(-1));
  const remade = { walletAccountIds: [again] };
  await checkRefused(service, { ...wire, parameters: remade }, notExported);
  await exported(service, 'wallet', { walletId });
  const rest = { walletAccountIds: [second, again] };
  assert.equal((await service.submit(wire.operation, wire.type, rest)).status, 200);
});

test('delete_wallet_accounts: policies see every wallet that loses an account', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const one = await makeWallet(service, [ethereumAccount(), ethereumAccount(1)]);
  const two = await makeWallet(service, [ethereumAccount()]);
  const ids = (await accountsOf(service, undefined)).map(idOf);
  const [first, second, ofTwo] = ids;
  const plain = await addPlainUser(service);
  const kind = "activity.kind == 'DELETE_WALLET_ACCOUNTS'";
  const setPolicy = async (condition: string) => {
    const type = 'ACTIVITY_TYPE_CREATE_POLICY_V3';
    const policy = { policyName: condition, effect: 'EFFECT_ALLOW', notes: '' };
    const answer = await service.submit('create_policy', type, {
      ...policy,
      condition: `${kind} && ${condition}`,
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const statusOf = async (walletAccountIds: readonly (string | undefined)[]) => {
    const parameters = { walletAccountIds, deleteWithoutExport: true };
    return (await service.submit(wire.operation, wire.type, parameters, plain)).status;
  };
  await setPolicy(`wallets.all(w, w.id == '${one.walletId}')`);
  // Policies see both wallets, in either order of the accounts.
  assert.equal(await statusOf([first, ofTwo]), 403);
  assert.equal(await statusOf([ofTwo, first]), 403);
  assert.equal(await statusOf([ofTwo]), 403);
  assert.equal(await statusOf([first]), 200);
  // A wallet counts once, even if several of its accounts are deleted.
  const both = `w, w.id == '${one.walletId}' || w.id == '${two.walletId}'`;
  await setPolicy(`wallets.count() == 2 && wallets.all(${both})`);
  assert.equal(await statusOf([second, ofTwo]), 200);
});

test('delete_wallet_accounts: a wallet stores a bounded number of deleted account ids', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId } = await makeWallet(service, [ethereumAccount(), ethereumAccount(1)]);
  const ids = (await accountsOf(service, walletId)).map(idOf);
  await changeOrganization(service, (draft, newId) => {
    const wallet = draft.get('wallet', walletId);
    assert(wallet !== undefined);
    const deletedAccountIds = Array.from({ length: maximumDeletedAccounts - 1 }, newId);
    draft.put('wallet', { ...wallet, deletedAccountIds });
  });
  const text = /deleted accounts \(delete the wallet instead\): the limit is 1000$/;
  const parameters = (walletAccountIds: readonly (string | undefined)[]) => ({
    ...wire,
    parameters: { walletAccountIds, deleteWithoutExport: true },
  });
  await checkRefused(service, parameters(ids), { status: 429, code: 8, text });
  const allowed = parameters(ids.slice(0, 1));
  const answer = await service.submit(wire.operation, wire.type, allowed.parameters);
  assert.equal(answer.status, 200);
  await checkRefused(service, parameters(ids.slice(1)), { status: 429, code: 8, text });
});
