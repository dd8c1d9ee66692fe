// Receipts of activities that policies decided: the policy texts, and the rejection of altered texts.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { readEntry } from '../../src/core/log/entry.ts';
import { textOfPolicySet } from '../../src/core/policy/sets/policy_text.ts';
import { policyDecisions } from '../../src/receipts/policy_decisions.ts';
import { verifyReceipt } from '../../src/receipts/verify_receipt.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { approve, by, makeWallet, type Shown, shownAs, startVoters } from '../votes/voting.ts';
import { appendAll, policyOf } from './log_of.ts';

let policy: string;
let policyIds: readonly string[];
/** Receipts fetched after the decision, and after one of the policies has changed. */
let receipt: Shown;
let later: Shown;
let ofRoot: Shown;

before(async () => {
  const voters = await startVoters();
  const { service } = voters;
  const both = await voters.bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const other = await makePolicy(service, 'Signing', {
    condition: "activity.resource == 'NOTHING'",
  });
  policyIds = [both, other];
  const done = shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
  const rooted = shownAs('COMPLETED', await makeWallet(service, 'Of root'));
  await appendAll(service);
  const receiptOf = async ({ id }: Shown) =>
    (await service.query('get_receipt', { activityId: id })).body.receipt;
  receipt = await receiptOf(done);
  ofRoot = await receiptOf(rooted);
  const type = 'ACTIVITY_TYPE_UPDATE_POLICY_V2';
  const changes = { policyId: other, policyNotes: 'changed' };
  shownAs('COMPLETED', await service.submit('update_policy', type, changes));
  later = await receiptOf(done);
  policy = await policyOf(service);
  await service.close();
});

const verified = (of: Shown) => verifyReceipt(JSON.stringify(of), policy);
const names = (text: string | undefined) =>
  text === undefined ? undefined : JSON.parse(text).policyName;

test('a receipt shows the texts of the policies and their outcomes at each vote', () => {
  const { activity, cannotShow } = verified(receipt);
  const decisions = activity?.decisions.map(({ vote, policies }) => [
    vote,
    policies?.map(({ policyId, outcome, text }) => [policyId, outcome, names(text)]),
  ]);
  assert.deepEqual(decisions, [
    [0, [[policyIds[0], 'OUTCOME_REQUIRES_CONSENSUS', 'Both tags']]],
    [
      1,
      [
        [policyIds[0], 'OUTCOME_ALLOW', 'Both tags'],
        [policyIds[1], 'OUTCOME_DENY_IMPLICIT', 'Signing'],
      ],
    ],
  ]);
  assert.ok(!cannotShow.some((each) => each.includes('polic')), cannotShow.join());
  assert.equal(receipt.policySets.length, 2);
});

test('a receipt names a policy that has changed since, without its text', () => {
  const { activity, cannotShow } = verified(later);
  const last = activity?.decisions.at(-1)?.policies;
  assert.deepEqual(
    last?.map(({ text }) => names(text)),
    ['Both tags', undefined],
  );
  assert.ok(cannotShow.includes(`the text of policies that have changed since: ${policyIds[1]}`));
});

test('a receipt of a decision by the root quorum has no policies', () => {
  assert.deepEqual(verified(ofRoot).activity?.decisions, []);
  assert.equal(ofRoot.policySets, undefined);
});

test('a receipt without its policies verifies, and the result lists them as missing', () => {
  const { policySets: _, policyTexts: __, ...rest } = receipt;
  const { activity, cannotShow } = verified(rest);
  assert.equal(activity?.decisions[0]?.policies, undefined);
  assert.ok(cannotShow.some((each) => each.startsWith('the policies that decided')));
});

/** Returns only the decisions, because checking signatures for each mutation would take long. */
function decisionsIn({ record, policySets: sets, policyTexts: texts, entry }: Shown) {
  const organizationId = readEntry(entry)?.organizationId ?? '';
  return policyDecisions(JSON.parse(record).o, { sets, texts }, organizationId);
}

/** Yields copies of a text with one character replaced, left out or doubled. */
function* mutationsOf(text: string): Iterable<string> {
  for (let at = 0; at < text.length; at += 1) {
    yield text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1);
    yield text.slice(0, at) + text.slice(at + 1);
    yield text.slice(0, at + 1) + text.slice(at);
  }
}

test('the verifier rejects altered, foreign and additional policies', () => {
  const { record: _, ...withoutRecord } = receipt;
  assert.throws(() => verified(withoutRecord), /without a record/);
  const foreign = { ...ofRoot, policySets: receipt.policySets, policyTexts: receipt.policyTexts };
  assert.throws(() => verified(foreign), /does not name/);
  assert.deepEqual(decisionsIn(receipt), verified(receipt).activity?.decisions);
  for (const member of ['policySets', 'policyTexts']) {
    const texts: readonly string[] = receipt[member];
    const doubled = { ...receipt, [member]: [...texts, texts[0]] };
    assert.throws(() => verified(doubled), /does not name/, member);
    for (const each of [{}, [1], 'text', [null]]) {
      assert.throws(() => verified({ ...receipt, [member]: each }), /malformed/);
    }
    for (const [i, text] of texts.entries()) {
      for (const mutated of mutationsOf(text)) {
        const altered = { ...receipt, [member]: texts.with(i, mutated) };
        assert.throws(() => decisionsIn(altered), /does not name/, `${member}: ${mutated}`);
      }
    }
  }
});

const organizationId = '01890f3e-3b5c-7cc0-98c4-dc0c0c07398f';
const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** A set of this many policies with one digest, and its name. */
function setOf(count: number, digest = digestOf('')) {
  const policies = Array.from({ length: count }, (_, i) => ({
    id: `01890f3e-3b5c-7cc0-98c4-${i.toString(16).padStart(12, '0')}`,
    digest,
  }));
  const text = textOfPolicySet({ organizationId, nonce: organizationId, policies });
  return { text, name: digestOf(text) };
}

test('outcomes that do not fit their set are rejected, however long they are', () => {
  const { text, name } = setOf(3);
  const decide = (outcomes: string) =>
    policyDecisions([[0, { p: name, o: outcomes }]], { sets: [text], texts: [] }, organizationId);
  assert.equal(decide('2AD')[0]?.policies?.length, 3);
  for (const outcomes of [
    '',
    '2A',
    '4A',
    'AAAA',
    'A?AA',
    'AAA ',
    'AAAx',
    'AAZ',
    '0000003A',
    '1'.repeat(2_000_000),
    `${'9'.repeat(30)}A`,
    '999999A'.repeat(200_000),
  ]) {
    assert.throws(() => decide(outcomes), /do not fit/, outcomes.slice(0, 20));
  }
});

test('a receipt with outcomes without end is rejected before they are spelled out', () => {
  const { text, name } = setOf(50_000);
  const evaluations = Array.from({ length: 50_000 }, () => [0, { p: name, o: '50000A' }]);
  assert.throws(
    () => policyDecisions(evaluations, { sets: [text], texts: [] }, organizationId),
    /too many outcomes/,
  );
});

test('a policy has its own id in its text', () => {
  const policy = JSON.stringify({ policyId: organizationId, effect: 'EFFECT_ALLOW' });
  for (const text of [policy, 'no JSON', 'null']) {
    const set = setOf(1, digestOf(text));
    const evaluations = [[0, { p: set.name, o: 'A' }]];
    const texts = { sets: [set.text], texts: [text] };
    assert.throws(() => policyDecisions(evaluations, texts, organizationId), /another policy/);
  }
});
