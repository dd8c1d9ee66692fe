// Modules of this package that a page loads. They are compiled only in a checkout.

import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const sources = join(import.meta.dirname, '..', '..');
/** `.js` in a package, `.ts` in a checkout. */
const extension = extname(import.meta.filename);

export type PageFile = { readonly type: string; readonly text: string };

/** Returns the path of a module below `src/`, which is named without its extension. */
export const modulePath = (name: string): string => `/${name}${extension}`;

/** Returns modules below `src/` as scripts, by their paths. */
export async function browserModules(
  names: readonly string[],
): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  for (const path of names.map(modulePath)) {
    const text = await scriptOf(readFileSync(join(sources, path), 'utf8'));
    files.set(path, { type: 'text/javascript; charset=utf-8', text });
  }
  return files;
}

async function scriptOf(text: string): Promise<string> {
  if (extension === '.js') return text;
  const { stripTypeScriptTypes } = await import('node:module');
  return stripTypeScriptTypes(text);
}
