// Selects the items of one look when not all fit.

import { createRecentCache } from '../base/lru_cache.ts';

/** Remembered places in the queue; forgotten groups begin anew. */
const maximumRemembered = 50_000;

export type Group<Item> = { readonly id: string; readonly items: readonly Item[] };

/**
 * Creates a fair selection of items for successive looks, up to a total size and at least one. Each look
 * takes one item of each group before a second of any. Listed groups and items go to the end of their queue,
 * and new ones start there, so each is selected eventually.
 */
export function createTurns<Item>(of: {
  /** Differs from the ids of groups. */
  readonly idOf: (item: Item) => string;
  readonly sizeOf: (item: Item) => number;
  readonly maximum: number;
}): (groups: readonly Group<Item>[]) => readonly Item[] {
  const { idOf, sizeOf, maximum } = of;
  const places = createRecentCache<number>(maximumRemembered);
  let last = 0;
  const toEnd = (id: string): number => {
    last += 1;
    places.set(id, last);
    return last;
  };
  return (groups) => {
    const byPlace = <Queued>(all: readonly Queued[], id: (each: Queued) => string) =>
      all
        .map((each) => ({ each, place: places.get(id(each)) ?? toEnd(id(each)) }))
        .sort((a, b) => a.place - b.place)
        .map(({ each }) => each);
    const waiting = byPlace(
      groups.filter(({ items }) => items.length > 0),
      ({ id }) => id,
    ).map(({ id, items }) => ({ id, items: byPlace(items, idOf) }));
    const listed: Item[] = [];
    let size = 0;
    list: for (let turn = 0; waiting.some(({ items }) => turn < items.length); turn += 1) {
      for (const { id, items } of waiting) {
        const item = items[turn];
        if (item === undefined) continue;
        size += sizeOf(item);
        if (size > maximum && listed.length > 0) break list;
        listed.push(item);
        toEnd(idOf(item));
        toEnd(id);
      }
    }
    return listed;
  };
}
