import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { privateKeyToAccount } from 'viem/accounts';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import { maximumMessageCharacters } from '../../../src/core/bundles/client_message.ts';
import { maximumImportedBytes } from '../../../src/core/derivation/imported_sentence.ts';
import { targetLifeMs } from '../../../src/core/keys/import_targets.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, addPlainUser } from '../other_callers.ts';
import {
  initImport,
  knownAddress,
  knownSentence,
  sealedBytes,
  sealedSentence,
  sealedTo,
} from './transfer_requests.ts';
import { accountsOf, ethereumAccount, makeWallet, solanaAccount } from './wallet_requests.ts';

const wire = {
  operation: 'import_wallet',
  type: 'ACTIVITY_TYPE_IMPORT_WALLET',
  intent: 'importWalletIntent',
  result: 'importWalletResult',
};
const field = 'parameters.encryptedBundle';
const refused = (text: RegExp) => ({ status: 400, code: 3, text, field });

test('import_wallet: the wallet has the accounts of its mnemonic', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const encryptedBundle = await sealedSentence(service, knownSentence);
  const { userId } = service.root;
  const accounts = [{ ...ethereumAccount(), name: 'First' }, solanaAccount()];
  const parameters = { userId, walletName: 'Imported', encryptedBundle, accounts };
  const withAccount = (changes: object) => ({
    ...parameters,
    accounts: [{ ...ethereumAccount(), ...changes }],
  });
  const longest = maximumMessageCharacters(maximumImportedBytes);
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.userId', parameters: { ...parameters, userId: 'x' } },
      { field: 'parameters.walletName', parameters: { ...parameters, walletName: '' } },
      ...['', '{}', 'text', ' '.repeat(longest + 1), '{"encappedPublic":"","ciphertext":""}'].map(
        (bundle) => ({ field, parameters: { ...parameters, encryptedBundle: bundle } }),
      ),
      { field: 'parameters.accounts.0.curve', parameters: withAccount({ curve: 'CURVE_ED25519' }) },
      { field: 'parameters.accounts.0.path', parameters: withAccount({ path: 'x' }) },
    ],
  });
  assert.equal(result.addresses[0], knownAddress);
  const shown = await accountsOf(service, result.walletId);
  assert.deepEqual(
    shown.map((account) => account.address),
    result.addresses,
  );
  const { wallet } = (await service.query('get_wallet', { walletId: result.walletId })).body;
  const { walletName, imported, exported } = wallet;
  assert.deepEqual([walletName, imported, exported], ['Imported', true, false]);
});

test('import_wallet: a passphrase belongs to the wallet', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(knownSentence, 'TREZOR'));
  const { privateKey } = root.derive(ethereumAccount().path);
  const expected = privateKeyToAccount(`0x${hex(privateKey ?? new Uint8Array(0))}`).address;
  for (const [walletName, sentence] of [
    ['Marked', `${knownSentence}\n--PASS--\nTREZOR`],
    ['On the next line', `${knownSentence}\nTREZOR`],
  ] as const) {
    const encryptedBundle = await sealedSentence(service, sentence);
    const { userId } = service.root;
    const accounts = [ethereumAccount()];
    const parameters = { userId, walletName, encryptedBundle, accounts };
    const { body } = await service.submit(wire.operation, wire.type, parameters);
    assert.deepEqual(body.activity.result[wire.result].addresses, [expected]);
  }
});

test('import_wallet: each target takes one wallet', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  const first = await sealedSentence(service, knownSentence);
  const second = await sealedSentence(service, knownSentence);
  const parameters = (encryptedBundle: string, walletName = 'Another') => ({
    userId,
    walletName,
    encryptedBundle,
    accounts: [],
  });
  const send = (bundle: string, walletName: string) =>
    service.submit(wire.operation, wire.type, parameters(bundle, walletName));
  assert.equal((await send(first, 'First')).status, 200);
  await checkRefused(
    service,
    { ...wire, parameters: parameters(first) },
    refused(/was not sealed to/),
  );
  assert.equal((await send(second, 'Second')).status, 200, 'the older one was still good');
  await checkRefused(
    service,
    { ...wire, parameters: parameters(second) },
    refused(/no target key waits/),
  );
});

test('import_wallet: a refused import keeps the target', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  const encryptedBundle = await sealedSentence(service, knownSentence);
  await makeWallet(service, [{ ...ethereumAccount(), name: 'Taken' }]);
  const taken = { ...ethereumAccount(), name: 'Taken' };
  const parameters = { userId, walletName: 'Imported', encryptedBundle, accounts: [taken] };
  await checkRefused(
    service,
    { ...wire, parameters },
    { status: 400, code: 3, text: /label must be unique/ },
  );
  const again = { ...parameters, accounts: [ethereumAccount()] };
  assert.equal((await service.submit(wire.operation, wire.type, again)).status, 200);
});

