// The mistakes in docs/cli.md, with each command that queries a service. Each ends with a sentence, the next
// step and the exit code of the table, leaves no file, and prints no part of the key.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadAll } from '../../src/cli/commands.ts';
import { type Mistake, mistakes } from '../../tools/cli_mistakes.ts';
import { serviceOfThisFile } from '../e2e/service.ts';
import { freePort } from '../support/free_port.ts';
import { folderOfTests, runIn } from './terminal.ts';

const service = await serviceOfThisFile();
const folder = folderOfTests();
const inFolder = (name: string) => join(folder, name);
const write = (name: string, content: string, mode = 0o600) => {
  writeFileSync(inFolder(name), content, { mode });
  return inFolder(name);
};

const keyText = readFileSync(join(service.dataDirectory, 'root-credentials.json'), 'utf8');
const { apiPrivateKey } = service.credentials;
const key = write('key.json', keyText);
const openKey = write('open.json', keyText, 0o644);
const noKey = write('none.json', JSON.stringify({ apiPublicKey: apiPrivateKey, apiPrivateKey: 1 }));
const gone = inFolder('gone.json');

// The files of the examples.
write('policies.json', '{"policies":[],"users":[],"cases":[]}');
write('permit.json', '{"types":{"A":[]},"primaryType":"A","domain":{},"message":{}}');
write('payment.hex', '02c0');
write('token.txt', 'a token');
write('policy.txt', 'quorum none\n');
write('shop.json', '{"kind":"wallet","mnemonic":"test"}');
write('deploy.json', '11'.repeat(32));

const nobody = `http://127.0.0.1:${await freePort()}`;

/** Commands with other mistakes, because they read other things first or answer by a table. */
const others =
  /^(logout|doctor|status|api|stamp|dashboard.*|verify (proof|webhook)|webhook verify)$/;

const isFile = (word: string): boolean => /^[\w-]+\.(json|txt|hex)$/.test(word);

/** Every command that queries a service, in the words of its first example. */
const asking = (await loadAll())
  .filter(({ reach, words }) => reach !== 'local' && !others.test(words.join(' ')))
  .map(
    ({ reach, examples: [first] }) =>
      `${first?.type}${reach === 'destroys' && !first?.type.includes('--yes') ? ' --yes' : ''}`,
  )
  .map((line) => line.match(/'[^']*'|\S+/g) ?? [])
  .map((words) => words.map((word) => word.replaceAll("'", '')))
  .map((words) => words.map((word) => (isFile(word) ? inFolder(word) : word)));

/** A command with a mistake: the words that replace those of a correct command. */
type Made = { readonly key?: string; readonly url?: string; readonly organization?: string };

const typed = (words: readonly string[], made: Made): readonly string[] => [
  ...words.filter((_, place) => !`${words[place - 1]} ${words[place]}`.includes('--organization')),
  ...(made.organization === undefined ? [] : ['--organization', made.organization]),
  ...['--url', made.url ?? service.baseUrl],
  ...[words[0] === 'login' ? '--with' : '--credentials', made.key ?? key],
];

const missingId = '01900000-0000-7000-8000-000000000000';
const login = ['login', '--profile', 'mine'];
const commands = [login, ...asking];

/** By mistake, the change that causes it and its commands. */
const everywhere: Readonly<Partial<Record<keyof typeof mistakes, Made>>> = {
  missingKeyFile: { key: gone },
  openKeyFile: { key: openKey },
  malformedKeyFile: { key: noKey },
  addressWithoutScheme: { url: 'localhost:8080' },
  addressWithPath: { url: `${service.baseUrl}/dashboard` },
  addressOfNobody: { url: nobody },
  addressWithoutTls: { url: service.baseUrl.replace('http:', 'https:') },
  otherOrganization: { organization: missingId },
};

/** Mistakes of single commands, by their words. */
const somewhere: Readonly<Partial<Record<keyof typeof mistakes, readonly (readonly string[])[]>>> =
  {
    wrongClock: [login, ['wallet', 'create', 'a'], ['user', 'create', 'b', '--key-file', gone]],
    unknownCommand: [
      ['walet', 'list'],
      ['wallet', 'lst'],
      ['user', 'key', 'lst'],
    ],
    unknownOption: [
      ['wallet', 'list', '--quite'],
      ['api', 'list_users', '--jsn'],
      ['sign', 'message', 'x', '--wiht', 'shop'],
    ],
    unknownThing: [
      ['wallet', 'show', 'shp'],
      ['wallet', 'delete', 'shp', '--yes'],
      ['user', 'show', 'Root usr'],
      ['user', 'key', 'list', 'Rot user'],
      ['policy', 'edit', 'tow approve', '--notes', 'x'],
      ['export', 'wallet', 'shp', '--to', gone, '--yes'],
    ],
    unknownWord: [
      ['key', 'create', 'x', '--curve', 'p265'],
      ['policy', 'create', 'x', '--effect', 'alow'],
      ['webhook', 'create', 'x', '--event', 'ACTIVITY_UPDATE'],
      ['webhook', 'listen', '--event', 'ACTIVITY_UPDATE'],
      ['api', 'create_policy', '--policy-name', 'x', '--effect', 'EFFECT_ALOW'],
      ['wallet', 'list', '--color', 'alway'],
    ],
    refusedMember: [
      ['user', 'create', 'x'.repeat(300), '--key-file', gone],
      ['api', 'create_user_tag', '--param', 'userTagName='],
    ],
    takenName: [['policy', 'create', 'two approve', '--consensus', 'true']],
    unknownId: [
      ['api', 'get_wallet', '--wallet-id', missingId],
      ['api', 'get_policy', '--policy-id', missingId],
      ['api', 'get_user', '--user-id', missingId],
    ],
    unknownRange: [' ', '7', '7-3', '0-3', '1..3', '-', '-3', '1-10001', '1-2-3', 'last'].flatMap(
      (range) => [
        ['webhook', 'listen', `--replay=${range}`],
        ['webhook', 'redeliver', 'shop', `--range=${range}`],
      ],
    ),
  };

/** Returns the pattern of a sentence of the table, in which words in capitals match any text. */
const patternOf = (sentence: string): string =>
  sentence
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\b(?!ID organizationId|TLS\b)[A-Z]{2,}\b/g, '.+');

