// Replaces ids in texts by names, as the service reports them.

import { nameWithoutId, shown } from '../service/activity_text.ts';
import type { Names } from './names.ts';

const ids = /(['"]?)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\1/gi;

/** Returns true for a text with the id of a resource. */
export const hasId = (text: string): boolean => text.search(ids) !== -1;

/** Returns `01a2…3ece` for an id, and another text as it is. */
export const shortId = (text: string): string =>
  hasId(text) ? `${text.slice(0, 4)}…${text.slice(-4)}` : text;

/** Returns `“treasury”` for a known id, else the id shortened to `01a2…3ece`. */
export function nameOfId(id: string, names: Names): string {
  const name = names.get(id.toLowerCase());
  return name === undefined ? shortId(id) : `“${shown(nameWithoutId(name))}”`;
}

/** Replaces the ids in a text, and the quotes around them. JSON keeps its quotes around shortened ids. */
export const withNames = (text: string, names: Names): string =>
  text.replaceAll(ids, (_, quote: string, id: string) => {
    const named = nameOfId(id, names);
    return quote === '"' && named === shortId(id) ? `"${named}"` : named;
  });
