// A channel of bytes between the two processes.

/** The byte carrier that a link needs. */
export type Channel = {
  /**
   * Sends a chunk, in order. The chunk is the channel's until it says `sent`, if it ever does: a
   * channel that leaves the process has overwritten it then, for it may hold a secret.
   */
  write(chunk: Uint8Array, sent: () => void): void;
  /** Bytes that the other side has not yet taken, which bound the calls. */
  queuedBytes(): number;
  /** Calls back with arriving chunks from now on. The receiver owns the chunk. */
  onData(receive: (chunk: Uint8Array) => void): void;
  /** Calls back once, when nothing more can come or go. */
  onClose(closed: () => void): void;
  /** Ends both directions. */
  close(): void;
};
