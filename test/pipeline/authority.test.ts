// Rights that equal root: no policy may allow a change of a login of a member of the root quorum.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Interface, Transaction } from 'ethers';
import {
  type Authority,
  authorities,
  authorityRuleOf,
  concernsOtherMember,
} from '../../src/core/policy/decision/authority.ts';
import { activityOperations } from '../../src/operations/index.ts';
import { addPlainUser } from '../operations/other_callers.ts';
import { makeSender } from '../operations/sending/send_requests.ts';
import { startTestService, type TestService, testKey } from '../support/harness.ts';

let service: TestService;
let plain: Awaited<ReturnType<typeof addPlainUser>>;
let plainId: string;

before(async () => {
  service = await startTestService();
  plain = await addPlainUser(service);
  plainId = (await service.query('whoami', {}, { key: plain.key })).body.userId;
  const policy = { policyName: 'Everything', effect: 'EFFECT_ALLOW', condition: 'true', notes: '' };
  const made = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy);
  assert.equal(made.status, 200);
});
after(() => service.close());

test('each row of the table of authorities is declared by an operation', () => {
  const declared = new Set(Object.values(activityOperations).map(({ authority }) => authority));
  assert.deepEqual([...declared].sort(), Object.keys(authorities).sort());
});

test('the rule of a type is that of its operation', () => {
  for (const { wire, older, authority } of Object.values(activityOperations)) {
    for (const { type } of [wire, ...older.map((version) => version.wire)]) {
      assert.equal(authorityRuleOf(type), authorities[authority].rule, type);
    }
  }
  assert.equal(authorityRuleOf('ACTIVITY_TYPE_NEW_THING'), undefined);
});

test('exactly the operations of the root quorum declare that rule', () => {
  for (const { wire, access } of Object.values(activityOperations)) {
    const isRoot = authorityRuleOf(wire.type) === 'root_quorum';
    assert.equal(access.rule === 'root_quorum', isRoot, wire.type);
  }
});

test('a change of a member of the root quorum by another user is found', () => {
  const quorum = { threshold: 1, userIds: ['root'] };
  const about = (authority: Authority, parameters: object, submitter = 'eve') =>
    concernsOtherMember(authority, { ...parameters }, submitter, quorum);
  for (const name of ['credential', 'contact', 'removed_credential', 'mfa_demand'] as const) {
    assert.equal(about(name, { userId: 'root' }), true, name);
  }
  assert.equal(about('credential', { userId: 'ROOT' }), true);
  assert.equal(about('credential', { userId: 'root' }, 'root'), false);
  assert.equal(about('credential', { userId: 'ada' }), false);
  assert.equal(about('removed_credential', { userIds: ['ada', 'root'] }), true);
  assert.equal(about('removed_mfa', { userId: 'root' }), false);
});

const key = testKey('taken over');
const apiKeys = [{ apiKeyName: 'Mine', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }];
const changes: readonly (readonly [operation: string, type: string, parameters: object])[] = [
  ['create_api_keys', 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { apiKeys }],
  ['update_user', 'ACTIVITY_TYPE_UPDATE_USER', { userEmail: 'eve@example.com' }],
  ['update_user_email', 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userEmail: 'eve@example.com' }],
  ['update_user_name', 'ACTIVITY_TYPE_UPDATE_USER_NAME', { userName: 'Eve' }],
  [
    'update_user_phone_number',
    'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
    { userPhoneNumber: '+14155550123' },
  ],
  [
    'create_mfa_policy',
    'ACTIVITY_TYPE_CREATE_MFA_POLICY',
    {
      mfaPolicyName: 'Lock',
      condition: 'true',
      order: 0,
      requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] }],
    },
  ],
];

for (const [operation, type, parameters] of changes) {
  test(`${operation} of a member of the root quorum is refused, under any policies`, async () => {
    const { userId } = service.root;
    const about = { userId, ...parameters };
    const { status, body } = await service.submit(operation, type, about, { key: plain.key });
    assert.equal(status, 403, JSON.stringify(body));
    const told = JSON.stringify(body);
    assert.match(told, /ROOT_MEMBER_PROTECTED/);
    assert.match(told, /ask the root quorum to send this/);
    const upper = { ...about, userId: userId.toUpperCase() };
    assert.equal((await service.submit(operation, type, upper, { key: plain.key })).status, 403);
  });
}

