// Bytes that many answers share, such as a file of the dashboard. They are in memory once, so they count
// for none of the sources that read them.

import { Buffer } from 'node:buffer';

const shared = new WeakSet<Uint8Array>();

/** Returns the bytes as the answers of many requests may send them. */
export function sharedBytes(bytes: Uint8Array): Buffer {
  const marked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  shared.add(marked);
  return marked;
}

/** Returns true for what `sharedBytes` gave, itself and no copy of it. */
export function isShared(bytes: Uint8Array): boolean {
  return shared.has(bytes);
}
