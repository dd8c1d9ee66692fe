import { testsThatNeed } from '../support/tests_that_need.ts';
import {
  type Case,
  failFirstStart,
  failLaterStart,
  failRootKeyOfRestart,
  failWork,
  firstStartCases,
  laterStartCases,
  nameOf,
  workingCases,
} from './file_fault_cases.ts';
import { missingForFileFaults } from './file_faults.ts';

const { test } = testsThatNeed(missingForFileFaults);

const groups: readonly [string, readonly Case[], (fault: Case) => Promise<void>][] = [
  [
    'a first start that fails prints one sentence and leaves no partial files',
    firstStartCases,
    failFirstStart,
  ],
  [
    'a later start that fails prints one sentence and loses nothing',
    laterStartCases,
    failLaterStart,
  ],
  [
    'a service whose disk fails stops accepting, says why and loses nothing',
    workingCases,
    failWork,
  ],
];
for (const [title, cases, run] of groups) {
  for (const fault of cases.filter(({ isCommon }) => isCommon)) {
    test(`${title}: ${nameOf(fault)}`, () => run(fault));
  }
}

test('an enclave that ends while the root key cannot be read is replaced when it can be', () =>
  failRootKeyOfRestart());
