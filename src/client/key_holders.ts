// Seals the secrets of key holders to the running enclave.

import { base64urlOf } from './bytes.ts';
import type { Client } from './connect.ts';
import type { Queries } from './generated/operations.ts';
import { statedEphemeralKey } from './proofs.ts';
import { type SecretPlace, sealSecret } from './sealed_secret.ts';

/** The key of an organization, and its holders. */
export type OrganizationKey = NonNullable<
  Queries['get_organization_key']['result']['organizationKey']
>;

const saltBytes = 16;

/** Returns a new salt for the derivation of a secret: base64 without padding, as in PHC strings. */
export const newHolderSalt = (): string =>
  base64urlOf(crypto.getRandomValues(new Uint8Array(saltBytes)))
    .replaceAll('-', '+')
    .replaceAll('_', '/');

/** Hex digits of the encryption half of an ephemeral key. */
const encryptionDigits = 130;

/**
 * Returns the place to which the secret of a holder is sealed. `hold` is for a new holder, `unseal` for an
 * existing one. A sealed secret is valid for this run of the enclave, until the organization is sealed again.
 * Throws `Untrusted` if the pinned attestation key does not attest the key of the enclave.
 */
export async function holderSecretPlace(
  client: Pick<Client, 'serviceKeys' | 'query' | 'organizationId'>,
  purpose: 'hold' | 'unseal',
  key: Pick<OrganizationKey, 'organizationKeyId' | 'sealCount'> | undefined,
): Promise<SecretPlace> {
  const { bootProof } = await client.query('get_latest_boot_proof');
  const { attestation } = await client.serviceKeys();
  const stated = await statedEphemeralKey(bootProof, attestation);
  const lines = ['keywright organization key 1', client.organizationId.toLowerCase(), purpose];
  if (key !== undefined) lines.push(key.organizationKeyId, key.sealCount);
  return { receiver: stated.slice(0, encryptionDigits), info: lines.join('\n') };
}

/** Seals the secret of a holder (32 bytes), and returns the value of `encryptedSecret`. */
export async function sealHolderSecret(
  client: Parameters<typeof holderSecretPlace>[0],
  secret: Uint8Array<ArrayBuffer>,
  purpose: Parameters<typeof holderSecretPlace>[1],
  key: Parameters<typeof holderSecretPlace>[2],
): Promise<string> {
  return await sealSecret(secret, await holderSecretPlace(client, purpose, key));
}
