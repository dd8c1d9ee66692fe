import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptExportBundle } from '@turnkey/crypto';
import { mnemonicToAccount } from 'viem/accounts';
import { hex } from '../../../src/core/base/bytes.ts';
import { p256 } from '../../../src/core/crypto/p256.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, addPlainUser } from '../other_callers.ts';
import {
  clientKey,
  knownSentence,
  openedSentence,
  sealedSentence,
  signerKey,
  targetPublicKey,
} from './transfer_requests.ts';
import { ethereumAccount, makeWallet, unknownId } from './wallet_requests.ts';

const wire = {
  operation: 'export_wallet',
  type: 'ACTIVITY_TYPE_EXPORT_WALLET',
  intent: 'exportWalletIntent',
  result: 'exportWalletResult',
};
const language = 'MNEMONIC_LANGUAGE_ENGLISH';

// STATE-04
test('export_wallet: the sentence opens the wallet in other software, and the wallet is marked as exported', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId, addresses } = await makeWallet(service, [ethereumAccount()]);
  const off = `${targetPublicKey.slice(0, -1)}${targetPublicKey.endsWith('0') ? '1' : '0'}`;
  const parameters = { walletId, targetPublicKey, language };
  const broken = (targetPublicKey: string) => ({
    field: 'parameters.targetPublicKey',
    parameters: { ...parameters, targetPublicKey },
  });
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['language'],
    malformed: [
      { field: 'parameters.walletId', parameters: { ...parameters, walletId: 'wallet' } },
      { field: 'parameters.language', parameters: { ...parameters, language: 'English' } },
      ...['', '04', `0x${targetPublicKey}`, off, `${targetPublicKey}00`, '0'.repeat(130)].map(
        broken,
      ),
    ],
  });
  assert.equal(result.walletId, walletId);
  const { organizationId } = service.root;
  const sentence = await openedSentence(result.exportBundle, organizationId);
  assert.equal(sentence.split(' ').length, 12);
  assert.equal(mnemonicToAccount(sentence).address, addresses[0]);
  const { wallet } = (await service.query('get_wallet', { walletId })).body;
  assert.equal(wallet.exported, true); // STATE-04
  assert.equal(wallet.imported, false);
});

test('export_wallet: clients refuse a bundle with another signer key or organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId } = await makeWallet(service);
  const { body } = await service.submit(wire.operation, wire.type, { walletId, targetPublicKey });
  const { exportBundle } = body.activity.result[wire.result];
  const embeddedKey = hex(clientKey);
  const { organizationId } = service.root;
  await assert.rejects(
    decryptExportBundle({ exportBundle, embeddedKey, organizationId, returnMnemonic: true }),
    /expected signer key/,
  );
  await assert.rejects(openedSentence(exportBundle, unknownId), /organization id does not match/);
  assert.equal(JSON.parse(exportBundle).enclaveQuorumPublic, signerKey);
});

test('export_wallet: each export has new randomness, and takes a key in either form', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId } = await makeWallet(service);
  const { organizationId } = service.root;
  const bundles: string[] = [];
  for (const form of [
    targetPublicKey,
    targetPublicKey.toUpperCase(),
    hex(p256.publicKeyOf(clientKey)),
  ]) {
    const parameters = { walletId: walletId.toUpperCase(), targetPublicKey: form };
    const { status, body } = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.activity.result[wire.result].walletId, walletId);
    bundles.push(body.activity.result[wire.result].exportBundle);
  }
  assert.equal(new Set(bundles).size, 3);
  const sentences = await Promise.all(bundles.map((each) => openedSentence(each, organizationId)));
  assert.equal(new Set(sentences).size, 1);
});

