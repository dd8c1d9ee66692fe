// A wrongly typed command ends with exit code 2 and a sentence that names the wrong word. It sends nothing.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderOfTests, runIn } from './terminal.ts';

const folder = folderOfTests();

for (const [words, said] of [
  [
    ['walet', 'list'],
    /^keywright: unknown command walet list; did you mean wallet list\?\nnext: keywright wallet list --help\n/,
  ],
  [
    ['wallet', 'lst'],
    /^keywright: unknown command wallet lst; did you mean wallet list\?\nnext: keywright wallet list --help\n/,
  ],
  [['wallet', 'list', '--jsn'], /^keywright: unknown option --jsn; did you mean --json\?/],
  [['wallet', 'list', 'shop'], /^keywright: wallet list does not take "shop"/],
  [['wallet', 'create'], /^keywright: wallet create needs NAME/],
  [['wallet', 'list', '--url'], /^keywright: --url needs a value: --url URL/],
  [['wallet', 'list', '--json=yes'], /^keywright: --json takes no value/],
  [['wallet', 'list', '--url', 'a', '--url', 'b'], /^keywright: --url was given twice/],
  [['wallet', 'create', 'a', '--account', 'etherium'], /did you mean ethereum\?/],
  [
    ['api', 'list_walets'],
    /^keywright: unknown operation list_walets; did you mean list_wallets\?/,
  ],
  [
    ['wallet', 'list'],
    /^keywright: There is no key to sign requests with\.\nnext: keywright login/,
  ],
  [
    ['wallet', 'list', '--credentials', 'gone.json'],
    /^keywright: cannot read gone.json: the file does not exist/,
  ],
  // Checked before the command looks for a key or sends a request.
  [
    ['wallet', 'create', 'a', '--wait=soon'],
    /^keywright: "soon" is not a duration: give a value such/,
  ],
  [['wallet', 'create', 'a', '--wait=25d'], /^keywright: "25d" is not a duration: .*at most 24d/],
  [['wallet', 'create', 'a', '--wait='], /^keywright: "" is not a duration/],
  [
    ['dev', '--frsh'],
    /--frsh: unknown flag, the nearest known one is --fresh\nnext: keywright dev/,
  ],
  [['dev', '--sed', 'x'], /--sed: unknown flag, the nearest known one is --seed\n/],
  [['wallet', 'list', '--profile', 'gone'], /^keywright: there is no profile gone/],
] as const) {
  test(`keywright ${words.join(' ')} ends with 2`, async () => {
    const { code, out, err } = await runIn(folder, words);
    assert.equal(code, 2, err);
    assert.equal(out, '');
    assert.match(err, said);
  });
}

test('control characters of a wrong word do not reach the terminal', async () => {
  const { err } = await runIn(folder, ['\u001b[31mwallet\u202e']);
  assert.match(err, /unknown command \\u\{1b\}\[31mwallet\\u\{202e\}/);
});

test('a key file that others can read is refused with the chmod to type', async () => {
  const file = join(folder, 'open.json');
  writeFileSync(file, '{}');
  chmodSync(file, 0o640);
  const { code, err } = await runIn(folder, ['whoami', '--credentials', file]);
  assert.equal(code, 2);
  assert.match(err, /can be read by others than its owner \(mode 640\)\.\nnext: chmod 600 /);
});

test('a file without a key is refused without showing its content', async () => {
  for (const text of ['secret words', '{"apiPublicKey":"secret"}', '"secret"', '{secret']) {
    const file = join(folder, 'no_key.json');
    writeFileSync(file, text, { mode: 0o600 });
    chmodSync(file, 0o600);
    const { code, err } = await runIn(folder, ['whoami', '--credentials', file]);
    assert.equal(code, 2);
    assert.doesNotMatch(err, /secret/);
  }
});

test('root credentials of this folder are not used for a remote service', async () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  const key = { apiPublicKey: `02${'11'.repeat(32)}`, apiPrivateKey: '22'.repeat(32) };
  const text = JSON.stringify({ ...key, organizationId: 'x', baseUrl: 'https://keys.example' });
  writeFileSync(join(data, 'root-credentials.json'), text, { mode: 0o600 });
  const { code, err } = await runIn(folder, ['whoami']);
  assert.equal(code, 2);
  assert.match(err, /no key to sign requests with/);
});

test('help of a group lists its commands, and help without words lists all', async () => {
  const group = await runIn(folder, ['wallet', '--help']);
  assert.equal(group.code, 0);
  assert.match(group.out, /^\nCommands of wallet:\n {2}wallet list /);
  const all = await runIn(folder, []);
  assert.equal(all.code, 0);
  assert.match(all.out, / {2}wallet +list, show, create/);
  // A group is not a command.
  assert.equal((await runIn(folder, ['wallet'])).code, 2);
});

const colored = join(folder, 'colored');
mkdirSync(join(colored, 'keywright'), { recursive: true, mode: 0o700 });
const ops = { url: 'http://localhost:9', organizationId: '01900000-0000-7000-8000-000000000000' };
writeFileSync(
  join(colored, 'keywright', 'config.json'),
  JSON.stringify({ current: 'ops', profiles: { ops } }),
  { mode: 0o600 },
);

/**
 * The environment, whether the output is a terminal, the value of `--color`, and whether colours are used.
 */
const colors: readonly (readonly [Record<string, string>, boolean, string, boolean])[] = [
  [{}, true, 'auto', true],
  [{}, false, 'auto', false],
  [{ NO_COLOR: '1' }, true, 'auto', false],
  [{ NO_COLOR: '' }, true, 'auto', true],
  [{ FORCE_COLOR: '1' }, false, 'auto', true],
  [{ FORCE_COLOR: '0' }, true, 'auto', false],
  [{ FORCE_COLOR: '' }, false, 'auto', false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, 'auto', false],
  [{ NO_COLOR: '1' }, false, 'always', true],
  [{ FORCE_COLOR: '1' }, true, 'never', false],
  [{ TERM: 'dumb' }, true, 'auto', false],
];

for (const [environment, isTerminal, color, isColored] of colors) {
  const where = `${JSON.stringify(environment)}, --color ${color}, ${isTerminal ? 'a terminal' : 'a pipe'}`;
  test(`results and errors ${isColored ? 'have' : 'lack'} colours with ${where}`, async () => {
    const more = {
      environment: { XDG_CONFIG_HOME: colored, ...environment },
      outIsTerminal: isTerminal,
      errIsTerminal: isTerminal,
    };
    const failed = await runIn(folder, ['whoami', '--profile', 'gone', '--color', color], more);
    assert.equal(failed.err.startsWith('\u001b[31mkeywright:'), isColored, failed.err);
    const shown = await runIn(folder, ['profile', 'list', '--color', color], more);
    assert.equal(shown.out.includes('\u001b'), isColored, shown.out);
  });
}

test('--no-input asks nothing at a terminal, and a destructive command ends with 10', async () => {
  const ask = async () => assert.fail('the command asked a question');
  const words = ['restore', 'accept', '--reason', 'a drill', '--no-input'];
  const { code, err } = await runIn(folder, words, { ask });
  assert.equal(code, 10, err);
  assert.match(
    err,
    /--no-input forbids prompts\.\nnext: Give --yes to continue without a prompt\./,
  );
});
