import { hex } from '../bytes.ts';

/**
 * `find` with a memory of the results for the `limit` keys asked for last. The keys are public: they
 * stay in memory as text. A key for which there is nothing is not remembered.
 */
export function rememberRecent<Value>(
  limit: number,
  find: (key: Uint8Array) => Value | undefined,
): (key: Uint8Array) => Value | undefined {
  const values = new Map<string, Value>();
  return (key) => {
    const name = hex(key);
    const value = values.get(name) ?? find(key);
    if (value === undefined) return undefined;
    // A map keeps the order of insertion: its first entry is the one unused for longest.
    values.delete(name);
    values.set(name, value);
    const [oldest] = values.size > limit ? values.keys() : [];
    if (oldest !== undefined) values.delete(oldest);
    return value;
  };
}
