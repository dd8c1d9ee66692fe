// Makes docs/conformance.md: every statement of the specification with the tests that name its id.
// `node tools/write_conformance.ts` prints how many are shown, and which are not.

import { filesBelow, textOf } from '../test/architecture/sources.ts';

type Requirement = { readonly id: string; readonly statement: string };

/** Where an id is named: a test by its title, or a file that tests share. */
type Mention = { readonly id: string; readonly place: string };

const requirements: readonly Requirement[] = JSON.parse(textOf('docs/requirements.json'));
const titles = /\b(?:test|it|describe)\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`|"([^"]*)")/g;
/** `HOOK-14`, `HOOK-18 … HOOK-20`, `HOOK-01 to 09, 11`: what follows an id shares its prefix. */
const mentioned = /\b([A-Z]+(?:-[A-Z]+)*)-(\d{2})((?:(?:,? (?:to|…) |, )(?:\1-)?\d{2}(?![\w-]))*)/g;
const following = /(,? (?:to|…) |, )(?:[A-Z]+(?:-[A-Z]+)*-)?(\d{2})/g;

/** The document, from the requirements, the tests and the notes as they are. */
export function conformanceDocument(): string {
  const places = placesById();
  const shown = requirements.filter(({ id }) => places.has(id));
  const missing = requirements.filter(({ id }) => !places.has(id));
  return [
    '# Conformance',
    '',
    'Every statement of the interface specification, and the tests that show it: those whose title or comment names its id. Written by `npm run docs` from [requirements.json](requirements.json) and the tests.',
    '',
    `${shown.length} of ${requirements.length} are shown${missing.length === 0 ? '' : '; [the others](#not-shown-by-a-test) stand at the end'}.`,
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
    textOf('docs/conformance_notes.md').trim().replace(/^# /, '## '),
    '',
    '## Not shown by a test',
    '',
    ...(missing.length === 0
      ? ['None.']
      : missing.map(({ id, statement }) => `- ${id}: ${statement}`)),
    '',
  ].join('\n');
}

/** The requirements by the prefix of their ids, in the order of the specification. */
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
  const mentions = filesBelow('test').flatMap(mentionsIn);
  for (const { id, place } of mentions) {
    if (!known.has(id) || places.get(id)?.includes(place)) continue;
    places.set(id, [...(places.get(id) ?? []), place]);
  }
  return places;
}

function mentionsIn(file: string): readonly Mention[] {
  const text = textOf(file);
  const tests = [...text.matchAll(titles)].map(({ index, 1: plain, 2: template, 3: double }) => ({
    index,
    title: (plain ?? template ?? double ?? '').replaceAll("\\'", "'"),
  }));
  return [...text.matchAll(mentioned)].flatMap(({ index, 1: prefix, 2: first, 3: more }) => {
    // Before a test, or in its title, an id speaks of that test; inside, of the one around it.
    const lineStart = text.lastIndexOf('\n', index) + 1;
    const isOutside = text[lineStart] !== ' ';
    const test = isOutside
      ? tests.find((one) => one.index >= lineStart)
      : (tests.findLast((one) => one.index < index) ?? undefined);
    const place = test === undefined ? `\`${file}\`` : `\`${file}\`: ${test.title}`;
    return numbersOf(Number(first), more ?? '').map((number) => ({
      id: `${prefix}-${String(number).padStart(2, '0')}`,
      place,
    }));
  });
}

/** A first number, and what follows it singly or as the end of a range. */
function numbersOf(first: number, more: string): readonly number[] {
  const numbers = [first];
  for (const [, joint = '', digits] of more.matchAll(following)) {
    const next = Number(digits);
    if (joint !== ', ')
      for (let n = (numbers.at(-1) ?? next) + 1; n < next; n += 1) numbers.push(n);
    numbers.push(next);
  }
  return numbers;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

if (import.meta.main) {
  const places = placesById();
  const missing = requirements.filter(({ id }) => !places.has(id)).map(({ id }) => id);
  const count = requirements.length - missing.length;
  process.stdout.write(`${count} of ${requirements.length} are shown\n`);
  if (missing.length > 0) process.stdout.write(`not shown: ${missing.join(' ')}\n`);
}
