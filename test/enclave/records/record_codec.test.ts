import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedActivity } from '../../../src/core/activity/stored_form.ts';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { finish } from '../../../src/core/base/steps.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import type {
  RecordKind,
  Records,
  User,
  WalletAccount,
} from '../../../src/core/organization/model.ts';
import type { ChainTransaction } from '../../../src/core/organization/records/chain_transactions.ts';
import type { EmailEvent } from '../../../src/core/organization/records/email_events.ts';
import {
  isUnavailable,
  openJson,
  RecordRefusedError,
  refuseRecord,
} from '../../../src/enclave/records/record_codec.ts';
import { codecOf } from '../hostile_world.ts';

const codec = codecOf('record codec');
const organizationId = 'organization';
const times = { createdAtMs: 1, updatedAtMs: 2 };
const user: User = { id: 'user', name: 'Ключ 😀 \u2028', tagIds: ['a', 'b'], ...times };
const account: WalletAccount = {
  id: 'account',
  walletId: 'wallet',
  curve: 'CURVE_ED25519',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: 'm/0',
  addressFormat: 'ADDRESS_FORMAT_SOLANA',
  address: 'address',
  publicKey: '00',
  ...times,
};
const activity: RecordedActivity = {
  id: 'activity',
  organizationId,
  type: 'ACTIVITY_TYPE_CREATE_WALLET',
  status: 'ACTIVITY_STATUS_COMPLETED',
  intent: { createWalletIntent: { walletName: 'w' } },
  result: {},
  votes: [],
  submitterId: '',
  evaluations: [],
  fingerprint: 'sha256:00',
  version: 1,
  ...times,
};
const fingerprint = { bucket: 7, fingerprint: Uint8Array.of(1, 2, 3) };

/** Matches the refusal of a row at this place, whose message is neutral for the caller. */
const isRefusalOf = (place: object) => (error: unknown) => {
  assert.ok(error instanceof RecordRefusedError && error instanceof ServiceError);
  assert.deepEqual(error.place, place);
  assert.equal(error.code, 'record_refused');
  assert.equal(error.message, 'internal server error ()');
  assert.deepEqual(error.details, {});
  return true;
};

test('accounts are grouped by their wallet, and records of an address by the address', () => {
  const groupOf = (kind: RecordKind, row: Records[RecordKind]) =>
    codec.sealRecord(organizationId, kind, row, 1).groupId;
  const ofAddress = { id: 'id', addressBlind: 'blind', ...times };
  assert.equal(groupOf('wallet_account', account), 'wallet');
  assert.equal(groupOf('email_event', ofAddress as EmailEvent), 'blind');
  assert.equal(groupOf('chain_transaction', ofAddress as ChainTransaction), 'blind');
  assert.equal(groupOf('user', user), undefined);
});

test('a record is read back unchanged, with its columns', () => {
  const stored = codec.sealRecord(organizationId, 'user', user, 4);
  const { body, ...columns } = stored;
  assert.deepEqual(columns, {
    organizationId,
    kind: 'user',
    id: 'user',
    groupId: undefined,
    version: 4,
  });
  assert.ok(!Buffer.from(body).includes('Ключ'), 'nothing of it can be read');
  assert.deepEqual(codec.openRecord(organizationId, stored), user);
});

test('accounts are grouped by their wallet', () => {
  const stored = codec.sealRecord(organizationId, 'wallet_account', account, 1);
  assert.equal(stored.groupId, 'wallet');
  // The group only sorts; the wallet of the account is sealed.
  assert.deepEqual(codec.openRecord(organizationId, { ...stored, groupId: 'other' }), account);
});

test('a record with altered columns is refused, with its place', () => {
  const stored = codec.sealRecord(organizationId, 'user', user, 4);
  const place = { organizationId, kind: 'user', id: 'user', version: 4 };
  for (const change of [{ kind: 'tag' }, { id: 'other' }, { version: 5 }]) {
    assert.throws(
      () => codec.openRecord(organizationId, { ...stored, ...change }),
      isRefusalOf({ ...place, ...change }),
    );
  }
  assert.throws(
    () => codec.openRecord('other', stored),
    isRefusalOf({ ...place, organizationId: 'other' }),
  );
  assert.throws(
    () => codec.openRecord(organizationId, { ...stored, organizationId: 'other' }),
    isRefusalOf(place),
  );
  const relabelled = { ...stored, organizationId: 'other' };
  assert.throws(
    () => codec.openRecord('other', relabelled),
    isRefusalOf({ ...place, organizationId: 'other' }),
  );
});

test('an activity is read back unchanged, with the columns that lists filter by', () => {
  const stored = finish(codec.sealActivity(activity, fingerprint));
  const { body, ...columns } = stored;
  const { id, type, status, version } = activity;
  assert.deepEqual(columns, {
    organizationId,
    id,
    type,
    status,
    version,
    ...times,
    ...fingerprint,
  });
  assert.ok(!Buffer.from(body).includes('walletName'));
  assert.deepEqual(codec.openActivity(organizationId, stored), activity);
});

test('an activity with altered columns is refused', () => {
  const stored = finish(codec.sealActivity(activity, fingerprint));
  const place = { organizationId, kind: 'activity', id: 'activity', version: 1 };
  const moved = [{ id: 'other' }, { version: 2 }];
  for (const change of moved) {
    assert.throws(
      () => codec.openActivity(organizationId, { ...stored, ...change }),
      isRefusalOf({ ...place, ...change }),
    );
  }
  for (const change of [{ status: 'ACTIVITY_STATUS_FAILED' }, { type: 'OTHER' }, { type: '' }]) {
    assert.throws(
      () => codec.openActivity(organizationId, { ...stored, ...change }),
      isRefusalOf(place),
    );
  }
  assert.throws(
    () => codec.openActivity('other', stored),
    isRefusalOf({ ...place, organizationId: 'other' }),
  );
});

test('a record is not read as an activity, nor an activity as a record', () => {
  const record = codec.sealRecord(organizationId, 'user', { ...user, id: 'activity' }, 1);
  const stored = finish(codec.sealActivity(activity, fingerprint));
  assert.throws(() => codec.openActivity(organizationId, { ...stored, body: record.body }));
  assert.throws(() => codec.openRecord(organizationId, { ...record, body: stored.body }));
});

test('a record that opens but is not text is refused', () => {
  const place = { organizationId, kind: 'user', id: 'user', version: 1 };
  const sealed = codec.sealing.seal(place, Uint8Array.of(0xff));
  assert.throws(() => openJson(codec.sealing, place, sealed), isRefusalOf(place));
  const good = codec.sealing.seal(place, utf8('{"a":[1,"\\u0000"]}'));
  assert.deepEqual(openJson(codec.sealing, place, good), { a: [1, '\0'] });
});

test('a refusal names the place, and nothing of the stored content', () => {
  const place = { organizationId, kind: 'user', id: 'user', version: 1 };
  const row = { ...place, body: utf8('secret'), groupId: undefined };
  assert.throws(() => refuseRecord(row), isRefusalOf(place));
});

test('an unavailable store causes no refusal of a row', () => {
  for (const code of ['store_unavailable', 'overloaded', 'draining', 'answer_too_large'] as const) {
    assert.equal(isUnavailable(new ServiceError(code)), true, code);
  }
  assert.equal(isUnavailable(new ServiceError('record_refused')), false);
  assert.equal(isUnavailable(new Error('store_unavailable')), false);
});
