// An organization leaves the service: the command writes the archive, and the published recovery tool,
// which is a single file, opens the keys.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, createPrivateKey } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { base58 } from '@scure/base';
import { WIF } from '@scure/btc-signer';
import { Keypair } from '@solana/web3.js';
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { addressFormats } from '../../src/core/address/index.ts';
import { recoveryToolOf } from '../../tools/packages/recovery_tool.ts';
import { addressFormatNames } from '../../tools/recover/addresses.ts';
import { readArchive } from '../../tools/recover/read_archive.ts';
import { folderOfTests, runIn } from '../cli/terminal.ts';
import { sealedSentence } from '../operations/wallets/transfer_requests.ts';
import { ethereumAccount } from '../operations/wallets/wallet_requests.ts';
import { casesOf } from '../support/bounds.ts';
import { startTestService } from '../support/harness.ts';
import { secretText, seedData } from './seeded_organization.ts';

const folder = folderOfTests();
const file = (name: string): string => join(folder, name);
const root = join(import.meta.dirname, '..', '..');
const identity = await generateIdentity();
const listed = await seedData(folder, 8);
writeFileSync(file('recipients.txt'), `# of the test\n${await identityToRecipient(identity)}\n`);
writeFileSync(file('identities.txt'), `${identity}\n`, { mode: 0o600 });
writeFileSync(file('recover.mjs'), await recoveryToolOf(root));

const data = ['--data-dir', file('data')];
const runExport = (id: string, to: string, ...words: readonly string[]) =>
  runIn(folder, ['export', 'organization', id, '--to', to, ...data, ...words]);
const toRecipients = ['--recipients', 'recipients.txt'];
const exported = await runExport(
  listed.organizationId.toUpperCase(),
  'exit.age',
  '--sub-organizations',
  ...toRecipients,
);

/** Runs the recovery tool in a process of its own, without the project's folder. */
const recover = (...words: readonly string[]) =>
  spawnSync(process.execPath, ['recover.mjs', ...words], { cwd: folder, encoding: 'utf8' });
