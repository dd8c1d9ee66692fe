// Writes docs/attacks.md from the table of attacks and reports that were tried.

import { type TriedAttack, triedAttacks, triedReports } from '../test/museum/attacks.ts';

/** Returns the page, with a link to each test file. */
export function triedAttacksPage(): string {
  return `# Attacks that were tried

Each row names an attack that was tried on a running service. The tests in the last column fail if it succeeds again.

\`npm run hostile\` floods a real service in each way of [\`floods/\`](../test/hostile/floods/), and measures a neighbour beside the flood. It fails if a request of the neighbour is refused, or if a process grows beyond 512 MiB. [attacks.ts](../test/museum/attacks.ts) lists the titles of the tests. [A test](../test/museum/museum.test.ts) checks that each test exists.

${tableOf('attack', triedAttacks)}

## Reports from elsewhere

Users of wallets, signers and passkey services reported these faults in public. They were tried here in the same way.

${tableOf('report', triedReports)}
`;
}

function tableOf(name: string, rows: readonly TriedAttack[]): string {
  const lines = rows.map(({ attack, here, tests }) => {
    const files = Object.keys(tests).map((file) => `[${file}](../test/${file})`);
    return `| ${attack} | ${here} | ${files.join(', ')} |`;
  });
  return [`| ${name} | here | tests |`, '|---|---|---|', ...lines].join('\n');
}
