// The interface of a program that signs, measured beside the service.

/** The figures of one load. `cpu` is processor time of a signature in µs. */
export type PeerFigures = {
  readonly perSecond: number;
  readonly cpu: number;
  readonly p50Ms: number;
};

export type Peer = {
  readonly name: string;
  /** Signs with this number of callers at once, at most this number of signatures. */
  sign(callers: number, signatures: number): Promise<PeerFigures>;
  /** Stops the program and removes its files. */
  remove(): Promise<void>;
};
