import assert from 'node:assert/strict';
import type { Keyring } from '../../src/core/keys/keyring.ts';
import { createKeyring } from '../../src/enclave/keys/keyring.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import { createSigningKeyCache } from '../../src/enclave/keys/signing_key_cache.ts';
import { testRootKey } from '../support/harness.ts';
import { noOrganizationKeys } from '../support/organization_keys.ts';

const random = () => assert.fail('it only opens');
const wrapping = createSealing('wrap', createRootKeys(testRootKey()), random);

/** Creates a keyring that opens the secrets of an organization of the simulation, and creates none. */
export function heldKeys(organizationId: string): Keyring {
  const cache = createSigningKeyCache();
  return createKeyring({ organizationId, wrapping, random, cache, ...noOrganizationKeys() });
}
