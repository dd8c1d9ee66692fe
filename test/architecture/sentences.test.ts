// The length of sentences in the documentation, according to CONTRIBUTING.md.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { sentencesOf } from './sentences.ts';
import { root, textOf } from './sources.ts';

const mostWords = 25;

/** Generated from tables and comments that other rules check, or from the statements of a specification. */
const generated = ['docs/operations.md', 'docs/conformance.md', 'docs/cli.md'];

/**
 * Pages that still have longer sentences, with the maximum number of each. The numbers are only lowered.
 */
const longSentences: Readonly<Record<string, number>> = {
  'docs/decisions/0001-node-crypto-in-core.md': 3,
  'docs/decisions/0002-own-validator.md': 1,
  'docs/decisions/0003-address-choices.md': 3,
  'docs/decisions/0004-store-thread.md': 6,
  'docs/decisions/0005-enclave-packages.md': 1,
  'docs/decisions/0006-postgresql.md': 9,
  'docs/decisions/0007-votes-and-refusals.md': 9,
  'docs/decisions/0008-a-deny-that-fails.md': 5,
  'docs/decisions/0009-prepared-answers.md': 6,
  'docs/decisions/0010-webhooks.md': 6,
  'docs/decisions/0011-balances.md': 6,
  'docs/decisions/0012-proofs.md': 3,
  'docs/decisions/0013-contacts.md': 3,
  'docs/decisions/0014-tokens-and-their-keys.md': 1,
  'docs/decisions/0015-keys-that-others-register.md': 4,
  'docs/decisions/0016-authority.md': 3,
  'docs/decisions/0017-admission.md': 4,
  'docs/decisions/0018-fair-turns.md': 5,
  'docs/decisions/0019-mutation.md': 3,
  'docs/decisions/0020-invitations.md': 1,
  'docs/decisions/0021-limits-over-time.md': 3,
  'docs/decisions/0022-psbt.md': 1,
  'docs/decisions/0023-waiting-for-news.md': 2,
  'docs/decisions/0025-packages.md': 1,
  'docs/decisions/0026-hpke-in-the-client.md': 3,
  'docs/decisions/0027-size-of-activities.md': 2,
  'docs/decisions/0028-archive.md': 1,
  'docs/decisions/0030-guards.md': 8,
  'docs/decisions/0031-root-key-providers.md': 1,
  'docs/decisions/0032-audit-trail.md': 4,
  'docs/decisions/0033-history-of-addresses.md': 9,
  'docs/decisions/0034-traces.md': 1,
  'docs/performance_notebook.md': 35,
};

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...globSync('docs/*.md', { cwd: root }).filter((page) => !generated.includes(page)),
  ...globSync('docs/decisions/*.md', { cwd: root }),
].sort();

test('a sentence of the documentation has at most 25 words and one semicolon', () => {
  assert.ok(pages.length > 60, 'pages are found');
  const found = pages.flatMap((page) => {
    const long = sentencesOf(textOf(page)).filter(
      ({ text, words }) => words > mostWords || text.split(';').length > 2,
    );
    const lines = long.map(({ line, words, text }) => `${page}:${line}: ${words} words: ${text}`);
    return long.length > (longSentences[page] ?? 0) ? lines : [];
  });
  assert.deepEqual(found, [], 'say one thing in a sentence');
});

test('the list of pages with longer sentences names no page without them', () => {
  const shorter = Object.entries(longSentences).filter(([page, most]) => {
    const long = sentencesOf(textOf(page)).filter(
      ({ text, words }) => words > mostWords || text.split(';').length > 2,
    );
    return long.length < most;
  });
  assert.deepEqual(shorter, [], 'lower the number, or remove the page');
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
