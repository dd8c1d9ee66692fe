// Splits the received bytes into frames.

import { FrameError } from './codec.ts';

/** Size of the length field before each frame. */
const headerBytes = 4;

/**
 * Splits chunks into frames. Each frame may hold a secret and is overwritten after `receive`, so readers copy
 * what they need. Throws FrameError for a frame that is too long.
 */
export function frameAssembler(
  maximumBytes: number,
  receive: (frame: Uint8Array) => void,
): (chunk: Uint8Array) => void {
  let kept = Buffer.alloc(0);
  let keptLength = 0;

  const keep = (bytes: Uint8Array): void => {
    if (keptLength + bytes.length > kept.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(keptLength + bytes.length, kept.length * 2));
      grown.set(kept.subarray(0, keptLength));
      kept.fill(0);
      kept = grown;
    }
    kept.set(bytes, keptLength);
    keptLength += bytes.length;
  };

  /** Receives the complete frames at the front. Returns the number of bytes that they took. */
  const receiveWhole = (bytes: Buffer): number => {
    let offset = 0;
    while (bytes.length - offset >= headerBytes) {
      const length = bytes.readUInt32BE(offset);
      if (length > maximumBytes) throw new FrameError('a frame is too long');
      const end = offset + headerBytes + length;
      if (end > bytes.length) break;
      receive(bytes.subarray(offset + headerBytes, end));
      offset = end;
    }
    return offset;
  };

  return (chunk) => {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    // First finish the frame that began in an earlier chunk, taking no more than it needs.
    while (keptLength > 0 && rest.length > 0) {
      const missing = missingBytes(kept.subarray(0, keptLength), maximumBytes);
      keep(rest.subarray(0, missing));
      rest = rest.subarray(Math.min(missing, rest.length));
      const taken = receiveWhole(kept.subarray(0, keptLength));
      if (taken > 0) {
        kept.fill(0);
        kept = Buffer.alloc(0);
        keptLength = 0;
      }
    }
    if (rest.length > 0) {
      const taken = receiveWhole(rest);
      if (taken < rest.length) keep(rest.subarray(taken));
    }
    chunk.fill(0);
  };
}

/** Returns the number of bytes that the first frame lacks, or its header if that is incomplete. */
function missingBytes(front: Buffer, maximumBytes: number): number {
  if (front.length < headerBytes) return headerBytes - front.length;
  const length = front.readUInt32BE(0);
  if (length > maximumBytes) throw new FrameError('a frame is too long');
  return headerBytes + length - front.length;
}
