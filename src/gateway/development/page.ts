// The inboxes as pages for a browser: only text, without scripts, styles or links.

import { utf8 } from '../../core/base/bytes.ts';

/** No resources, no scripts, no frames. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** Returns true if a client prefers HTML: browsers list it first, and programs do not list it. */
export function prefersHtml(accept: string | undefined): boolean {
  return (accept ?? '').split(',')[0]?.split(';')[0]?.trim().toLowerCase() === 'text/html';
}

/** An entry of an inbox: a heading and its text. */
export type Entry = { readonly heading: string; readonly text: string };

/** Returns a page with a heading of level 1 and a list of entries, as UTF-8. */
export function inboxPage(title: string, empty: string, entries: readonly Entry[]): Uint8Array {
  const items = entries.map(
    ({ heading, text }) => `<li><h2>${escaped(heading)}</h2><pre>${escaped(text)}</pre></li>`,
  );
  const list = items.length === 0 ? `<p>${escaped(empty)}</p>` : `<ol>${items.join('')}</ol>`;
  return utf8(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)} · Keywright</title></head><body><main><h1>${escaped(title)}</h1>${list}</main></body></html>`,
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
