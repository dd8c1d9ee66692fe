// Exports and imports by clients, with the unmodified public package.

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

/** The private key that clients use as the target of exports. */
export const clientKey = new Uint8Array(32).fill(11);
export const targetPublicKey = hex(keyAgreement(clientKey).publicKey);

/** The key that verifies bundles of every test service: 130 hex digits. */
export const signerKey = hex(
  createServiceKeys(createRootKeys(testRootKey()), () =>
    assert.fail('nothing is random'),
  ).publicKey('signer'),
);

/** A well-known mnemonic, and the first Ethereum address of its wallet. */
export const knownSentence = 'test test test test test test test test test test test junk';
export const knownAddress = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** Opens a bundle of export_wallet; returns the mnemonic. */
export const openedSentence = (exportBundle: string, organizationId: string): Promise<string> =>
  decryptExportBundle({
    exportBundle,
    organizationId,
    embeddedKey: hex(clientKey),
    dangerouslyOverrideSignerPublicKey: signerKey,
    returnMnemonic: true,
  });

/** Opens a bundle with a private key; returns it in hex. */
export const openedKey = (exportBundle: string, organizationId: string): Promise<string> =>
  decryptExportBundle({
    exportBundle,
    organizationId,
    embeddedKey: hex(clientKey),
    dangerouslyOverrideSignerPublicKey: signerKey,
    returnMnemonic: false,
  });

/** Exports a wallet, an account or a private key, without opening the bundle. */
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

/** Requests a target for one import, by default as the root user. */
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

/** Seals a mnemonic to a new target. */
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

/** Seals a private key (hex, or the form of Solana) to a new target. */
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

/** Seals bytes to the target in a bundle, with fixed randomness. */
export function sealedBytes(importBundle: string, plaintext: Uint8Array): string {
  return sealedTo(Uint8Array.fromHex(targetOf(importBundle)), plaintext);
}

/** Returns the public key of the target in a bundle, in hex. */
export function targetOf(importBundle: string): string {
  const data = textOfUtf8(Uint8Array.fromHex(JSON.parse(importBundle).data));
  return JSON.parse(data ?? '').targetPublic;
}

/** Seals bytes to a public key, with fixed randomness. */
export function sealedTo(receiverPublicKey: Uint8Array, plaintext: Uint8Array): string {
  const ephemeralPrivateKey = new Uint8Array(32).fill(12);
  const sealed = sealBundle({ receiverPublicKey, plaintext, ephemeralPrivateKey });
  const { encapsulatedKey, ciphertext } = sealed;
  return JSON.stringify({ encappedPublic: hex(encapsulatedKey), ciphertext: hex(ciphertext) });
}
