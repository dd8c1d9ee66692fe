// The page describes a change by its signed bytes, whatever the service reports about the previous state.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, type Known } from '../../dashboard/app/approvals/differences.ts';
import { readPayloads } from '../../dashboard/app/approvals/signed_payloads.ts';
import { fetchScreenTexts } from '../../dashboard/messages/text.ts';
import { typedData } from '../e2e/typed_data.ts';

const policyId = '01a2075a-6982-7718-a0fd-b3692d8d3ece';
const alice = '01a2075a-68ab-728e-aae0-242bd9ebe002';
const bob = '01a2075a-68ab-7290-aecf-ea8c5936db3c';

await fetchScreenTexts();
const times = { seconds: '0', nanos: '0' };
const known: Known = {
  policies: [
    {
      policyId,
      policyName: 'nobody exports',
      effect: 'EFFECT_DENY',
      condition: "activity.action == 'EXPORT'",
      consensus: '',
      notes: '',
      createdAt: times,
      updatedAt: times,
    },
  ],
  users: [
    { userId: alice, userName: 'alice' },
    { userId: bob, userName: 'bob' },
  ],
  quorum: { threshold: 1, userIds: [alice] },
  names: new Map([[alice, 'alice']]),
};

const described = (type: string, intent: object, of = known) => {
  const change = changeOf(`ACTIVITY_TYPE_${type}`, intent as Record<string, unknown>, of);
  assert(change !== undefined);
  return change;
};

test('an update of a policy shows each signed member and the value that the service reports', () => {
  const { sentence, differences, warnings } = described('UPDATE_POLICY_V2', {
    policyId,
    policyCondition: 'false',
    policyEffect: 'EFFECT_ALLOW',
  });
  assert.equal(sentence, 'Changes the policy “nobody exports” (01a2…3ece).');
  assert.deepEqual(differences, [
    { what: 'Effect', now: 'EFFECT_DENY', signed: 'EFFECT_ALLOW' },
    { what: 'Condition', now: "activity.action == 'EXPORT'", signed: 'false' },
    { what: 'Signed ids', signed: policyId },
  ]);
  assert.equal(warnings.length, 1);
});

test('a policy that the service hides has its signed id as its name', () => {
  const none = { ...known, policies: [] };
  assert.equal(
    described('DELETE_POLICY', { policyId }, none).sentence,
    `Deletes the policy ${policyId}.`,
  );
  assert.equal(
    described('DELETE_POLICY', { policyId }).sentence,
    'Deletes the policy “nobody exports” (01a2…3ece).',
  );
});

test('a name of two users is shown with the signed id', () => {
  const users = [
    { userId: alice, userName: 'alice' },
    { userId: bob, userName: 'alice' },
  ];
  const { sentence } = described('DELETE_USERS', { userIds: [bob] }, { ...known, users });
  assert.equal(sentence, `Deletes the user alice (${bob}).`);
});

test('a freeze and an export are sentences, with every signed member', () => {
  const freeze = { type: 'FREEZE_TYPE_USER', resourceId: alice, reason: 'lost laptop' };
  const { sentence, differences } = described('CREATE_FREEZE', freeze);
  assert.equal(
    sentence,
    'Freezes the user alice: stops every activity and vote of the user until the root quorum lifts the freeze. Reason: lost laptop',
  );
  assert.equal(differences.length, 3);
  assert.match(described('EXPORT_WALLET', { walletId: 'w' }).sentence, /^Exports the wallet w\./);
});

test('every signed member is shown, known or not', () => {
  const cases = [
    ['CREATE_POLICY_V3', { policyName: 'p', effect: 'EFFECT_ALLOW', notes: 'n', surprise: 'x1' }],
    ['CREATE_POLICIES', { policies: [{ policyName: 'p', surprise: 'x1' }] }],
    ['UPDATE_POLICY', { policyId, policyNotes: 'n', surprise: 'x1' }],
    ['DELETE_POLICIES', { policyIds: [policyId], surprise: 'x1' }],
    [
      'CREATE_USERS_V4',
      { users: [{ userName: 'u', apiKeys: [{ publicKey: '02ab' }], surprise: 'x1' }] },
    ],
    ['UPDATE_USER', { userId: alice, userEmail: 'a@example.com', surprise: 'x1' }],
    ['DELETE_USERS', { userIds: [bob], surprise: 'x1' }],
    ['UPDATE_ROOT_QUORUM', { threshold: 2, userIds: [alice, bob], surprise: 'x1' }],
  ] as const;
  for (const [type, intent] of cases) {
    const change = described(type, intent);
    const text = JSON.stringify(change);
    for (const leaf of JSON.stringify(intent).matchAll(/:\[?"?([^"[\]{},]+)/g)) {
      assert(text.includes(leaf[1] ?? '?'), `${type} hides ${leaf[1]}`);
    }
  }
});

