import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf } from '../../../src/core/address/index.ts';
import { noTurns } from '../../../src/enclave/turns/fair_turns.ts';
import { bytes } from '../../standards/vector_files.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { knownSentence, sealedSentence } from './transfer_requests.ts';
import { accountsOf, ethereumAccount, makeWallet, solanaAccount } from './wallet_requests.ts';

const wire = {
  operation: 'create_wallet',
  type: 'ACTIVITY_TYPE_CREATE_WALLET',
  intent: 'createWalletIntent',
  result: 'createWalletResult',
};
const create = (parameters: object) => ({ ...wire, parameters: { ...parameters } });

test('create_wallet: returns the wallet and its addresses in request order', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const named = { ...ethereumAccount(1), name: 'Savings' };
  const accounts = [solanaAccount(), ethereumAccount(), named];
  const parameters = { walletName: 'Treasury', accounts, mnemonicLength: 24 };
  const { walletId, addresses } = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['mnemonicLength'],
    malformed: [
      ...['curve', 'pathFormat', 'path', 'addressFormat'].map((name) => ({
        field: `parameters.accounts.0.${name}`,
        parameters: { ...parameters, accounts: [{ ...ethereumAccount(), [name]: undefined }] },
      })),
      ...Object.entries({
        curve: 'CURVE_P521', // ENUM-02
        pathFormat: 'PATH_FORMAT_OTHER', // ENUM-03
        addressFormat: 'ADDRESS_FORMAT_OTHER', // ENUM-04
        path: '44/60',
        name: '',
      }).map(([name, value]) => ({
        field: `parameters.accounts.1.${name}`,
        parameters: {
          ...parameters,
          accounts: [solanaAccount(), { ...ethereumAccount(), [name]: value }],
        },
      })),
      {
        field: 'parameters.accounts.0.curve',
        parameters: { ...parameters, accounts: [{ ...ethereumAccount(), curve: 'CURVE_ED25519' }] },
      },
      {
        field: 'parameters.accounts',
        parameters: { ...parameters, accounts: Array(101).fill(solanaAccount()) },
      },
      { field: 'parameters.walletName', parameters: { ...parameters, walletName: '' } },
      { field: 'parameters.walletName', parameters: { ...parameters, walletName: 'a\nb' } },
      ...[11, 13, '16', 0, 27].map((mnemonicLength) => ({
        field: 'parameters.mnemonicLength',
        parameters: { ...parameters, mnemonicLength },
      })),
    ],
  });
  const stored = await accountsOf(service, walletId);
  assert.deepEqual(
    addresses,
    stored.map((account) => account.address),
  );
  assert.deepEqual(
    stored.map((account) => account.name),
    [undefined, undefined, 'Savings'],
  );
  for (const { addressFormat, curve, publicKey, address } of stored) {
    assert.equal(address, addressOf(addressFormat, curve, bytes(publicKey))); // RES-WALLET-ACCOUNT-10
  }
});

test('create_wallet: takes every mnemonic length, and wallets of one organization differ', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const found = new Set<string>();
  for (const mnemonicLength of [undefined, 12, '15', 18, 21, 24]) {
    const { status, body } = await service.submit(wire.operation, wire.type, {
      walletName: `Wallet of ${mnemonicLength}`,
      accounts: [ethereumAccount()],
      mnemonicLength,
    });
    assert.equal(status, 200, JSON.stringify(body));
    found.add(body.activity.result.createWalletResult.addresses[0]);
  }
  assert.equal(found.size, 6);
});

