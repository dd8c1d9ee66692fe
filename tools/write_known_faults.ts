// Writes docs/known-faults.md from the table of known faults.

import { knownFaults } from '../test/museum/faults.ts';

/** Returns the page, with a link to each source and test file. */
export function knownFaultsPage(): string {
  const rows = knownFaults.map(({ fault, report, source, here, tests }) => {
    const files = Object.keys(tests).map((file) => `[${file}](../test/${file})`);
    return `| ${fault} | [${report}](${source}) | ${here} | ${files.join(', ')} |`;
  });
  return `# Known faults of this field

Each row names a fault of a wallet, a custody or a signing service, with its public source. The tests of the last column show its absence here.

[faults.ts](../test/museum/faults.ts) names each test by its title. [A test](../test/museum/museum.test.ts) checks that each exists.

| fault | source | here | tests |
|---|---|---|---|
${rows.join('\n')}
`;
}
