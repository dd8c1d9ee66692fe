// Reads an inherited descriptor to its end, and closes it.

import { closeSync, fstatSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { secretBytes, wipe } from '../../core/base/bytes.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';

/**
 * Resolves with the content of the descriptor, which the caller wipes. Longer content is cut one byte after
 * the bound. Waits for the writer of a pipe until the signal is aborted. Raises UnusableDataError if the
 * descriptor is not open, or not a file, pipe or socket.
 */
export async function readDescriptor(
  descriptor: number,
  maximumBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  signal.throwIfAborted();
  const kind = kindOf(descriptor);
  const bytes = secretBytes(maximumBytes + 1);
  try {
    const length =
      kind === 'file' ? readFile(descriptor, bytes) : await readStream(descriptor, bytes, signal);
    return bytes.subarray(0, length);
  } catch (error) {
    wipe(bytes);
    throw error;
  }
}

/** Size of the reused read buffer, which is wiped. Chunks of a stream would be further copies. */
const portionBytes = 4096;

function kindOf(descriptor: number): 'file' | 'stream' {
  try {
    const status = fstatSync(descriptor);
    if (status.isFile()) return 'file';
    if (status.isFIFO() || status.isSocket()) return 'stream';
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EBADF')) throw error;
    throw new UnusableDataError(
      `descriptor ${descriptor} is not open: start node itself with ${descriptor}<FILE, because npm and npx pass no descriptors on`,
    );
  }
  throw new UnusableDataError(`descriptor ${descriptor} is not a file, pipe or socket`);
}

function readFile(descriptor: number, bytes: Uint8Array): number {
  try {
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return length;
  } finally {
    closeSync(descriptor);
  }
}

async function readStream(fd: number, bytes: Uint8Array, signal: AbortSignal): Promise<number> {
  const ended = Promise.withResolvers<void>();
  const portion = Buffer.from(new ArrayBuffer(portionBytes));
  let length = 0;
  const callback = (portionLength: number): boolean => {
    const taken = portion.subarray(0, Math.min(portionLength, bytes.length - length));
    bytes.set(taken, length);
    length += taken.length;
    wipe(portion);
    if (length === bytes.length) ended.resolve();
    return true;
  };
  const onread = { buffer: portion, callback };
  const socket = new Socket({ fd, readable: true, writable: false, onread });
  const abort = (): void => ended.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  socket.once('end', ended.resolve);
  socket.once('error', ended.reject);
  socket.resume();
  try {
    await ended.promise;
    return length;
  } finally {
    signal.removeEventListener('abort', abort);
    // Closes the descriptor.
    socket.destroy();
  }
}
