// The root key of an enclave that another process than the gateway started: it stands in a descriptor that
// the enclave inherits, and the gateway's `start` brings none.

import { readSync } from 'node:fs';
import { secretBytes, wipe } from '../../core/base/bytes.ts';
import { assert } from '../../core/errors/errors.ts';
import { keyDescriptor } from '../../ipc/held_key.ts';
import type { Handlers } from '../../ipc/message_table.ts';
import type { EnclaveMessages } from '../../ipc/messages.ts';
import { keyBytes } from '../keys/root_keys.ts';

/** Reads the root key. Raises an error where the descriptor ends before it. */
export function readHeldKey(read: typeof readSync = readSync): Uint8Array {
  const key = secretBytes(keyBytes);
  let length = 0;
  while (length < keyBytes) {
    const count = read(keyDescriptor, key, length, keyBytes - length, null);
    assert(count > 0, 'the descriptor holds a whole root key');
    length += count;
  }
  return key;
}

/**
 * Returns the handlers of an enclave with a key of its own. A start takes that key, once. A start that brings
 * a key is refused.
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
  };
}
