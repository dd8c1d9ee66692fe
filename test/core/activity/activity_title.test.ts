import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  activityGerund,
  activityTitle,
  resourcePlural,
} from '../../../src/core/activity/activity_title.ts';
import { servedKinds } from '../../../src/core/generated/served_kinds.ts';

const rows = [
  ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', 'Sign message or data', 'signing messages or data'],
  ['SIGN_RAW_PAYLOADS', 'Sign messages or data', 'signing messages or data'],
  ['ACTIVITY_TYPE_STAMP_LOGIN', 'Sign in', 'signing in'],
  ['ACTIVITY_TYPE_SIGN_TRANSACTION_V2', 'Sign transaction', 'signing transactions'],
  ['ACTIVITY_TYPE_CREATE_API_KEYS_V2', 'Create API keys', 'creating API keys'],
  ['CREATE_POLICY', 'Create policy', 'creating policies'],
  ['SET_IP_ALLOWLIST', 'Set IP allowlist', 'setting the IP allowlist'],
  ['UPDATE_ROOT_QUORUM', 'Update root quorum', 'updating the root quorum'],
  ['CREATE_FREEZE', 'Freeze', 'freezing'],
  ['APP_PROOF_TYPE_ADDRESS_DERIVATION', 'Address derivation', undefined],
  ['EXPORT', 'Export', 'exporting'],
  ['constructor', 'Constructor', 'constructoring'],
] as const;

for (const [type, title, gerund] of rows) {
  test(`title of ${type}`, () => {
    assert.equal(activityTitle(type), title);
    if (gerund !== undefined) assert.equal(activityGerund(type), gerund);
  });
}

test('resources have plurals', () => {
  assert.deepEqual(['POLICY', 'PRIVATE_KEY', 'AUTH', 'WALLET'].map(resourcePlural), [
    'policies',
    'private keys',
    'sign-ins',
    'wallets',
  ]);
});

test('no title of an activity uses API jargon', () => {
  const words =
    /\b(payload|stamp|otp|oauth|authenticator|init|auth|velocity|7702|eth|sol|upsert)(s|\b)/i;
  const titles = servedKinds.map(({ types }) => activityTitle(types[0]));
  assert.deepEqual(
    titles.filter((title) => words.test(title)),
    [],
  );
});

test('kinds with one resource and action have different titles, except for sign-ins by one means', () => {
  const alike = Map.groupBy(servedKinds, ({ types }) => activityTitle(types[0]));
  const several = [...alike].filter(([, kinds]) => kinds.length > 1).map(([title]) => title);
  assert.deepEqual(several.sort(), ['Sign in with code', 'Sign in with identity provider']);
});
