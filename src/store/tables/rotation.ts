// The store's part in a rotation of the root key while the service runs.

import type { Rewriter } from './rewriter.ts';

/** The report of a node during a rotation. */
export type RotationNode = {
  readonly node: string;
  /** Public name of the next root key that all its enclaves have; undefined if one of them has none. */
  readonly nextKey: string | undefined;
  /** The key epoch of all rows that it writes. */
  readonly epoch: number;
};

export type StoreRotation = {
  /** Opens the rows for replacement. */
  rewriter(): Promise<Omit<Rewriter, 'put' | 'compact'>>;
  /** Milliseconds from the first report until every running node has reported. */
  readonly windowMs: number;
  isAnnounced(): Promise<boolean>;
  /**
   * Reports this node, and announces a rotation if `announces` is true. Returns all running nodes in the
   * order of their names.
   */
  report(node: RotationNode, announces: boolean): Promise<readonly RotationNode[]>;
  /** Rejects rows of earlier key epochs from now on, including those of nodes that resume later. */
  fence(epoch: number): Promise<void>;
  /** Returns false if a row of an earlier epoch is left. */
  isClean(epoch: number): Promise<boolean>;
  /** Withdraws the announcement. */
  finish(): Promise<void>;
};
