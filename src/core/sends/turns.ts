// Who is looked after when there is more than one look can hold.

import { createRecentCache } from '../base/lru_cache.ts';

/** Places in the queue; who is not among those that were asked for last begins anew. */
const maximumRemembered = 50_000;

export type Group<Item> = { readonly id: string; readonly items: readonly Item[] };

/**
 * Creates what lists items of groups for one look after the other, up to a size together and at least one:
 * one of each group before the second of any. Groups, and items in each, take turns as in a queue: who was
 * listed goes to its end, and who is new begins there. So nobody is left out for good, however many others
 * are in front.
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
