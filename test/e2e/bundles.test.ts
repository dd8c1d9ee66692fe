// @turnkey/crypto and @turnkey/sdk-server export and import wallets, keys and secrets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base58 } from '@scure/base';
import { Keypair } from '@solana/web3.js';
import {
  decryptExportBundle,
  decryptSecretBundle,
  encryptPrivateKeyToBundle,
  encryptSecretToBundle,
  encryptWalletToBundle,
  generateP256KeyPair,
} from '@turnkey/crypto';
import { recoverMessageAddress, serializeSignature } from 'viem';
import {
  english,
  generateMnemonic,
  generatePrivateKey,
  mnemonicToAccount,
  privateKeyToAccount,
} from 'viem/accounts';
import {
  accountParameters,
  createWallet,
  httpClient,
  isRefusal,
  newApiKey,
  serverClient,
  timestampMs,
} from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const { organizationId, userId } = service.credentials;
const client = serverClient(service);
const { ethereum, solana } = accountParameters;
const pair = generateP256KeyPair();
const embeddedKey = pair.privateKey;
const targetPublicKey = pair.publicKeyUncompressed;
const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1' as const;

/** The public key of this service, which its operator publishes. */
const signerKey = JSON.parse(
  (await client.initImportWallet({ userId })).importBundle,
).enclaveQuorumPublic;
const dangerouslyOverrideSignerPublicKey = signerKey;
const ours = { organizationId, dangerouslyOverrideSignerPublicKey };

const openKey = (exportBundle: string, keyFormat: 'HEXADECIMAL' | 'SOLANA') =>
  decryptExportBundle({ exportBundle, embeddedKey, ...ours, keyFormat, returnMnemonic: false });
const openMnemonic = (exportBundle: string, changes: Partial<typeof ours> = {}) =>
  decryptExportBundle({ exportBundle, embeddedKey, ...ours, ...changes, returnMnemonic: true });

test('17: an exported mnemonic derives the same accounts elsewhere', async () => {
  const { walletId, addresses } = await createWallet(service, 'Exported', [ethereum, solana]);
  const { exportBundle } = await client.exportWallet({ walletId, targetPublicKey });
  const account = mnemonicToAccount(await openMnemonic(exportBundle));
  assert.equal(account.address, addresses[0]);
  const { wallet } = await client.getWallet({ walletId });
  assert.equal(wallet.exported, true);
});

test('18: exported keys sign as their accounts', async () => {
  const { addresses } = await createWallet(service, 'Accounts', [ethereum, solana]);
  const [ofEthereum = '', ofSolana = ''] = addresses;
  const first = await client.exportWalletAccount({ address: ofEthereum, targetPublicKey });
  const account = privateKeyToAccount(`0x${await openKey(first.exportBundle, 'HEXADECIMAL')}`);
  const message = 'hello';
  const signature = await account.signMessage({ message });
  assert.equal(await recoverMessageAddress({ message, signature }), ofEthereum);
  const second = await client.exportWalletAccount({ address: ofSolana, targetPublicKey });
  const bytes = base58.decode(await openKey(second.exportBundle, 'SOLANA'));
  assert.equal(Keypair.fromSecretKey(bytes).publicKey.toBase58(), ofSolana);

  const { privateKeys } = await client.createPrivateKeys({
    privateKeys: [
      {
        privateKeyName: 'Exported',
        curve: 'CURVE_ED25519',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_SOLANA'],
      },
    ],
  });
  const [{ privateKeyId = '', addresses: [shown] = [] } = {}] = privateKeys;
  const { exportBundle } = await client.exportPrivateKey({ privateKeyId, targetPublicKey });
  const pairOfKey = Keypair.fromSecretKey(base58.decode(await openKey(exportBundle, 'SOLANA')));
  assert.equal(pairOfKey.publicKey.toBase58(), shown?.address);
  const seed = await openKey(exportBundle, 'HEXADECIMAL');
  assert.deepEqual(Keypair.fromSeed(Uint8Array.fromHex(seed)).publicKey, pairOfKey.publicKey);
});

test('19: the client refuses an export under another service key or for another organization', async () => {
  const { walletId } = await createWallet(service, 'Refused', []);
  const { exportBundle } = await client.exportWallet({ walletId, targetPublicKey });
  await assert.rejects(
    decryptExportBundle({ exportBundle, embeddedKey, organizationId, returnMnemonic: true }),
    /expected signer key/,
  );
  const another = { organizationId: walletId };
  await assert.rejects(openMnemonic(exportBundle, another), /organization id does not match/);
  const stranger = generateP256KeyPair().privateKey;
  await assert.rejects(
    decryptExportBundle({ exportBundle, embeddedKey: stranger, ...ours, returnMnemonic: true }),
  );
});

test('20: an imported mnemonic has the same accounts as elsewhere', async () => {
  const mnemonic = generateMnemonic(english);
  const { importBundle } = await client.initImportWallet({ userId });
  const sealed = { mnemonic, importBundle, userId, ...ours };
  const encryptedBundle = await encryptWalletToBundle(sealed);
  const wanted = { userId, walletName: 'Imported', encryptedBundle, accounts: [ethereum] };
  const { walletId, addresses } = await client.importWallet(wanted);
  assert.deepEqual(addresses, [mnemonicToAccount(mnemonic).address]);
  const { wallet } = await client.getWallet({ walletId });
  assert.deepEqual([wallet.imported, wallet.exported], [true, false]);
  const again = { ...wanted, walletName: 'Again' };
  await assert.rejects(client.importWallet(again), isRefusal(3, 'REQUEST_INVALID'));
  const another = { ...sealed, organizationId: walletId };
  await assert.rejects(encryptWalletToBundle(another), /organization id does not match/);
});

