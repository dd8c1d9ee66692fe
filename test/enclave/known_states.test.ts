// Queries answered from the states in memory while another node changes them.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { StorePort } from '../../src/store/port.ts';
import { addPlainUser } from '../operations/other_callers.ts';
import { startTestService, type TestService, testKey } from '../support/harness.ts';
import { queryBody, type ServiceOver, startServiceOver } from './service_over.ts';

let service: TestService;
let other: ServiceOver;
let reads: string[];

beforeEach(async () => {
  service = await startTestService();
  reads = [];
  const { port } = service.store;
  const counting: StorePort = {
    ...port,
    organization: (request) => {
      reads.push(`${request.kinds.length} kinds`);
      return port.organization(request);
    },
  };
  other = await startServiceOver({ store: counting, seed: 'other', clock: service.now });
});
afterEach(() => service.close());

const ask = (operation: string, parameters: object = {}, key = service.root.key) =>
  other.send('query', operation, queryBody(service.root.organizationId, parameters), key);

const rename = (organizationName: string) =>
  service.submit('update_organization_name', 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', {
    organizationName,
  });

const wallet = (walletName: string) =>
  service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', { walletName, accounts: [] });

describe('a query on states in memory', () => {
  test('reads the version once, and no rows', async () => {
    await ask('whoami');
    reads.length = 0;
    const { status } = await ask('whoami');
    assert.equal(status, 200);
    assert.deepEqual(reads, ['0 kinds']);
  });

  test('shows changes of another node', async () => {
    assert.equal((await ask('whoami')).body.organizationName, 'Test organization');
    await rename('Renamed');
    assert.equal((await ask('whoami')).body.organizationName, 'Renamed');
  });

  test('is refused with a key that another node deleted', async () => {
    const plain = await addPlainUser(service);
    const before = await ask('whoami', {}, plain.key);
    assert.equal(before.status, 200);
    const userIds = [before.body.userId];
    await service.submit('delete_users', 'ACTIVITY_TYPE_DELETE_USERS', { userIds });
    assert.equal((await ask('whoami', {}, plain.key)).status, 401);
  });

  test('accepts a key that another node registered', async () => {
    await ask('whoami');
    assert.equal((await ask('whoami', {}, testKey('plain user'))).status, 401);
    const plain = await addPlainUser(service);
    assert.equal((await ask('whoami', {}, plain.key)).status, 200);
  });

  test('finds a wallet that another node created', async () => {
    await ask('whoami');
    const { walletId } = (await wallet('New')).body.activity.result.createWalletResult;
    const found = await ask('get_wallet', { walletId });
    assert.equal(found.status, 200);
    assert.equal(found.body.wallet.walletName, 'New');
  });

  test('reads rows of a newer state without a refused record', async () => {
    await ask('whoami');
    const { walletId } = (await wallet('New')).body.activity.result.createWalletResult;
    const accounts = [
      {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: "m/44'/60'/0'/0/0",
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ];
    const type = 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS';
    await service.submit('create_wallet_accounts', type, { walletId, accounts });
    const listed = await ask('list_wallet_accounts', { walletId });
    assert.equal(listed.status, 200);
    assert.equal(listed.body.accounts.length, 1);
    assert.deepEqual(other.log, []);
  });
});
