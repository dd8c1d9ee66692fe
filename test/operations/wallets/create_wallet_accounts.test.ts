import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stampOf, startTestService } from '../../support/harness.ts';
import { activityBody, checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import {
  accountsOf,
  ethereumAccount,
  makeWallet,
  solanaAccount,
  unknownId,
} from './wallet_requests.ts';

const wire = {
  operation: 'create_wallet_accounts',
  type: 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS',
  intent: 'createWalletAccountsIntent',
  result: 'createWalletAccountsResult',
};

test('create_wallet_accounts: adds accounts in request order', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId, addresses: first } = await makeWallet(service, [ethereumAccount()]);
  const accounts = [solanaAccount(), { ...ethereumAccount(1), name: 'Second' }];
  const parameters = { walletId, accounts, persist: true };
  const { addresses } = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['persist'],
    malformed: [
      { field: 'parameters.walletId', parameters: { ...parameters, walletId: 'wallet' } },
      { field: 'parameters.accounts', parameters: { ...parameters, accounts: [] } },
      {
        field: 'parameters.accounts.0.path',
        parameters: { ...parameters, accounts: [solanaAccount('m/x')] },
      },
    ],
  });
  const stored = await accountsOf(service, walletId);
  assert.deepEqual(
    stored.map((account) => account.address),
    [...first, ...addresses],
  );
});

test('create_wallet_accounts: with persist false, derives addresses and stores nothing', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId, addresses } = await makeWallet(service, [
    { ...ethereumAccount(), name: 'Taken' },
  ]);
  const derived = await checkActivity(service, {
    ...wire,
    // An existing account and a used name do not prevent a derivation.
    parameters: {
      walletId: walletId.toUpperCase(),
      accounts: [{ ...ethereumAccount(), name: 'Taken' }, ethereumAccount(1)],
      persist: false,
    },
    optional: ['persist'],
  });
  assert.equal(derived.addresses[0], addresses[0]);
  assert.equal((await accountsOf(service, walletId)).length, 1);
  const payload = {
    payload: 'hello',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  };
  await checkRefused(
    service,
    {
      operation: 'sign_raw_payload',
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      parameters: { signWith: derived.addresses[1], ...payload },
    },
    { status: 404, code: 5, text: /^Could not find any resource to sign with/ },
  );
});

test('create_wallet_accounts: refuses existing accounts and unknown wallets', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId } = await makeWallet(service, [
    { ...ethereumAccount(), name: 'Taken' },
    solanaAccount("m/44'/501'/0'/0'"),
  ]);
  const child = await addChild(service);
  const ofChild = await makeWallet(service, [], child);
  const exists = { status: 409, code: 6, text: /^wallet account already exists: path m\// };
  const missing = { status: 404, code: 5, text: /^unable to find wallet .* not found$/ };
  for (const [parameters, refusal] of [
    [{ walletId, accounts: [ethereumAccount(1), ethereumAccount(0)] }, exists],
    [{ walletId, accounts: [solanaAccount("m/44'/501'/0'/0")] }, exists],
    [{ walletId, accounts: [ethereumAccount(1), ethereumAccount(1)] }, exists],
    [
      { walletId, accounts: [{ ...ethereumAccount(1), name: 'Taken' }] },
      { status: 400, code: 3, text: /^wallet account label must be unique/ },
    ],
    [{ walletId: unknownId, accounts: [ethereumAccount()] }, missing],
    [{ walletId: ofChild.walletId, accounts: [ethereumAccount()] }, missing],
  ] as const) {
    await checkRefused(service, { ...wire, parameters }, refusal);
  }
  assert.equal((await accountsOf(service, walletId)).length, 2);
});

test('create_wallet_accounts: other spellings of a hardened path are the same account', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId } = await makeWallet(service, [ethereumAccount()]);
  const [account] = await accountsOf(service, walletId);
  const exists = { status: 409, code: 6, text: /^wallet account already exists: path m\// };
  for (const path of ['m/44h/60h/0h/0/0', "m/44H/60'/0h/0/0", "44'/60'/0'/0/0"]) {
    const accounts = [{ ...ethereumAccount(), path }];
    await checkRefused(service, { ...wire, parameters: { walletId, accounts } }, exists);
  }
  const next = { ...ethereumAccount(), path: 'm/44h/60H/0h/0/1' };
  const { status } = await service.submit(wire.operation, wire.type, {
    walletId,
    accounts: [next],
  });
  assert.equal(status, 200);
  const paths = (await accountsOf(service, walletId)).map((stored) => stored.path);
  assert.deepEqual(paths, [account?.path, "m/44'/60'/0'/0/1"]);
});

test('create_wallet_accounts: of concurrent requests for one account, one creates it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId } = await makeWallet(service);
  const parameters = { walletId, accounts: [{ ...ethereumAccount(), name: 'Once' }] };
  const send = () => service.submit(wire.operation, wire.type, parameters);
  const answers = await Promise.all([send(), send(), send()]);
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, 400, 400]);
  assert.equal((await accountsOf(service, walletId)).length, 1);
});

test('create_wallet_accounts: a body committed during its repetition gives both the same answer', async (t) => {
  let repeat: (() => Promise<unknown>) | undefined;
  const service = await startTestService({
    wrapStore: (port) => ({
      ...port,
      lookup: async (query) => {
        const first = query.index === 'account_address' ? repeat : undefined;
        if (first !== undefined) repeat = undefined;
        await first?.();
        return port.lookup(query);
      },
    }),
  });
  t.after(() => service.close());
  const { walletId } = await makeWallet(service);
  const body = activityBody(service, wire.type, { walletId, accounts: [ethereumAccount()] });
  const send = () =>
    service.send('submit', wire.operation, body, [stampOf(body, service.root.key)]);
  let first: Awaited<ReturnType<typeof send>> | undefined;
  repeat = async () => {
    first = await send();
  };
  const second = await send();
  assert.deepEqual([first?.status, second.status], [200, 200], JSON.stringify(second.body));
  assert.equal(second.body.activity.id, first?.body.activity.id);
  assert.equal((await accountsOf(service, walletId)).length, 1);
});
