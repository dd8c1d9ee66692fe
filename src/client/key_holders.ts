// Seals the secrets of key holders to the running enclave.

import { base64urlOf, bytesOfHex, hexOf, utf8 } from './bytes.ts';
import type { Client } from './connect.ts';
import type { Queries } from './generated/operations.ts';
import { seal } from './hpke.ts';
import { statedEphemeralKey } from './proofs.ts';

type OrganizationKey = NonNullable<Queries['get_organization_key']['result']['organizationKey']>;

const saltBytes = 16;

/** Returns a new salt for the derivation of a secret: base64 without padding, as in PHC strings. */
export const newHolderSalt = (): string =>
  base64urlOf(crypto.getRandomValues(new Uint8Array(saltBytes)))
    .replaceAll('-', '+')
    .replaceAll('_', '/');

/** Hex digits of the encryption half of an ephemeral key. */
const encryptionDigits = 130;

/**
 * Seals the secret of a holder (32 bytes), and returns the value of `encryptedSecret`. `hold` is for a new
 * holder, `unseal` for an existing one. The sealed secret is valid for this run of the enclave, until the
 * organization is sealed again. Throws `Untrusted` if the pinned attestation key does not attest the key of
 * the enclave.
 */
export async function sealHolderSecret(
  client: Pick<Client, 'serviceKeys' | 'query' | 'organizationId'>,
  secret: Uint8Array<ArrayBuffer>,
  purpose: 'hold' | 'unseal',
  key: Pick<OrganizationKey, 'organizationKeyId' | 'sealCount'> | undefined,
): Promise<string> {
  const { bootProof } = await client.query('get_latest_boot_proof');
  const { attestation } = await client.serviceKeys();
  const stated = await statedEphemeralKey(bootProof, attestation);
  const receiver = bytesOfHex(stated.slice(0, encryptionDigits));
  const lines = ['keywright organization key 1', client.organizationId.toLowerCase(), purpose];
  if (key !== undefined) lines.push(key.organizationKeyId, key.sealCount);
  const { encapsulatedKey, ciphertext } = await seal(secret, {
    info: utf8(lines.join('\n')),
    receiver,
  });
  return JSON.stringify({
    encappedPublic: hexOf(encapsulatedKey),
    ciphertext: hexOf(ciphertext),
  });
}
