// Rejects a request before it begins if its deadline has passed or its client has disconnected. A request
// that has begun is always finished. A client that repeats the same bytes gets the activity of the first
// request.

import { fail } from '../../core/errors/errors.ts';

/** A request that may wait in the enclave before it begins. */
type PendingRequest = {
  /** Raises `not_begun` once the deadline of the request has passed or the gateway has cancelled it. */
  readonly checkNotCancelled: () => void;
  /** Forgets the request once the enclave has answered it. */
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

/** Creates the registry of cancellable requests. `clock` returns milliseconds since 1970. */
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
