/** The last moment that a date of JavaScript can name, in milliseconds since 1970. */
const latestMs = 8_640_000_000_000_000n;

/** A moment in UTC for people, as in RFC 3339; beyond the year 275760 the number itself. */
export function instantText(milliseconds: bigint): string {
  if (milliseconds > latestMs) return `${milliseconds} milliseconds after 1970`;
  return new Date(Number(milliseconds)).toISOString().replace('.000Z', 'Z');
}
