// The parts of the dashboard: the client library, the readers that policies rest on, and its own files.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { en } from '../../dashboard/messages/en.ts';
import { enScreens } from '../../dashboard/messages/en_screens.ts';
import { importsOf, root, textOf } from './sources.ts';

const files = globSync('dashboard/**/*.{ts,tsx}', { cwd: root }).sort();

/** The parts of `src` that each folder may import at run time; types may come from anywhere there. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'dashboard/': ['src/client/'],
  'dashboard/app/policies/': [
    'src/client/',
    'src/core/policy/',
    'src/core/transactions/ethereum/known_chains.ts',
  ],
  // Addresses are derived from their keys again, as in the service.
  'dashboard/app/custody/': ['src/client/', 'src/core/address/key_of_address.ts'],
  // A filter is tried by the rules that the service applies.
  'dashboard/app/webhooks/': [
    'src/client/',
    'src/core/policy/activity_kinds.ts',
    'src/core/webhooks/filters.ts',
  ],
  // The command line reads the same file, which is generated from the declarations of the operations.
  'dashboard/app/api/': ['src/client/', 'src/cli/generated/operations.json'],
  // The words for a key are those of the command line.
  'dashboard/app/pair/': ['src/client/', 'src/core/derivation/spoken_fingerprint.ts'],
  // Sums of balances.
  'dashboard/app/overview/': ['src/client/', 'src/core/balances/amount_text.ts'],
  // The policy language decides what a user can do alone.
  'dashboard/app/users/': ['src/client/', 'src/core/policy/language/'],
  // The kinds of requests whose amounts a list shows, and the names in their parameters.
  'dashboard/app/activities/': ['src/client/', 'src/core/transactions/headline/'],
  // The names of chains, and the names and ids in the parameters of activities.
  'dashboard/app/service/': [
    'src/client/',
    'src/core/transactions/ethereum/known_chains.ts',
    'src/core/transactions/headline/activity_about.ts',
  ],
  // Names and amounts of lists and approvals, from the same parameters.
  'dashboard/app/headlines/': ['src/client/', 'src/core/transactions/headline/'],
  // A request to approve is read as policies read it, and shown as in the command line.
  'dashboard/app/approvals/': [
    'src/client/',
    'src/core/derivation/spoken_fingerprint.ts',
    'src/core/transactions/descriptions/reported.ts',
    'src/core/transactions/headline/',
    'src/core/transactions/payload_explanation.ts',
    'src/core/errors/errors.ts',
    'src/core/payload/eip712.ts',
    'src/core/payload/eip712_rows.ts',
  ],
};

/** Every screen names activities as the command line does. */
const titles = 'src/core/activity/activity_title.ts';

test('the dashboard imports the client library and what approvals and policies need', () => {
  assert(files.length > 30, `only ${files.length} files were found`);
  const broken = files.flatMap((file) => {
    const [, own = []] =
      Object.entries(allowed)
        .filter(([folder]) => file.startsWith(folder))
        .sort(([a], [b]) => b.length - a.length)[0] ?? [];
    return importsOf(file)
      .filter(({ target, isType }) => target.startsWith('src/') && !isType)
      .filter(({ target }) => ![...own, titles].some((prefix) => target.startsWith(prefix)))
      .map(({ target }) => `${file} → ${target}`);
  });
  assert.deepEqual(broken, []);
});

test('no file of the page writes HTML, runs text, or styles an element by itself', () => {
  const banned =
    /innerHTML|outerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\bstyle=|<style/;
  const found = files.filter((file) => banned.test(textOf(file)));
  assert.deepEqual(found, []);
});

test('a file of the page can be read in one go', () => {
  const long = files.filter(
    (file) => !file.startsWith('dashboard/messages/') && textOf(file).split('\n').length > 400,
  );
  assert.deepEqual(long, []);
});

test('every text of the catalogue is used, and no text stands beside it', () => {
  const all = files
    .filter((file) => !file.startsWith('dashboard/messages/en'))
    .map(textOf)
    .join('\n');
  const built = [...all.matchAll(/(?:t|known)\(\s*`([\w.]+\.)\$\{/g)].map(
    ([, prefix = '']) => prefix,
  );
  const unused = Object.keys({ ...en, ...enScreens }).filter(
    (name) => !all.includes(`'${name}'`) && !built.some((prefix) => name.startsWith(prefix)),
  );
  assert.deepEqual(unused, []);
  const beside = files.flatMap((file) =>
    [...textOf(file).matchAll(/^\s*(?:<\w+[^>]*>)?([A-Z][a-z]+ [a-z][\w ]*)(?:<\/\w+>)?$/gm)].map(
      ([, text]) => `${file}: ${text}`,
    ),
  );
  assert.deepEqual(beside, []);
});

test('modules of the first screen and of the frame use texts that are there from the start', () => {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    for (const { target, isType, isDynamic } of importsOf(file)) {
      if (!isType && !isDynamic && target.startsWith('dashboard/') && /\.tsx?$/.test(target))
        visit(target);
    }
  };
  visit('dashboard/app/main.tsx');
  assert(found.has('dashboard/app/shell/shell.tsx'));
  const late = Object.keys(enScreens);
  const missing = [...found].flatMap((file) => {
    const text = textOf(file);
    return late.filter((name) => text.includes(`'${name}'`)).map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(missing, []);
  assert.deepEqual(
    late.filter((name) => Object.hasOwn(en, name)),
    [],
  );
});
