// `keywright export organization` and the recovery tool, for an organization with its own key.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createCipheriv, createHmac, scryptSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { hex } from '../../src/core/base/bytes.ts';
import { recoveryToolOf } from '../../tools/packages/recovery_tool.ts';
import { organizationKeyOf, whySealed } from '../../tools/recover/sealed.ts';
import { folderOfTests, runIn } from '../cli/terminal.ts';
import { registered } from '../external_keys/external_key_requests.ts';
import { memoryHolder, memoryKey } from '../external_keys/holders.ts';
import { secretFor } from '../operations/organization_keys/organization_key_requests.ts';
import { described, makePrivateKeys } from '../operations/private_keys/private_key_requests.ts';
import {
  exported,
  knownSentence,
  sealedSentence,
} from '../operations/wallets/transfer_requests.ts';
import { ethereumAccount, makeWallet } from '../operations/wallets/wallet_requests.ts';
import { startTestService, testRootKey } from '../support/harness.ts';
import { derivation } from '../support/organization_keys.ts';

const folder = folderOfTests();
const file = (name: string): string => join(folder, name);
const passphrase = 'a passphrase of a holder';

/** Creates a data folder whose organization has two wallets, a private key and its own key. */
async function seedData(): Promise<{ organizationId: string; walletId: string }> {
  mkdirSync(file('data'), { mode: 0o700 });
  writeFileSync(file('data/root.key'), testRootKey(), { mode: 0o600 });
  const service = await startTestService({ databaseFile: file('data/keywright.sqlite') });
  const { walletId } = await makeWallet(service, [ethereumAccount()]);
  const imported = await service.submit('import_wallet', 'ACTIVITY_TYPE_IMPORT_WALLET', {
    userId: service.root.userId,
    walletName: 'Imported',
    encryptedBundle: await sealedSentence(service, knownSentence),
    accounts: [ethereumAccount()],
  });
  assert.equal(imported.status, 200, JSON.stringify(imported.body));
  await makePrivateKeys(service, [described()]);
  const curve = 'CURVE_SECP256K1';
  service.outside.holder = memoryHolder({ clock: service.now });
  await registered(service, { curve, publicKey: hex(memoryKey(curve).publicKey) });
  const salt = Buffer.alloc(16);
  const secret = scryptSync(passphrase, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 27 });
  // The text of a passkey is arbitrary, so it can demand more memory than any machine has.
  const created = await service.submit(
    'create_organization_key',
    'ACTIVITY_TYPE_CREATE_ORGANIZATION_KEY',
    {
      holderName: 'passkey',
      type: 'KEY_HOLDER_TYPE_PASSKEY',
      derivation: '$scrypt$ln=62,r=8,p=1$AAAA',
      encryptedSecret: await secretFor(service, 'hold', { name: 'passkey' }),
    },
  );
  assert.equal(created.status, 200, JSON.stringify(created.body));
  const added = await service.submit('create_key_holder', 'ACTIVITY_TYPE_CREATE_KEY_HOLDER', {
    holderName: 'treasurer',
    type: 'KEY_HOLDER_TYPE_PASSPHRASE',
    derivation,
    encryptedSecret: await secretFor(service, 'hold', { secret: Uint8Array.from(secret) }),
  });
  assert.equal(added.status, 200, JSON.stringify(added.body));
  await exported(service, 'wallet', { walletId });
  service.close();
  return { organizationId: service.root.organizationId, walletId };
}

