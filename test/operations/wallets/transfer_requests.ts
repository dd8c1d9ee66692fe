// Exports and imports as clients make them: with the unmodified package of the API family.

import assert from 'node:assert/strict';
import {
  decryptExportBundle,
  encryptPrivateKeyToBundle,
  encryptWalletToBundle,
} from '@turnkey/crypto';
import { hex, textOfUtf8 } from '../../../src/core/base/bytes.ts';
import { sealBundle } from '../../../src/core/bundles/bundle_encryption.ts';
import { keyAgreement } from '../../../src/core/crypto/key_agreement.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createServiceKeys } from '../../../src/enclave/keys/service_keys.ts';
import { type Sender, type TestService, testRootKey } from '../../support/harness.ts';

/** The key that clients have things exported to. */
export const clientKey = new Uint8Array(32).fill(11);
export const targetPublicKey = hex(keyAgreement(clientKey).publicKey);

/** The key by which clients check bundles of every test service: 130 hex digits. */
export const signerKey = hex(
  createServiceKeys(createRootKeys(testRootKey()), () =>
    assert.fail('nothing is random'),
  ).publicKey('signer'),
);

/** A sentence that everybody knows, and the first Ethereum address of its wallet. */
export const knownSentence = 'test test test test test test test test test test test junk';
export const knownAddress = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** The content of a bundle of export_wallet. */
export const openedSentence = (exportBundle: string, organizationId: string): Promise<string> =>
  decryptExportBundle({
    exportBundle,
    organizationId,
    embeddedKey: hex(clientKey),
    dangerouslyOverrideSignerPublicKey: signerKey,
    returnMnemonic: true,
  });

/** The private key in a bundle, in hex. */
export const openedKey = (exportBundle: string, organizationId: string): Promise<string> =>
  decryptExportBundle({
    exportBundle,
    organizationId,
    embeddedKey: hex(clientKey),
    dangerouslyOverrideSignerPublicKey: signerKey,
    returnMnemonic: false,
  });

/** Exports a wallet, an account or a private key: nobody looks at what comes out. */
export async function exported(
  service: TestService,
  what: 'wallet' | 'wallet_account' | 'private_key',
  parameters: object,
  as: Sender = {},
): Promise<void> {
  const type = `ACTIVITY_TYPE_EXPORT_${what.toUpperCase()}`;
  const sealed = { ...parameters, targetPublicKey };
  const { status, body } = await service.submit(`export_${what}`, type, sealed, as);
  assert.equal(status, 200, JSON.stringify(body));
}

const initTypes = {
  wallet: ['init_import_wallet', 'ACTIVITY_TYPE_INIT_IMPORT_WALLET', 'initImportWalletResult'],
  private_key: [
    'init_import_private_key',
    'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY',
    'initImportPrivateKeyResult',
  ],
} as const;

export type Importer = Sender & { readonly userId: string };

/** A target for one import, as the service hands it out; by the root user unless told otherwise. */
export async function initImport(
  service: TestService,
  purpose: keyof typeof initTypes,
  by: Importer = service.root,
): Promise<string> {
  const [operation, type, result] = initTypes[purpose];
  const { userId, ...as } = by;
  const { status, body } = await service.submit(operation, type, { userId }, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result[result].importBundle;
}

/** A sentence sealed to a new target. */
export async function sealedSentence(
  service: TestService,
  mnemonic: string,
  by: Importer = service.root,
): Promise<string> {
  return encryptWalletToBundle({
    mnemonic,
    importBundle: await initImport(service, 'wallet', by),
    userId: by.userId,
    organizationId: by.organizationId ?? service.root.organizationId,
    dangerouslyOverrideSignerPublicKey: signerKey,
  });
}

/** A private key (hex, or the form of Solana) sealed to a new target. */
export async function sealedKey(
  service: TestService,
  privateKey: string,
  keyFormat: 'HEXADECIMAL' | 'SOLANA' = 'HEXADECIMAL',
  by: Importer = service.root,
): Promise<string> {
  return encryptPrivateKeyToBundle({
    privateKey,
    keyFormat,
    importBundle: await initImport(service, 'private_key', by),
    userId: by.userId,
    organizationId: by.organizationId ?? service.root.organizationId,
    dangerouslyOverrideSignerPublicKey: signerKey,
  });
}

/** Any bytes sealed to the target in a bundle, always in the same way. */
export function sealedBytes(importBundle: string, plaintext: Uint8Array): string {
  return sealedTo(Uint8Array.fromHex(targetOf(importBundle)), plaintext);
}

/** The public key of the target in a bundle, in hex. */
export function targetOf(importBundle: string): string {
  const data = textOfUtf8(Uint8Array.fromHex(JSON.parse(importBundle).data));
  return JSON.parse(data ?? '').targetPublic;
}

/** Any bytes sealed to a public key, always in the same way. */
export function sealedTo(receiverPublicKey: Uint8Array, plaintext: Uint8Array): string {
  const ephemeralPrivateKey = new Uint8Array(32).fill(12);
  const sealed = sealBundle({ receiverPublicKey, plaintext, ephemeralPrivateKey });
  const { encapsulatedKey, ciphertext } = sealed;
  return JSON.stringify({ encappedPublic: hex(encapsulatedKey), ciphertext: hex(ciphertext) });
}
