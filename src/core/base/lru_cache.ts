/** A bounded memory of what was used most recently. */
export type RecentCache<Value> = {
  /** Undefined for what was never kept or has been dropped. */
  get(name: string): Value | undefined;
  /** Keeps a value, in place of one of the same name. */
  set(name: string, value: Value): void;
  /** Drops everything. */
  clear(): void;
};

/**
 * Keeps the `maximum` values used last. `dropped` sees each value that leaves, so that a secret can
 * be wiped.
 */
export function createRecentCache<Value>(
  maximum: number,
  dropped: (value: Value) => void = () => undefined,
): RecentCache<Value> {
  // A map keeps the order of insertion: its first entry is the one unused for longest.
  const values = new Map<string, Value>();
  return {
    get: (name) => {
      const value = values.get(name);
      if (value === undefined) return undefined;
      values.delete(name);
      values.set(name, value);
      return value;
    },
    set: (name, value) => {
      const before = values.get(name);
      if (before !== undefined && before !== value) dropped(before);
      values.delete(name);
      values.set(name, value);
      if (values.size <= maximum) return;
      const [oldest] = values;
      if (oldest === undefined) return;
      values.delete(oldest[0]);
      dropped(oldest[1]);
    },
    clear: () => {
      for (const value of values.values()) dropped(value);
      values.clear();
    },
  };
}
