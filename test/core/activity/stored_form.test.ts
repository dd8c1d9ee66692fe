// The stored form restores the same activity, although it omits members that follow from others.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import {
  packActivity,
  type RecordedActivity,
  type RecordedVote,
  unpackActivity,
} from '../../../src/core/activity/stored_form.ts';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { finish } from '../../../src/core/base/steps.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';

const body =
  '{"parameters":{"walletName":"Ключ 😀 \u2028 \\"","accounts":[]},"timestampMs":"1767225600001"}';
const intent = { createWalletIntent: { walletName: 'Ключ 😀 \u2028 "', accounts: [] } };

const packedText = (...given: Parameters<typeof packActivity>) => finish(packActivity(...given));

const vote: RecordedVote = {
  id: 'vote',
  userId: 'user',
  voterId: 'voter',
  selection: 'VOTE_SELECTION_APPROVED',
  message: body,
  publicKey: '02ab',
  signature: '3044',
  scheme: 'SIGNATURE_SCHEME_TK_API_P256',
  credentialId: 'credential',
  createdAtMs: 5,
};
const evaluation = { voteId: 'vote', policySetId: 'set', outcomes: 'AB', createdAtMs: 5 };
const decision = {
  voteId: 'vote',
  userId: 'user',
  selection: 'VOTE_SELECTION_APPROVED',
  reason: 'policy_allows',
  voterIds: ['user'],
  createdAtMs: 5,
} as const;

const activity: RecordedActivity = {
  id: 'activity',
  organizationId: 'organization',
  type: 'ACTIVITY_TYPE_CREATE_WALLET',
  status: 'ACTIVITY_STATUS_COMPLETED',
  intent,
  result: { createWalletResult: { walletId: 'wallet', addresses: [] } },
  votes: [vote],
  fingerprint: `sha256:${createHash('sha256').update(body).digest('hex')}`,
  submitterId: 'user',
  evaluations: [evaluation],
  decisions: [decision],
  createdAtMs: 5,
  updatedAtMs: 5,
  version: 1,
};

const second: RecordedVote = {
  ...vote,
  id: 'second',
  userId: 'other',
  voterId: 'other voter',
  selection: 'VOTE_SELECTION_REJECTED',
  message: '{"approve":1}',
  emailClaimed: true,
  createdAtMs: 9,
};

const decisionOfGone = {
  ...decision,
  voteId: 'gone',
  voterIds: [],
  awaitsAuthenticators: true,
  byParent: true,
  denying: [0, 2],
  clauses: { condition: 'AB', failures: [] },
  factsDigest: 'digest',
} as const;
const { decisions: _, ...undecided } = activity;
const method = { type: 'AUTHENTICATION_TYPE_API_KEY', id: 'credential' } as const;
const scheme = 'SIGNATURE_SCHEME_EPHEMERAL_KEY_P256';

/** Activities that differ in the members that the stored form can omit. */
const variants: Readonly<Record<string, RecordedActivity>> = {
  'one that was done at once': activity,
  'no votes': { ...activity, votes: [] },
  'two votes': { ...activity, votes: [vote, second], updatedAtMs: 9, version: 2 },
  'a request that a vote holds': { ...activity, request: body },
  'a request that no vote holds any more': { ...activity, votes: [second], request: body },
  'a submitter who voted later': { ...activity, submitterId: 'other', votes: [vote, second] },
  'a fingerprint of another body': { ...activity, fingerprint: 'sha256:00' },
  'an intent that is not in the body': { ...activity, intent: { createWalletIntent: { a: 1 } } },
  'an empty intent': { ...activity, intent: {} },
  'an intent of two members': { ...activity, intent: { a: 1, b: [2] } },
  'an intent that is a list': { ...activity, intent: { a: [] } },
  'an intent that is a number': { ...activity, intent: { a: 5 } },
  'no result': { ...activity, result: {}, status: 'ACTIVITY_STATUS_FAILED' },
  'a failure': { ...activity, failure: { code: 7, message: 'no', details: [{ a: 1 }] } },
  'no evaluations': { ...activity, evaluations: [] },
  'no list of decisions': undecided,
  'an empty list of decisions': { ...activity, decisions: [] },
  'an evaluation without a set': {
    ...activity,
    evaluations: [{ voteId: 'vote', outcomes: 'A', createdAtMs: 7 }],
  },
  'an evaluation of a vote that is gone': {
    ...activity,
    evaluations: [{ ...evaluation, voteId: 'gone' }],
  },
  'decisions of three votes, the first given again': {
    ...activity,
    votes: [vote, second],
    decisions: [
      decisionOfGone,
      decision,
      { ...decision, voteId: 'second', voterIds: ['user', 'other'] },
    ],
  },
  'a signature of a key that is held elsewhere': { ...activity, heldBy: 'pkcs11' },
  'proofs of all kinds': {
    ...activity,
    proofs: [
      { userId: 'user', method, credentialId: 'credential', publicKey: '02ab', createdAtMs: 5 },
    ],
    appProofs: [{ scheme, publicKey: '04', proofPayload: '{}', signature: '00' }],
  },
};

for (const [name, each] of Object.entries(variants)) {
  test(`${name}: unpacking returns the same activity`, () => {
    const { id, organizationId, version } = each;
    assert.deepEqual(unpackActivity(packedText(each), { id, organizationId, version }), each);
  });
}

