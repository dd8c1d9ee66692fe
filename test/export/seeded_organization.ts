// A data folder with an organization that has keys of every curve and address format, and the keys that the
// service lists and exports.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressFormats } from '../../src/core/address/index.ts';
import { addChild, addPlainUser } from '../operations/other_callers.ts';
import {
  described,
  makePrivateKeys,
  makeTag,
} from '../operations/private_keys/private_key_requests.ts';
import { makeSecret } from '../operations/secrets/secret_requests.ts';
import { describedContract } from '../operations/smart_contract_interfaces/smart_contract_interface_requests.ts';
import {
  knownSentence,
  openedKey,
  openedSentence,
  sealedSentence,
  targetPublicKey,
} from '../operations/wallets/transfer_requests.ts';
import { ethereumAccount } from '../operations/wallets/wallet_requests.ts';
import {
  type Sender,
  startTestService,
  type TestService,
  testRootKey,
} from '../support/harness.ts';

/** A key as the service lists it: an account, or a private key. */
export type ListedKey = {
  readonly curve: string;
  readonly publicKey: string;
  readonly addresses: readonly { readonly format: string; readonly address: string }[];
  /** In hex, from an export by the service; undefined without an export. */
  readonly privateKey: string | undefined;
};

export type Listed = {
  readonly organizationId: string;
  readonly childId: string;
  /** The words of each wallet by its id; a line feed and the passphrase follow if the wallet has one. */
  readonly sentences: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, ListedKey>;
  /** The text of each secret by its id. */
  readonly texts: ReadonlyMap<string, string>;
};

/** A text that needs every kind of escape. */
export const secretText = 'quoted " \\ \n\t\u0001 ✓ 🔑 \u2028';

/** An account of each pair of a format and a curve. */
export const everyAccount = Object.values(addressFormats).flatMap(({ name, curves }) =>
  curves.map((curve, at) => ({
    curve,
    pathFormat: 'PATH_FORMAT_BIP32',
    path: curve === 'CURVE_ED25519' ? `m/44'/501'/${at}'/0'` : `m/44'/60'/0'/0/${at}`,
    addressFormat: name,
  })),
);

/** Creates the folder `data` and a root key in a folder, and returns the keys that the service lists. */
export async function seedData(folder: string, wallets: number): Promise<Listed> {
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(data, 'root.key'), testRootKey(), { mode: 0o600 });
  const service = await startTestService({ databaseFile: join(data, 'keywright.sqlite') });
  try {
    const { child, texts } = await fill(service, wallets);
    const { organizationId } = service.root;
    const sentences = new Map<string, string>();
    const keys = new Map<string, ListedKey>();
    for (const as of [{}, child]) await list(service, as, { sentences, keys });
    return { organizationId, childId: child.organizationId, sentences, keys, texts };
  } finally {
    await service.close();
  }
}

async function fill(service: TestService, wallets: number) {
  const submit = async (operation: string, parameters: object, as: Sender = {}, version = '') => {
    const type = `ACTIVITY_TYPE_${operation.toUpperCase()}${version}`;
    const { status, body } = await service.submit(operation, type, parameters, as);
    assert.equal(status, 200, JSON.stringify(body));
    return body.activity.result;
  };
  const makeWallet = (walletName: string, accounts: readonly object[], as: Sender = {}) =>
    submit('create_wallet', { walletName, accounts }, as);
  await makeWallet('Every format', everyAccount);
  await makeWallet('24 words', []);
  for (const [walletName, sentence] of [
    ['With a passphrase', `${knownSentence}\nTREZOR "é"`],
    // The first vector of the Japanese list, with ideographic spaces.
    ['Japanese', `${'あいこくしん　'.repeat(11)}あおぞら`],
  ]) {
    await submit('import_wallet', {
      userId: service.root.userId,
      walletName,
      encryptedBundle: await sealedSentence(service, sentence ?? ''),
      accounts: [ethereumAccount()],
    });
  }
  const formatsOf = (curve: string) =>
    Object.values(addressFormats)
      .filter(({ curves }) => curves.some((each) => each === curve))
      .map(({ name }) => name);
  const made = await makePrivateKeys(
    service,
    ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'].map((curve) =>
      described({ privateKeyName: curve, curve, addressFormats: formatsOf(curve) }),
    ),
  );
  await makeTag(
    service,
    'Cold',
    made.map(({ privateKeyId }) => privateKeyId),
  );
  const secretId = await makeSecret(service, secretText, { name: 'A secret' });
  await submit('create_smart_contract_interface', describedContract());
  await submit(
    'create_policy',
    {
      policyName: 'Root signs',
      effect: 'EFFECT_ALLOW',
      consensus: 'approvers.any(user, true)',
      condition: 'true',
      notes: '',
    },
    {},
    '_V3',
  );
  await addPlainUser(service);
  const child = await addChild(service);
  for (let number = 5; number <= wallets; number += 1) {
    await makeWallet(`Wallet ${number}`, [ethereumAccount(number)], number % 2 === 0 ? child : {});
  }
  return { child, texts: new Map([[secretId, secretText]]) };
}

async function list(
  service: TestService,
  as: Sender,
  into: { readonly sentences: Map<string, string>; readonly keys: Map<string, ListedKey> },
): Promise<void> {
  const organizationId = as.organizationId ?? service.root.organizationId;
  const exported = async (operation: string, parameters: object): Promise<string> => {
    const type = `ACTIVITY_TYPE_${operation.toUpperCase()}`;
    const asked = { ...parameters, targetPublicKey };
    const { status, body } = await service.submit(operation, type, asked, as);
    assert.equal(status, 200, JSON.stringify(body));
    const [result] = Object.values(body.activity.result) as { exportBundle: string }[];
    return result?.exportBundle ?? '';
  };
  const paginationOptions = { limit: '100' };
  const { wallets } = (await service.query('list_wallets', {}, as)).body;
  for (const { walletId } of wallets) {
    const bundle = await exported('export_wallet', { walletId });
    // The client decodes each byte as a character.
    const opened = await openedSentence(bundle, organizationId);
    into.sentences.set(walletId, Buffer.from(opened, 'latin1').toString('utf8'));
    const asked = { walletId, paginationOptions };
    const { accounts } = (await service.query('list_wallet_accounts', asked, as)).body;
    for (const { walletAccountId, curve, publicKey, addressFormat, address } of accounts) {
      // Only one account of each kind is exported, because an export takes long.
      const isAsked = accounts.length > 1;
      const key = isAsked
        ? await openedKey(await exported('export_wallet_account', { address }), organizationId)
        : undefined;
      const addresses = [{ format: addressFormat, address }];
      into.keys.set(walletAccountId, { curve, publicKey, addresses, privateKey: key });
    }
  }
  const { privateKeys } = (await service.query('list_private_keys', {}, as)).body;
  for (const { privateKeyId, curve, publicKey, addresses } of privateKeys) {
    const bundle = await exported('export_private_key', { privateKeyId });
    const privateKey = await openedKey(bundle, organizationId);
    into.keys.set(privateKeyId, { curve, publicKey, addresses, privateKey });
  }
}