// biome-ignore lint/suspicious/noExplicitAny: lines are looked into by path in tests
const linesOf = (name: string): any[] =>
  readFileSync(file(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('an organization that is exported', () => {
  test('the archive is for its owner alone, and the command prints its digest', () => {
    assert.equal(exported.code, 0, exported.err);
    assert.equal(statSync(file('exit.age')).mode & 0o777, 0o600);
    const [digest] = execFileSync('sha256sum', [file('exit.age')], { encoding: 'utf8' }).split(' ');
    assert(exported.out.includes(digest ?? '-'));
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('partial')),
      [],
    );
  });

  test('every sentence, key and address comes back byte for byte', () => {
    const ran = recover('--archive', 'exit.age', '--identities', 'identities.txt', '--to', 'out');
    assert.equal(ran.status, 0, ran.stderr + ran.stdout);
    const found = linesOf('out/keys.ndjson');
    const wallets = found.filter(({ kind }) => kind === 'wallet');
    const sentences = wallets.map(({ id, mnemonic, passphrase }): [string, string] => [
      id,
      passphrase === undefined ? mnemonic : `${mnemonic}\n${passphrase}`,
    ]);
    assert.deepEqual(new Map(sentences), new Map(listed.sentences));
    const keys = found.filter(({ kind }) => kind !== 'wallet');
    assert.equal(keys.length, listed.keys.size);
    const seen = new Set<string>();
    for (const { id, curve, publicKey, addressFormat, address, addresses, privateKey } of keys) {
      const expected = listed.keys.get(id);
      const own = addresses ?? [{ format: addressFormat, address }];
      const { hex } = privateKey;
      const wanted = { ...expected, privateKey: expected?.privateKey ?? hex };
      assert.deepEqual({ curve, publicKey, addresses: own, privateKey: hex }, wanted);
      for (const { format } of own) seen.add(format);
    }
    assert.deepEqual(seen, new Set(Object.keys(addressFormats)));
    const { length } = keys.filter(({ id }) => listed.keys.get(id)?.privateKey !== undefined);
    assert(length > addressFormatNames.length, 'keys of each format were exported by the service');
    assert.deepEqual([...addressFormatNames].sort(), Object.keys(addressFormats).sort());
  });

  test('the opened archive has the records of the organization and of its child', () => {
    const lines = linesOf('out/archive.ndjson');
    const kinds = new Map<string, number>();
    for (const { kind } of lines) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    for (const [kind, count] of [
      ['header', 1],
      ['organization', 2],
      ['user', 3],
      ['api_key', 3],
      ['tag', 1],
      ['policy', 1],
      ['private_key', 3],
      ['contract_interface', 1],
      ['secret', 1],
      ['end', 1],
      ['wallet', listed.sentences.size],
    ] as const) {
      assert.equal(kinds.get(kind), count, kind);
    }
    assert((kinds.get('activity') ?? 0) >= listed.sentences.size);
    const secret = lines.find(({ kind }) => kind === 'secret');
    assert.equal(secret.text, secretText);
    assert.match(lines.find(({ kind }) => kind === 'contract_interface').text, /transfer|inputs/);
    // No secret of the opened archive needs the root key.
    for (const { kind, secret: wrapped, encryptedClientSecret } of lines) {
      assert.equal(wrapped ?? encryptedClientSecret, undefined, kind);
    }
  });

  test('keys have the forms that other wallets import', () => {
    for (const { curve, addressFormat = '', address, privateKey } of linesOf('out/keys.ndjson')) {
      if (privateKey === undefined) continue;
      const { hex, pkcs8, wif, keypair } = privateKey;
      const der = Buffer.from(pkcs8, 'base64');
      const jwk = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({
        format: 'jwk',
      });
      if (curve === 'CURVE_ED25519') {
        assert.equal(Buffer.from(jwk.d ?? '', 'base64url').toString('hex'), hex);
      }
      if (addressFormat.startsWith('ADDRESS_FORMAT_BITCOIN_MAINNET')) {
        assert.equal(WIF().encode(Buffer.from(hex, 'hex')), wif);
      }
      if (addressFormat !== 'ADDRESS_FORMAT_SOLANA') continue;
      assert.equal(Keypair.fromSecretKey(base58.decode(keypair)).publicKey.toBase58(), address);
    }
  });

  test('recovered sentences give the same addresses in another service', async (t) => {
    const service = await startTestService();
    t.after(() => service.close());
    const found = linesOf('out/keys.ndjson');
    const accounts = new Map(
      found.filter(({ path }) => path !== undefined).map((each) => [each.walletId, each]),
    );
    const wallets = found.filter(({ kind, name }) => kind === 'wallet' && name !== '24 words');
    for (const { id, mnemonic, passphrase, name } of wallets) {
      const account = accounts.get(id);
      const { curve, pathFormat, path, addressFormat } = account;
      const sentence = passphrase === undefined ? mnemonic : `${mnemonic}\n${passphrase}`;
      const { body } = await service.submit('import_wallet', 'ACTIVITY_TYPE_IMPORT_WALLET', {
        userId: service.root.userId,
        walletName: name,
        encryptedBundle: await sealedSentence(service, sentence),
        accounts: [{ curve, pathFormat, path, addressFormat }, ethereumAccount(999)],
      });
      assert.equal(body.activity?.result.importWalletResult.addresses[0], account.address, name);
    }
  });
});

const small = await runExport(listed.childId, 'small.age', '--without-activities', ...toRecipients);

