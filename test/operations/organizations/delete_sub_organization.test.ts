import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import {
  type Sender,
  stampOf,
  startTestService,
  type TestService,
  testKey,
} from '../../support/harness.ts';
import {
  activityBody,
  assertCompleted,
  assertRefused,
  assertViolation,
  checkRefused,
} from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { exported } from '../wallets/transfer_requests.ts';

let service: TestService;
let child: Required<Sender>;
beforeEach(async () => {
  service = await startTestService();
  child = await addChild(service);
});
afterEach(() => service.close());

const operation = 'delete_sub_organization';
const type = 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION';

async function addWallet(): Promise<string> {
  const { body } = await service.submit(
    'create_wallet',
    'ACTIVITY_TYPE_CREATE_WALLET',
    {
      walletName: 'Wallet',
      accounts: [
        {
          curve: 'CURVE_SECP256K1',
          pathFormat: 'PATH_FORMAT_BIP32',
          path: 'm/0',
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
        },
      ],
    },
    child,
  );
  return body.activity.result.createWalletResult.addresses[0];
}

const remove = (parameters: object, as: Sender = child) =>
  service.submit(operation, type, parameters, as);

async function found(filterType: string, filterValue: string): Promise<string[]> {
  return (await service.query('list_suborgs', { filterType, filterValue })).body.organizationIds;
}

test('a deleted child is gone for all users, and no look-up finds it', async () => {
  const address = await addWallet();
  const { organizationId, key } = child;
  const leads: [string, string][] = [
    ['NAME', 'Child'],
    ['USERNAME', 'Child root'],
    ['PUBLIC_KEY', key.publicKey],
    ['WALLET_ACCOUNT_ADDRESS', address],
  ];
  for (const [filterType, value] of leads) {
    assert.deepEqual(await found(filterType, value), [organizationId], filterType);
  }

  const parameters = { deleteWithoutExport: true };
  const body = activityBody(service, type, parameters, organizationId);
  const stamp = stampOf(body, key);
  const answer = await service.send('submit', operation, body, [stamp]);
  const wire = {
    type,
    intent: 'deleteSubOrganizationIntent',
    result: 'deleteSubOrganizationResult',
    parameters,
  };
  assertCompleted(answer, wire, body, organizationId);
  assert.deepEqual(answer.body.activity.result, {
    deleteSubOrganizationResult: { subOrganizationUuid: organizationId },
  });

  const gone = [
    await service.send('submit', operation, body, [stamp]),
    await remove(parameters),
    await service.query('whoami', {}, child),
    await service.query('list_wallets', {}, { organizationId }),
    await service.query('list_activities', {}, { organizationId }),
    await service.query('get_activity', { activityId: answer.body.activity.id }, child),
    await remove({}, { organizationId }),
  ];
  for (const refused of gone) {
    assertRefused(refused, 404, 5);
    assert.equal(refused.body.turnkeyErrorCode, 'ORGANIZATION_NOT_FOUND');
    assert.match(refused.body.message, /^no organization found with the given ID/);
  }
  assertRefused(await service.query('whoami', {}, { key }), 401, 16);
  for (const [filterType, value] of leads) assert.deepEqual(await found(filterType, value), []);
  assert.deepEqual((await service.query('list_suborgs')).body.organizationIds, []);

  // The head row stays, without any other record of the small state.
  const kinds = ['user', 'api_key', 'tag', 'wallet', 'private_key'];
  const kept = await service.store.port.organization({
    organizationId,
    kinds,
    knownVersion: 0,
    fingerprint: undefined,
  });
  assert.ok(kept.organization);
  assert.deepEqual(kept.records, []);
  const page = { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 10 };
  const accounts = { organizationId, kind: 'wallet_account', groupId: undefined, page };
  assert.deepEqual(await service.store.port.recordPage(accounts), []);
});

test('a child with keys that were never exported is deleted only on explicit request', async () => {
  assert.equal((await remove({})).status, 200, 'a child without keys has nothing to export');

  child = await addChild(service);
  const address = await addWallet();
  for (const parameters of [{}, { deleteWithoutExport: false }]) {
    const answer = await remove(parameters);
    assertRefused(answer, 400, 3);
    assert.match(
      answer.body.message,
      /^wallet has not been exported: [0-9a-f-]{36}; export it first/,
    );
  }
  const { wallets } = (await service.query('list_wallets', {}, child)).body;
  assert.equal(wallets.length, 1);
  await exported(service, 'wallet_account', { address }, child);
  assertRefused(await remove({}), 400, 3);
  await exported(service, 'wallet', { walletId: wallets[0].walletId }, child);

  const privateKeys = [
    { privateKeyName: 'Key', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] },
  ];
  const keyType = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2';
  const made = await service.submit('create_private_keys', keyType, { privateKeys }, child);
  const answer = await remove({});
  assertRefused(answer, 400, 3);
  assert.match(answer.body.message, /^private key has not been exported: [0-9a-f-]{36}/);
  const [{ privateKeyId }] = made.body.activity.result.createPrivateKeysResultV2.privateKeys;
  await exported(service, 'private_key', { privateKeyId }, child);
  assert.equal((await remove({})).status, 200);
});

test('only the root quorum of the child deletes it', async () => {
  const { organizationId } = child;
  await changeOrganization(
    service,
    (draft, newId) => {
      const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
      const userId = newId();
      draft.put('user', { id: userId, name: 'Plain', tagIds: [], ...times });
      draft.put('api_key', {
        id: newId(),
        userId,
        name: 'Plain',
        publicKey: testKey('plain').publicKey,
        type: 'CREDENTIAL_TYPE_API_KEY_P256',
        ...times,
      });
    },
    organizationId,
  );
  const byParent = await remove({}, { organizationId });
  assertRefused(byParent, 400, 3);
  assert.match(byParent.body.message, /^organization mismatch/);
  assertRefused(await remove({}, { organizationId, key: testKey('plain') }), 403, 7);
  assertRefused(await remove({}, { organizationId, key: testKey('stranger') }), 401, 16);
  const body = activityBody(service, type, {}, organizationId);
  assertRefused(await service.send('submit', operation, body, []), 401, 16);
  assert.equal((await service.query('whoami', {}, child)).status, 200);
});

test('a parent cannot be deleted', async () => {
  await checkRefused(
    service,
    { operation, type, parameters: { deleteWithoutExport: true } },
    {
      status: 403,
      code: 7,
      text: /^request not authorized: a parent organization cannot be deleted$/,
      clientCode: 'INVALID_ACTIVITY_CALLER',
    },
  );
});

test('malformed parameters are refused by name', async () => {
  assertViolation(await remove({ deleteWithoutExport: 'yes' }), 'parameters.deleteWithoutExport');
  assertViolation(
    await remove({ subOrganizationId: child.organizationId }),
    'parameters.subOrganizationId',
  );
  assert.equal((await service.query('whoami', {}, child)).status, 200);
});
