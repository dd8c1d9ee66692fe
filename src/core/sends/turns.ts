// Selects the items of each check fairly among groups, within a maximum size.

import { createRecentCache } from '../base/lru_cache.ts';

/** Maximum number of remembered places in the queue; forgotten groups start at its end. */
const maximumRemembered = 50_000;

export type Group<Item> = { readonly id: string; readonly items: readonly Item[] };

/**
 * Creates a fair selection of items for successive checks, up to a total size and at least one. Each check
 * takes one item of each group before a second of any. Selected groups and items go to the end of their
 * queue, and new ones start there, so each is selected eventually.
 */
export function createTurns<Item>(of: {
  /** Item IDs must differ from group IDs. */
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
