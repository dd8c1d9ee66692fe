// The progress of an activity for each reader, as the page and the command line show it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countText, namesText } from '../../dashboard/app/approvals/progress_text.ts';
import { fetchScreenTexts } from '../../dashboard/messages/text.ts';
import { progressLines } from '../../src/cli/approvals/progress_lines.ts';
import { approvalProgress } from '../../src/client/approval_progress.ts';

await fetchScreenTexts();

type Explanation = Parameters<typeof approvalProgress>[0];
type Vote = Explanation['votes'][number];
type Voter = NonNullable<Explanation['now']>['voters'][number];

const vote = (userId: string, counts = true): Vote => ({
  voteId: `vote of ${userId}`,
  userId,
  userName: userId,
  selection: 'VOTE_SELECTION_APPROVED',
  createdAt: { seconds: '0', nanos: '0' },
  counts,
});
const voter = (userId: string, neededAfter?: number): Voter => ({
  userId,
  userName: userId,
  canApprove: true,
  canReject: true,
  ...(neededAfter === undefined ? {} : { neededAfter }),
});
const submitter = { ...voter('alice'), canApprove: false };

function told(of: Explanation, reader: string) {
  const progress = approvalProgress(of, reader);
  assert(progress !== undefined);
  const [count, ...lines] = progressLines(progress).map((line) => line.trim());
  return { page: `${countText(progress)} ${namesText(progress)}`, count, lines };
}

const twoOfThree: Explanation = {
  votes: [vote('alice')],
  now: {
    voters: [submitter, voter('bob', 0), voter('carol', 0)],
    approvals: { given: 1, needed: 2 },
  },
};

test('the text names the approval that completes the activity', () => {
  assert.deepEqual(told(twoOfThree, 'bob'), {
    page: '1 of 2 approvals, yours completes it. Approved by alice. May still approve: you or carol.',
    count: '1 of 2 approvals, yours completes it.',
    lines: ['Approved by: alice', 'May still approve: you, carol'],
  });
});

test('a user who has approved reads the number of missing approvals', () => {
  assert.deepEqual(told(twoOfThree, 'alice'), {
    page: '1 of 2 approvals. You have approved; one more is needed. Approved by alice. May still approve: bob or carol.',
    count: '1 of 2 approvals. You have approved; one more is needed.',
    lines: ['Approved by: alice', 'May still approve: bob, carol'],
  });
});

test('a user who may not approve reads a text without "you"', () => {
  assert.equal(told(twoOfThree, 'dave').count, '1 of 2 approvals, one more is needed.');
  assert.match(told(twoOfThree, 'dave').page, /^1 of 2 approvals, one more is needed\. Approved/);
});

test('the text shows the approvals needed after that of the reader, and a user whose single approval suffices', () => {
  const four: Explanation = {
    votes: [vote('alice'), vote('gone', false)],
    now: {
      voters: [submitter, voter('bob', 2), voter('carol', 2), voter('root', 0)],
      approvals: { given: 1, needed: 4 },
    },
  };
  assert.deepEqual(told(four, 'bob'), {
    page: '1 of 4 approvals, two more are needed after yours. A single approval by root also completes it. Approved by alice. May still approve: you, carol, or root.',
    count: '1 of 4 approvals, two more are needed after yours.',
    lines: [
      'A single approval also completes it, by: root',
      'Approved by: alice',
      'May still approve: you, carol, root',
    ],
  });
  assert.equal(told(four, 'root').count, '1 of 4 approvals, yours completes it.');
  assert.equal(
    told(four, 'alice').count,
    '1 of 4 approvals. You have approved; three more are needed.',
  );
});

test('the text has no numbers if the rule is not a plain count', () => {
  const other: Explanation = { votes: [vote('alice')], now: { voters: [submitter, voter('bob')] } };
  assert.equal(told(other, 'bob').count, 'More approvals are needed.');
  assert.match(told(other, 'bob').page, /^More approvals are needed\. Approved by alice\./);
  assert.equal(told(other, 'alice').count, 'You have approved. More approvals are needed.');
  assert.match(told(other, 'alice').page, /^You have approved\. More approvals are needed\. /);
  assert.equal(approvalProgress({ votes: [vote('alice')] }, 'bob'), undefined);
});

test('without a count, the text names the single approvals that complete the activity', () => {
  const certain: Explanation = {
    votes: [vote('alice')],
    now: { voters: [submitter, voter('bob'), voter('carol', 0), voter('dave', 0)] },
  };
  assert.deepEqual(told(certain, 'carol'), {
    page: 'Your approval completes it. Approved by alice. May still approve: you, bob, or dave.',
    count: 'Your approval completes it.',
    lines: ['Approved by: alice', 'May still approve: you, bob, dave'],
  });
  assert.deepEqual(told(certain, 'bob'), {
    page: 'A single approval by carol or dave completes it. Approved by alice. May still approve: you, carol, or dave.',
    count: 'A single approval completes it, by: carol, dave',
    lines: ['Approved by: alice', 'May still approve: you, carol, dave'],
  });
  assert.match(told(certain, 'alice').page, /^You have approved\. A single approval by carol or/);
  assert.match(String(told(certain, 'alice').count), /^You have approved\. A single approval comp/);
});

test('without a count, the text states that no single approval completes the activity', () => {
  const now = { voters: [submitter, voter('bob'), voter('carol')], severalNeeded: true };
  const several: Explanation = { votes: [vote('alice')], now };
  const sentence = 'At least two more approvals are needed.';
  assert.equal(told(several, 'bob').count, sentence);
  assert.equal(told(several, 'alice').count, `You have approved. ${sentence}`);
  assert.equal(
    told(several, 'alice').page,
    `You have approved. ${sentence} Approved by alice. May still approve: bob or carol.`,
  );
});

test('long lists of names are cut', () => {
  const voters = Array.from({ length: 30 }, (_, i) => voter(`user ${i}`, 0));
  const many = { votes: [vote('alice')], now: { voters, approvals: { given: 1, needed: 2 } } };
  assert.match(told(many, 'alice').page, /user 9, or 20 others\.$/);
  assert.equal(told(many, 'alice').lines.at(-1)?.endsWith('user 9 and 20 more'), true);
});
