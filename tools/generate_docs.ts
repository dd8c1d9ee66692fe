// Writes the documents that are generated from tables in the sources: `node tools/generate_docs.ts`. With
// `--check` it writes nothing, lists stale documents, and exits with 1 if there is one.

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { answerShapes } from './write_answer_shapes.ts';
import { triedAttacksPage } from './write_attacks.ts';
import { cliOperations } from './write_cli_operations.ts';
import { cliPage } from './write_cli_page.ts';
import { clientOperations } from './write_client_operations.ts';
import { conformanceDocument } from './write_conformance.ts';
import { extendingPage } from './write_extending_page.ts';
import { knownFaultsPage } from './write_known_faults.ts';
import { llmsText } from './write_llms.ts';
import { manPage } from './write_man_page.ts';
import { movingPage } from './write_moving_page.ts';
import { operationPages } from './write_operation_pages.ts';
import { servedKinds } from './write_served_kinds.ts';
import { settingsDocument } from './write_settings_page.ts';

/** Commands are loaded on use, so their page is generated in advance. */
const commandPage = await cliPage();
const manualPage = await manPage();

const root = join(import.meta.dirname, '..');

/** Returns a page that ends with links to related pages. */
const followed = (page: string, next: string): string => `${page.trimEnd()}\n\nNext: ${next}\n`;

/** The generated documents, by path from the project's root. */
const documents: Readonly<Record<string, () => string>> = {
  'src/client/generated/operations.ts': clientOperations,
  'src/core/generated/served_kinds.ts': servedKinds,
  'dashboard/app/generated/answer_shapes.ts': answerShapes,
  ...operationReference(),
  'docs/decisions/README.md': decisionsIndex,
  'docs/extending.md': () =>
    followed(
      extendingPage(),
      '[ARCHITECTURE.md](ARCHITECTURE.md) for the steps of a request, [CONTRIBUTING.md](../CONTRIBUTING.md) for the rules.',
    ),
  'docs/configuration.md': () =>
    followed(
      settingsDocument(),
      '[deployment.md](deployment.md) to install the service, [operating.md](operating.md) to run it.',
    ),
  'docs/conformance.md': () =>
    followed(
      conformanceDocument(),
      '[clients.md](clients.md) for differences from the public clients, [operations.md](operations.md) for each operation.',
    ),
  'docs/moving.md': () =>
    followed(
      movingPage(),
      '[clients.md](clients.md) for each client, [onboarding.md](onboarding.md) for sign-ups, [sending.md](sending.md) for transactions.',
    ),
  'docs/known-faults.md': () =>
    followed(
      knownFaultsPage(),
      '[THREAT_MODEL.md](THREAT_MODEL.md) for what the service protects against.',
    ),
  'docs/attacks.md': () =>
    followed(
      triedAttacksPage(),
      '[THREAT_MODEL.md](THREAT_MODEL.md) for each adversary, [known-faults.md](known-faults.md) for faults with a public source.',
    ),
  'docs/cli.md': () =>
    followed(
      commandPage,
      '[operations.md](operations.md) for what `keywright api` calls, [configuration.md](configuration.md) for the settings of `keywright serve`.',
    ),
  'llms.txt': () => llmsText(root),
  'packaging/keywright.1': () => manualPage,
  'src/cli/generated/operations.json': cliOperations,
};

/** Lists the decisions by number, with the title of each. */
function decisionsIndex(): string {
  const folder = join(root, 'docs', 'decisions');
  const rows = globSync('0*.md', { cwd: folder })
    .sort()
    .map((file) => {
      const [, number, title] =
        /^# (\d+)\. (.+)$/m.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
      return `| ${number} | [${title}](${file}) |`;
    });
  const introduction =
    'Each record holds a decision, its cost and the alternatives that were turned down, in half a page.';
  return `# Decisions\n\n${introduction}\n\n| number | decision |\n|---|---|\n${rows.join('\n')}\n`;
}

/** Returns the index of operations, and a page for each resource. */
function operationReference(): Record<string, () => string> {
  const made = Object.entries(operationPages()).map(([path, page]) => {
    const next =
      path === 'operations.md'
        ? '[authentication.md](authentication.md) for stamps and sessions, [policy-language.md](policy-language.md) for what policies decide, [clients.md](clients.md) for clients.'
        : '[all operations](../operations.md), [authentication.md](../authentication.md) for stamps and sessions.';
    return [`docs/${path}`, () => followed(page, next)] as const;
  });
  return Object.fromEntries(made);
}

/** Returns the documents whose file is missing or differs from the tables. */
export function staleDocuments(): string[] {
  return Object.entries(documents)
    .filter(([path, make]) => textOf(path) !== make())
    .map(([path]) => path);
}

if (import.meta.main) {
  const stale = staleDocuments();
  if (process.argv.includes('--check')) {
    for (const path of stale) {
      process.stderr.write(`${path} is stale: run \`npm run docs\` and commit it\n`);
    }
    process.exitCode = stale.length === 0 ? 0 : 1;
  } else {
    for (const path of stale) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), documents[path]?.() ?? '');
      process.stdout.write(`${path} written\n`);
    }
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