test('a policy allows the same for other users, and members do it for themselves', async () => {
  const [operation, type] = ['create_api_keys', 'ACTIVITY_TYPE_CREATE_API_KEYS_V2'];
  const own = { userId: plainId, apiKeys };
  assert.equal((await service.submit(operation, type, own, { key: plain.key })).status, 200);
  const further = testKey('a further key of root').publicKey;
  const ofRoot = {
    userId: service.root.userId,
    apiKeys: [{ apiKeyName: 'Further', publicKey: further, curveType: 'API_KEY_CURVE_P256' }],
  };
  assert.equal((await service.submit(operation, type, ofRoot)).status, 200);
});

test('one member of a larger quorum changes the other only with further votes', async () => {
  const { userId } = service.root;
  const quorum = { threshold: 2, userIds: [userId, plainId] };
  const type = 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM';
  assert.equal((await service.submit('update_root_quorum', type, quorum)).status, 200);
  const about = { userId, userEmail: 'eve@example.com' };
  const asked = await service.submit(
    'update_user_email',
    'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
    about,
    { key: plain.key },
  );
  assert.equal(asked.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.equal(asked.body.decision.reason, 'AWAITS_ROOT_QUORUM');
});

const here = `0x${'12'.repeat(20)}`;
const elsewhere = `0x${'34'.repeat(20)}`;
const contract = `0x${'56'.repeat(20)}`;
/** Returns an interface of a function with two addresses, with these argument names. */
const moving = (names: readonly [string, string]) => ({
  smartContractAddress: contract,
  smartContractInterface: JSON.stringify([
    {
      type: 'function',
      name: 'move',
      stateMutability: 'nonpayable',
      outputs: [],
      inputs: names.map((name) => ({ name, type: 'address' })),
    },
  ]),
  type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
  label: 'Mover',
});

test('a user who replaces an interface changes the facts of policies, so the table lists the right', async (t) => {
  const own = await startTestService();
  t.after(() => own.close());
  const asked = async (operation: string, type: string, parameters: object, as: object = {}) => {
    const { status, body } = await own.submit(operation, `ACTIVITY_TYPE_${type}`, parameters, as);
    return { status, result: Object.values(body.activity?.result ?? {})[0] };
  };
  const as = await addPlainUser(own);
  const signWith = await makeSender(own);
  for (const condition of [
    "activity.resource == 'SMART_CONTRACT_INTERFACE'",
    `activity.kind == 'SIGN_TRANSACTION' && eth.tx.contract_call_args['target'] == '${here}'`,
  ]) {
    const described = { policyName: condition, effect: 'EFFECT_ALLOW', condition, notes: '' };
    assert.equal((await asked('create_policy', 'CREATE_POLICY_V3', described)).status, 200);
  }
  const create = ['create_smart_contract_interface', 'CREATE_SMART_CONTRACT_INTERFACE'] as const;
  const { result: first } = await asked(...create, moving(['source', 'target']));
  const data = new Interface(['function move(address, address)']).encodeFunctionData('move', [
    here,
    elsewhere,
  ]);
  const unsigned = (nonce: number) =>
    Transaction.from({
      type: 2,
      chainId: 1,
      nonce,
      gasLimit: 90_000,
      to: contract,
      data,
      maxFeePerGas: 100,
      maxPriorityFeePerGas: 10,
    }).unsignedSerialized.slice(2);
  const sign = (nonce: number) =>
    asked(
      'sign_transaction',
      'SIGN_TRANSACTION_V2',
      { signWith, type: 'TRANSACTION_TYPE_ETHEREUM', unsignedTransaction: unsigned(nonce) },
      as,
    );
  assert.equal((await sign(0)).status, 403);
  const deleting = ['delete_smart_contract_interface', 'DELETE_SMART_CONTRACT_INTERFACE'] as const;
  assert.equal((await asked(...deleting, first as object, as)).status, 200);
  assert.equal((await sign(1)).status, 403);
  assert.equal((await asked(...create, moving(['target', 'source']), as)).status, 200);
  assert.equal((await sign(2)).status, 200);
  for (const [, kind] of [create, deleting]) {
    assert.equal(authorityRuleOf(`ACTIVITY_TYPE_${kind}`), 'policy');
  }
});

test('the table lists labels and tags that policies read', () => {
  const kinds = [
    'UPDATE_WALLET',
    'CREATE_PRIVATE_KEY_TAG',
    'UPDATE_PRIVATE_KEY_TAG',
    'DELETE_PRIVATE_KEY_TAGS',
  ];
  for (const kind of kinds) assert.equal(authorityRuleOf(`ACTIVITY_TYPE_${kind}`), 'policy', kind);
});
