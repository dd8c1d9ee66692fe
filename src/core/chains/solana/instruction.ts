// An instruction as a message encodes it.

export type EncodedInstruction = {
  readonly programIndex: number;
  /**
   * Indexes into the keys of the message, followed by all writable and then all readonly accounts
   * of tables.
   */
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
};
