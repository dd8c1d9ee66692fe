/** Returns type and status of an activity, or the id of another event, from its signed body. */
export function summaryOf(event: Readonly<Record<string, unknown>>): string {
  const { type, status, id } = event;
  return [type, status, id].filter((member) => typeof member === 'string').join(' ');
}
