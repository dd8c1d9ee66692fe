// A channel of bytes between the two processes.

/** The byte carrier that a link needs. */
export type Channel = {
  /**
   * Sends a chunk, in order. The channel owns the chunk until it calls `sent`, which it may never do. A
   * channel between processes has overwritten the chunk by then, because it may hold a secret.
   */
  write(chunk: Uint8Array, sent: () => void): void;
  /** Bytes that the other side has not read yet. They bound the number of calls. */
  queuedBytes(): number;
  /** Calls `receive` with each chunk from now on. The receiver owns the chunk. */
  onData(receive: (chunk: Uint8Array) => void): void;
  /** Calls `closed` once, when the channel can neither send nor receive any more. */
  onClose(closed: () => void): void;
  /** Ends both directions. */
  close(): void;
};
