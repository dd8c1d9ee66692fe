/** A bounded cache of recently used values. */
export type RecentCache<Value> = {
  /** Undefined for a value that was never stored or has been dropped. */
  get(name: string): Value | undefined;
  /** Stores a value, and replaces a value of the same name. */
  set(name: string, value: Value): void;
  /** Removes the entry of a name, if present. */
  drop(name: string): void;
  /** Removes all entries. */
  clear(): void;
};

/**
 * Creates a cache of the `maximum` most recently used values. To save time, a use does not move values of the
 * newest quarter. `dropped` receives each removed value and its name, so that a secret can be wiped.
 */
export function createRecentCache<Value>(
  maximum: number,
  dropped: (value: Value, name: string) => void = () => undefined,
): RecentCache<Value> {
  // A map keeps the order of insertion, so its first entry is the least recently used one.
  const entries = new Map<string, { readonly value: Value; readonly movedAt: number }>();
  const newestPart = Math.max(1, maximum / 4);
  /** Number of moves to the end of the map. */
  let moves = 0;

  function putLast(name: string, value: Value): void {
    moves += 1;
    entries.delete(name);
    entries.set(name, { value, movedAt: moves });
  }

  return {
    get: (name) => {
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      if (moves - entry.movedAt >= newestPart) putLast(name, entry.value);
      return entry.value;
    },
    set: (name, value) => {
      const before = entries.get(name);
      if (before !== undefined && before.value !== value) dropped(before.value, name);
      putLast(name, value);
      if (entries.size <= maximum) return;
      const [oldest] = entries;
      if (oldest === undefined) return;
      entries.delete(oldest[0]);
      dropped(oldest[1].value, oldest[0]);
    },
    drop: (name) => {
      const entry = entries.get(name);
      if (entry === undefined) return;
      entries.delete(name);
      dropped(entry.value, name);
    },
    clear: () => {
      for (const [name, { value }] of entries) dropped(value, name);
      entries.clear();
    },
  };
}

/**
 * Keeps `maximum` values. When it is full, the largest group loses its least recently used value, so a group
 * with many values displaces no other. Among groups of one size, the group unused for longest loses.
 */
export function createGroupedCache<Value>(
  maximum: number,
  groupOf: (name: string) => string,
): Pick<RecentCache<Value>, 'get' | 'set'> {
  // Maps keep the order of insertion, so the first entry is the least recently used one.
  const groups = new Map<string, Map<string, Value>>();
  let size = 0;

  function put(name: string, value: Value): void {
    const group = groupOf(name);
    const values = groups.get(group) ?? new Map<string, Value>();
    if (!values.delete(name)) size += 1;
    values.set(name, value);
    groups.delete(group);
    groups.set(group, values);
  }

  function forgetOne(): void {
    let largest = '';
    for (const [group, values] of groups) {
      if (values.size > (groups.get(largest)?.size ?? 0)) largest = group;
    }
    const values = groups.get(largest);
    const [oldest] = values?.keys() ?? [];
    if (values === undefined || oldest === undefined) return;
    values.delete(oldest);
    if (values.size === 0) groups.delete(largest);
    size -= 1;
  }

  return {
    get: (name) => {
      const value = groups.get(groupOf(name))?.get(name);
      if (value !== undefined) put(name, value);
      return value;
    },
    set: (name, value) => {
      put(name, value);
      if (size > maximum) forgetOne();
    },
  };
}

/** A bounded cache of recently used values with weights. */
type WeighedCache<Value> = Pick<RecentCache<Value>, 'get'> & {
  /**
   * Stores a value, and replaces a value of the same name. Does not store a value heavier than the whole
   * cache.
   */
  set(name: string, value: Value, weight: number): void;
  /** Replaces each value, which keeps its weight. */
  replaceAll(change: (value: Value) => Value): void;
};

/** Creates a cache of the most recently used values with a total weight of at most `maximumWeight`. */
export function createWeighedCache<Value>(maximumWeight: number): WeighedCache<Value> {
  const values = new Map<string, { readonly value: Value; readonly weight: number }>();
  let total = 0;
  /** The last entry of the map, which a use does not have to move. */
  let newest: string | undefined;
  function drop(name: string): void {
    total -= values.get(name)?.weight ?? 0;
    values.delete(name);
    if (name === newest) newest = undefined;
  }
  return {
    get: (name) => {
      const known = values.get(name);
      if (known === undefined || name === newest) return known?.value;
      newest = name;
      values.delete(name);
      values.set(name, known);
      return known.value;
    },
    set: (name, value, weight) => {
      drop(name);
      if (weight > maximumWeight) return;
      values.set(name, { value, weight });
      newest = name;
      total += weight;
      for (const oldest of values.keys()) {
        if (total <= maximumWeight) return;
        drop(oldest);
      }
    },
    replaceAll: (change) => {
      for (const [name, { value, weight }] of values) {
        values.set(name, { value: change(value), weight });
      }
    },
  };
}
