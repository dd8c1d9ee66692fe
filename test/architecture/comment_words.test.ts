// The first word of comments, and verbs of hearsay: both counts may only fall.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesBelow, textOf } from './sources.ts';

/** Comments that open with a relative word, or describe data as hearsay. A number is only lowered. */
const most = { openers: 0, hearsay: 0 };

const opener = /^(Of|That|Whose|Who|Where|How|As|So|Which|Whoever|What|Whether)\b/;
const hearsay = /\b(tells?|told|hears?|heard|say of|says of|said of|speaks? of|spoke of)\b/i;

const folders = ['src', 'dashboard', 'tools', 'bench', 'examples'];

/** Returns the comments of a source: doc comments, and runs of lines that begin with `//`. */
function commentsOf(text: string): readonly string[] {
  const docs = [...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, body = '']) =>
    body.replaceAll(/\s*\n\s*\*? ?/g, ' ').trim(),
  );
  const runs = [...text.matchAll(/(?:^[ \t]*\/\/.*(?:\n|$))+/gm)].map(([run]) =>
    run
      .replaceAll(/^\s*\/\/ ?/gm, '')
      .replaceAll('\n', ' ')
      .trim(),
  );
  return [...docs, ...runs].filter((comment) => !/^(?:biome-ignore|@ts)/.test(comment));
}

const all = folders
  .flatMap((folder) => filesBelow(folder))
  .flatMap((file) => commentsOf(textOf(file)).map((comment) => ({ file, comment })));

test('comments open with a verb or a noun', () => {
  const found = all.filter(({ comment }) => opener.test(comment));
  assert.ok(found.length <= most.openers, listOf(found));
});

test('comments describe data flow with the words of the field', () => {
  const found = all.filter(({ comment }) => hearsay.test(comment));
  assert.ok(found.length <= most.hearsay, listOf(found));
});

test('the counts are those of today', () => {
  assert.deepEqual(most, {
    openers: all.filter(({ comment }) => opener.test(comment)).length,
    hearsay: all.filter(({ comment }) => hearsay.test(comment)).length,
  });
});

test('comments of both forms are found', () => {
  const source = '/** One. */\nconst a = 1;\n  // Two,\n  // continued.\n/**\n * Three.\n */\n';
  assert.deepEqual(commentsOf(source), ['One.', 'Three.', 'Two, continued.']);
});

function listOf(found: readonly { readonly file: string; readonly comment: string }[]): string {
  return found.map(({ file, comment }) => `${file}: ${comment.slice(0, 100)}`).join('\n');
}
