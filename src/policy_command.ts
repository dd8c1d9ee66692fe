// `keywright policy test FILE`: tries policies on activities that never happen.

import { open } from 'node:fs/promises';
import { lintPolicyTest, runPolicyTest } from './core/policy/simulator/policy_test.ts';
import { PolicyTestError } from './core/policy/simulator/policy_test_facts.ts';
import {
  maximumPolicyTestCharacters,
  readPolicyTest,
} from './core/policy/simulator/policy_test_file.ts';

const usage = 'expected keywright policy test FILE, see docs/policy-language.md';

/**
 * Runs the command and gives its exit code: 0 when every case comes out as expected, 1 when one does
 * not or the file cannot be used. `write` gets each line, its line feed included.
 */
export async function runPolicyCommand(
  words: readonly string[],
  write: (line: string) => void,
): Promise<0 | 1> {
  const [verb, path, ...more] = words;
  if (verb !== 'test' || path === undefined || more.length > 0) {
    write(`${usage}\n`);
    return 1;
  }
  try {
    return report(await readBounded(path), write);
  } catch (error) {
    const isOfFile = error instanceof Error && 'syscall' in error;
    if (!(error instanceof PolicyTestError) && !isOfFile) throw error;
    write(`${path}: ${error.message}\n`);
    return 1;
  }
}

/** A warning about a policy of a file, with its place in the clause. */
export type CheckedWarning = {
  readonly policy: string;
  readonly clause: string;
  readonly position: number;
  readonly message: string;
  readonly code: string;
};

/** What a file of policies is warned of; `failure` where it cannot be used, with the place. */
export function checkPolicies(
  text: string,
): { readonly warnings: readonly CheckedWarning[] } | { readonly failure: string } {
  try {
    const test = readPolicyTest(text);
    const warnings = lintPolicyTest(test).map(({ index, ...warning }) => ({
      policy: test.policies[index]?.name ?? '',
      ...warning,
    }));
    return { warnings };
  } catch (error) {
    if (error instanceof PolicyTestError) return { failure: error.message };
    throw error;
  }
}

function report(text: string, write: (line: string) => void): 0 | 1 {
  const test = readPolicyTest(text);
  for (const { index, code, clause, position, message } of lintPolicyTest(test)) {
    const name = test.policies[index]?.name ?? '';
    write(`warning  ${name}: ${clause} at ${position}: ${message} (${code})\n`);
  }
  const results = runPolicyTest(test);
  let failed = 0;
  for (const { name, outcome, reason, differences } of results) {
    if (differences.length > 0) failed += 1;
    const verdict = differences.length === 0 ? 'ok      ' : 'FAILED  ';
    const said = [`${outcome} (${reason})`, ...differences].join('; ');
    write(`${verdict} ${name}: ${said}\n`);
  }
  write(`${results.length - failed} of ${results.length} cases as expected\n`);
  return failed === 0 ? 0 : 1;
}

/** The text of a file, read no further than a little beyond what would be accepted. */
async function readBounded(path: string): Promise<string> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(maximumPolicyTestCharacters + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (length === bytes.length) {
      throw new PolicyTestError('', `larger than ${maximumPolicyTestCharacters} bytes`);
    }
    return new TextDecoder().decode(bytes.subarray(0, length));
  } finally {
    await file.close();
  }
}
