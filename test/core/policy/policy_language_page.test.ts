// Runs the examples of docs/policy-language.md.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eip55 } from '../../../src/core/address/ethereum.ts';
import { namesOf } from '../../../src/core/base/table.ts';
import { servedKinds } from '../../../src/core/generated/served_kinds.ts';
import { decisionReasons, policyOutcomes } from '../../../src/core/policy/decision/decision.ts';
import * as bounds from '../../../src/core/policy/language/bounds.ts';
import {
  type ClauseName,
  compileClause,
  ExpressionError,
} from '../../../src/core/policy/language/clause.ts';
import { lintPolicy, warningCodes } from '../../../src/core/policy/lint/lint.ts';
import type { StructRow } from '../../../src/core/policy/names/row.ts';
import { fieldRowOf, structs } from '../../../src/core/policy/names/structs.ts';
import { runPolicyTest } from '../../../src/core/policy/simulator/policy_scenario.ts';
import { readPolicyTest } from '../../../src/core/policy/simulator/policy_scenario_file.ts';
import { caseReaders } from '../../../src/core/policy/test_readers/case_transaction.ts';
import { root } from '../../architecture/sources.ts';

const page = readFileSync(join(root, 'docs/policy-language.md'), 'utf8');

type Block = { readonly language: string; readonly words: string[]; readonly text: string };

const blocks: Block[] = [...page.matchAll(/^```(\S+)(.*)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', words = '', text = '']) => ({
    language,
    words: words.trim().split(' '),
    text: text.trimEnd(),
  }),
);

const clauseNames: readonly ClauseName[] = ['condition', 'consensus', 'time'];
const otherLanguages = ['grammar', 'names', 'policy-test', 'sh'];

/** Each line of a clause's block is one expression. */
const expressions = clauseNames.flatMap((clause) =>
  blocks
    .filter(({ language }) => language === clause)
    .flatMap(({ words, text }) => text.split('\n').map((line) => ({ clause, words, text: line }))),
);

test('every block is of a tested kind', () => {
  const known = [...clauseNames, ...otherLanguages];
  assert.deepEqual(
    blocks.filter(({ language }) => !known.includes(language)),
    [],
  );
  assert.ok(expressions.length > 40, `${expressions.length}`);
});

test('accepted expressions of the page compile, and refused ones do not', () => {
  for (const { clause, words, text } of expressions) {
    if (words[0] === 'refused') {
      assert.throws(() => compileClause(clause, text), ExpressionError, text);
    } else {
      assert.equal(compileClause(clause, text).clause, clause);
    }
  }
});

test('expressions get exactly the warnings that the page shows', () => {
  for (const { clause, words, text } of expressions) {
    if (words[0] === 'refused') continue;
    const policy = {
      effect: words[0]?.startsWith('allow') === true ? 'EFFECT_ALLOW' : 'EFFECT_DENY',
      condition: undefined,
      consensus: compileClause('consensus', 'approvers.count() >= 2'),
      time: undefined,
      [clause]: compileClause(clause, text),
    } as const;
    const codes = new Set(lintPolicy(policy, eip55).map(({ code }) => code));
    assert.deepEqual([...codes], words[0]?.endsWith('warned') ? words.slice(1) : [], text);
  }
});

test('every warning, outcome, reason and failure is on the page', () => {
  // The excluded outcome belongs to rejections.
  const shownOutcomes = Object.keys(policyOutcomes).filter((name) => name !== 'OUTCOME_REJECTED');
  const rows = [...warningCodes, ...shownOutcomes].map((name) => `\n| \`${name}\` |`);
  const mentions = Object.keys(decisionReasons).map((name) => `\`${name}\``);
  assert.deepEqual(
    [...rows, ...mentions].filter((text) => !page.includes(text)),
    [],
  );
});

test('the names on the page are those of the language', () => {
  const written = namesOf(structs).map((struct) => {
    const { fields, chosenMembers }: StructRow = structs[struct];
    const members = Object.keys(fields).map((name) => `${name}: ${fieldRowOf(struct, name)?.type}`);
    if (chosenMembers !== undefined) members.push(`<identifier>: ${chosenMembers}`);
    return `${struct}\n  ${members.join(', ')}`;
  });
  const shown = blocks.find(({ language }) => language === 'names')?.text;
  assert.equal(shown, written.join('\n'));
});

test('the table of equivalents of root has a row for each authority, with all of its kinds', () => {
  const [section = ''] = /^## What equals root\n[\s\S]*?(?=^## )/m.exec(page) ?? [];
  const rows = [...section.matchAll(/^\| (`[A-Z].*?) \|/gm)].map(([, kinds = '']) =>
    [...kinds.matchAll(/`([A-Z0-9_]+)`/g)].map(([, kind = '']) => kind).sort(),
  );
  const authorities = Map.groupBy(servedKinds, ({ authority }) => authority);
  authorities.delete('none');
  const expected = [...authorities.values()].map((row) => row.map(({ kind }) => kind).sort());
  const ordered = (all: readonly string[][]) => all.map((row) => row.join(' ')).sort();
  assert.deepEqual(ordered(rows), ordered(expected));
});

test('the bounds on the page are those of the language', () => {
  for (const [row, bound] of [
    ['text of a clause', bounds.maximumTextBytes],
    ['nesting', bounds.maximumNesting],
    ['elements of a list literal', bounds.maximumListElements],
    ['nested lambdas', bounds.maximumLambdas],
    ['steps of one evaluation', bounds.maximumSteps],
    ['steps of all evaluations of one decision', bounds.maximumDecisionSteps],
    ['steps of one query over waiting activities', bounds.maximumQuerySteps],
  ] as const) {
    assert.match(page, new RegExp(`\\| ${row} \\| ${bound.toLocaleString('en')}\\b`));
  }
});

test('the policy test on the page has the shown outcome', () => {
  const tests = blocks.filter(({ language }) => language === 'policy-test');
  assert.equal(tests.length, 1);
  for (const { text } of tests) {
    for (const { name, differences } of runPolicyTest(readPolicyTest(text, caseReaders))) {
      assert.deepEqual(differences, [], name);
    }
  }
});
