// Every command is found by its words, with help that fits and valid examples.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commonOptions } from '../../src/cli/command_line/common_options.ts';
import { commandHelp, helpDocument, overview } from '../../src/cli/command_line/help.ts';
import { parseWords } from '../../src/cli/command_line/parse.ts';
import { commandNames, findCommand, loadAll } from '../../src/cli/commands.ts';
import { operationNames } from '../../src/cli/words/operations.ts';
import { resources } from '../../src/operations/index.ts';

const commands = await loadAll();
const root = join(import.meta.dirname, '../..');

test('a command is in the file of its words', () => {
  const rows = readFileSync(join(root, 'src/cli/commands.ts'), 'utf8').matchAll(
    /^ {2}'?([a-z -]+)'?: \(\) => import\('\.\/commands\/(.+)\.ts'\),$/gm,
  );
  const files = new Map([...rows].map(([, name = '', file = '']) => [name, file]));
  assert.deepEqual([...files.keys()], commandNames);
  for (const { words } of commands) {
    const path = words.join('/').replaceAll('-', '_');
    const file = files.get(words.join(' '));
    assert(file === path || file === `${path}/${words.at(-1)}`, `${words.join(' ')}: ${file}`);
  }
});

test('summaries are sentences, and every command has an example', () => {
  for (const { words, summary, examples } of commands) {
    assert.match(summary, /^[A-Z].*[.]$/, words.join(' '));
    assert(examples.length > 0, words.join(' '));
  }
});

test('the overview names every command once, grouped by task', () => {
  const text = overview(commands, []);
  const [, listed = ''] = text.split('Wallets and signatures:\n');
  const rows = [...listed.matchAll(/^ {2}([a-z-]+) /gm)].map(([, word = '']) => word);
  const firstWords = [...new Set(commands.map(({ words }) => words[0] ?? ''))];
  assert.deepEqual(rows.toSorted(), firstWords.toSorted());
  // A new first word needs a place in a group.
  const [, others = ''] = text.split('Further commands:\n');
  assert.deepEqual(others.match(/^ {2}[a-z-]+/gm), ['  completion', '  version']);
  assert(text.split('\n').every((line) => line.length <= 80));
  const flat = text.replaceAll(/\s+/g, ' ');
  for (const { words } of commands) assert(flat.includes(words.slice(1).join(' ')));
});

test('no option of a command hides a common option', () => {
  for (const command of commands) {
    const common = Object.keys(commonOptions(command));
    const hidden = Object.keys(command.options).filter((name) => common.includes(name));
    assert.deepEqual(hidden, [], command.words.join(' '));
  }
});

test('every example is parsed as its own command', async () => {
  for (const { words, examples } of commands) {
    for (const { type } of examples) {
      const typed = type.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
      const found = await findCommand(typed);
      assert(found !== undefined, type);
      assert.equal(found.command.words.slice(0, words.length).join(' '), words.join(' '), type);
      if (!found.rest.includes('--help')) parseWords(found.command, found.rest);
    }
  }
});

test('help is at most 80 columns wide, except for wider words', async () => {
  for (const command of commands) {
    for (const line of (await commandHelp(command)).split('\n')) {
      const isOneWord = line.trim().split(' ').length === 1;
      assert(line.length <= 80 || isOneWord, `${command.words.join(' ')}: ${line}`);
    }
  }
});

test('every advised command exists with the named options', async () => {
  const advice = globSync('src/{cli,client,dev,gateway}/**/*.ts', { cwd: root }).flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /keywright ((?:[a-z_-]+ ?)+)([^`'".;,\n]*)/g,
      ),
    ]
      .map(([, words = '', rest = '']) => ({ file, words: words.trim().split(' '), rest }))
      .filter(({ words: [first = ''] }) => commands.some(({ words }) => words[0] === first)),
  );
  assert(advice.length > 40, `${advice.length}`);
  for (const { file, words, rest } of advice) {
    const isGroup = commands.some(({ words: all }) => words.every((word, i) => all[i] === word));
    const found = await findCommand(words);
    // The advice names a group of commands, or has a placeholder as its next word.
    if (found === undefined && isGroup) continue;
    assert(found !== undefined, `${file}: keywright ${words.join(' ')}`);
    if (found.command.takesAllFlags) continue;
    const known = [
      ...Object.keys(found.command.options),
      ...Object.keys(commonOptions(found.command)),
    ];
    for (const [, option = ''] of rest.matchAll(/--([a-z][a-z-]*)/g)) {
      assert(known.includes(option), `${file}: ${words.join(' ')} has no --${option}`);
    }
  }
});

test('help --json has words, summary, options and examples of every command', () => {
  const { commands: rows } = helpDocument(commands) as { commands: Record<string, unknown>[] };
  assert.equal(rows.length, commands.length);
  for (const row of rows) {
    for (const name of ['words', 'summary', 'options', 'examples']) assert(name in row);
  }
});

test('api has every operation of the service', async () => {
  const all = Object.values(resources).flatMap(({ activities, votes = {}, queries }) =>
    [activities, votes, queries].flatMap((rows) => Object.keys(rows)),
  );
  assert.deepEqual([...(await operationNames())].sort(), all.sort());
  for (const name of all) {
    const found = await findCommand(['api', name]);
    assert(found !== undefined);
    assert.equal(found.command.words.join(' '), `api ${name}`);
    await commandHelp(found.command);
  }
});
