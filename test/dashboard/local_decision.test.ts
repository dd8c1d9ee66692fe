// The page reads the address book when it decides a request under a policy that is not saved.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideLocally } from '../../dashboard/app/policies/local_decision.ts';
import { transaction } from '../operations/case_parts.ts';

const account = {
  walletId: 'wallet',
  address: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  publicKey: '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
};

function outcomeWith(addresses: readonly string[]) {
  const users = ['alice', 'root'].map((userId) => ({ userId, userName: userId, userTags: [] }));
  const known = {
    policies: [],
    users,
    quorum: { threshold: 1, userIds: ['root'] },
    wallets: [],
    privateKeys: [],
    addressLabels: [
      { label: 'treasury', addresses: addresses.map((address) => ({ address })) },
      { label: '__proto__', addresses: [] },
    ],
    account,
  };
  const here = decideLocally(
    {
      activityType: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
      parameters: { signWith: account.address, ...transaction },
      userId: 'alice',
    },
    {
      effect: 'EFFECT_ALLOW',
      condition: 'eth.tx.to in address_book.treasury',
      consensus: 'true',
    },
    known as never,
    new Date('2027-01-01T00:00:00Z'),
  );
  return typeof here === 'string' ? here : [here.outcome, here.failing.length];
}

test('a payment is allowed only to an address of the label', () => {
  assert.deepEqual(outcomeWith(['0x3fbD991FbCEe758776Ff50DB984d7c124B62a94e']), ['allow', 0]);
  assert.deepEqual(outcomeWith([account.address]), ['refuse', 0]);
  assert.deepEqual(outcomeWith([]), ['refuse', 0]);
});