test('export_wallet: exports an imported wallet unchanged', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const french =
    'abaisser abaisser abaisser abaisser abaisser abaisser abaisser abaisser abaisser abaisser abaisser abeille';
  for (const [walletName, sentence, own] of [
    ['English', knownSentence, 'MNEMONIC_LANGUAGE_ENGLISH'],
    ['Passphrase', `${knownSentence}\n--PASS--\nTREZOR`, 'MNEMONIC_LANGUAGE_ENGLISH'],
    ['French', french, 'MNEMONIC_LANGUAGE_FRENCH'],
  ] as const) {
    const encryptedBundle = await sealedSentence(service, sentence);
    const { userId, organizationId } = service.root;
    const type = 'ACTIVITY_TYPE_IMPORT_WALLET';
    const described = { userId, walletName, encryptedBundle, accounts: [] };
    const imported = await service.submit('import_wallet', type, described);
    const { walletId } = imported.body.activity.result.importWalletResult;
    for (const chosen of [{}, { language: own }]) {
      const parameters = { walletId, targetPublicKey, ...chosen };
      const { body } = await service.submit(wire.operation, wire.type, parameters);
      const opened = await openedSentence(
        body.activity.result[wire.result].exportBundle,
        organizationId,
      );
      assert.equal(opened, sentence.replace('--PASS--\n', ''));
    }
    const other = { walletId, targetPublicKey, language: 'MNEMONIC_LANGUAGE_CZECH' };
    const field = 'parameters.language';
    await checkRefused(
      service,
      { ...wire, parameters: other },
      { status: 400, code: 3, text: new RegExp(`in ${own}`), field },
    );
  }
});

test('export_wallet: refuses unknown wallets, and users of other organizations', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await makeWallet(service, [], child);
  const missing = { status: 404, code: 5, text: /^unable to find wallet / };
  for (const walletId of [unknownId, ofChild.walletId]) {
    await checkRefused(service, { ...wire, parameters: { walletId, targetPublicKey } }, missing);
  }
  const parameters = { walletId: ofChild.walletId, targetPublicKey };
  const { body } = await service.submit(wire.operation, wire.type, parameters, child);
  const { exportBundle } = body.activity.result[wire.result];
  await openedSentence(exportBundle, child.organizationId);
  await assert.rejects(openedSentence(exportBundle, service.root.organizationId));
});

test('export_wallet: policies see the wallet', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const { walletId } = await makeWallet(service);
  const kept = await makeWallet(service);
  const { status, body } = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Export',
    effect: 'EFFECT_ALLOW',
    condition: `activity.resource == 'WALLET' && activity.action == 'EXPORT' && activity.kind == 'EXPORT_WALLET' && wallet.id == '${walletId}' && wallet.exported == false && activity.params.target_public_key == '${targetPublicKey}'`,
    consensus: 'true',
    notes: '',
  });
  assert.equal(status, 200, JSON.stringify(body));
  const send = (parameters: object) => service.submit(wire.operation, wire.type, parameters, plain);
  const other = `${hex(p256.uncompressed(p256.publicKeyOf(new Uint8Array(32).fill(3))))}`;
  assert.equal((await send({ walletId: kept.walletId, targetPublicKey })).status, 403);
  assert.equal((await send({ walletId, targetPublicKey: other })).status, 403);
  assert.equal(
    (await send({ walletId, targetPublicKey: targetPublicKey.toUpperCase() })).status,
    200,
  );
  assert.equal((await send({ walletId, targetPublicKey })).status, 403, 'it is exported by now');
});

test('export_wallet: waits for votes, and seals after the last', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const { walletId } = await makeWallet(service);
  await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'EXPORT'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const waits = await service.submit(
    wire.operation,
    wire.type,
    { walletId, targetPublicKey },
    plain,
  );
  assert.equal(waits.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.deepEqual(waits.body.activity.result, {});
  assert.equal((await service.query('get_wallet', { walletId })).body.wallet.exported, false);
  const approved = await service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint: waits.body.activity.fingerprint,
  });
  assert.equal(approved.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  const { exportBundle } = approved.body.activity.result[wire.result];
  await openedSentence(exportBundle, service.root.organizationId);
});

test('export_wallet: an exported wallet and its accounts may be deleted', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId } = await makeWallet(service, [ethereumAccount()]);
  await service.submit(wire.operation, wire.type, { walletId, targetPublicKey });
  const type = 'ACTIVITY_TYPE_DELETE_WALLETS';
  const deleted = await service.submit('delete_wallets', type, { walletIds: [walletId] });
  assert.equal(deleted.status, 200);
});