const contentOf = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();

/** Runs a command with a mistake, and returns the differences from the table. */
async function failingAs(
  { exit, says, next }: Mistake,
  words: readonly string[],
): Promise<string[]> {
  const { code, out, err } = await runIn(folder, [...words, '--verbose'].filter(knows(words)), {
    askSecret: async () => assert.fail('the command asked a question'),
  });
  const shown = `keywright ${words.join(' ')}: ${code}\n${out}${err}`;
  const expected = new RegExp(
    `^keywright: ${patternOf(says)}\n( {2}.*\n)*next: ${patternOf(next)}\n(request .*\n)?$`,
    'm',
  );
  const isAs = code === exit && expected.test(err) && err.split('keywright: ').length === 2;
  const isSilent = !`${out}${err}`.includes(apiPrivateKey);
  return isAs && isSilent ? [] : [shown];
}

/** `--verbose` for commands that have it. */
const knows =
  ([first]: readonly string[]) =>
  (word: string) =>
    word !== '--verbose' || (first !== 'login' && first !== 'walet');

test('this file has every mistake of the page', () => {
  assert.deepEqual(
    [...Object.keys(everywhere), ...Object.keys(somewhere)].sort(),
    Object.keys(mistakes).sort(),
  );
  assert(commands.length > 60, `${commands.length} commands ask a service`);
});

for (const [name, made] of Object.entries(everywhere)) {
  const mistake = mistakes[name as keyof typeof mistakes];
  test(`${mistake.mistake} ends every command with ${mistake.exit} and without files`, async () => {
    const before = contentOf();
    const wrong = await Promise.all(
      commands.map((words) => failingAs(mistake, typed(words, made))),
    );
    assert.deepEqual(wrong.flat(), []);
    assert.deepEqual(contentOf(), before);
  });
}

test('the things with similar names exist', async () => {
  for (const words of [
    ['wallet', 'create', 'shop'],
    ['policy', 'create', 'two approve', '--consensus', 'approvers.count() >= 2'],
  ]) {
    const { code, err } = await runIn(folder, typed(words, {}));
    assert.equal(code, 0, err);
  }
});

for (const [name, all] of Object.entries(somewhere)) {
  const mistake = mistakes[name as keyof typeof mistakes];
  test(`${mistake.mistake} ends a command with ${mistake.exit} and without files`, async (t) => {
    const before = contentOf();
    const now = Date.now() + (name === 'wrongClock' ? 7_200_000 : 0);
    t.mock.timers.enable({ apis: ['Date'], now });
    const wrong: string[] = [];
    for (const words of all) wrong.push(...(await failingAs(mistake, typed(words, {}))));
    t.mock.timers.reset();
    assert.deepEqual(wrong, []);
    assert.deepEqual(contentOf(), before);
  });
}
