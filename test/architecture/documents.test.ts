import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './sources.ts';

/** Pages of resources, generated from the table of operations. */
const references = globSync('docs/operations/*.md', { cwd: root }).sort();

const pages = [...globSync('docs/*.md', { cwd: root }), ...references].sort();

/** Pages that are not in docs/. */
const rootPages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/** Returns the targets of links that are files of the project. */
const linksOf = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);

test('each page of the documentation ends with where to read on', () => {
  assert.ok(pages.length > 15);
  const ends = pages
    .filter((page) => page !== 'docs/README.md')
    .filter((page) => {
      const last = textOf(page).trimEnd().split('\n').at(-1) ?? '';
      return !last.startsWith('Next: ') || linksOf(last).length === 0;
    });
  assert.deepEqual(ends, []);
});

test('the index of the documentation names every page', () => {
  const named = new Set(linksOf(textOf('docs/README.md')));
  assert.deepEqual(
    pages
      .filter((page) => page !== 'docs/README.md' && !references.includes(page))
      .filter((page) => !named.has(page.slice('docs/'.length))),
    [],
  );
});

test('links between the pages lead to files', () => {
  const broken = [
    ...rootPages,
    ...pages,
    ...globSync('docs/decisions/*.md', { cwd: root }),
  ].flatMap((page) =>
    linksOf(textOf(page))
      .filter((target) => !existsSync(join(root, page, '..', target)))
      .map((target) => `${page} → ${target}`),
  );
  assert.deepEqual(broken, []);
});

/** Returns the anchors of a page's headings, as the renderer of repositories makes them. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

test('anchors of links between the pages are headings', () => {
  const broken = [...rootPages, ...pages].flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)#:\s]*\.md)?#([^)\s]+)\)/g)].flatMap(
      ([, target = '', anchor = '']) => {
        const other = target === '' ? page : join(page, '..', target);
        return anchorsOf(textOf(other)).has(anchor) ? [] : [`${page} → ${other}#${anchor}`];
      },
    ),
  );
  assert.deepEqual(broken, []);
});

test('each decision has a number of its own, which its heading repeats', () => {
  const files = globSync('docs/decisions/0*.md', { cwd: root }).sort();
  const numbers = files.map((file) => Number(/([0-9]{4})-[^/]*$/.exec(file)?.[1]));
  assert.equal(new Set(numbers).size, numbers.length);
  const headings = files.map((file) => Number(/^# ([0-9]+)\. /.exec(textOf(file))?.[1]));
  assert.deepEqual(headings, numbers);
});

test('no page hides who acts', () => {
  // Another test checks the titles of tests.
  const written = pages.filter((page) => !page.startsWith('docs/conformance'));
  const hiding = [...rootPages, ...written].flatMap((page) =>
    (textOf(page).match(/.{0,30}\b(nobody|whoever|who asks)\b/gi) ?? []).map(
      (words) => `${page}: ${words}`,
    ),
  );
  assert.deepEqual(hiding, [], 'name the gateway, the caller, an attacker or the operator');
});
