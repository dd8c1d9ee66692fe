// The root key of an enclave that a separate process started. The enclave reads it from an inherited
// descriptor, and the gateway's `start` message has no key.

import { readSync } from 'node:fs';
import { secretBytes, wipe } from '../../core/base/bytes.ts';
import { assert } from '../../core/errors/errors.ts';
import { keyDescriptor } from '../../ipc/held_key.ts';
import type { Handlers } from '../../ipc/message_table.ts';
import type { EnclaveMessages } from '../../ipc/messages.ts';
import { keyBytes } from '../keys/root_keys.ts';

/** Reads the root key, and the second root key of a rotation. Throws for an incomplete key. */
export function readHeldKey(read: typeof readSync = readSync): Uint8Array {
  const keys = secretBytes(2 * keyBytes);
  let length = 0;
  while (length < keys.length) {
    const count = read(keyDescriptor, keys, length, keys.length - length, null);
    if (count === 0) break;
    length += count;
  }
  assert(length > 0 && length % keyBytes === 0, 'the descriptor holds a whole root key');
  return keys.subarray(0, length);
}

/**
 * Returns the handlers of an enclave with its own key, which the start uses once. A start message with a key
 * is rejected.
 */
export function withHeldKey(
  enclave: Handlers<EnclaveMessages>,
  key: Uint8Array,
): Handlers<EnclaveMessages> {
  let held: Uint8Array | undefined = key;
  function take<Request extends { readonly rootKey: Uint8Array | undefined }>(
    request: Request,
  ): Request & { readonly rootKey: Uint8Array } {
    const given = request.rootKey ?? new Uint8Array(0);
    const { length } = given;
    wipe(given);
    assert(length === 0, 'the gateway brings no root key to an enclave that has one');
    assert(held !== undefined, 'the root key is taken once');
    const rootKey = held;
    held = undefined;
    return { ...request, rootKey };
  }
  return {
    ...enclave,
    start: (request) => enclave.start(take(request)),
    startCustody: (request) => enclave.startCustody(take(request)),
    giveNextKey: ({ rootKey }) => {
      wipe(rootKey);
      assert(false, 'the gateway brings no root key to an enclave that has one');
    },
  };
}
