// The length of sentences in the documentation, according to CONTRIBUTING.md.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { sentencesOf } from './sentences.ts';
import { root, textOf } from './sources.ts';

const mostWords = 25;

/** Generated from tables and comments that other rules check, or from the statements of a specification. */
const generated = ['docs/operations.md', 'docs/conformance.md', 'docs/cli.md'];

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...globSync('docs/*.md', { cwd: root }).filter((page) => !generated.includes(page)),
  ...globSync('docs/decisions/*.md', { cwd: root }),
].sort();

test('a sentence of the documentation has at most 25 words and one semicolon', () => {
  assert.ok(pages.length > 60, 'pages are found');
  const found = pages.flatMap((page) =>
    sentencesOf(textOf(page))
      .filter(({ text, words }) => words > mostWords || text.split(';').length > 2)
      .map(({ line, words, text }) => `${page}:${line}: ${words} words: ${text}`),
  );
  assert.deepEqual(found, [], 'say one thing in a sentence');
});

test('sentences are counted over wrapped lines, and without code, tables and headings', () => {
  const page = [
    '# A heading of a page',
    'One two three',
    'four. Five `six seven` [eight nine](a.md#b). ([test](../test/a.test.ts))',
    '| a | row of a table |',
    '- An item; with two halves',
    '  and its second line',
    '```sh',
    'a command. Another command.',
    '```',
  ].join('\n');
  assert.deepEqual(
    sentencesOf(page).map(({ line, words }) => [line, words]),
    [
      [2, 4],
      [2, 4],
      [5, 9],
    ],
  );
});
