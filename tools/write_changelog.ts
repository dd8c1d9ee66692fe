// Moves the fragments of changes/ into CHANGELOG.md below a new version:
// `node tools/write_changelog.ts 0.2.0`.

import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The areas of fragments, in the order of the changelog, with their headings. */
export const areas: Readonly<Record<string, string>> = {
  keys: 'Keys and signatures',
  transactions: 'Transactions',
  policies: 'Policies, votes and limits',
  people: 'Users and credentials',
  webhooks: 'Webhooks and balances',
  dashboard: 'Dashboard',
  clients: 'Command line and clients',
  operating: 'Operating',
  fixes: 'Fixes',
};

export type Fragment = { readonly name: string; readonly text: string };

/** Returns the area of a fragment by the name of its file, or undefined for an unknown area. */
export function areaOf(name: string): string | undefined {
  return Object.keys(areas).find((area) => name.startsWith(`${area}-`));
}

/** Returns the section of a version in Markdown, with the fragments grouped by area. */
export function versionSection(
  version: string,
  date: string,
  fragments: readonly Fragment[],
): string {
  const groups = Object.entries(areas).flatMap(([area, heading]) => {
    const lines = fragments
      .filter(({ name }) => areaOf(name) === area)
      .map(({ text }) => `- ${text.trim().replaceAll(/\s*\n\s*/g, ' ')}`);
    return lines.length === 0 ? [] : [`### ${heading}\n\n${lines.join('\n')}`];
  });
  return `## ${version} (${date})\n\n${groups.join('\n\n')}\n`;
}

/** Returns the changelog with a section inserted above the newest version. */
export function withSection(changelog: string, section: string): string {
  const newest = changelog.indexOf('\n## ') + 1;
  return `${changelog.slice(0, newest)}${section}\n${changelog.slice(newest)}`;
}

/** Reads the fragments of a folder, ordered by name. */
export function fragmentsOf(folder: string): readonly Fragment[] {
  return globSync('*.md', { cwd: folder })
    .filter((file) => file !== 'README.md')
    .sort()
    .map((file) => ({
      name: basename(file, '.md'),
      text: readFileSync(join(folder, file), 'utf8'),
    }));
}

if (import.meta.main) {
  const version = process.argv[2];
  if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
    process.stderr.write('usage: node tools/write_changelog.ts VERSION\n');
    process.exit(2);
  }
  const root = join(import.meta.dirname, '..');
  const folder = join(root, 'changes');
  const page = join(root, 'CHANGELOG.md');
  const fragments = fragmentsOf(folder);
  const section = versionSection(version, new Date().toISOString().slice(0, 10), fragments);
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), section));
  for (const { name } of fragments) rmSync(join(folder, `${name}.md`));
}
