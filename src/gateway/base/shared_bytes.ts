// Marks bytes that many answers share, such as a file of the dashboard. They are in memory only once, so they
// are not charged to the sources that read them.

import { Buffer } from 'node:buffer';

const shared = new WeakSet<Uint8Array>();

/** Marks the bytes as shared and returns them. */
export function sharedBytes(bytes: Uint8Array): Buffer {
  const marked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  shared.add(marked);
  return marked;
}

/** Returns true for bytes that `sharedBytes` returned, but not for a copy. */
export function isShared(bytes: Uint8Array): boolean {
  return shared.has(bytes);
}
