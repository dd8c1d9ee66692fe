/** Maximum ids of accounts or events in one query to the store. */
export const idsAtOnce = 1_000;

/** Returns values in batches of a size, the last of which may be smaller. */
export function batchesOf<Value>(values: readonly Value[], size: number): Value[][] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, i) => values.slice(i * size, (i + 1) * size));
}
