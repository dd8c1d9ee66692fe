// The interface of a signing program that is measured next to the service.

/** The figures of one load. `cpu` is processor time of a signature in µs. */
export type PeerFigures = {
  readonly perSecond: number;
  readonly cpu: number;
  readonly p50Ms: number;
};

export type Peer = {
  readonly name: string;
  /** Signs with this number of concurrent callers, at most this number of signatures. */
  sign(callers: number, signatures: number): Promise<PeerFigures>;
  /** Stops the program and removes its files. */
  remove(): Promise<void>;
};
