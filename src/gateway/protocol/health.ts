// The answers to health probes.

/** Prefix of the reason while a service without its root key is not ready. */
export const sealedWord = 'sealed:';

/** Returns the answer to a health probe. */
export function healthOf(
  path: string,
  notReady: () => readonly string[],
): { readonly status: number; readonly body: object } {
  if (path === '/health/live') return { status: 200, body: { status: 'ok' } };
  if (path !== '/health/ready') return { status: 404, body: { status: 'unknown' } };
  const reasons = notReady();
  if (reasons.length === 0) return { status: 200, body: { status: 'ready' } };
  const status = reasons.some((reason) => reason.startsWith(sealedWord)) ? 'sealed' : 'not ready';
  return { status: 503, body: { status, reasons } };
}
