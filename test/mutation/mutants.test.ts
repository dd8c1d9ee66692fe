import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { areas } from './areas.ts';
import { explained } from './explained.ts';
import { mutantsOf, mutated } from './mutants.ts';

const source = `import { fail } from './errors.ts';

// a && b is said here, and 'true' as well
export function release(votes: readonly string[], needed: number): boolean | undefined {
  const kinds = ['SIGN', 'EXPORT'];
  check(votes);
  if (votes.length < needed && !isRoot) fail('a < b');
  while (votes.length > 0) votes.pop();
  if (votes.some((vote) => /a && b/.test(vote))) throw new Error(\`\${votes} && more\`);
  if (votes.length < 0) throw new Error(\`assertion failed: \${votes.length}\`);
  return votes.length + 1 === needed;
}
`;

test('a source has these faults and no others', () => {
  assert.deepEqual(
    mutantsOf('x.ts', source).map(({ line, fault }) => `${line} ${fault}`),
    [
      "5 'SIGN' is missing",
      "5 'EXPORT' is missing",
      '6 the call is left out',
      '7 the condition always holds',
      '7 the condition never holds',
      '7 < becomes <=',
      '7 && becomes ||',
      '7 ! left out',
      '7 the call is left out',
      '8 the condition never holds',
      '8 > becomes >=',
      '8 the call is left out',
      '9 the condition always holds',
      '9 the condition never holds',
      '9 some becomes every',
      '9 nothing is thrown',
      '10 the condition always holds',
      '10 the condition never holds',
      '10 < becomes <=',
      '11 the answer is undefined',
      '11 + becomes -',
      '11 === becomes !==',
    ],
  );
});

test('a fault is made where it is said, and nothing else is', () => {
  const before = mutated(source, { start: 0, end: 0, replacement: '' });
  for (const mutant of mutantsOf('x.ts', source)) {
    const after = mutated(source, mutant);
    assert.notEqual(after, before, mutant.fault);
    assert.equal(after.slice(0, mutant.start), before.slice(0, mutant.start));
    assert.equal(after.slice(mutant.start + mutant.replacement.length), before.slice(mutant.end));
    assert.equal(mutant.lineText, source.split('\n')[mutant.line - 1]?.trim());
  }
});

test('every area has sources with faults, and tests', () => {
  for (const [name, { sources, tests }] of Object.entries(areas)) {
    for (const pattern of [...sources, ...tests]) assert(globSync(pattern).length > 0, pattern);
    const faults = sources
      .flatMap((pattern) => globSync(pattern))
      .flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')));
    assert(faults.length > 50, name);
  }
});

test('every explained fault is still possible, and has a reason', () => {
  for (const { file, lineText, fault, reason } of explained) {
    const isThere = mutantsOf(file, readFileSync(file, 'utf8')).some(
      (mutant) => mutant.lineText === lineText && mutant.fault === fault,
    );
    assert(isThere, `${file}: ${fault}: ${lineText}`);
    assert(reason.length > 20);
  }
});
