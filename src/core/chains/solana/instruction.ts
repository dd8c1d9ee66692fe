// An instruction as a message encodes it.

export type EncodedInstruction = {
  readonly programIndex: number;
  /** Indexes of the message's keys, then of all writable and finally all read-only accounts of tables. */
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
};
