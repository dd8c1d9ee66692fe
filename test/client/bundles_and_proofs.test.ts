// Exports, imports and app proofs through the client, against a running service.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateP256KeyPair } from '@turnkey/crypto';
import { english, generateMnemonic, mnemonicToAccount } from 'viem/accounts';
import { newTarget, openExport, sealImport } from '../../src/client/bundles.ts';
import { apiKey, connect, Untrusted } from '../../src/client/index.ts';
import { verifyAppProof } from '../../src/client/proofs.ts';
import { serviceOfThisFile } from '../e2e/service.ts';

const service = await serviceOfThisFile();
const { organizationId, baseUrl: url, userId } = service.credentials;
const stamp = await apiKey(service.credentials);
const client = connect({ url, organizationId, stamp });
const accounts = [client.account('ethereum')];

const isUntrusted = (code: string) => (error: unknown) =>
  error instanceof Untrusted && error.code === code;

test('an exported wallet opens with its target alone, under the pinned key', async () => {
  const { walletId, addresses } = await client.submit('create_wallet', {
    walletName: 'Exported',
    accounts,
  });
  const target = await newTarget();
  assert.equal(target.privateKey.extractable, false);
  const { exportBundle } = await client.submit('export_wallet', {
    walletId,
    targetPublicKey: target.publicKey,
  });
  const mnemonic = new TextDecoder().decode(await openExport(client, exportBundle, target));
  assert.deepEqual([mnemonicToAccount(mnemonic).address], addresses);

  const pinned = {
    ...(await client.serviceKeys()),
    signer: generateP256KeyPair().publicKeyUncompressed,
  };
  const other = connect({ url, organizationId, stamp, serviceKeys: pinned });
  await assert.rejects(
    openExport(other, exportBundle, target),
    isUntrusted('SERVICE_KEY_CHANGED'),
    'a bundle by another key than the pinned one',
  );
  await assert.rejects(
    openExport(client, exportBundle, await newTarget()),
    isUntrusted('BUNDLE_INVALID'),
  );
  await assert.rejects(
    openExport(client.within(walletId), exportBundle, target),
    isUntrusted('BUNDLE_INVALID'),
  );
  const parts = JSON.parse(exportBundle);
  const last = parts.data.endsWith('0') ? '1' : '0';
  const altered = JSON.stringify({ ...parts, data: `${parts.data.slice(0, -1)}${last}` });
  await assert.rejects(openExport(client, altered, target), isUntrusted('SIGNATURE_INVALID'));
  await assert.rejects(openExport(client, 'not a bundle', target), isUntrusted('BUNDLE_INVALID'));
});

test('an imported wallet has the accounts that it has elsewhere', async () => {
  const mnemonic = generateMnemonic(english);
  const { importBundle } = await client.submit('init_import_wallet', { userId });
  await assert.rejects(
    sealImport(client, importBundle, mnemonic, { userId: organizationId }),
    isUntrusted('BUNDLE_INVALID'),
  );
  const encryptedBundle = await sealImport(client, importBundle, mnemonic, { userId });
  const { addresses } = await client.submit('import_wallet', {
    userId,
    walletName: 'Imported',
    encryptedBundle,
    accounts,
  });
  assert.deepEqual(addresses, [mnemonicToAccount(mnemonic).address]);
});

test('an app proof is believed for its activity alone, by the pinned key', async () => {
  const asked = await client.ask(
    'create_wallet',
    { walletName: 'Proved', accounts },
    { generateAppProofs: true },
  );
  assert.equal(asked.outcome, 'done');
  const [proof] = asked.activity.appProofs ?? [];
  assert(proof !== undefined);
  const payload = await verifyAppProof(client, proof, asked.activity);
  assert.equal(payload.type, 'APP_PROOF_TYPE_ADDRESS_DERIVATION');
  assert.equal(payload.activity.id, asked.activity.id);

  const isInvalid = isUntrusted('PROOF_INVALID');
  const result = { createWalletResult: { walletId: organizationId, addresses: [] } };
  await assert.rejects(verifyAppProof(client, proof, { ...asked.activity, result }), isInvalid);
  const proofPayload = proof.proofPayload.replace('DERIVATION', 'DERIVATIOM');
  await assert.rejects(verifyAppProof(client, { ...proof, proofPayload }), isInvalid);
  const attestation = generateP256KeyPair().publicKeyUncompressed;
  const other = connect({ url, organizationId, stamp, serviceKeys: { attestation } });
  await assert.rejects(verifyAppProof(other, proof), isInvalid);
});
