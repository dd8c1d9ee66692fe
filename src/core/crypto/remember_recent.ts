import { hex } from '../base/bytes.ts';
import { createRecentCache } from '../base/lru_cache.ts';

/**
 * `find` with a memory of the results for the `limit` keys asked for last. The keys are public: they
 * stay in memory as text. A key for which there is nothing is not remembered.
 */
export function rememberRecent<Value>(
  limit: number,
  find: (key: Uint8Array) => Value | undefined,
): (key: Uint8Array) => Value | undefined {
  const values = createRecentCache<Value>(limit);
  return (key) => {
    const name = hex(key);
    const known = values.get(name);
    if (known !== undefined) return known;
    const value = find(key);
    if (value !== undefined) values.set(name, value);
    return value;
  };
}
