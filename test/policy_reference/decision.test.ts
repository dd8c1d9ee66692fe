// Compares decisions with a slow application of the rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidingPolicy } from '../../src/core/policy/decision/deciding_policies.ts';
import {
  type Decision,
  decideActivity,
  decisionInputOf,
  decisionReasons,
} from '../../src/core/policy/decision/decision.ts';
import type { Scope } from '../../src/core/policy/language/values.ts';
import { allowingVoters, decide, denies, isRootQuorum, type Question } from './decision.ts';
import { randomQuestion } from './questions.ts';
import { Random } from './random.ts';

const cases = 6000;

test('in organizations of four users every decision has the reason that the rules give', () => {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < cases; seed += 1) {
    // With three users who may still vote, the product tries every set of voters.
    const question = randomQuestion(new Random(seed), 4);
    const { reason } = decision(question);
    assert.equal(reason, decide(question), describe(question, seed));
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  for (const reason of Object.keys(decisionReasons)) {
    assert.ok((counts.get(reason) ?? 0) > 20, `${reason}: ${counts.get(reason)} of ${cases}`);
  }
});

test('a DENY is overridden by the root quorum alone', () => {
  forEachQuestion((question, { outcome }, about) => {
    const isDenied = denies(question, question.voterIds);
    if (isDenied && !isRootQuorum(question, question.voterIds)) {
      assert.notEqual(outcome, 'allow', about);
    }
  });
});

test('an activity that waits can be allowed by some further voters', () => {
  forEachQuestion((question, { reason }, about) => {
    if (reason === 'awaits_policy_votes') assert.ok(allowingVoters(question), about);
    if (reason === 'awaits_root_quorum') {
      const everybody = [...question.voterIds, ...question.rootUserIds];
      assert.ok(isRootQuorum(question, everybody), about);
    }
  });
});

/** Organizations of six users, for which the product does not try every set of voters. */
function forEachQuestion(look: (question: Question, found: Decision, about: string) => void): void {
  for (let seed = 0; seed < 2000; seed += 1) {
    const question = randomQuestion(new Random(1_000_000 + seed), 6);
    look(question, decision(question), describe(question, seed));
  }
}

function decision(question: Question): Decision {
  const { policies, users, rootUserIds, threshold, ownUserId, scopes, voterIds } = question;
  const input = decisionInputOf({
    rule: question.isRootQuorumOnly
      ? 'root_quorum'
      : question.isOfOtherMember
        ? 'other_member'
        : 'policy',
    rootQuorum: { threshold, userIds: [...rootUserIds] },
    failedDeny: question.skipsFailedDenies ? 'FAILED_DENY_SKIPPED' : 'FAILED_DENY_REFUSES',
    ownUserId,
    policies: policies.map(({ effect, condition, consensus, time }, i) =>
      decidingPolicy({
        id: `p${i}`,
        name: `p${i}`,
        effect,
        ...(condition === undefined ? {} : { condition }),
        ...(consensus === undefined ? {} : { consensus }),
        ...(time === undefined ? {} : { time }),
      }),
    ),
    scopes: (): readonly Scope[] => scopes,
    timeScope: { time: { now: question.now } },
  });
  const voters = users.map(({ id, tags }) => ({
    userId: id,
    user: { id, tags, alias: '', email: '' },
    credentials: [
      {
        id: `key of ${id}`,
        user_id: id,
        type: 'CREDENTIAL_TYPE_API_KEY_P256',
        public_key: '',
        credential_id: '',
      },
    ],
  }));
  const approving = voterIds.flatMap((id) => voters.find(({ userId }) => userId === id) ?? []);
  const others = () => voters.filter(({ userId }) => !voterIds.includes(userId));
  return decideActivity(input, approving, voterIds[0] ?? '', others);
}

function describe(question: Question, seed: number): string {
  const spell = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
  return `seed ${seed}: ${JSON.stringify(question, spell)}`;
}
