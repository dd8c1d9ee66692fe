import assert from 'node:assert/strict';
import type { Keyring } from '../../src/core/keyring.ts';
import { createKeyring, createSigningKeyCache } from '../../src/enclave/keyring.ts';
import { createRootKeys } from '../../src/enclave/root_keys.ts';
import { createSealing } from '../../src/enclave/sealing.ts';
import { testRootKey } from '../harness.ts';

const random = () => assert.fail('it only opens');
const wrapping = createSealing('wrap', createRootKeys(testRootKey()), random);

/** A keyring that opens the secrets of an organization of the simulation, and makes none. */
export function heldKeys(organizationId: string): Keyring {
  return createKeyring({ organizationId, wrapping, random, cache: createSigningKeyCache() });
}
