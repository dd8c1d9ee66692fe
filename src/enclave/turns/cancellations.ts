// Refuses to begin a request whose deadline has passed or whose client has disconnected. A request that
// has begun is always finished, so it leaves nothing half done, and the client that sends the same bytes
// again gets the activity of the first time.

import { fail } from '../../core/errors/errors.ts';

/** A request that the enclave may have to queue before it begins it. */
type PendingRequest = {
  /** Raises `not_begun` once the deadline of the request has passed or the gateway has cancelled it. */
  readonly checkNotCancelled: () => void;
  /** Forgets the request: the enclave has answered it. */
  readonly leave: () => void;
};

export type Cancellations = {
  enter(request: {
    readonly deadlineAtMs?: number | undefined;
    readonly cancelId?: number | undefined;
  }): PendingRequest;
  /** Cancels the request with this number; does nothing if the enclave has answered it already. */
  cancel(cancelId: number): void;
};

/** Keeps the requests that can be cancelled. `clock` returns milliseconds since 1970, as deadlines do. */
export function createCancellations(clock: () => number): Cancellations {
  const isCancelled = new Map<number, boolean>();
  return {
    enter: ({ deadlineAtMs = Number.POSITIVE_INFINITY, cancelId }) => {
      if (cancelId !== undefined) isCancelled.set(cancelId, false);
      return {
        checkNotCancelled: () => {
          const hasLeft = cancelId !== undefined && isCancelled.get(cancelId) === true;
          if (hasLeft || clock() >= deadlineAtMs) fail('not_begun');
        },
        leave: () => {
          if (cancelId !== undefined) isCancelled.delete(cancelId);
        },
      };
    },
    cancel: (cancelId) => {
      if (isCancelled.has(cancelId)) isCancelled.set(cancelId, true);
    },
  };
}