test('21: imported keys stay equal, and each target is valid for one import', async () => {
  const seed = Keypair.generate();
  const privateKey = generatePrivateKey();
  for (const key of [
    {
      keyFormat: 'HEXADECIMAL',
      curve: 'CURVE_SECP256K1',
      format: 'ADDRESS_FORMAT_ETHEREUM',
      privateKey,
      address: privateKeyToAccount(privateKey).address,
    },
    {
      keyFormat: 'SOLANA',
      curve: 'CURVE_ED25519',
      format: 'ADDRESS_FORMAT_SOLANA',
      privateKey: base58.encode(seed.secretKey),
      address: seed.publicKey.toBase58(),
    },
  ] as const) {
    const { importBundle } = await client.initImportPrivateKey({ userId });
    const { keyFormat, curve, format, address } = key;
    const encryptedBundle = await encryptPrivateKeyToBundle({
      privateKey: key.privateKey,
      keyFormat,
      importBundle,
      userId,
      ...ours,
    });
    const imported = { userId, privateKeyName: keyFormat, encryptedBundle };
    const wanted = { ...imported, curve, addressFormats: [format] };
    const made = await client.importPrivateKey(wanted);
    assert.deepEqual(
      made.addresses.map((shown) => shown.address),
      [address],
    );
    const again = { ...wanted, privateKeyName: 'Again' };
    await assert.rejects(client.importPrivateKey(again), isRefusal(3, 'REQUEST_INVALID'));
  }
  const { r, s, v } = await client.signRawPayload({
    signWith: privateKeyToAccount(privateKey).address,
    payload: 'hello',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  });
  assert.equal(serializeSignature({ r: `0x${r}`, s: `0x${s}`, yParity: Number(v) }).length, 132);
});

test('39: accounts are deleted after their export, or without it on request', async () => {
  const { walletId, addresses } = await createWallet(service, 'Deleted', [ethereum, solana]);
  const { accounts } = await client.getWalletAccounts({ walletId });
  const [exported = '', other = ''] = addresses.map(
    (address) => accounts.find((account) => account.address === address)?.walletAccountId,
  );
  const notExported = isRefusal(3, 'WALLET_ACCOUNT_NOT_EXPORTED');
  const remove = (id: string, options: object = {}) =>
    client.deleteWalletAccounts({ walletAccountIds: [id], ...options });
  await assert.rejects(remove(exported), notExported);
  await client.exportWalletAccount({ address: addresses[0] ?? '', targetPublicKey });
  assert.deepEqual((await remove(exported)).walletAccountIds, [exported]);
  await assert.rejects(remove(other), notExported);
  const removed = await remove(other, { deleteWithoutExport: true });
  assert.deepEqual(removed.walletAccountIds, [other]);
});

test('42: an exported secret equals the imported one', async () => {
  const texts = ['first ✓', 'second'];
  // Only @turnkey/http requests targets.
  const { activity } = await httpClient(service).initImportSecrets({
    type: 'ACTIVITY_TYPE_INIT_IMPORT_SECRETS',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { encryptionSuite, numSecrets: texts.length },
  });
  const { enclaveTargetMessages = [] } = activity.result.initImportSecretsResult ?? {};
  const secrets = await Promise.all(
    texts.map(async (plaintext, i) => {
      const ingressTargetBundle = enclaveTargetMessages[i] ?? '';
      const sealed = await encryptSecretToBundle({ plaintext, ingressTargetBundle, ...ours });
      const staticProperties = [{ key: 'kind', value: 'card' }];
      return { name: `Secret ${i}`, ...sealed, encryptionSuite, staticProperties } as const;
    }),
  );
  const { secretIds } = await client.importSecrets({ secrets });
  await assert.rejects(client.importSecrets({ secrets }), isRefusal(3, 'REQUEST_INVALID'));
  const listed = await client.listSecrets({});
  assert.deepEqual(
    listed.secrets.map(({ secretId, name }) => [secretId, name]),
    secretIds.map((id, i) => [id, `Secret ${i}`]),
  );
  const wanted = secretIds.map((secretId) => ({ secretId, targetPublicKey, encryptionSuite }));
  const { secretPayloads } = await client.exportSecrets({ secrets: wanted });
  const opened = secretPayloads.map((secretPayload) =>
    decryptSecretBundle({ secretPayload, embeddedPrivateKey: embeddedKey, ...ours }),
  );
  assert.deepEqual(await Promise.all(opened), texts);
  const [secretPayload = ''] = secretPayloads;
  await assert.rejects(
    decryptSecretBundle({ secretPayload, embeddedPrivateKey: embeddedKey, organizationId }),
    /expected signer key/,
  );

  // Only users with a granting policy may export it.
  const key = newApiKey();
  await client.createUsers({
    users: [
      {
        userName: 'Plain',
        apiKeys: [
          { apiKeyName: 'Key', publicKey: key.apiPublicKey, curveType: 'API_KEY_CURVE_P256' },
        ],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  });
  const plain = serverClient(service, { key });
  await assert.rejects(
    plain.exportSecrets({ secrets: wanted }),
    isRefusal(7, 'REQUEST_NOT_AUTHORIZED'),
  );
});
