// Points in time as the language writes them.

const pattern =
  /^(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?(?:[Zz]|[+-]00:00)$/;

/**
 * Nanoseconds since 1970 in UTC of an RFC 3339 time with zero offset and at most nine digits of
 * fraction, or undefined. Leap seconds are not written: no clock of ours shows one.
 */
export function nanosecondsOfTimestamp(text: string): bigint | undefined {
  const [, day, time, fraction = ''] = pattern.exec(text) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const instant = new Date(`${day}T${time}Z`);
  // The 30th of February reads as a day in March, or as no time at all.
  if (Number.isNaN(instant.getTime()) || !instant.toISOString().startsWith(day)) return undefined;
  return BigInt(instant.getTime()) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
