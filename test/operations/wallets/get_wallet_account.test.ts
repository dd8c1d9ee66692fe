// Q-WALLET-ACCOUNT-01
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, assertViolation, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { ethereumAccount, makeWallet, solanaAccount, unknownId } from './wallet_requests.ts';

const operation = 'get_wallet_account';

test('get_wallet_account: finds an account by address, by path or by both', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const account = { ...ethereumAccount(), name: 'Savings' };
  const compressed = { ...ethereumAccount(), addressFormat: 'ADDRESS_FORMAT_COMPRESSED' };
  const { walletId, addresses } = await makeWallet(service, [account, compressed, solanaAccount()]);
  const [address, publicKey] = addresses;
  const createdAt = { seconds: String(Math.floor(service.now() / 1000)), nanos: '1000000' };
  const { path } = account;
  // Q-WALLET-ACCOUNT-02, Q-WALLET-ACCOUNT-03, Q-WALLET-ACCOUNT-04, Q-WALLET-ACCOUNT-05
  const body = { walletId, address, path };
  const answer = await checkQuery(service, {
    operation,
    body,
    optional: ['address', 'path'],
    malformed: [
      { field: 'walletId', parameters: { ...body, walletId: 'x' } },
      { field: 'address', parameters: { ...body, address: '' } },
      { field: 'address', parameters: { walletId } },
    ],
  });
  const { walletAccountId, ...rest } = answer.account;
  assert.match(walletAccountId, /^[0-9a-f-]{36}$/); // RES-WALLET-ACCOUNT-02
  // Q-WALLET-ACCOUNT-06, RES-WALLET-ACCOUNT-01, RES-WALLET-ACCOUNT-03 to 09, 11 to 13, 21
  assert.deepEqual(rest, {
    organizationId: service.root.organizationId,
    walletId,
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path,
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    address,
    createdAt,
    updatedAt: createdAt,
    publicKey,
    name: 'Savings',
    caip2Prefix: 'eip155',
  });
  for (const selection of [
    { path }, // The first created of the two formats.
    { address },
    { address: address?.toLowerCase() },
    { walletId: walletId.toUpperCase(), address },
    { address: null, path },
  ]) {
    const found = await service.query(operation, { walletId, ...selection });
    assert.deepEqual(found.body, answer, JSON.stringify(selection));
  }
  const other = await service.query(operation, { walletId, address: publicKey });
  assert.equal(other.body.account.addressFormat, 'ADDRESS_FORMAT_COMPRESSED');
  assert.equal('name' in other.body.account || 'caip2Prefix' in other.body.account, false);
});

test('get_wallet_account: a refusal names the missing wallet, address or path', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [first, second] = [
    await makeWallet(service, [ethereumAccount(), solanaAccount()]),
    await makeWallet(service, [ethereumAccount(1)]),
  ];
  const child = await addChild(service);
  const ofChild = await makeWallet(service, [ethereumAccount()], child);
  const { walletId } = first;
  const [address] = second.addresses;
  const paths = [ethereumAccount().path, ethereumAccount(1).path];
  for (const [body, text] of [
    [{ walletId, address }, `Could not find wallet account with address: ${address}`],
    [{ walletId, path: paths[1] }, `Could not find wallet account with path: ${paths[1]}`],
    // Address and path must belong to one account.
    [{ walletId, address: first.addresses[0], path: paths[1] }, 'Could not find wallet account'],
    // This query does not match another spelling of an Ed25519 path.
    [{ walletId, path: "m/44'/501'/0'/0" }, 'Could not find wallet account with path'],
    [{ walletId: ofChild.walletId, address: ofChild.addresses[0] }, 'unable to find wallet'],
    [{ walletId: unknownId, path: paths[0] }, 'unable to find wallet'],
  ] as const) {
    const answer = await service.query(operation, body);
    assertRefused(answer, 404, 5);
    assert.ok(answer.body.message.startsWith(text), answer.body.message);
  }
  assertViolation(await service.query(operation, { walletId }), 'address');
  const asParent = { organizationId: child.organizationId };
  const read = await service.query(
    operation,
    { walletId: ofChild.walletId, path: paths[0] },
    asParent,
  );
  assert.equal(read.body.account.organizationId, child.organizationId);
});
