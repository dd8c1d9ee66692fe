// Compares names and shapes of the specification with the tables that the service and its documents are
// derived from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiKeyCurves, featureNames, transports } from '../../src/core/base/enums.ts';
import { activityOperations, queryOperations } from '../../src/operations/index.ts';
import { openApiDocument } from '../../src/operations/openapi/openapi.ts';
import { startTestService } from '../support/harness.ts';

test('operations bear the names of the specification', () => {
  const named = {
    // VER-03, VER-05, VER-07
    sign_raw_payload: [
      'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      'signRawPayloadIntentV2',
      'signRawPayloadResult',
    ],
    update_user: ['ACTIVITY_TYPE_UPDATE_USER', 'updateUserIntent', 'updateUserResult'],
    update_user_email: [
      'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
      'updateUserEmailIntent',
      'updateUserEmailResult',
    ],
    delete_wallet_accounts: [
      'ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS',
      'deleteWalletAccountsIntent',
      'deleteWalletAccountsResult',
    ],
    update_wallet: ['ACTIVITY_TYPE_UPDATE_WALLET', 'updateWalletIntent', 'updateWalletResult'],
    update_organization_name: [
      'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
      'updateOrganizationNameIntent',
      'updateOrganizationNameResult',
    ],
  };
  for (const [operation, [type, intent, result]] of Object.entries(named)) {
    assert.deepEqual(activityOperations[operation]?.wire, { type, intent, result }, operation);
  }
  const queries = [
    ...['get_api_key', 'get_private_key', 'get_wallet_account'],
    ...['get_authenticators', 'get_oauth_providers', 'list_webhook_endpoints'],
  ];
  for (const operation of queries) assert.ok(operation in queryOperations, operation);
});

test('paths carry the version of the API', () => {
  // VER-01
  const { paths } = openApiDocument('http://127.0.0.1') as { paths: Record<string, unknown> };
  const apiPaths = Object.keys(paths).filter((path) => path.startsWith('/public/'));
  assert.ok(apiPaths.length > 40);
  for (const path of apiPaths) assert.match(path, /^\/public\/v1\/(submit|query)\/[a-z0-9_]+$/);
});

test('enumerations hold exactly the specified values', () => {
  // ENUM-05
  assert.deepEqual(
    transports,
    ['BLE', 'INTERNAL', 'NFC', 'USB', 'HYBRID'].map((name) => `AUTHENTICATOR_TRANSPORT_${name}`),
  );
  // ENUM-07
  assert.deepEqual(
    featureNames,
    [
      ...['ROOT_USER_EMAIL_RECOVERY', 'WEBAUTHN_ORIGINS', 'EMAIL_AUTH', 'EMAIL_RECOVERY'],
      ...['WEBHOOK', 'SMS_AUTH', 'OTP_EMAIL_AUTH', 'AUTH_PROXY', 'SOLANA_RENT_PREFUND_ENABLED'],
    ].map((name) => `FEATURE_NAME_${name}`),
  );
  // ENUM-11
  assert.deepEqual(
    apiKeyCurves,
    ['P256', 'SECP256K1', 'ED25519'].map((name) => `API_KEY_CURVE_${name}`),
  );
});

test('queries answer times as objects of two texts, activities as one text', async () => {
  // SVC-06, SVC-08, SHAPE-01, SHAPE-02, SHAPE-03
  const service = await startTestService();
  const made = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Wallet',
    accounts: [
      {
        curve: 'CURVE_ED25519',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: "m/44'/501'/0'/0'",
        addressFormat: 'ADDRESS_FORMAT_SOLANA',
        name: 'Savings',
      },
    ],
  });
  assert.equal(made.body.activity.createdAt, new Date(service.now()).toISOString());
  const { walletId, addresses } = made.body.activity.result.createWalletResult;
  const { body } = await service.query('get_wallet_account', { walletId, address: addresses[0] });
  const seconds = String(Math.floor(service.now() / 1000));
  const nanos = String((service.now() % 1000) * 1_000_000);
  // RES-WALLET-ACCOUNT-11, RES-WALLET-ACCOUNT-12
  assert.deepEqual(body.account.createdAt, { seconds, nanos });
  assert.deepEqual(body.account.updatedAt, { seconds, nanos });
  // RES-WALLET-ACCOUNT-13, RES-WALLET-ACCOUNT-21
  assert.match(body.account.publicKey, /^[0-9a-f]{64}$/);
  assert.equal(body.account.name, 'Savings');
  await service.close();
});
