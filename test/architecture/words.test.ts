// The words of comments and names, according to CONTRIBUTING.md.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { filesBelow, root, textOf } from './sources.ts';

/** Generated files derive from these sources. */
const sources = filesBelow('src').filter((file) => !file.includes('/generated/'));

/** Names that were replaced, and the names that replaced them. */
const replacedNames: Readonly<Record<string, string>> = {
  Settlement: 'RecordedOutcome',
  Situation: 'DecisionInput',
  MfaStanding: 'MfaStatus',
  StandingVoter: 'WaitingVoter',
  Casted: 'VoteResult',
  Founder: 'Bootstrapper',
  Outside: 'ExternalServices',
  DatabaseTrouble: 'DatabaseError',
  asksOutside: 'callsExternal',
  whileMissing: 'requireMfa',
  speaksOf: 'mentions',
  hasFallen: 'isRevoked',
  requireLiving: 'requireActive',
  homeOf: 'resolveOrganization',
  leadsBelow: 'hasVerifiedContactInChild',
  failUnknown: 'failUnauthenticated',
  blame: 'locateFault',
  changeUnasked: 'systemChange',
  createOnboarding: 'createProxy',
  standingOf: 'waitingStateOf',
  standingOn: 'baseStateOf',
  Standing: 'CopyStatus',
  custodyStanding: 'custodyCopyStatus',
  Admission: 'EnclaveCheck, LoadLimiter',
  ToldInstruction: 'InstructionContext',
  Wanted: 'ExpectedType',
};

const replacedFiles: readonly string[] = [
  ...['admit.ts', 'consider.ts', 'settle.ts', 'ask.ts', 'turns.ts', 'wanted.ts', 'standing.ts'],
  ...['happenings.ts', 'patience.ts', 'held_port.ts', 'spellings.ts', 'allowance.ts'],
  ...['lint_reading.ts', 'outside.ts'],
];

/** In this file, the senders of transactions take turns. */
const meantFiles = ['src/core/sends/turns.ts'];

test('a replaced name does not come back', () => {
  const pattern = new RegExp(`\\b(${Object.keys(replacedNames).join('|')})\\b`);
  const found = sources.flatMap((file) => {
    const [, name] = pattern.exec(withoutComments(textOf(file))) ?? [];
    return name === undefined ? [] : [`${file}: ${name}, rather ${replacedNames[name]}`];
  });
  assert.deepEqual(found, []);
  const files = sources.filter(
    (file) => replacedFiles.includes(basename(file)) && !meantFiles.includes(file),
  );
  assert.deepEqual(files, []);
});

test('no variable, parameter or member is called "told" or "settle"', () => {
  const declared = /\b(?:const|let|function|readonly) (told|settle)\b|[({,] ?(told)\b[,:})]/;
  const found = sources.filter((file) => declared.test(withoutComments(textOf(file))));
  assert.deepEqual(found, [], 'name the answer, the report or the context that it is');
});

/**
 * Names that had several meanings. Each may be declared in at most one file; `rather` lists the names of
 * its meanings. Types of the API are named in generated files.
 */
const nameWithOneMeaning: Readonly<
  Record<string, { readonly file?: string; readonly rather: string }>
> = {
  Verdict: { rather: 'PolicyVerdict, CheckResult' },
  Place: { rather: 'ChainAddress, RecordAddress' },
  Manifest: { rather: 'BackupManifest, SegmentManifest, DeploymentManifest' },
  Outcome: { file: 'src/client/outcome.ts', rather: 'RecordedOutcome, RequestOutcome' },
  Cursor: { rather: 'TokenCursor, BitcoinCursor, SolanaCursor, TronCursor' },
  Step: { rather: 'QueryStep, PathStep, RequiredMethod' },
};

/**
 * Names that two rooms export with different meanings. The list only gets shorter: a new type with such a
 * name gets another one.
 */
const namesOfTwoTypes: readonly string[] = [
  ...['ActivityFilter', 'Field', 'Members', 'Messages', 'News', 'Request', 'Row'],
  ...['Sender', 'Steps', 'Subject', 'TokenCall', 'Voter', 'Warning'],
];

