// Parsed forms of the texts that an organization stores of contracts. The newest stay in memory.

import { createWeighedCache } from '../base/lru_cache.ts';
import { finish, finishInParts, type Steps } from '../base/steps.ts';

/** An accepted text; `digest` is equal for equal texts. */
export type StoredText = { readonly digest: string; readonly text: string };

type ParsedTexts<Parsed> = {
  /** Returns the parsed form, in one piece unless it was parsed before. */
  of(stored: StoredText): Parsed;
  /** Parses a text in advance, with a pause after each step. */
  parse(stored: StoredText, pause: () => Promise<void>): Promise<void>;
};

/**
 * Characters of the interfaces whose parsed form stays in memory, of each kind: as many as two organizations
 * may have, so that those of one transaction always fit.
 */
const rememberedCharacters = 5_000_000;

/** Creates the memory of one kind of texts. */
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
