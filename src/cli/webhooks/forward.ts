// Forwards a delivery with its unchanged body and headers to a local receiver.

import { reasonOf } from '../service/unreachable.ts';
import type { Delivery } from './deliveries.ts';

const timeoutMs = 30_000;

/** Returns the status of the receiver, or the reason why it did not answer. */
export async function forward(
  { body = '', headers = [] }: Delivery,
  to: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return `no answer: ${reasonOf(error)}`;
  }
}
