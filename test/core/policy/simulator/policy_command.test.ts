import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { maximumPolicyTestCharacters } from '../../../../src/core/policy/simulator/policy_test_file.ts';
import { runPolicyCommand } from '../../../../src/policy_command.ts';
import { root } from '../../../architecture/sources.ts';

const examples = globSync('examples/policies/*.json', { cwd: root });

async function run(...words: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await runPolicyCommand(words, (line) => lines.push(line));
  return { code, text: lines.join('') };
}

/** Runs a file with this text. */
async function runText(text: string): Promise<{ code: number; text: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'keywright-policy-'));
  try {
    const path = join(folder, 'policies.json');
    writeFileSync(path, text);
    const { code, text: printed } = await run('test', path);
    return { code, text: printed.replaceAll(path, 'FILE') };
  } finally {
    rmSync(folder, { recursive: true });
  }
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

test('every example comes out as it says', async () => {
  assert.ok(examples.length >= 5);
  for (const example of examples) {
    const { code, text } = await run('test', join(root, example));
    assert.equal(code, 0, text);
    const { cases } = JSON.parse(readFileSync(join(root, example), 'utf8'));
    assert.match(text, new RegExp(`\n${cases.length} of ${cases.length} cases as expected\n$`));
  }
});

test('one line per case, and exit code 0', async () => {
  assert.deepEqual(await runText(JSON.stringify(sound)), {
    code: 0,
    text: 'ok       a transaction: allow (policy_allows)\n1 of 1 cases as expected\n',
  });
});

test('a difference is named, and the exit code is 1', async () => {
  const other = {
    ...soundCase,
    expected: {
      outcome: 'wait',
      reason: 'awaits_root_quorum',
      policies: { sign: 'OUTCOME_ERROR' },
    },
  };
  assert.deepEqual(await runText(JSON.stringify({ ...sound, cases: [soundCase, other] })), {
    code: 1,
    text: [
      'ok       a transaction: allow (policy_allows)\n',
      'FAILED   a transaction: allow (policy_allows); expected wait; expected awaits_root_quorum; expected OUTCOME_ERROR of sign, got OUTCOME_ALLOW\n',
      '1 of 2 cases as expected\n',
    ].join(''),
  });
});

test('what the lint says is printed and changes no exit code', async () => {
  const open = { ...soundPolicy, policyName: 'open', condition: "activity.action == 'SIGNING'" };
  const { code, text } = await runText(JSON.stringify({ ...sound, policies: [soundPolicy, open] }));
  assert.equal(code, 0);
  assert.equal(
    text.split('\n')[0],
    'warning  open: condition at 19: no activity has the action `SIGNING` (unknown_activity_name)',
  );
});

test('only the root quorum decides about its own activities', async () => {
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
  const { code, text } = await runText(JSON.stringify({ ...sound, policies: [everything], cases }));
  assert.equal(code, 0, text);
});

/** Members put in the place of sound ones, and the line that tells what is wrong. */
const unsound: readonly [text: string, line: RegExp][] = [
  ['', /^FILE: the file: is no JSON: /],
  ['[]', /^FILE: the file: expected an object$/],
  [changed({ extra: 1 }), /^FILE: the file: unknown member `extra`, expected description, /],
  [changed({ policies: undefined }), /^FILE: policies: expected a list of at most 1000$/],
  [
    changed({ policies: [{ ...soundPolicy, condition: 'activity.kid == 1' }] }),
    /^FILE: policies\[0\]\.condition: field does not exist: kid at 9: /,
  ],
  [
    changed({ policies: [{ ...soundPolicy, effect: 'ALLOW' }] }),
    /^FILE: policies\[0\]\.effect: expected one of EFFECT_ALLOW, EFFECT_DENY$/,
  ],
  [changed({ policies: [soundPolicy, soundPolicy] }), /^FILE: policies: two have one name$/],
  [changed({ users: [{}] }), /^FILE: users\[0\]\.userId: is missing$/],
  [changed({ users: [{ userId: 7 }] }), /^FILE: users\[0\]\.userId: expected a text$/],
  [
    changed({ rootQuorum: { userIds: [founderId], threshold: 0 } }),
    /^FILE: rootQuorum\.threshold: expected a number from 1 on$/,
  ],
  [changed({ failedDeny: 'no' }), /^FILE: failedDeny: expected one of FAILED_DENY_REFUSES, /],
  [withCase({ voters: [] }), /^FILE: cases\[0\]\.voters: expected the submitter$/],
  [withCase({ voters: ['nobody'] }), /^FILE: cases\[0\]\.voters\[0\]: is none of the users$/],
  [
    withCase({ activity: { type: 'ACTIVITY_TYPE_DANCE' } }),
    /^FILE: cases\[0\]\.activity\.type: there is no activity `ACTIVITY_TYPE_DANCE`$/,
  ],
  [withCase({ at: 'noon' }), /^FILE: cases\[0\]\.at: expected a time like /],
  [
    withCase({ facts: { eth: { tx: { gasPrice: 1 } } } }),
    /^FILE: cases\[0\]\.facts\.eth\.tx: there is no fact `gasPrice`$/,
  ],
  [
    withCase({ facts: { eth: { tx: { value: 1.5 } } } }),
    /^FILE: cases\[0\]\.facts\.eth\.tx\.value: expected an integer, /,
  ],
  [withCase({ facts: { wallet: { id: 1 } } }), /^FILE: cases\[0\]\.facts\.wallet\.id: expected a /],
  [withCase({ expected: {} }), /^FILE: cases\[0\]\.expected\.outcome: is missing$/],
  [
    withCase({ expected: { outcome: 'allow', policies: { other: 'OUTCOME_ALLOW' } } }),
    /^FILE: cases\[0\]\.expected\.policies: unknown member `other`, expected sign$/,
  ],
];

test('a file that cannot be used is refused with the place in it', async () => {
  for (const [text, line] of unsound) {
    const { code, text: printed } = await runText(text);
    assert.equal(code, 1, text);
    assert.match(printed.trimEnd(), line);
    assert.equal(printed.split('\n').length, 2);
  }
});

test('a file that is too large is not read', async () => {
  const { code, text } = await runText(' '.repeat(maximumPolicyTestCharacters + 2));
  assert.equal(code, 1);
  assert.match(text, /larger than 4194304 bytes/);
});

test('other words, and a file that is not there', async () => {
  for (const words of [[], ['test'], ['run', 'x'], ['test', 'x', 'y']]) {
    const { code, text } = await run(...words);
    assert.equal(code, 1);
    assert.match(text, /^expected keywright policy test FILE/);
  }
  const { code, text } = await run('test', join(root, 'no_such_file.json'));
  assert.equal(code, 1);
  assert.match(text, /ENOENT/);
});

function changed(members: object): string {
  return JSON.stringify({ ...sound, ...members });
}

function withCase(members: object): string {
  return changed({ cases: [{ ...soundCase, ...members }] });
}
