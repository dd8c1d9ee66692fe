/** The last instant that a JavaScript date can represent, in milliseconds since 1970. */
const latestMs = 8_640_000_000_000_000n;

/** Formats a time in UTC (RFC 3339); returns the number itself for times after the year 275760. */
export function instantText(milliseconds: bigint): string {
  if (milliseconds > latestMs) return `${milliseconds} milliseconds after 1970`;
  return new Date(Number(milliseconds)).toISOString().replace('.000Z', 'Z');
}
