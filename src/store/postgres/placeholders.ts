/** Returns a query with the placeholders of PostgreSQL: `$1`, `$2` … */
export function numbered(query: string): string {
  let last = 0;
  return query.replaceAll('?', () => {
    last += 1;
    return `$${last}`;
  });
}
