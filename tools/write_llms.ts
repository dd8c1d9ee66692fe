// Writes `llms.txt` (llmstxt.org): the table of docs/README.md as a list of links, for language models.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the file: a heading, a sentence, and a list of pages for each part of the table. */
export function llmsText(root: string): string {
  const rows = readFileSync(join(root, 'docs', 'README.md'), 'utf8').matchAll(
    /^\| (?!I want to|---)(.+?) \| (.*?) \|$/gm,
  );
  const lines = [
    '# Keywright',
    '',
    '> An open, self-hosted wallet and key management service: organizations, credentials, HD wallets, policies, approvals and signatures.',
    '',
    '## Start',
    '',
  ];
  for (const [, purpose = '', pages = ''] of rows) {
    const part = /^\*\*(.+)\*\*$/.exec(purpose)?.[1];
    if (part !== undefined) {
      lines.push('', `## ${part[0]?.toUpperCase()}${part.slice(1)}`, '');
      continue;
    }
    for (const [, title, path] of pages.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)) {
      lines.push(`- [${title}](docs/${path}): ${purpose}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
