// Writes the page with the diffs of typical changes. Each diff is taken from the current sources.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Lines of context around an added line. */
const contextLines = 1;

/** A new file, or the lines that are added to a file. */
type Hunk = { readonly file: string; readonly lines?: RegExp };

type Change = {
  readonly title: string;
  readonly introduction: string;
  readonly hunks: readonly Hunk[];
  readonly after: string;
};

const changes: readonly Change[] = [
  {
    title: 'An operation',
    introduction:
      'An operation is one file, one line of its index, one case and one test. The example is `update_wallet`, which renames a wallet.',
    hunks: [
      { file: 'src/operations/wallets/update_wallet.ts' },
      { file: 'src/operations/wallets/index.ts', lines: /update_wallet/ },
      { file: 'test/operations/wallets/update_wallet.case.ts' },
    ],
    after:
      'The test is in the same folder as the case: `test/operations/wallets/update_wallet.test.ts`. A member with a new name also gets its title and sentence in `src/operations/vocabulary/`. Then run `npm run docs`: routes, validation, OpenAPI, client, command line, kinds for policies and this documentation derive from the file. Suites about access, isolation, votes and the simulation read the case.',
  },
  {
    title: 'A setting',
    introduction: 'A setting is one row. The example is the port of the metrics.',
    hunks: [
      {
        file: 'src/settings/settings.ts',
        lines: /^ {2}metricsPort: optionalInteger\(\{[^}]+\}\),\n/m,
      },
    ],
    after:
      'The row checks the value at start and names the variable in errors. `npm run docs` adds it to [configuration.md](configuration.md). Code reads the value from `Settings`, as `src/gateway/start/start_metrics.ts` does.',
  },
  {
    title: 'A command',
    introduction:
      'A command is one file at the path of its words, and one line of the list. The example is `keywright org rename`.',
    hunks: [
      { file: 'src/cli/commands/org/rename.ts' },
      { file: 'src/cli/commands.ts', lines: /'org rename'/ },
    ],
    after:
      'Help, completion, the manual page and [cli.md](cli.md) derive from the file. `test/cli/examples.test.ts` runs the example against a service and compares its calls.',
  },
  {
    title: 'A chain',
    introduction:
      'A chain is a folder for its format, a folder for its meaning, its names for policies, and four rows. The example is Tempo.',
    hunks: [
      { file: 'src/core/base/enums.ts', lines: /'TRANSACTION_TYPE_TEMPO'/ },
      { file: 'src/core/chains/tempo/index.ts' },
      { file: 'src/core/policy/names/tempo.ts' },
      { file: 'src/core/policy/names/structs.ts', lines: /tempoNames/ },
      { file: 'src/core/policy/names/requests.ts', lines: /tempo: 'Tempo'/ },
      { file: 'src/core/transactions/kinds.ts', lines: /tempoKind/ },
    ],
    after:
      'The format reads, writes and signs, and knows no policy. The kind in `src/core/transactions/tempo/` has the facts, the explanation and the transfers of a transaction. A chain with addresses of its own also gets rows in `src/core/address/`. The linter, the simulator and the kinds for policies read the names. `keywright sign transaction` has a row with the name of the chain.',
  },
  {
    title: 'A screen of the dashboard',
    introduction:
      'A screen is a folder with its component, a row of the list, and its texts. The example is the list of secrets.',
    hunks: [
      {
        file: 'dashboard/app/screens.ts',
        lines: /^ {2}\{\n {4}path: '\/secrets',\n[^}]+\},\n {2}\},\n/m,
      },
      { file: 'dashboard/messages/en.ts', lines: /'screen\.secrets'/ },
    ],
    after:
      'The component is `dashboard/app/secrets/`, and its other texts are in the same file. Forms and tables read the declaration of the operation, so a screen names only operations and members.',
  },
];

/** Returns the page `docs/extending.md`. */
export function extendingPage(): string {
  const sections = changes.map(
    ({ title, introduction, hunks, after }) =>
      `## ${title}\n\n${introduction}\n\n\`\`\`diff\n${hunks.map(diffOf).join('')}\`\`\`\n\n${after}\n`,
  );
  return `# Extending Keywright

Each section shows a complete change. \`npm run docs\` writes the diffs from the sources.

${sections.join('\n')}`;
}

function diffOf({ file, lines }: Hunk): string {
  const text = readFileSync(join(root, file), 'utf8');
  if (lines === undefined) return `--- /dev/null\n+++ ${file}\n${prefixed('+', text)}`;
  return `--- ${file}\n+++ ${file}\n${addedLines(text, lines)}`;
}

/** Returns every match as added lines, with the surrounding lines. */
function addedLines(text: string, pattern: RegExp): string {
  const all = text.trimEnd().split('\n');
  const isAdded = all.map((line) => pattern.test(line));
  const block = pattern.exec(text)?.[0];
  if (!isAdded.includes(true) && block !== undefined) {
    const first = text.slice(0, text.indexOf(block)).split('\n').length - 1;
    isAdded.fill(true, first, first + block.trimEnd().split('\n').length);
  }
  if (!isAdded.includes(true)) throw new Error(`nothing matches ${pattern}`);
  const isNear = (index: number) =>
    isAdded.slice(Math.max(0, index - contextLines), index + contextLines + 1).includes(true);
  const written = all.flatMap((line, index) => {
    if (!isNear(index)) return [];
    const opens = index === 0 || !isNear(index - 1);
    return [...(opens ? ['@@'] : []), `${isAdded[index] === true ? '+' : ' '}${line}`];
  });
  return `${written.join('\n')}\n`;
}

function prefixed(mark: string, text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${mark}${line}\n`)
    .join('');
}
