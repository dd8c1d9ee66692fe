// Builds the pages of docs/ as a site: npm run docs:site writes it to dist/site.

import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { defineConfig, type MarkdownRenderer } from 'vitepress';

const docs = join(import.meta.dirname, '../../docs');
const vue = join(import.meta.dirname, '../node_modules/vue');

type Item = { readonly text: string; readonly link: string };
type Group = { readonly text: string; readonly collapsed: boolean; readonly items: Item[] };

export default defineConfig({
  title: 'Keywright',
  srcDir: docs,
  outDir: join(import.meta.dirname, '../../dist/site'),
  rewrites: { 'README.md': 'index.md', 'decisions/README.md': 'decisions/index.md' },
  lastUpdated: false,
  // Tags and braces in the pages are shown as text.
  markdown: { html: false, config: unlinkSources },
  vue: { template: { compilerOptions: { delimiters: ['[[[[', ']]]]'] } } },
  // Files of the repository that are not pages, and addresses of a service on this machine.
  ignoreDeadLinks: [/^(\.\/)?(\.\.\/)+/, /^http:\/\/localhost[:/]/],
  // The pages are outside of this folder, where Vite finds no packages.
  vite: {
    resolve: { alias: [{ find: /^vue(?=$|\/)/, replacement: vue }] },
    build: { chunkSizeWarningLimit: 4_000 },
  },
  themeConfig: { search: { provider: 'local' }, outline: 'deep', sidebar: sidebar() },
});

/** Shows links to files of the repository that are not pages as plain text. */
function unlinkSources(md: MarkdownRenderer): void {
  md.core.ruler.push('unlink_sources', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isOutside = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const target = posix.join(posix.dirname(env.relativePath), token.attrGet('href') ?? '');
          isOutside = target.startsWith('../');
        }
        if (isOutside && token.type.startsWith('link_')) Object.assign(token, plain);
      }
    }
  });
}

const plain = { type: 'text', tag: '', content: '' };

/** Returns the groups of the table in docs/README.md, then those of the folders. */
function sidebar(): readonly Group[] {
  const groups: Group[] = [{ text: 'Start', collapsed: false, items: [] }];
  for (const row of readFileSync(join(docs, 'README.md'), 'utf8').split('\n')) {
    const title = /^\| \*\*(?<title>[^*]+)\*\* \|/.exec(row)?.groups?.['title'];
    if (title !== undefined) groups.push({ text: title, collapsed: true, items: [] });
    const link = /\]\((?<link>[\w-]+\.md)\)/.exec(row)?.groups?.['link'];
    if (link !== undefined) groups.at(-1)?.items.push({ text: titleOf(link), link: `/${link}` });
  }
  return [
    ...groups,
    { text: 'Operations', collapsed: true, items: itemsIn('operations') },
    { text: 'Decisions', collapsed: true, items: itemsIn('decisions') },
  ];
}

function itemsIn(folder: string): Item[] {
  const pages = globSync(`${folder}/[!R]*.md`, { cwd: docs }).sort();
  return pages.map((page) => ({ text: titleOf(page), link: `/${page}` }));
}

function titleOf(page: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(docs, page), 'utf8'))?.[1] ?? page;
}
