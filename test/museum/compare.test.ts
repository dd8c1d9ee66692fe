import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const page = join(root, 'docs/compare.md');

/** Cells of the table, without its head. */
const rows = readFileSync(page, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const linksOf = (cell: string) =>
  [...cell.matchAll(/\[[^\]]+\]\(([^)]+)\)/g)].map(([, target = '']) => target);

test('each mark of the comparison has a link, and nothing else', () => {
  assert(rows.length > 10);
  for (const [feature = '', ...marks] of rows) {
    assert.equal(marks.length, 5, feature);
    for (const mark of marks) {
      const words = mark.replaceAll(/\[[^\]]+\]\([^)]+\)/g, '').replaceAll(',', '');
      assert.equal(words.trim(), '', `${feature}: ${mark}`);
    }
  }
});

test('a mark of this project leads to a file of it, and a mark of others to a public page', () => {
  for (const [feature = '', own = '', ...others] of rows) {
    for (const target of linksOf(own)) {
      const [file = ''] = target.split('#');
      assert(existsSync(join(root, 'docs', file)), `${feature}: ${target}`);
    }
    for (const target of others.flatMap(linksOf)) {
      assert.match(target, /^https:\/\/[a-z0-9.-]+\/\S+$/, feature);
    }
  }
});
