// Times in the notation of the language.

const pattern =
  /^(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?(?:[Zz]|[+-]00:00)$/;

/**
 * Returns the nanoseconds since 1970 in UTC of an RFC 3339 time with offset zero and at most nine fractional
 * digits; undefined for other text. Leap seconds are invalid, since the service's clock never shows them.
 */
export function nanosecondsOfTimestamp(text: string): bigint | undefined {
  const [, day, time, fraction = ''] = pattern.exec(text) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const instant = new Date(`${day}T${time}Z`);
  // February 30 parses as a day in March, or not at all.
  if (Number.isNaN(instant.getTime()) || !instant.toISOString().startsWith(day)) return undefined;
  return BigInt(instant.getTime()) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
