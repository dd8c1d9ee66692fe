import { failField } from '../errors/errors.ts';

/**
 * Returns the IDs of a request in lower case and the given order. `field` is the path of their list. Raises
 * `field_invalid` for a duplicate ID.
 */
export function distinctIds(ids: readonly string[], field: string): string[] {
  const seen = new Set<string>();
  for (const [i, id] of ids.entries()) {
    if (seen.has(id.toLowerCase())) failField(`${field}.${i}`, `\`${id}\` is named twice`);
    seen.add(id.toLowerCase());
  }
  return [...seen];
}
