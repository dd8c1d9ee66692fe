import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { privateKeyToAccount } from 'viem/accounts';
import { maximumExportedAccounts } from '../../../src/core/keys/wallets.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, addPlainUser, changeOrganization } from '../other_callers.ts';
import { exported, openedKey, targetPublicKey } from './transfer_requests.ts';
import { accountsOf, ethereumAccount, makeWallet, solanaAccount } from './wallet_requests.ts';

const wire = {
  operation: 'export_wallet_account',
  type: 'ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT',
  intent: 'exportWalletAccountIntent',
  result: 'exportWalletAccountResult',
};

test('export_wallet_account: the key signs as the account, and only the account is exported', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId } = service.root;
  const { walletId, addresses } = await makeWallet(service, [
    ethereumAccount(),
    ethereumAccount(1),
  ]);
  const [address = '', other = ''] = addresses;
  const parameters = { address: address.toLowerCase(), targetPublicKey };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.address', parameters: { ...parameters, address: '' } },
      {
        field: 'parameters.targetPublicKey',
        parameters: { ...parameters, targetPublicKey: 'key' },
      },
    ],
  });
  assert.equal(result.address, address);
  const privateKey = await openedKey(result.exportBundle, organizationId);
  assert.equal(privateKeyToAccount(`0x${privateKey}`).address, address);
  assert.equal((await service.query('get_wallet', { walletId })).body.wallet.exported, false);

  // STATE-06, OP-DELETE-WALLET-ACCOUNTS-06
  const ids = new Map(
    (await accountsOf(service, walletId)).map((account) => [
      account.address,
      account.walletAccountId,
    ]),
  );
  const deletion = {
    operation: 'delete_wallet_accounts',
    type: 'ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS',
  };
  await checkRefused(
    service,
    { ...deletion, parameters: { walletAccountIds: [ids.get(other)] } },
    {
      status: 400,
      code: 3,
      text: /has not been exported/,
      clientCode: 'WALLET_ACCOUNT_NOT_EXPORTED',
    },
  );
  const deleted = await service.submit(deletion.operation, deletion.type, {
    walletAccountIds: [ids.get(address)],
  });
  assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
});

test('export_wallet_account: exports the seed of an Ed25519 account', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { addresses } = await makeWallet(service, [solanaAccount()]);
  const [address = ''] = addresses;
  const { body } = await service.submit(wire.operation, wire.type, { address, targetPublicKey });
  const { exportBundle } = body.activity.result[wire.result];
  const seed = Uint8Array.fromHex(await openedKey(exportBundle, service.root.organizationId));
  assert.equal(base58.encode(ed25519.getPublicKey(seed)), address);
});

test('export_wallet_account: refuses unknown accounts', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await makeWallet(service, [ethereumAccount()], child);
  const missing = { status: 404, code: 5, text: /^Could not find wallet account with address/ };
  for (const address of ['0x0000000000000000000000000000000000000001', 'x', ofChild.addresses[0]]) {
    await checkRefused(service, { ...wire, parameters: { address, targetPublicKey } }, missing);
  }
});

test('export_wallet_account: policies see the path of the account', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const { walletId, addresses } = await makeWallet(service, [
    ethereumAccount(),
    ethereumAccount(1),
  ]);
  const condition = [
    "activity.kind == 'EXPORT_WALLET_ACCOUNT'",
    `wallet.id == '${walletId}'`,
    `wallet_account.wallet_id == '${walletId}'`,
    'wallet_account.path_indexes.count() == 5',
    'wallet_account.path_indexes[1] == 60',
    'wallet_account.path_indexes[4] == 1',
    'wallet_account.path_hardened[0] == true',
    'wallet_account.path_hardened[4] == false',
    "wallet_account.curve == 'CURVE_SECP256K1'",
    "wallet_account.address_format == 'ADDRESS_FORMAT_ETHEREUM'",
    `activity.params.target_public_key == '${targetPublicKey}'`,
  ].join(' && ');
  const policy = {
    policyName: 'Second',
    effect: 'EFFECT_ALLOW',
    condition,
    consensus: 'true',
    notes: '',
  };
  const saved = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy);
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  assert.deepEqual(
    saved.body.warnings.map(({ code }: { code: string }) => code),
    ['EXPORT_OPEN_TO_EVERYBODY'],
  );
  const send = (address: string | undefined) =>
    service.submit(wire.operation, wire.type, { address, targetPublicKey }, plain);
  assert.equal((await send(addresses[0])).status, 403);
  assert.equal((await send(addresses[1])).status, 200);
});

test('export_wallet_account: a wallet stores a bounded number of exported account ids', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId, addresses } = await makeWallet(service, [
    ethereumAccount(),
    ethereumAccount(1),
  ]);
  await changeOrganization(service, (draft, newId) => {
    const wallet = draft.get('wallet', walletId);
    assert(wallet !== undefined);
    const exportedAccountIds = Array.from({ length: maximumExportedAccounts - 1 }, newId);
    draft.put('wallet', { ...wallet, exportedAccountIds });
  });
  const send = (address: string | undefined) =>
    service.submit(wire.operation, wire.type, { address, targetPublicKey });
  assert.equal((await send(addresses[0])).status, 200);
  assert.equal((await send(addresses[0])).status, 200, 'an account counts once');
  await checkRefused(
    service,
    { ...wire, parameters: { address: addresses[1], targetPublicKey } },
    { status: 429, code: 8, text: /export the wallet instead/ },
  );
  await exported(service, 'wallet', { walletId });
  assert.equal((await send(addresses[1])).status, 200, 'of an exported wallet every account is');
});
