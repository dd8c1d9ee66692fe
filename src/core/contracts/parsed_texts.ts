// Parsed forms of the interfaces that organizations store. The most recent ones stay in memory.

import { createWeighedCache } from '../base/lru_cache.ts';
import { finish, finishInParts, type Steps } from '../base/steps.ts';

/** An accepted text; `digest` is equal for equal texts. */
export type StoredText = { readonly digest: string; readonly text: string };

type ParsedTexts<Parsed> = {
  /** Returns the parsed form; parses it without pauses if it is not in memory. */
  of(stored: StoredText): Parsed;
  /** Parses a text in advance, with a pause after each step. */
  parse(stored: StoredText, pause: () => Promise<void>): Promise<void>;
};

/**
 * Total length of the texts of one kind whose parsed form stays in memory. Fits the texts of two
 * organizations, so those of one transaction always fit.
 */
const rememberedCharacters = 5_000_000;

/** Creates the cache for one kind of texts. */
export function createParsedTexts<Parsed extends object>(
  read: (value: unknown) => Steps<Parsed>,
): ParsedTexts<Parsed> {
  const remembered = createWeighedCache<Parsed>(rememberedCharacters);

  function* parse({ digest, text }: StoredText): Steps<Parsed> {
    const known = remembered.get(digest);
    if (known !== undefined) return known;
    const value: unknown = JSON.parse(text);
    yield;
    const parsed = yield* read(value);
    remembered.set(digest, parsed, text.length);
    return parsed;
  }

  return {
    of: (stored) => finish(parse(stored)),
    parse: async (stored, pause) => {
      await finishInParts(parse(stored), pause);
    },
  };
}
