// Writes docs/conformance.md: every statement of the specification with the tests that name its id. `node
// tools/write_conformance.ts` prints the number of tested statements, and lists untested ones.

import { filesBelow, textOf } from '../test/architecture/sources.ts';

type Requirement = { readonly id: string; readonly statement: string };

/** A test that names an id in its title. */
type Mention = { readonly id: string; readonly place: string };

const requirements: readonly Requirement[] = JSON.parse(textOf('docs/requirements.json'));
/** Matches a test by its title. */
const titles = /\b(?:test|it|describe)\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`|"([^"]*)")/g;
const id = '[A-Z]+(?:-[A-Z]+)*-\\d{2}';
/**
 * Matches calls that create a test whose first argument consists only of ids, as in `statement('REQ-01
 * REQ-02', 'says …')`. The second argument is the rest of the title.
 */
const statements = new RegExp(
  `\\b(?:\\w+\\.)?(\\w+)\\(\\s*'(${id}(?: ${id})*)',?(?:\\s*'((?:[^'\\\\]|\\\\.)*)')?`,
  'g',
);
const ids = new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'g');
/** Matches ranges of ids, which are refused: such a title would name ids that its test may not cover. */
const ranges = new RegExp(`${id},? ?(?:to|…|–|\\.\\.)`);

/** Returns the document, from the current requirements, tests and notes. */
export function conformanceDocument(): string {
  const places = placesById();
  const shown = requirements.filter(({ id }) => places.has(id));
  const missing = requirements.filter(({ id }) => !places.has(id));
  return [
    '# Conformance',
    '',
    'This page lists every statement of the interface specification with the tests that fail if the service violates it. A test belongs to a statement if its title names the id; comments and ranges of ids do not count. `npm run docs` writes the page from [requirements.json](requirements.json) and the tests.',
    '',
    `Tests show ${shown.length} of ${requirements.length} statements${missing.length === 0 ? '' : '; [the others](#not-shown-by-a-test) are at the end'}.`,
    ...parts().flatMap(({ name, rows }) => [
      '',
      `## ${name}`,
      '',
      '| id | statement | shown by |',
      '|---|---|---|',
      ...rows.map(
        ({ id, statement }) =>
          `| ${id} | ${cell(statement)} | ${(places.get(id) ?? ['–']).map(cell).join('<br>')} |`,
      ),
    ]),
    '',
    notes(),
    '',
    '## Not shown by a test',
    '',
    ...(missing.length === 0
      ? ['None.']
      : missing.map(({ id, statement }) => `- ${id}: ${statement}`)),
    '',
  ].join('\n');
}

/** Returns the page of notes as a part of this page, without its link to the next page. */
function notes(): string {
  const page = textOf('docs/conformance_notes.md').replace(/^# /, '## ');
  return page.replace(/\nNext: .*\n$/, '').trim();
}

/** Returns the requirements by the prefix of their ids, in the order of the specification. */
function parts(): readonly { readonly name: string; readonly rows: readonly Requirement[] }[] {
  const byName = new Map<string, Requirement[]>();
  for (const requirement of requirements) {
    const name = requirement.id.replace(/-\d+$/, '');
    byName.set(name, [...(byName.get(name) ?? []), requirement]);
  }
  return [...byName].map(([name, rows]) => ({ name, rows }));
}

function placesById(): ReadonlyMap<string, readonly string[]> {
  const known = new Set(requirements.map(({ id }) => id));
  const places = new Map<string, string[]>();
  const mentions = filesBelow('test').flatMap((file) => mentionsIn(file, textOf(file)));
  for (const { id, place } of mentions) {
    if (!known.has(id) || places.get(id)?.includes(place)) continue;
    places.set(id, [...(places.get(id) ?? []), place]);
  }
  return places;
}

/** Returns the ids in titles of tests; comments do not count. Throws if a title has a range of ids. */
export function mentionsIn(file: string, text: string): readonly Mention[] {
  const tests = [...text.matchAll(titles)].map(({ 1: plain, 2: template, 3: double }) => {
    const title = (plain ?? template ?? double ?? '').replaceAll("\\'", "'");
    return { named: title, shown: title.replace(new RegExp(`^(?:${id} ?)+: `), '') };
  });
  const made = [...text.matchAll(statements)].map(({ 1: kind = '', 2: named = '', 3: says }) => ({
    named,
    shown: kind === 'statement' ? (says ?? '') : [kind, says].filter(Boolean).join(' '),
  }));
  return [...tests, ...made].flatMap(({ named, shown }) => {
    if (ranges.test(named)) throw new Error(`${file}: write out the ids of \`${named}\``);
    return [...named.matchAll(ids)].map(([each]) => ({
      id: each,
      place: `\`${file}\`: ${shown.replaceAll("\\'", "'")}`,
    }));
  });
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

if (import.meta.main) {
  const places = placesById();
  const missing = requirements.filter(({ id }) => !places.has(id)).map(({ id }) => id);
  const count = requirements.length - missing.length;
  process.stdout.write(`${count} of ${requirements.length} are shown\n`);
  if (missing.length > 0) process.stdout.write(`not shown: ${missing.join(' ')}\n`);
}
