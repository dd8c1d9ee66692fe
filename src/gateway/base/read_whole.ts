// Reads everything that the other side of a local socket sends, within a size and a time.

import type { Socket } from 'node:net';
import { concatSecrets, copyOfSecret, wipe } from '../../core/base/bytes.ts';

/**
 * Returns everything that the other side sends. It may be a secret, which the caller wipes. Returns undefined
 * if the other side sends nothing or too much, or is too slow.
 */
export async function readWhole(
  socket: Socket,
  { maximumBytes, withinMs }: { readonly maximumBytes: number; readonly withinMs: number },
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const ended = Promise.withResolvers<boolean>();
  socket.on('data', (chunk: Uint8Array) => {
    length += chunk.length;
    if (length > maximumBytes) ended.resolve(false);
    else chunks.push(copyOfSecret(chunk));
    wipe(chunk);
  });
  socket.once('end', () => ended.resolve(length > 0));
  for (const event of ['close', 'error']) socket.once(event, () => ended.resolve(false));
  const deadline = setTimeout(() => ended.resolve(false), withinMs);
  const isWhole = await ended.promise;
  clearTimeout(deadline);
  const whole = isWhole ? concatSecrets(...chunks) : undefined;
  wipe(...chunks);
  if (whole === undefined) socket.destroy();
  return whole;
}
