import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testPolicies } from '../../../../src/cli/policies/policy_command.ts';
import { maximumPolicyTestCharacters } from '../../../../src/core/policy/simulator/policy_scenario_file.ts';
import { root } from '../../../architecture/sources.ts';

const examples = globSync('examples/policies/*.json', { cwd: root });

/** Tests a file with this text; returns the printed lines and the exit code. */
function runText(text: string): { code: number; text: string } {
  const lines: string[] = [];
  const tested = testPolicies(text, (line) => lines.push(line));
  if ('failure' in tested) return { code: 6, text: tested.failure };
  return { code: tested.passed ? 0 : 1, text: lines.join('') };
}

const userId = 'a0000000-0000-4000-8000-000000000001';
const founderId = '00000000-0000-4000-8000-000000000001';

const sound = {
  policies: [
    {
      policyName: 'sign',
      effect: 'EFFECT_ALLOW',
      consensus: `approvers.any(user, user.id == '${userId}')`,
      condition: "activity.kind == 'SIGN_TRANSACTION'",
    },
  ],
  users: [{ userId }, { userId: founderId }],
  rootQuorum: { userIds: [founderId], threshold: 1 },
  cases: [
    {
      name: 'a transaction',
      activity: { type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2' },
      voters: [userId],
      expected: { outcome: 'allow', reason: 'policy_allows', policies: { sign: 'OUTCOME_ALLOW' } },
    },
  ],
};
const [soundPolicy] = sound.policies;
const [soundCase] = sound.cases;

test('every example has the expected outcome', () => {
  assert.ok(examples.length >= 5);
  for (const example of examples) {
    const { code, text } = runText(readFileSync(join(root, example), 'utf8'));
    assert.equal(code, 0, text);
    const { cases } = JSON.parse(readFileSync(join(root, example), 'utf8'));
    assert.match(text, new RegExp(`\n${cases.length} of ${cases.length} cases as expected\n$`));
  }
});

test('the command prints one line per case, with exit code 0', () => {
  assert.deepEqual(runText(JSON.stringify(sound)), {
    code: 0,
    text: 'ok       a transaction: allow (policy_allows)\n1 of 1 cases as expected\n',
  });
});

test('a difference is named, with exit code 1', () => {
  const other = {
    ...soundCase,
    expected: {
      outcome: 'wait',
      reason: 'awaits_root_quorum',
      policies: { sign: 'OUTCOME_ERROR' },
    },
  };
  assert.deepEqual(runText(JSON.stringify({ ...sound, cases: [soundCase, other] })), {
    code: 1,
    text: [
      'ok       a transaction: allow (policy_allows)\n',
      'FAILED   a transaction: allow (policy_allows); expected wait; expected awaits_root_quorum; expected OUTCOME_ERROR of sign, got OUTCOME_ALLOW\n',
      '1 of 2 cases as expected\n',
    ].join(''),
  });
});

test('warnings of the linter are printed, and do not affect the exit code', () => {
  const open = { ...soundPolicy, policyName: 'open', condition: "activity.action == 'SIGNING'" };
  const { code, text } = runText(JSON.stringify({ ...sound, policies: [soundPolicy, open] }));
  assert.equal(code, 0);
  assert.equal(
    text.split('\n')[0],
    'warning  open: condition at 19: no activity has the action `SIGNING` (unknown_activity_name)',
  );
});

test('only the root quorum decides about its own activities', () => {
  const about = (voters: string[], outcome: string, reason: string) => ({
    name: reason,
    activity: { type: 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM' },
    voters,
    expected: { outcome, reason },
  });
  const everything = { policyName: 'everything', effect: 'EFFECT_ALLOW' };
  const cases = [
    about([userId], 'refuse', 'root_quorum_required'),
    about([founderId], 'allow', 'root_quorum_met'),
  ];
  const { code, text } = runText(JSON.stringify({ ...sound, policies: [everything], cases }));
  assert.equal(code, 0, text);
});

/** Members that replace valid ones, and the line that names the error. */
const unsound: readonly [text: string, line: RegExp][] = [
  ['', /^the file: is not JSON: /],
  ['[]', /^the file: expected an object$/],
  [changed({ extra: 1 }), /^the file: unknown member `extra`, expected description, /],
  [changed({ policies: undefined }), /^policies: expected a list of at most 1000$/],
  [
    changed({ policies: [{ ...soundPolicy, condition: 'activity.kid == 1' }] }),
    /^policies\[0\]\.condition: field does not exist: kid at 9: /,
  ],
  [
    changed({ policies: [{ ...soundPolicy, effect: 'ALLOW' }] }),
    /^policies\[0\]\.effect: expected one of EFFECT_ALLOW, EFFECT_DENY$/,
  ],
  [changed({ policies: [soundPolicy, soundPolicy] }), /^policies: two have one name$/],
  [changed({ users: [{}] }), /^users\[0\]\.userId: is missing$/],
  [changed({ users: [{ userId: 7 }] }), /^users\[0\]\.userId: expected a text$/],
  [
    changed({ rootQuorum: { userIds: [founderId], threshold: 0 } }),
    /^rootQuorum\.threshold: expected a number from 1 on$/,
  ],
  [changed({ failedDeny: 'no' }), /^failedDeny: expected one of FAILED_DENY_REFUSES, /],
  [withCase({ voters: [] }), /^cases\[0\]\.voters: expected the submitter$/],
  [withCase({ voters: ['nobody'] }), /^cases\[0\]\.voters\[0\]: is not one of the users$/],
  [
    withCase({ activity: { type: 'ACTIVITY_TYPE_DANCE' } }),
    /^cases\[0\]\.activity\.type: there is no activity `ACTIVITY_TYPE_DANCE`$/,
  ],
  [withCase({ at: 'noon' }), /^cases\[0\]\.at: expected a time like /],
  [
    withCase({ facts: { eth: { tx: { gasPrice: 1 } } } }),
    /^cases\[0\]\.facts\.eth\.tx: there is no fact `gasPrice`$/,
  ],
  [
    withCase({ facts: { eth: { tx: { value: 1.5 } } } }),
    /^cases\[0\]\.facts\.eth\.tx\.value: expected an integer, /,
  ],
  [withCase({ facts: { wallet: { id: 1 } } }), /^cases\[0\]\.facts\.wallet\.id: expected a /],
  [withCase({ expected: {} }), /^cases\[0\]\.expected\.outcome: is missing$/],
  [
    withCase({ expected: { outcome: 'allow', policies: { other: 'OUTCOME_ALLOW' } } }),
    /^cases\[0\]\.expected\.policies: unknown member `other`, expected sign$/,
  ],
];

test('an invalid file is refused with the position', () => {
  for (const [text, line] of unsound) {
    const { code, text: printed } = runText(text);
    assert.equal(code, 6, text);
    assert.match(printed, line);
    assert.doesNotMatch(printed, /\n/);
  }
});

test('a text beyond the maximum length is not read', () => {
  const { code, text } = runText(' '.repeat(maximumPolicyTestCharacters + 1));
  assert.equal(code, 6);
  assert.match(text, /longer than 4194304 characters/);
});

function changed(members: object): string {
  return JSON.stringify({ ...sound, ...members });
}

function withCase(members: object): string {
  return changed({ cases: [{ ...soundCase, ...members }] });
}