describe('an archive that is not whole', () => {
  assert.equal(small.code, 0, small.err);
  const sealed = new Uint8Array(readFileSync(file('small.age')));
  const receiver = { line: () => undefined, key: () => undefined };

  test('each altered byte is refused', async () => {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const opens = async (bytes: Uint8Array) =>
      readArchive(partsOf(await decrypter.decrypt(bytes)), receiver);
    assert.deepEqual((await opens(sealed)).differences, []);
    const header = 400;
    const every = casesOf({ usual: 97, soak: 7 });
    for (const at of sealed.keys()) {
      if (at > header && at < sealed.length - 40 && at % every !== 0) continue;
      const altered = sealed.slice();
      altered[at] = (altered[at] ?? 0) ^ (1 << (at % 8));
      await assert.rejects(opens(altered), `byte ${at}`);
    }
    for (const length of [0, 1, header, sealed.length - 1]) {
      await assert.rejects(opens(sealed.slice(0, length)), `${length} bytes`);
    }
    await assert.rejects(opens(Uint8Array.of(...sealed, 0)));
  });

  test('the tool writes nothing of an altered archive, and names why', () => {
    const altered = sealed.slice();
    altered[sealed.length - 1] = (altered.at(-1) ?? 0) ^ 1;
    writeFileSync(file('altered.age'), altered);
    const of = ['--archive', 'altered.age', '--identities', 'identities.txt', '--to', 'nothing'];
    const { status, stderr } = recover(...of);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /invalid tag/);
    assert.equal(existsSync(file('nothing')), false);
  });

  test('texts of an archive that another person sealed do not control the terminal', async () => {
    const clears = '\u001b[2K\rall match the archive\u009b2J';
    const seal = async (name: string, header: object) => {
      const lines = [
        { kind: 'header', format: 'keywright-export', version: 1, ...header },
        { kind: clears },
        { kind: 'wallet_account', id: clears, walletId: clears },
      ].map((line) => `${JSON.stringify(line)}\n`);
      const sha256 = createHash('sha256').update(lines.join('')).digest('hex');
      lines.push(`${JSON.stringify({ kind: 'end', lines: lines.length, sha256 })}\n`);
      const encrypter = new Encrypter();
      encrypter.addRecipient(await identityToRecipient(identity));
      writeFileSync(file(name), await encrypter.encrypt(lines.join('')));
      return recover('--archive', name, '--identities', 'identities.txt');
    };
    const differs = await seal('hostile.age', {});
    assert.equal(differs.status, 1, differs.stderr);
    assert.match(differs.stdout, /all match the archive\?2J: the archive lacks its wallet/);
    const rejected = await seal('foreign.age', { version: clears });
    assert.equal(rejected.status, 2, rejected.stderr);
    assert.match(rejected.stderr, /the archive has version/);
    for (const text of [differs.stdout, rejected.stderr]) {
      assert.doesNotMatch(text.replaceAll('\n', ''), /\p{C}/u);
    }
  });

  test('lines that were left out, added or changed are refused by the end', async () => {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const text = await decrypter.decrypt(sealed, 'text');
    const lines = text.trimEnd().split('\n');
    const read = (changed: readonly string[]) =>
      readArchive(partsOf(new TextEncoder().encode(`${changed.join('\n')}\n`)), receiver);
    const [header = '', ...others] = lines;
    const end = lines.length - 1;
    for (const [changed, message] of [
      [lines.slice(0, -1), /has no end/],
      [lines.toSpliced(3, 1), /its end says/],
      [lines.toSpliced(3, 1, lines[4] ?? ''), /the digest at the end/],
      [[...lines, header], /has lines after its end/],
      [others, /this is no archive/],
      [[header.replace('"version":1', '"version":2'), ...others], /version 2/],
      [lines.with(end, (lines[end] ?? '').replace(/"sha256":"./, '"sha256":"x')), /the digest/],
    ] as const) {
      await assert.rejects(read(changed), { message });
    }
  });

  test('a key or an address that is not of its seed is named', async () => {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const text = await decrypter.decrypt(sealed, 'text');
    const seed = /"seed":"(..)/.exec(text)?.[1] ?? '';
    const changed = text.replace(`"seed":"${seed}`, `"seed":"${seed === '00' ? '01' : '00'}`);
    const lines = changed.split('\n').slice(0, -2);
    const sha256 = createHash('sha256')
      .update(`${lines.join('\n')}\n`)
      .digest('hex');
    const end = JSON.stringify({ kind: 'end', lines: lines.length, sha256 });
    const whole = new TextEncoder().encode(`${[...lines, end].join('\n')}\n`);
    const { differences } = await readArchive(partsOf(whole), receiver);
    assert.match(differences.join('\n'), /^wallet .*: the archive lists the seed/);
    assert.match(differences.join('\n'), /account .*: the archive lists the address/);
  });
});

describe('the ways to open an archive', () => {
  test('the root key opens it, and so do enough shares', async () => {
    const ran = await runExport(listed.childId, 'root.age', '--root-key', '--without-activities');
    assert.equal(ran.code, 0, ran.err);
    const byKey = recover('--archive', 'root.age', '--root-key', 'data/root.key');
    assert.equal(byKey.status, 0, byKey.stderr);
    const operators = await Promise.all(Array.from({ length: 3 }, () => generateIdentity()));
    const recipients = await Promise.all(operators.map(identityToRecipient));
    writeFileSync(file('operators.txt'), `${recipients.join('\n')}\n`);
    const split = await runIn(folder, [
      'root-key',
      'split',
      '--threshold',
      '2',
      '--recipients',
      'operators.txt',
    ]);
    assert.equal(split.code, 0, split.err);
    const withShares = (count: number) => {
      writeFileSync(file('some.txt'), `${operators.slice(0, count).join('\n')}\n`);
      return recover(
        '--archive',
        'root.age',
        '--identities',
        'some.txt',
        '--shares',
        'root-key-shares',
      );
    };
    const two = withShares(2);
    assert.equal(two.status, 0, two.stderr);
    assert.equal(two.stdout, byKey.stdout);
    const one = withShares(1);
    assert.equal(one.status, 2);
    assert.match(one.stderr, /1 of 2 needed shares were opened/);
    const foreign = recover('--archive', 'root.age', '--identities', 'identities.txt');
    assert.match(foreign.stderr, /no identity matched/);
  });

  test('the drill of docs/recovery.md', () => {
    const page = readFileSync(join(root, 'docs/recovery.md'), 'utf8');
    const drill = /<!-- drill -->\n```sh\n(.*?)```/s.exec(page)?.[1] ?? assert.fail('no drill');
    const home = join(folder, 'drill');
    mkdirSync(home);
    for (const name of ['data', 'recipients.txt', 'identities.txt', 'recover.mjs']) {
      cpSync(file(name), join(home, name), { recursive: true });
    }
    const keywright = `'${process.execPath}' '${join(root, 'src', 'main.ts')}'`;
    const script = `npx() { shift 2; ${keywright} "$@"; }\n${drill}`;
    const env = { PATH: dirname(process.execPath), ORGANIZATION: listed.organizationId };
    const ran = spawnSync('/bin/sh', ['-ec', script], { cwd: home, env, encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    assert.deepEqual(readdirSync(join(home, 'recovered')), ['archive.ndjson', 'keys.ndjson']);
  });

  test('the command refuses what cannot be right', async () => {
    const id = listed.childId;
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [[id, '--to', 'x.age'], /--recipients or --root-key is required/],
      [[id, ...toRecipients], /--to is missing/],
      [[id, '--to', 'exit.age', ...toRecipients], /exists already and is not overwritten/],
      [[`${id.slice(0, -1)}x`, '--to', 'x.age', ...toRecipients], /has no organization/],
      [[id, '--to', 'x.age', '--recipients', 'identities.txt'], /is not an age recipient/],
    ];
    for (const [words, message] of refusals) {
      const { code, err } = await runIn(folder, ['export', 'organization', ...data, ...words]);
      assert.notEqual(code, 0);
      assert.match(err, message);
    }
    assert.equal(existsSync(file('x.age')), false);
  });
});

async function* partsOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  // The parts of the stream end within lines.
  for (let from = 0; from < bytes.length; from += 1000) yield bytes.subarray(from, from + 1000);
}
