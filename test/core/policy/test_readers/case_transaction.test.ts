import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../../../src/core/base/bytes.ts';
import { runPolicyTest } from '../../../../src/core/policy/simulator/policy_scenario.ts';
import { PolicyTestError } from '../../../../src/core/policy/simulator/policy_scenario_facts.ts';
import { readPolicyTest } from '../../../../src/core/policy/simulator/policy_scenario_file.ts';
import { caseReaders } from '../../../../src/core/policy/test_readers/case_transaction.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
} from '../../../support/transaction_vectors.ts';

const userId = 'a0000000-0000-4000-8000-000000000001';
const founderId = '00000000-0000-4000-8000-000000000001';

type Vector = TransactionVector & { readonly type: string };
type PublicPolicy = {
  readonly name: string;
  readonly condition: string;
  readonly cases: readonly {
    readonly chain: string;
    readonly vector: string;
    readonly expected: string;
  }[];
};

function transactionOf(chain: string, name: string) {
  const vector = readVectors<Vector>(chain).find((each) => each.name === name);
  assert.ok(vector !== undefined);
  const { type, unsignedTransaction, addressFormat, signWith } = vector;
  const publicKey = hex(accountOf(vector).publicKey);
  return {
    type,
    unsignedTransaction,
    account: { addressFormat, publicKey, address: signWith },
    interfaces:
      vector.interface === undefined
        ? []
        : [
            {
              smartContractAddress: vector.interface.smartContractAddress,
              smartContractInterface: vector.interface.smartContractInterface,
            },
          ],
  };
}

function outcomes(condition: string, cases: readonly object[]) {
  const file = {
    policies: [{ policyName: 'policy', effect: 'EFFECT_ALLOW', condition }],
    users: [{ userId }, { userId: founderId }],
    rootQuorum: { userIds: [founderId], threshold: 1 },
    cases: cases.map((one, i) => ({
      name: `case ${i}`,
      activity: { type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2' },
      voters: [userId],
      expected: { outcome: 'allow' },
      ...one,
    })),
  };
  return runPolicyTest(readPolicyTest(JSON.stringify(file), caseReaders)).map(
    ({ outcome }) => outcome,
  );
}

for (const { name, condition, cases } of readVectors<PublicPolicy>('policies')) {
  test(`${name}: decided on the bytes of transactions`, () => {
    const transactions = cases.map(({ chain, vector }) => ({
      transaction: transactionOf(chain, vector),
    }));
    assert.deepEqual(
      outcomes(condition, transactions),
      cases.map(({ expected }) => (expected === 'applies' ? 'allow' : 'refuse')),
    );
  });
}

const plain = transactionOf('tron', 'TransferContract');

test('the type of the transaction becomes a parameter of the activity, and other facts stay', () => {
  const wallet = { facts: { wallet: { label: 'cold' } } };
  const condition = "activity.params.type == 'TRANSACTION_TYPE_TRON' && wallet.label == 'cold'";
  assert.deepEqual(outcomes(condition, [{ transaction: plain, ...wallet }]), ['allow']);
});

test('an address suffices if the public key is not needed', () => {
  const { address } = plain.account;
  const condition = `tron.tx.contract[0].owner_address == '${address}'`;
  const transaction = { ...plain, account: { address } };
  assert.deepEqual(outcomes(condition, [{ transaction }]), ['allow']);
});

const refused: Readonly<Record<string, readonly [object, string]>> = {
  'bytes that are no transaction': [
    { transaction: { ...plain, unsignedTransaction: '0a' } },
    'cases[0].transaction: failed to parse transaction: `raw_data.ref_block_bytes`: ends within a number',
  ],
  'a type that there is not': [
    { transaction: { ...plain, type: 'TRANSACTION_TYPE_SUI' } },
    'cases[0].transaction: unsupported transaction type',
  ],
  'an activity without a transaction': [
    { transaction: plain, activity: { type: 'ACTIVITY_TYPE_CREATE_WALLET' } },
    'cases[0].transaction: only SIGN_TRANSACTION has a transaction',
  ],
  'facts of the same chain': [
    { transaction: plain, facts: { tron: { tx: {} } } },
    'cases[0].facts.tron: is in the transaction',
  ],
  'an address of another key': [
    { transaction: { ...plain, account: { ...plain.account, address: 'T' } } },
    `cases[0].transaction.account.address: the public key has the address ${plain.account.address}`,
  ],
  'a key that is none': [
    { transaction: { ...plain, account: { publicKey: '00' } } },
    'cases[0].transaction.account.publicKey: expected a public key of CURVE_SECP256K1 in hex',
  ],
  'an account without address and key': [
    { transaction: { ...plain, account: {} } },
    'cases[0].transaction.account.address: is missing',
  ],
  'an address where the key is needed': [
    {
      transaction: {
        ...transactionOf('solana', readVectors<Vector>('solana')[0]?.name ?? ''),
        account: { address: 'x' },
      },
    },
    'cases[0].transaction.account.publicKey: is missing',
  ],
  'a format of another chain': [
    { transaction: { ...plain, account: { addressFormat: 'ADDRESS_FORMAT_XRP', address: 'T' } } },
    'cases[0].transaction.account.addressFormat: expected one of ADDRESS_FORMAT_TRON',
  ],
  'a member that there is not': [
    { transaction: { ...plain, signature: '' } },
    'cases[0].transaction: unknown member `signature`',
  ],
};

for (const [what, [one, message]] of Object.entries(refused)) {
  test(`${what}: refused`, () => {
    assert.throws(
      () => outcomes('true', [one]),
      (error) => error instanceof PolicyTestError && error.message.startsWith(message),
    );
  });
}
