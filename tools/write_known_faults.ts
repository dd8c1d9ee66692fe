// Writes docs/known-faults.md from the table of known faults.

import { knownFaults } from '../test/museum/faults.ts';

/** Returns the page, with a link to each source and test file. */
export function knownFaultsPage(): string {
  const rows = knownFaults.map(({ fault, report, source, here, tests }) => {
    const files = Object.keys(tests).map((file) => `[${file}](../test/${file})`);
    return `| ${fault} | [${report}](${source}) | ${here} | ${files.join(', ')} |`;
  });
  return `# Known faults of this field

Each row names a fault of wallets, custody or signing services, with a public source. The tests in the last column show that Keywright does not have the fault.

[faults.ts](../test/museum/faults.ts) lists the titles of these tests. [A test](../test/museum/museum.test.ts) checks that each test exists.

| fault | source | here | tests |
|---|---|---|---|
${rows.join('\n')}
`;
}
