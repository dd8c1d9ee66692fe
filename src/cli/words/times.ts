// Formats times for people.

/** Formats a time of the API as `2026-11-22 23:51:46 UTC`. Accepts seconds since 1970, or a date text. */
export function timeText(time: { readonly seconds: string | number } | string): string {
  const seconds = typeof time === 'string' ? Date.parse(time) / 1000 : Number(time.seconds);
  const text = new Date(seconds * 1000).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
}
