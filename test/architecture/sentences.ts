// The sentences of a page in Markdown, without code, tables and headings.

export type Sentence = { readonly line: number; readonly text: string; readonly words: number };

/** Returns the sentences of a page with their number of words; a piece of code counts as a word. */
export function sentencesOf(page: string): Sentence[] {
  return blocksOf(page).flatMap(({ line, text }) =>
    split(plain(text)).map((sentence) => ({
      line,
      text: sentence,
      words: sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
    })),
  );
}

type Block = { line: number; text: string };

/** Returns paragraphs and list items, each of which ends a sentence. */
function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  let isCode = false;
  for (const [index, line] of page.split('\n').entries()) {
    const isFence = /^\s*(```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    if (isFence || isCode || /^\s*(\||#|<!--|$)/.test(line)) {
      open = undefined;
      continue;
    }
    const item = /^\s*(?:[-*+]|\d+\.)\s+(.*)$/.exec(line)?.[1];
    if (open !== undefined && item === undefined) {
      open.text += ` ${line.trim()}`;
      continue;
    }
    open = { line: index + 1, text: item ?? line.trim() };
    blocks.push(open);
  }
  return blocks;
}

/** Replaces a link by its text and code by one word, and removes emphasis. */
function plain(text: string): string {
  return text
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s*\(\**test\**(?:, \**test\**)*\)/g, '')
    .replaceAll(/\*/g, '');
}

function split(text: string): string[] {
  return text
    .split(/(?<=[.!?]["”)]?)\s+(?=["“(]?(?:\p{Lu}|code|\d|[\w-]+\.md\b))/u)
    .flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
}