test('import_wallet: takes only mnemonics sealed to a current target of this user and purpose', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  const ask = (encryptedBundle: string) => ({
    ...wire,
    parameters: { userId, walletName: 'Imported', encryptedBundle, accounts: [] },
  });
  const sealed = async (text: string) =>
    sealedBytes(await initImport(service, 'wallet'), utf8(text));
  for (const text of ['', 'leaf', `${knownSentence} junk`, knownSentence.replace('junk', 'test')]) {
    await checkRefused(service, ask(await sealed(text)), refused(/invalid mnemonic/));
  }
  const forKey = sealedBytes(await initImport(service, 'private_key'), utf8(knownSentence));
  await checkRefused(service, ask(forKey), refused(/was not sealed to/));
  const stranger = sealedTo(
    Uint8Array.fromHex(
      '04550f471003f3df97c3df506ac797f6721fb1a1fb7b8f6f83d224498a65c88e24136093d7012e509a73715cbd0b00a3cc0ff4b5c01b3ffa196ab1fb327036b8e6',
    ),
    utf8(knownSentence),
  );
  await checkRefused(service, ask(stranger), refused(/was not sealed to/));
  const late = await sealed(knownSentence);
  service.advance(targetLifeMs);
  await checkRefused(service, ask(late), refused(/no target key waits/));
});

test('import_wallet: refuses a target of another user or organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const child = await addChild(service);
  const condition = "activity.resource == 'WALLET' && activity.action == 'IMPORT'";
  const policy = {
    policyName: 'Import',
    effect: 'EFFECT_ALLOW',
    condition,
    consensus: 'true',
    notes: '',
  };
  await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy);
  const { users } = (await service.query('list_users')).body;
  const { userId } = users.find((user: { userId: string }) => user.userId !== service.root.userId);
  const named = (encryptedBundle: string, of = userId) => ({
    userId: of,
    walletName: 'Imported',
    encryptedBundle,
    accounts: [],
  });
  const ofRoot = await sealedSentence(service, knownSentence);
  const ofPlain = await sealedSentence(service, knownSentence, { ...plain, userId });
  const notTheirs = {
    status: 403,
    code: 7,
    text: /`userId` of an import: expected the calling user, got /,
  };
  // The root user with the bundle of the other user, then the reverse.
  await checkRefused(service, { ...wire, parameters: named(ofPlain) }, notTheirs);
  await checkRefused(
    service,
    { ...wire, parameters: named(ofRoot, service.root.userId), as: plain },
    notTheirs,
  );
  await checkRefused(
    service,
    { ...wire, parameters: named(ofRoot), as: plain },
    refused(/was not sealed/),
  );
  const inChild = (await service.query('whoami', {}, child)).body.userId;
  await checkRefused(
    service,
    { ...wire, parameters: named(ofRoot, inChild), as: child },
    refused(/no target key waits/),
  );
  const own = await service.submit(wire.operation, wire.type, named(ofPlain), plain);
  assert.equal(own.status, 200, JSON.stringify(own.body));
});

test('import_wallet: waits for votes, and its target stays valid', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const { users } = (await service.query('list_users')).body;
  const { userId } = users.find((user: { userId: string }) => user.userId !== service.root.userId);
  const policy = (condition: string, consensus: string) =>
    service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: condition,
      effect: 'EFFECT_ALLOW',
      condition,
      consensus,
      notes: '',
    });
  await policy("activity.kind == 'INIT_IMPORT_WALLET'", 'true');
  await policy("activity.kind == 'IMPORT_WALLET'", 'approvers.count() >= 2');
  const encryptedBundle = await sealedSentence(service, knownSentence, { ...plain, userId });
  const parameters = {
    userId,
    walletName: 'Voted',
    encryptedBundle,
    accounts: [ethereumAccount()],
  };
  const waits = await service.submit(wire.operation, wire.type, parameters, plain);
  assert.equal(waits.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  service.advance(23 * 60 * 60 * 1000);
  const approved = await service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint: waits.body.activity.fingerprint,
  });
  const { status, result } = approved.body.activity;
  assert.equal(status, 'ACTIVITY_STATUS_COMPLETED', JSON.stringify(approved.body));
  assert.deepEqual(result[wire.result].addresses, [knownAddress]);
});
