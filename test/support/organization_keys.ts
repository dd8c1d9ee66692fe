// Secrets of key holders, sealed to a running enclave as a client seals them.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { bytesOfHex, hex } from '../../src/core/base/bytes.ts';
import { sealTo } from '../../src/core/crypto/hpke.ts';
import { type HolderPurpose, holderBinding } from '../../src/core/keys/organization_keys.ts';
import type { OrganizationKeyMark } from '../../src/core/organization/records/organization_key.ts';
import { createHeldOrganizationKeys } from '../../src/enclave/keys/held_organization_keys.ts';

/** The ports of a keyring whose organization has no key of its own. */
export const noOrganizationKeys = () => ({
  held: createHeldOrganizationKeys(),
  receiver: { open: () => undefined },
});

/** Returns the secret of the holder with a name. */
export const secretOf = (name: string): Uint8Array =>
  Uint8Array.from(createHash('sha256').update(`secret of ${name}`).digest());

export const derivation = `$scrypt$ln=15,r=8,p=1$${'A'.repeat(22)}`;

/** A secret that no enclave can open. */
export const unreadableSecret = JSON.stringify({
  encappedPublic: `04${'6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'}${'4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5'}`,
  ciphertext: '00'.repeat(48),
});

/** Generates the parameters of a new holder. Simulated users do not know the key of the enclave. */
export const generatedHolder = {
  weight: 1,
  parameters: ({ serial }: { readonly serial: number }) => ({
    holderName: `Holder ${serial}`,
    type: 'KEY_HOLDER_TYPE_PASSPHRASE',
    derivation,
    encryptedSecret: unreadableSecret,
  }),
};

type Sealed = {
  /** Hex of both points. */
  readonly ephemeralKey: string;
  readonly organizationId: string;
  readonly purpose: HolderPurpose;
  readonly mark?: OrganizationKeyMark | undefined;
};

/** Returns the value of `encryptedSecret`. */
export function sealedSecret(
  secret: Uint8Array,
  { ephemeralKey, organizationId, purpose, mark }: Sealed,
): string {
  const receiverPublicKey = bytesOfHex(ephemeralKey.slice(0, 130)) ?? assert.fail();
  const { encapsulatedKey, ciphertext } = sealTo({
    ...holderBinding(organizationId, purpose, mark),
    receiverPublicKey,
    plaintext: secret,
    ephemeralPrivateKey: Uint8Array.from(
      createHash('sha256').update(secret).update(purpose).digest(),
    ),
  });
  return JSON.stringify({ encappedPublic: hex(encapsulatedKey), ciphertext: hex(ciphertext) });
}