test('create_wallet: a wallet name is unique in the organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  const named = (walletName: string) => ({ walletName, accounts: [] });
  const taken = { status: 400, code: 3, text: /^wallet label must be unique: `Savings` / };
  const make = (walletName: string, as = {}) =>
    service.submit(wire.operation, wire.type, named(walletName), as);
  const made = await make('Savings');
  assert.equal(made.status, 200);
  const { walletId } = made.body.activity.result.createWalletResult;
  await checkRefused(service, create(named('Savings')), taken);
  // An import cannot take the name either.
  const encryptedBundle = await sealedSentence(service, knownSentence);
  const imported = { userId, encryptedBundle, ...named('Savings') };
  const importing = { operation: 'import_wallet', type: 'ACTIVITY_TYPE_IMPORT_WALLET' };
  await checkRefused(service, { ...importing, parameters: imported }, taken);
  // Names are case-sensitive, and each organization has its own.
  assert.equal((await make('savings')).status, 200);
  const child = await addChild(service);
  assert.equal((await make('Savings', child)).status, 200);
  // The name of a deleted wallet is free, and the target of the refused import still works.
  const deletion = { walletIds: [walletId], deleteWithoutExport: true };
  await service.submit('delete_wallets', 'ACTIVITY_TYPE_DELETE_WALLETS', deletion);
  const again = await service.submit(importing.operation, importing.type, imported);
  assert.equal(again.status, 200, JSON.stringify(again.body));
});

test('create_wallet: of concurrent requests with one name, one creates a wallet', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const answers = await Promise.all(
    [1, 2, 3].map(() =>
      service.submit(wire.operation, wire.type, { walletName: 'Savings', accounts: [] }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400]);
  const { body } = await service.query('list_wallets');
  assert.equal(body.wallets.length, 1);
});

test('create_wallet: an address in a format belongs to one account; other formats share a path', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const exists = { status: 409, code: 6, text: /already exists/ };
  const { path } = ethereumAccount();
  for (const accounts of [
    [ethereumAccount(), ethereumAccount()],
    // The soft and the hardened spelling name one Ed25519 account.
    [solanaAccount("m/44'/501'/0'/0'"), solanaAccount("m/44'/501'/0'/0")],
  ]) {
    await checkRefused(service, create({ walletName: 'W', accounts }), exists);
  }
  const compressed = { ...ethereumAccount(), addressFormat: 'ADDRESS_FORMAT_COMPRESSED' };
  const { walletId } = await makeWallet(service, [ethereumAccount(), compressed]);
  assert.deepEqual(
    (await accountsOf(service, walletId)).map((account) => account.path),
    [path, path],
  );
});

test('create_wallet: account names are unique in the organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const a = { ...ethereumAccount(0), name: 'Savings' };
  const b = { ...ethereumAccount(1), name: 'Savings' };
  const refusal = { status: 400, code: 3, text: /^wallet account label must be unique: `Savings`/ };
  await checkRefused(service, create({ walletName: 'W', accounts: [a, b] }), refusal);
  await makeWallet(service, [a]);
  await checkRefused(service, create({ walletName: 'W', accounts: [b] }), refusal); // RES-WALLET-ACCOUNT-22
});

test('create_wallet: an organization has at most 100 wallets', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId } = await makeWallet(service);
  await changeOrganization(service, (draft, newId) => {
    const wallet = draft.get('wallet', walletId);
    assert(wallet !== undefined);
    for (let i = 0; i < 98; i += 1) draft.put('wallet', { ...wallet, id: newId() });
  });
  await makeWallet(service);
  await checkRefused(service, create({ walletName: 'W', accounts: [] }), {
    status: 429,
    code: 8,
    text: /^organization has exceeded maximum wallets: the limit is 100$/,
  });
});

test('other requests run after each derived account', async (t) => {
  let pauses = 0;
  const turns = {
    ...noTurns,
    pause: async () => {
      pauses += 1;
    },
  };
  const service = await startTestService({ turns });
  t.after(() => service.close());
  const pausesOf = async (operation: string, type: string, parameters: object) => {
    const before = pauses;
    const { status, body } = await service.submit(operation, type, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    return { count: pauses - before, result: body.activity.result };
  };
  const accounts = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ethereumAccount(from + i));
  const made = async (name: string, count: number) => {
    const parameters = { walletName: name, accounts: accounts(0, count) };
    return pausesOf('create_wallet', wire.type, parameters);
  };
  const none = await made('None', 0);
  assert((await made('Many', 100)).count >= none.count + 100);
  const { walletId } = none.result.createWalletResult;
  const added = async (from: number, count: number) =>
    pausesOf('create_wallet_accounts', 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
      walletId,
      accounts: accounts(from, count),
      persist: false,
    });
  const one = await added(0, 1);
  assert((await added(1, 100)).count >= one.count + 99);
});
