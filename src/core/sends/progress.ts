// The progress of a sent Ethereum transaction, from the answers of nodes.

import type { EthereumSend, Send, SendError } from '../organization/records/sends.ts';

/** A transaction in a block, and the result of its execution. */
export type Inclusion = {
  readonly number: number;
  readonly hash: string;
  /** Default: the transaction succeeded. */
  readonly error?: SendError;
};

/**
 * A node's view of a pending transaction. `usedAtFinal` is fetched before `inclusion`, so that no landing is
 * missed.
 */
export type Seen = {
  /** Number of the sender's transactions in final blocks; undefined if unknown. */
  readonly usedAtFinal: bigint | undefined;
  readonly inclusion: Inclusion | undefined;
  /** Number of the newest block. For several nodes, the median. */
  readonly newest: number;
  /** True if the node has the transaction; for several nodes, if more than half have it. */
  readonly isTaken: boolean;
};

/** The part of a send that changes. */
export type SendProgress = Pick<Send, 'status' | 'block' | 'error' | 'isSettled' | 'isSetAside'> & {
  /** The hash under which the transaction landed, if it differs from the known one. */
  readonly transactionHash?: string;
};

/**
 * Days without change after which a transaction that the service did not sign is set aside, if no block has
 * it.
 */
const daysOfSignedElsewhere = 7;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Returns the reason to set aside a transaction that is in no block; undefined if there is none. It may never
 * land, and would occupy its place and the time of nodes forever. A transaction that the service signed is
 * set aside only if its organization abandoned it, so that another one can use its nonce.
 */
export function whyGivenUp(send: Send, now: number): string | undefined {
  if (send.isAbandoned === true) return 'abandoned: it is no longer sent, and may still land';
  const isSignedElsewhere = send.family !== 'solana' && send.isSignedElsewhere === true;
  if (!isSignedElsewhere || now - send.updatedAtMs < daysOfSignedElsewhere * dayMs)
    return undefined;
  return `in no block for ${daysOfSignedElsewhere} days: it is no longer sent, and may still land`;
}

/** Returns the progress of a transaction that is set aside. It has not failed, since it can still land. */
export function setAside({ status }: Pick<Send, 'status'>, message: string): SendProgress {
  return { status, error: { message }, isSettled: true, isSetAside: true };
}

/**
 * Returns the view that more than half of `nodes` share; undefined without such a majority. A node without an
 * answer counts against it.
 */
export function agreed(seen: readonly Seen[], nodes: number): Seen | undefined {
  const [first] = seen;
  const isMajority = (some: readonly Seen[]) => some.length * 2 > nodes;
  if (first === undefined || !isMajority(seen)) return undefined;
  const newest = median(seen.map((each) => each.newest));
  // Includes the outcome: a node may be right about the block and wrong about the outcome.
  const byBlock = Map.groupBy(seen, ({ inclusion }) => JSON.stringify(inclusion));
  const alike = [...byBlock.values()].find(isMajority);
  if (alike === undefined) return undefined;
  const inclusion = alike[0]?.inclusion;
  const isTaken = isMajority(seen.filter((each) => each.isTaken));
  // The count that a majority confirms, since a minority may lie or lag.
  const counts = alike.map(({ usedAtFinal }) => usedAtFinal);
  const known = counts.filter((count) => count !== undefined).toSorted(descending);
  const usedAtFinal = known[Math.floor(nodes / 2)];
  return { usedAtFinal, inclusion, newest, isTaken };
}

/** Returns the progress after the answers of nodes; undefined if nothing changes. */
export function progressAfter(
  send: SendProgress &
    Pick<EthereumSend, 'nonce' | 'isSponsored'> & { readonly givenUp: string | undefined },
  { usedAtFinal, inclusion, newest, isTaken }: Seen,
  confirmations: number,
): SendProgress | undefined {
  if (send.isSettled === true) return undefined;
  if (inclusion !== undefined) {
    const { number, hash, error } = inclusion;
    const isFinal = newest - number >= confirmations;
    const isKnown = send.status === 'INCLUDED' && send.block?.hash === hash;
    if (isKnown && !isFinal) return undefined;
    return {
      status: 'INCLUDED',
      block: { number, hash },
      ...(error === undefined ? {} : { error }),
      ...(isFinal ? { isSettled: true } : {}),
    };
  }
  // Another transaction used the nonce in a final block, so this one can never land.
  if (usedAtFinal !== undefined && usedAtFinal > BigInt(send.nonce)) {
    const used = `another transaction of the address has nonce ${send.nonce}`;
    // The signed calls are public and use a nonce at the delegate, so others can still deliver them.
    const message = send.isSponsored === true ? `${used}; ${deliverable}` : used;
    return { status: 'FAILED', error: { message }, isSettled: true };
  }
  // After a reorganization the transaction is in no block, and is sent again.
  if (send.status === 'INCLUDED') return { status: 'BROADCASTING' };
  if (send.givenUp !== undefined) return setAside(send, send.givenUp);
  return send.status === 'INITIALIZED' && isTaken ? { status: 'BROADCASTING' } : undefined;
}

/** The remaining risk after a sponsored transaction that did not run its calls. */
export const deliverable = 'anyone can still deliver the signed calls until their deadline';

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0;
}

function descending(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a > b ? -1 : 1;
}
