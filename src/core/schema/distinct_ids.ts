import { failField } from '../errors/errors.ts';

/**
 * Ids of a request in lower case, in the order sent. `field` is the path of their list. Raises
 * `field_invalid` for an id that the list names twice.
 */
export function distinctIds(ids: readonly string[], field: string): string[] {
  const seen = new Set<string>();
  for (const [i, id] of ids.entries()) {
    if (seen.has(id.toLowerCase())) failField(`${field}.${i}`, `\`${id}\` is named twice`);
    seen.add(id.toLowerCase());
  }
  return [...seen];
}
