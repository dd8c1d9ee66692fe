// Rows of activities: their names, and the filters of the list.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeGroups } from '../../dashboard/app/activities/type_groups.ts';
import { weakestOf } from '../../dashboard/app/users/credentials.ts';
import { activityTypes } from '../../src/core/activity/activity_types.ts';
import { aboutOf, thingsOf } from '../../src/core/transactions/headline/activity_about.ts';

const policyId = '01a205ac-48e3-74b0-9a8f-4777ece305a4';
const known = new Map([[policyId, 'two of three']]);
const lineOf = (type: string, parameters: unknown) =>
  thingsOf(aboutOf({ type: `ACTIVITY_TYPE_${type}`, intent: { any: parameters } as never }), known);

test('each name of a parameter or a known id is found once', () => {
  assert.deepEqual(lineOf('CREATE_WALLET', { walletName: 'shop', accounts: [] }), ['shop']);
  assert.deepEqual(lineOf('DELETE_POLICIES', { policyIds: [policyId.toUpperCase()] }), [
    'two of three',
  ]);
  const update = { policyId, policyName: 'two of three', policyNotes: 'why' };
  assert.deepEqual(lineOf('UPDATE_POLICY_V2', update), ['two of three']);
  const users = [{ userName: 'alice', apiKeys: [{ apiKeyName: 'hidden' }] }, { userName: 'bob' }];
  assert.deepEqual(lineOf('CREATE_USERS_V4', { users }), ['alice', 'bob']);
  assert.deepEqual(lineOf('CREATE_WEBHOOK_ENDPOINT', { name: 'shop', url: 'x' }), ['shop']);
  const feature = { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' };
  assert.deepEqual(lineOf('SET_ORGANIZATION_FEATURE', feature), ['otp email auth']);
  assert.deepEqual(
    lineOf('DELETE_WALLETS', { walletIds: ['unknown', policyId.replace('a', 'b')] }),
    [],
  );
});

test('malformed and long parameters are bounded', () => {
  for (const parameters of [undefined, null, 'text', [], [null], { walletName: 5, policyId: {} }]) {
    assert.deepEqual(lineOf('CREATE_WALLET', parameters), []);
  }
  assert.deepEqual(aboutOf({ type: '', intent: undefined as never }), { names: [], ids: [] });
  const [long = ''] = lineOf('CREATE_WALLET', { walletName: 'x'.repeat(1_000) });
  assert.equal(long.length, 81);
  const users = Array.from({ length: 50 }, (_, i) => ({ userName: `user ${i}` }));
  assert.equal(lineOf('CREATE_USERS_V4', { users }).length, 3);
});

test('only transactions of a readable size are retained for the list', () => {
  const of = (type: string, parameters: object) =>
    aboutOf({ type: `ACTIVITY_TYPE_${type}`, intent: { any: parameters } as never }).transaction;
  assert.notEqual(of('SIGN_TRANSACTION_V2', { unsignedTransaction: '02' }), undefined);
  assert.notEqual(of('ETH_SEND_TRANSACTION', { to: '0x' }), undefined);
  assert.equal(of('SIGN_TRANSACTION_V2', { unsignedTransaction: '0'.repeat(20_001) }), undefined);
  assert.equal(of('SIGN_RAW_PAYLOAD_V2', { payload: '02' }), undefined);
});

test('each type of a filter is an activity type of the service', () => {
  const unknown = Object.values(typeGroups)
    .flat()
    .filter((type) => !activityTypes.has(type));
  assert.deepEqual(unknown, []);
});

const key = (type: string, expirationSeconds?: string) => ({
  credential: { type },
  createdAt: { seconds: '0', nanos: '0' },
  ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
});

test('the weakest credential of a user is found', () => {
  const of = (user: object, areCodesOn = false) =>
    weakestOf({ apiKeys: [], authenticators: [], ...user } as never, areCodesOn);
  const lasting = key('CREDENTIAL_TYPE_API_KEY_P256');
  const expiring = key('CREDENTIAL_TYPE_API_KEY_P256', '60');
  assert.equal(of({}), 'none');
  assert.equal(of({ userEmail: 'a@b.c', apiKeys: [lasting] }, true), 'code');
  assert.equal(of({ userEmail: 'a@b.c', authenticators: [{}] }), 'passkey');
  assert.equal(of({ apiKeys: [expiring, lasting], authenticators: [{}] }), 'key');
  assert.equal(of({ apiKeys: [expiring], authenticators: [{}] }), 'expiringKey');
  assert.equal(of({ apiKeys: [key('CREDENTIAL_TYPE_LOGIN', '60')] }), 'none');
});
