import { hex } from '../base/bytes.ts';
import { createRecentCache } from '../base/lru_cache.ts';

/**
 * Wraps `find` with a cache of the results for the last `limit` keys. The keys are public and stay in memory
 * as text. Keys without a result are not cached.
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