test('a name that had several meanings has one', () => {
  const found = sources.flatMap((file) =>
    Object.entries(nameWithOneMeaning).flatMap(([name, { file: its, rather }]) =>
      file !== its &&
      new RegExp(`^(export )?(type|class|interface) ${name}\\b`, 'm').test(textOf(file))
        ? [`${file}: ${name}, rather ${rather}`]
        : [],
    ),
  );
  assert.deepEqual(found, []);
});

test('no further name is exported for two types', () => {
  const owners = sources
    .filter((file) => !/^src\/(cli|client)\//.test(file))
    .flatMap((file) =>
      [...textOf(file).matchAll(/^export (?:type|class|interface) (\w+)/gm)].map(
        ([, name = '']) => name,
      ),
    );
  const twice = owners.filter((name, index) => owners.indexOf(name) !== index);
  assert.deepEqual([...new Set(twice)].sort(), namesOfTwoTypes);
});

/** Verbs with which a summary of a command or an operation begins: those of the API and of the field. */
const summaryVerbs: ReadonlySet<string> = new Set(
  [
    'Abandons Accepts Adds Approves Calls Checks Combines Compares Completes Copies Creates Decides Deletes Delivers',
    'Derives Disables Enables Exchanges Explains Exports Finds Imports Lists Logs Marks Moves Opens Prints',
    'Publishes Registers Rejects Removes Renames Replaces Reports Restores Returns Seals Selects Sends',
    'Serves Sets Shows Signs Splits Starts',
    'Stores Switches Tests Tries Unseals Updates Verifies',
  ].flatMap((line) => line.split(' ')),
);

test('a summary begins with a verb of the API or of the field', () => {
  const files = sources.filter((file) => /^src\/(cli\/commands|operations)\//.test(file));
  const summaries = files.flatMap((file) =>
    [...textOf(file).matchAll(/^ {2}summary:\s+['"`](\w+)/gm)].map(([, verb = '']) => ({
      file,
      verb,
    })),
  );
  assert.ok(summaries.length > 150, 'summaries are found where they are written');
  const others = summaries.filter(({ verb }) => !summaryVerbs.has(verb));
  assert.deepEqual(others, []);
});

test('no comment begins with "What" or "Whether"', () => {
  const folders = ['src', 'dashboard', 'bench', 'tools', 'examples', 'test'];
  const files = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,css}`, {
      cwd: root,
      exclude: ['**/node_modules', 'test/architecture/words.test.ts'],
    }),
  );
  assert.ok(files.length > 1_000, 'sources and styles are found');
  const found = files.sort().flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) => (beginsWithAQuestion(line) ? [`${file}:${index + 1}`] : [])),
  );
  assert.deepEqual(found, [], 'a comment begins with a verb or with the name of the thing');
});

const titles = /\b(?:test|it|describe)\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g;
/** The first word of a title, after the ids of requirements. */
const opening = /^(?:[A-Z]+(?:-[A-Z]+)*-\d{2}[ :,]*)*(?:what|whether|who)\b/i;

test('a title of a test names who acts, or the thing', () => {
  const found = filesBelow('test').flatMap((file) =>
    [...textOf(file).matchAll(titles)].flatMap(([, , title = '']) =>
      opening.test(title) || /\b(nobody|whoever)\b/i.test(title) ? [`${file}: ${title}`] : [],
    ),
  );
  assert.deepEqual(found, [], 'name the actor, the verb and the outcome');
});

test('a comment that begins with a question is recognized in each form', () => {
  const questions = [
    '/** What it is. */',
    '  // Whether it is.',
    ' * What it is.',
    'a, // What it is',
  ];
  assert.deepEqual(questions.filter(beginsWithAQuestion), questions);
  const others = ['/** The kind. */', "say('What is it')", '// Whatever', ' * what follows'];
  assert.deepEqual(others.filter(beginsWithAQuestion), []);
});

function beginsWithAQuestion(line: string): boolean {
  return /(\/\*\*?|\/\/|^\s*\*) (What|Whether)\b/.test(line);
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/ .*$/gm, '');
}