test('an archive carries sealed secrets, and the passphrase of a holder opens them', async () => {
  const { organizationId, walletId } = await seedData();
  const identity = await generateIdentity();
  writeFileSync(file('recipients.txt'), `${await identityToRecipient(identity)}\n`);
  writeFileSync(file('identities.txt'), `${identity}\n`, { mode: 0o600 });
  writeFileSync(file('recover.mjs'), await recoveryToolOf(join(import.meta.dirname, '..', '..')));
  const ran = await runIn(folder, [
    ...['export', 'organization', organizationId, '--to', 'exit.age'],
    ...['--data-dir', file('data'), '--recipients', 'recipients.txt'],
  ]);
  assert.equal(ran.code, 0, ran.err);
  const recover = (...words: readonly string[]) =>
    spawnSync(
      process.execPath,
      ['recover.mjs', '--archive', 'exit.age', '--identities', 'identities.txt', ...words],
      { cwd: folder, encoding: 'utf8' },
    );

  const closed = recover('--to', 'closed');
  assert.equal(closed.status, 1, closed.stderr);
  assert.match(closed.stdout, new RegExp(`wallet ${walletId}: sealed by the organization key`));
  const archive = readFileSync(file('closed/archive.ndjson'), 'utf8');
  assert.doesNotMatch(archive, /"(mnemonic|seed|privateKey)":/);
  const inModule = readFileSync(file('closed/keys.ndjson'), 'utf8');
  assert.equal(JSON.parse(inModule).heldBy, 'command');
  assert.match(closed.stdout, /--passphrase-file needs the passphrase of a holder/);

  writeFileSync(file('wrong'), 'another passphrase\n');
  const wrong = recover('--passphrase-file', 'wrong');
  assert.equal(wrong.status, 1);
  assert.match(wrong.stdout, /the passphrase of no holder of the organization key opened it/);

  // Editors may add a byte order mark, which the commands remove.
  writeFileSync(file('passphrase'), `\ufeff${passphrase}\n`);
  const opened = recover('--passphrase-file', 'passphrase', '--to', 'opened');
  assert.equal(opened.status, 0, opened.stderr + opened.stdout);
  const lines = readFileSync(file('opened/keys.ndjson'), 'utf8').trimEnd().split('\n');
  const keys = lines.map((line) => JSON.parse(line));
  assert.deepEqual(keys.map(({ kind }) => kind).sort(), [
    'private_key',
    'private_key',
    'wallet',
    'wallet',
    'wallet_account',
    'wallet_account',
  ]);
  assert(keys.some(({ sentence }) => sentence === knownSentence));
  assert.match(keys.find(({ id }) => id === walletId)?.entropy, /^[0-9a-f]{32}$/);
});

test('a secret that stays sealed is reported with the option that could open it', () => {
  const reason = (derivations: readonly string[], secrets = {}) =>
    whySealed(
      {
        kind: 'organization',
        id: 'o',
        organizationKey: {
          id: 'k',
          holders: derivations.map((text) => ({ id: 'h', derivation: text, sealedKey: '' })),
        },
      },
      secrets,
    );
  const passkey = `$webauthn-prf$rp=localhost$AAAA$${'A'.repeat(22)}`;
  const elsewhere = passkey.replace('localhost', 'wallet.example');
  assert.match(reason([passkey]), /--passkey needs the passkey of a holder$/);
  assert.match(reason([passkey], { passphrase: 'any' }), /--passkey needs the passkey/);
  assert.match(
    reason([derivation, passkey]),
    /--passphrase-file needs the passphrase of a holder, or --passkey needs the passkey/,
  );
  const neither = { passphrase: 'any', passkey: async () => undefined };
  assert.match(
    reason([derivation, passkey], neither),
    /sealed, and the passphrase and the passkey of no holder of the organization key opened it/,
  );
  for (const secrets of [{}, neither]) {
    assert.match(reason([elsewhere], secrets), /the client that created the holder/);
  }
});

test('a passkey opens the key of its own holder, and no key of another', async () => {
  const { organization, secrets, key } = sealedToPasskeys(2);
  const asked: unknown[] = [];
  for (const [index, secret] of secrets.entries()) {
    const opened = await organizationKeyOf(organization, {
      passkey: async (name, passkeys) => {
        asked.push([name, passkeys.length]);
        return { id: passkeys[index]?.id ?? '', secret };
      },
    });
    assert.deepEqual(opened, key);
  }
  assert.deepEqual(asked, [
    ['Shop', 2],
    ['Shop', 2],
  ]);
  const [secret = new Uint8Array(), other = secret] = secrets;
  for (const used of [undefined, { id: 'c0', secret: other }, { id: 'zz', secret }]) {
    const passkey = async () => used;
    assert.equal(await organizationKeyOf(organization, { passkey }), undefined);
  }
});

/** An organization of an archive whose key is sealed to passkeys with the ids c0, c1, … */
function sealedToPasskeys(count: number) {
  const key = Buffer.alloc(32, 7);
  const secrets = Array.from({ length: count }, (_, index) => Buffer.alloc(32, index + 1));
  const holders = secrets.map((secret, index) => {
    const place = ['keywright organization key holder 1', 'o', 'k', `h${index}`].join('\0');
    const own = createHmac('sha256', secret).update(place).digest();
    const nonce = Buffer.alloc(12, index);
    const cipher = createCipheriv('aes-256-gcm', own, nonce).setAAD(Buffer.from(place));
    const sealed = [nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()];
    const passkey = `$webauthn-prf$rp=localhost$c${index}$${'A'.repeat(22)}`;
    const sealedKey = Buffer.concat(sealed).toString('base64url');
    return { id: `h${index}`, derivation: passkey, sealedKey };
  });
  const organizationKey = { id: 'k', holders };
  return {
    organization: { kind: 'organization', id: 'o', name: 'Shop', organizationKey },
    secrets,
    key,
  };
}
