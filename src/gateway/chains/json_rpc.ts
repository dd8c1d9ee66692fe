// JSON-RPC 2.0 over HTTP, to the nodes that the operator named.

import { ChainFault } from '../../core/balances/evm_block.ts';
import { textOfUtf8, utf8 } from '../../core/bytes.ts';
import type { Outbound } from '../outbound/outbound.ts';

const timeoutMs = 30_000;
/** A full block of the largest chains with its receipts is a few megabytes. */
const maximumBytes = 64 * 1024 * 1024;

/** The result of a call. Raises `ChainFault` with what went wrong, without the address. */
export type JsonRpc = (method: string, parameters: readonly unknown[]) => Promise<unknown>;

export function createJsonRpc(url: string, send: Outbound['send']): JsonRpc {
  let serial = 0;
  return async (method, params) => {
    serial += 1;
    const id = serial;
    const answer = await send({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: utf8(JSON.stringify({ jsonrpc: '2.0', id, method, params })),
      timeoutMs,
      maximumBytes,
    });
    if ('failure' in answer) throw new ChainFault(`${method}: ${answer.failure}`);
    if (answer.status !== 200) throw new ChainFault(`${method}: status ${answer.status}`);
    const parsed = jsonOf(answer.body);
    if (parsed?.['id'] !== id) throw new ChainFault(`${method}: the answer is none of JSON-RPC`);
    if (parsed['error'] !== undefined && parsed['error'] !== null) {
      throw new ChainFault(`${method}: refused with code ${codeOf(parsed['error'])}`);
    }
    return parsed['result'];
  };
}

function jsonOf(body: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(textOfUtf8(body) ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return typeof code === 'number' ? String(code) : 'unknown';
}
