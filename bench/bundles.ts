// Builds requests that export a key, or import one in a bundle that was sealed in advance.

import { randomBytes } from 'node:crypto';
import { hex } from '../src/core/base/bytes.ts';
import { sealBundle } from '../src/core/bundles/bundle_encryption.ts';
import { keyAgreement, newPrivateKey } from '../src/core/crypto/key_agreement.ts';
import { stamper } from './client.ts';
import type { ImportingOrganization } from './populate.ts';

const random = (length: number) => Uint8Array.from(randomBytes(length));

/** Returns a request that imports a private key to the waiting target. */
export function importRequest(made: ImportingOrganization): Buffer {
  const { encapsulatedKey, ciphertext } = sealBundle({
    receiverPublicKey: made.targetPublicKey,
    plaintext: newPrivateKey(random),
    ephemeralPrivateKey: newPrivateKey(random),
  });
  const message = { encappedPublic: hex(encapsulatedKey), ciphertext: hex(ciphertext) };
  const type = 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY';
  return stamper(made.signer).submit('import_private_key', type, {
    userId: made.userId,
    privateKeyName: 'bench',
    encryptedBundle: JSON.stringify(message),
    curve: 'CURVE_SECP256K1',
    addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
  });
}

const targetPublicKey = hex(keyAgreement(newPrivateKey(random)).publicKey);

/** Returns a request that exports the mnemonic of the wallet. */
export function exportRequest({ signer, walletId }: ImportingOrganization): Buffer {
  const parameters = { walletId, targetPublicKey };
  return stamper(signer).submit('export_wallet', 'ACTIVITY_TYPE_EXPORT_WALLET', parameters);
}
