// `keywright policy test` and `policy check`: tests policies on simulated activities.

import { eip55 } from '../../core/address/ethereum.ts';
import { lintPolicyTest, runPolicyTest } from '../../core/policy/simulator/policy_scenario.ts';
import { PolicyTestError } from '../../core/policy/simulator/policy_scenario_facts.ts';
import { readPolicyTest } from '../../core/policy/simulator/policy_scenario_file.ts';
import { caseReaders } from '../../core/policy/test_readers/case_transaction.ts';

/**
 * Tests the policies of a text on its cases, and writes a line for each case. Returns whether all cases
 * passed. Returns `failure` with the position if the text is invalid.
 */
export function testPolicies(
  text: string,
  write: (line: string) => void,
): { readonly passed: boolean } | { readonly failure: string } {
  try {
    return { passed: report(text, write) };
  } catch (error) {
    if (error instanceof PolicyTestError) return { failure: error.message };
    throw error;
  }
}

/** A warning about a policy of a file. `position` is in the clause. */
export type CheckedWarning = {
  readonly policy: string;
  readonly clause: string;
  readonly position: number;
  readonly message: string;
  readonly code: string;
  /** The clause. */
  readonly text: string;
};

/**
 * Returns the warnings about a file of policies. Returns `failure` with the position if the file is invalid.
 */
export function checkPolicies(
  text: string,
): { readonly warnings: readonly CheckedWarning[] } | { readonly failure: string } {
  try {
    const test = readPolicyTest(text, caseReaders);
    const warnings = lintPolicyTest(test, eip55).map(({ index, ...warning }) => {
      const policy = test.policies[index];
      const text = policy?.[warning.clause]?.text ?? '';
      return { policy: policy?.name ?? '', ...warning, text };
    });
    return { warnings };
  } catch (error) {
    if (error instanceof PolicyTestError) return { failure: error.message };
    throw error;
  }
}

function report(text: string, write: (line: string) => void): boolean {
  const test = readPolicyTest(text, caseReaders);
  for (const { index, code, clause, position, message } of lintPolicyTest(test, eip55)) {
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
  return failed === 0;
}
