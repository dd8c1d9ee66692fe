// Requests without a stamp: health, and what everybody may read.

import { Failure } from '../failures.ts';
import type { Terminal } from '../terminal.ts';

export type Probed = {
  readonly status: number;
  /** What the service takes for now, in milliseconds since 1970, and when it was asked. */
  readonly serviceMs: number | undefined;
  readonly askedMs: number;
  readonly body: unknown;
};

const timeoutMs = 10_000;

/** One `GET`. Raises `unreachable` with the reason in words. */
export async function probe(url: string, path: string, terminal: Terminal): Promise<Probed> {
  const askedMs = terminal.clock();
  try {
    const signal = AbortSignal.any([terminal.signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(`${url}${path}`, { redirect: 'error', signal });
    const date = Date.parse(response.headers.get('date') ?? '');
    return {
      status: response.status,
      serviceMs: Number.isNaN(date) ? undefined : date,
      askedMs,
      body: await response.json().catch(() => undefined),
    };
  } catch (error) {
    throw new Failure({
      exit: 'unreachable',
      message: `${url} cannot be reached: ${reasonOf(error)}`,
      next: 'Check the address and whether the service runs: keywright serve, or npm start.',
    });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name cannot be looked up now',
  ECONNRESET: 'the connection was cut',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is of an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return reasons[code] ?? (cause instanceof Error ? cause.message : error.message);
}