test('the stored form of an activity that was done at once stores only the position of its intent', () => {
  const text = JSON.stringify(intent.createWalletIntent);
  assert.deepEqual(JSON.parse(packedText(activity)), {
    t: activity.type,
    s: activity.status,
    i: ['createWalletIntent', body.indexOf(text), text.length],
    r: activity.result,
    v: [
      {
        i: 'vote',
        u: 'user',
        w: 'voter',
        m: body,
        k: '02ab',
        g: '3044',
        h: 'SIGNATURE_SCHEME_TK_API_P256',
        d: 'credential',
        c: 5,
      },
    ],
    o: [[0, { p: 'set', o: 'AB' }]],
    d: [[0, { r: 'policy_allows' }]],
    c: 5,
  });
});

test('a digest of the message from the caller changes nothing', () => {
  assert.equal(packedText(activity, sha256(utf8(body))), packedText(activity));
  const { f: fingerprint } = JSON.parse(packedText(activity, sha256(utf8('another message'))));
  assert.equal(fingerprint, activity.fingerprint);
});

test('the intent keeps the order of its members, also with numeric names', () => {
  const parameters = { b: 1, a: { '2': 'x', '1': 'y' } };
  const message = JSON.stringify({ parameters });
  const each = { ...activity, votes: [{ ...vote, message }], intent: { intent: parameters } };
  const back = unpackActivity(packedText(each), activity);
  assert.equal(JSON.stringify(back.intent), JSON.stringify(each.intent));
});

test('a large body is stored once, after any number of signatures and in any spelling', () => {
  const parameters = { payload: 'x'.repeat(10_000), signWith: 'y' };
  for (const message of [
    JSON.stringify({ parameters }),
    JSON.stringify({ parameters }, undefined, 2),
    JSON.stringify({ parameters }).replace('xxx', 'x\\u0078x'),
  ]) {
    const votes = [vote, second, vote].map((each, i) => ({ ...each, id: `${i}`, message }));
    const each = { ...activity, votes, intent: { intent: parameters }, request: message };
    const packed = packedText(each);
    assert.ok(packed.length < 12_000, `${packed.length}`);
    assert.deepEqual(unpackActivity(packed, activity), each);
  }
});

test('a large intent outside of the body is stored separately', () => {
  const message = JSON.stringify({ parameters: { payload: 'y'.repeat(10_000) } });
  const intent = { intent: { payload: 'x'.repeat(10_000) } };
  const each = { ...activity, votes: [{ ...vote, message }], intent };
  assert.deepEqual(unpackActivity(packedText(each), activity), each);
});

test('a member without a letter in the stored form is an internal error', () => {
  const odd = { ...activity, surprise: 1 };
  assert.throws(() => packedText(odd), /no letter for surprise/);
});

test('a large message is stored with its fingerprint, and older texts lack the fingerprint', () => {
  const message = `{"parameters":{"note":"${'x'.repeat(2_000)}"}}`;
  const fingerprint = `sha256:${createHash('sha256').update(message).digest('hex')}`;
  const large = { ...activity, votes: [{ ...vote, message }], fingerprint };
  const text = packedText(large);
  assert.equal(JSON.parse(text).f, fingerprint);
  assert.deepEqual(unpackActivity(text, activity), large);
  const { f: _fingerprint, ...older } = JSON.parse(text);
  assert.deepEqual(unpackActivity(JSON.stringify(older), activity), large);
});

/**
 * Returns an activity after this number of votes by 98 users, under policies that fail with long messages.
 */
function votedOften(count: number): RecordedActivity {
  const users = Array.from({ length: 98 }, (_, i) =>
    `019b76da-a802-7559-aa23-${i}`.padEnd(36, '0'),
  );
  const at = users.map((_, i): [number, number] => [i, 20]);
  const message = 'there is no member of this name: '.padEnd(8_000, 'x');
  const votes = users.map((userId, i) => ({ ...vote, id: `vote ${count - 98 + i}`, userId }));
  const decisions = Array.from({ length: count }, (_, i) => ({
    ...decision,
    voteId: `vote ${i}`,
    userId: users[i % 98] ?? '',
    voterIds: users,
    clauses: {
      condition: `H${i % 2}F99`,
      consensus: 'N',
      failures: [{ clause: 'condition' as const, code: 'member_missing', message, at }],
    },
    factsDigest: 'f'.repeat(32),
  }));
  return { ...activity, votes, decisions, submitterId: users[0] ?? '', version: count };
}

test('a vote does not store earlier voters and failures again', () => {
  const each = votedOften(300);
  const length = packedText(each).length;
  assert.deepEqual(unpackActivity(packedText(each), each), each);
  const more = packedText(votedOften(301)).length - length;
  assert.ok(more < 700, `${more} characters`);
  const steps = [...packActivity(each)].length;
  assert.ok(steps >= 2, `${steps} steps`);
});

test('decisions stored with full voters and clauses are still read', () => {
  const { decisions } = votedOften(100);
  const each = { ...activity, decisions: decisions ?? [] };
  const packed = JSON.parse(packedText(each));
  const older = packed.d.map((members: { l: object }, i: number) => ({
    ...members,
    l: decisions?.[i]?.clauses,
  }));
  assert.deepEqual(unpackActivity(JSON.stringify({ ...packed, d: older }), each), each);
});

test('an activity of megabytes is packed in several steps, to the same text', () => {
  const parameters = { payload: 'a"\\é'.repeat(100_000) };
  const message = JSON.stringify({ parameters });
  const votes = [{ ...vote, message }];
  const each = { ...activity, intent: { signIntent: parameters }, votes };
  let steps = 1;
  const packing = packActivity(each);
  let step = packing.next();
  for (; step.done !== true; step = packing.next()) steps += 1;
  assert.equal(steps, 22);
  const text = String(step.value);
  assert.equal(text, JSON.stringify(JSON.parse(text)));
  assert.deepEqual(unpackActivity(text, each), each);
  assert.equal([...packActivity(activity)].length, 0);
});
