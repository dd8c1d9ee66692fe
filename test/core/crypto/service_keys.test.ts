// The service's keys of a fixed root key, for tests.

import type { ServiceKeys } from '../../../src/core/crypto/service_keys.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createServiceKeys } from '../../../src/enclave/keys/service_keys.ts';

/** Always the same keys, with nonces that count up. */
export function fixedServiceKeys(fill = 42): ServiceKeys {
  let calls = 0;
  const random = (length: number): Uint8Array => {
    calls += 1;
    const bytes = new Uint8Array(length);
    new DataView(bytes.buffer).setUint32(0, calls);
    return bytes;
  };
  return createServiceKeys(createRootKeys(new Uint8Array(32).fill(fill)), random);
}