test('a change of the quorum names members by id, and warns of one and of all', () => {
  const all = described('UPDATE_ROOT_QUORUM', { threshold: 2, userIds: [alice, bob] });
  assert.equal(all.sentence, 'Sets the root quorum to 2 of alice (01a2…e002) and bob (01a2…db3c).');
  assert.deepEqual(all.differences.at(-1), { what: 'Signed ids', signed: `${alice}\n${bob}` });
  assert.deepEqual(all.differences[0], { what: 'Threshold', now: '1', signed: '2' });
  assert.match(all.warnings.join(), /locks everybody out/);
  const one = described('UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [alice, bob] });
  assert.match(one.warnings.join(), /Any single member can then/);
});

test('a change of a user shows the previous values that the service reports', () => {
  const { differences } = described('UPDATE_USER_NAME', { userId: bob, userName: 'alice' });
  assert.deepEqual(differences, [
    { what: 'User name', now: 'bob', signed: 'alice' },
    { what: 'Signed ids', signed: bob },
  ]);
});

test('a member that is signed as empty is shown, because it removes a value', () => {
  const of = { ...known, users: [{ userId: bob, userName: 'bob', userEmail: 'bob@example.com' }] };
  assert.deepEqual(described('UPDATE_USER_EMAIL', { userId: bob, userEmail: '' }, of).differences, [
    { what: 'E-mail address', now: 'bob@example.com', signed: '' },
    { what: 'Signed ids', signed: bob },
  ]);
  assert.deepEqual(described('UPDATE_POLICY', { policyId, time: '' }).differences, [
    { what: 'Time', now: '', signed: '' },
    { what: 'Signed ids', signed: policyId },
  ]);
});

test('policies of the first versions and other activities are shown member by member', () => {
  for (const [type, intent] of [
    ['ACTIVITY_TYPE_CREATE_POLICY', { policyName: 'p', selectors: [] }],
    ['ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'w' }],
    ['ACTIVITY_TYPE_constructor', {}],
  ] as const) {
    assert.equal(changeOf(type, intent, known), undefined);
  }
});

const account = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';
const payloadsOf = (encoding: string, payload: string) =>
  readPayloads({
    signWith: account,
    payloads: [payload],
    encoding: `PAYLOAD_ENCODING_${encoding}`,
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  });

test('the description of typed data omits members that no type declares, since the hash omits them', () => {
  const payload = {
    ...typedData,
    message: { ...typedData.message, from: { ...typedData.message.from, hidden: 'not signed' } },
  };
  const read = payloadsOf('EIP712', JSON.stringify(payload)) ?? assert.fail('it can be read');
  assert.equal(read.explanation.summary, 'Typed data: Mail for Ether Mail.');
  assert.deepEqual(read.values.slice(-1), [
    { what: 'message.contents: string', signed: 'Hello, Bob!' },
  ]);
  assert(
    read.values.some(
      ({ what, signed }) =>
        what === 'message.to.wallet: address' &&
        signed === typedData.message.to.wallet.toLowerCase(),
    ),
  );
  assert(!JSON.stringify(read).includes('not signed'));
  assert.equal(payloadsOf('EIP712', '{"types": 1}'), undefined);
});

test('an authorization of EIP-7702 names the account, the contract, the chain and the consequence', () => {
  const address = '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B';
  const of = (authorization: object) =>
    payloadsOf('EIP7702_AUTHORIZATION', JSON.stringify(authorization))?.explanation;
  const begins = of({ address, chainId: 1, nonce: '0x7' });
  assert.equal(
    begins?.summary,
    `Lets the code at ${address} act for ${account} on chain 1, if its nonce is 7 then.`,
  );
  assert.match(String(begins?.warnings[0]?.text), /can move everything/);
  assert.equal(of({ address, chainId: 0, nonce: 0 })?.warnings.length, 2);
  const ends = of({ address: `0x${'00'.repeat(20)}`, chainId: 1, nonce: 8 });
  assert.match(String(ends?.summary), /^Takes away the code/);
  assert.deepEqual(ends?.warnings, []);
  assert.equal(of({ address, chainId: 1 }), undefined);
});

test('a message of several lines is shown whole, a short message in its sentence', () => {
  const of = (text: string) =>
    payloadsOf(
      'HEXADECIMAL',
      Buffer.from(`\u0019Ethereum Signed Message:\n${text.length}${text}`).toString('hex'),
    );
  assert.deepEqual(of('a\nb')?.texts, ['a\nb']);
  assert.deepEqual(of('hello')?.texts, []);
  assert.match(String(of('hello')?.explanation.effects[0]?.text), /"hello"/);
});
