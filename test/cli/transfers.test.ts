// Exports and imports keep the addresses, write files that only their owner can read, and send nothing in the
// clear.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { Keypair } from '@solana/web3.js';
import * as bitcoin from 'bitcoinjs-lib';
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { newKey } from '../../src/cli/service/new_key.ts';
import { serviceOfThisFile } from '../e2e/service.ts';
import { commandsOfThisFile } from './running_service.ts';
import { folderOfTests } from './terminal.ts';

const { service, run, json } = await commandsOfThisFile();
const folder = folderOfTests();
const inFolder = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(inFolder(name), 'utf8');
const modeOf = (name: string): number => statSync(inFolder(name)).mode & 0o777;

/** Returns every request of commands while `use` runs. */
async function requestsDuring(use: () => Promise<unknown>): Promise<string> {
  const sent: string[] = [];
  const { fetch: real } = globalThis;
  globalThis.fetch = async (...[input, options]: Parameters<typeof fetch>) => {
    sent.push(`${input} ${JSON.stringify(options?.headers)} ${options?.body}`);
    const answer = await real(input, options);
    sent.push(await answer.clone().text());
    return answer;
  };
  try {
    await use();
  } finally {
    globalThis.fetch = real;
  }
  return sent.join('\n');
}

const kinds = ['ethereum', 'solana', 'bitcoin'];
const { addresses } = await json(
  `wallet create shop ${kinds.map((kind) => `--account ${kind}`).join(' ')}`,
);
await json('wallet account add shop ethereum --number 7 --name seventh');

test('an exported wallet works elsewhere, and is imported with the same addresses', async () => {
  const file = inFolder('shop.json');
  let exported = '';
  const sent = await requestsDuring(async () => {
    const { code, out, err } = await run(`export wallet shop --to ${file} --yes --verbose`);
    assert.equal(code, 0, err);
    exported = out + err;
  });
  assert.equal(modeOf('shop.json'), 0o600);
  const { mnemonic, accounts } = JSON.parse(read('shop.json'));
  assert.equal(mnemonic.split(' ').length, 12);
  // Other libraries derive the same addresses.
  assert.equal(mnemonicToAccount(mnemonic).address, addresses[0]);
  const node = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(`m/84'/0'/0'/0/0`);
  assert(node.publicKey !== null);
  assert.equal(bitcoin.payments.p2wpkh({ pubkey: node.publicKey }).address, addresses[2]);
  assert.equal(accounts[3].address, mnemonicToAccount(mnemonic, { addressIndex: 7 }).address);

  let imported = '';
  const sentBack = await requestsDuring(async () => {
    imported = JSON.stringify(await json(`import wallet again --from ${file} --verbose`));
  });
  const before = (await json('wallet account list shop')).accounts;
  const after = (await json('wallet account list again')).accounts;
  const addressesOf = (rows: readonly { address: string }[]) => rows.map((row) => row.address);
  assert.deepEqual(addressesOf(after), addressesOf(before));
  const [first = '', second = ''] = mnemonic.split(' ');
  for (const text of [
    exported,
    imported,
    sent,
    sentBack,
    Object.values(service.output()).join(''),
  ]) {
    assert.doesNotMatch(text, new RegExp(`${first}[ +%20]+${second}`));
    assert(!text.includes(Buffer.from(mnemonic).toString('hex')));
    assert(!text.includes(Buffer.from(mnemonic).toString('base64url')));
  }
  assert((await json('wallet list')).wallets[0].exported);
});

test('files with only the words are written and read, also with a passphrase', async () => {
  await run(`export wallet shop --to ${inFolder('words.txt')} --phrase --yes`);
  const phrase = read('words.txt').trim();
  assert.equal(mnemonicToAccount(phrase).address, addresses[0]);
  const both = await json(`import wallet words --from - --account ethereum --account solana`, {
    input: read('words.txt'),
  });
  assert.deepEqual(both.addresses, addresses.slice(0, 2));
  const secret = 'pass "phrase" \\ ü';
  const protectedOne = await json('import wallet protected --from -', {
    input: `${phrase}\n${secret}`,
  });
  const expected = mnemonicToAccount(phrase, { passphrase: secret }).address;
  assert.deepEqual(protectedOne.addresses, [expected]);
  await run(`export wallet protected --to ${inFolder('protected.json')} --yes`);
  const copied = await json(`import wallet copied --from ${inFolder('protected.json')}`);
  assert.deepEqual(copied.addresses, [expected]);
});

test('an exported key has the address, and is imported with the same address', async () => {
  for (const [kind, addressOf] of [
    ['ethereum', (hex: string) => privateKeyToAccount(`0x${hex}`).address],
    ['solana', (hex: string) => Keypair.fromSeed(Buffer.from(hex, 'hex')).publicKey.toBase58()],
  ] as const) {
    const created = await json(`key create ${kind} --kind ${kind}`);
    const [{ address }] = created.privateKeys[0].addresses;
    const [file, bare] = [`${kind}.json`, `${kind}.hex`];
    const sent = await requestsDuring(() => run(`export key ${kind} --to ${inFolder(file)} --yes`));
    await run(`export key ${kind} --to ${inFolder(bare)} --hex --yes`);
    const { privateKey } = JSON.parse(read(file));
    assert.equal(addressOf(privateKey), address);
    assert.equal(read(bare), `${privateKey}\n`);
    assert(!sent.includes(privateKey));
    assert.equal(modeOf(file), 0o600);
    assert.equal((await run(`key delete ${kind} --yes`)).code, 0);
    const again = await json(`import key ${kind} --from ${inFolder(file)}`);
    assert.equal(again.addresses[0].address, address);
    await run(`key delete ${kind} --without-export --yes`);
    const bareAgain = await json(`import key bare-${kind} --from - --kind ${kind}`, {
      input: read(bare),
    });
    assert.equal(bareAgain.addresses[0].address, address);
  }
});

const pair = Keypair.fromSeed(new Uint8Array(32).fill(0x21));
const pairAddress = 'AB3FQHskSYuWVw4M9EpGdxNzrAjBNiYGpbH4CVzLFene';
const wif = (payload: readonly number[]) =>
  createBase58check(sha256).encode(Uint8Array.from(payload));
const seed: readonly number[] = Array.from({ length: 32 }, () => 0x21);

for (const [form, text, kind, expected] of [
  ['keygen', JSON.stringify([...pair.secretKey]), 'solana', pairAddress],
  ['base58', base58.encode(pair.secretKey), 'solana', pairAddress],
  ['hex', Buffer.from(pair.secretKey).toString('hex'), 'solana', pairAddress],
  ['wif', wif([0x80, ...seed, 1]), 'bitcoin', undefined],
] as const) {
  test(`a key in the form ${form} is imported after its address was shown`, async () => {
    const words = `import key form-${form} --from -`;
    const ran = await run(words, { input: `${text}\n` });
    assert.equal(ran.code, 10, ran.err);
    const { addresses: of } = await json(`${words} --yes`, { input: `${text}\n` });
    const pubkey = secp256k1.getPublicKey(Uint8Array.from(seed));
    const address = expected ?? bitcoin.payments.p2wpkh({ pubkey }).address;
    assert.equal(of[0].address, address);
    assert.match(ran.err, new RegExp(`Its ${kind} address is ${address}`));
    assert(!ran.err.includes(text));
    // The other forms of the pair contain the same key.
    await run(`key delete form-${form} --without-export --yes`);
    const other = await run(`${words} --yes --kind ethereum`, { input: text });
    assert.equal(other.code, 2);
  });
}

test('a key pair of two keys and WIF of other kinds are refused', async () => {
  const other = Keypair.fromSeed(new Uint8Array(32).fill(0x22));
  const mixed = [...pair.secretKey.subarray(0, 32), ...other.secretKey.subarray(32)];
  for (const [text, said] of [
    [JSON.stringify(mixed), /second half/],
    [wif([0x80, ...seed]), /uncompressed/],
    [wif([0xef, ...seed, 1]), /test network/],
    [JSON.stringify(mixed.with(0, 256)), /no private key/],
  ] as const) {
    const { code, err } = await run('import key mixed --from - --yes', { input: text });
    assert.equal(code, 2, err);
    assert.match(err, said);
  }
});

test('an exported secret equals the imported one', async () => {
  const text = 'tökën\n"with" \\ everything\n';
  writeFileSync(inFolder('token.txt'), text, { mode: 0o600 });
  let id = '';
  const sent = await requestsDuring(async () => {
    const words = `import secret token --from ${inFolder('token.txt')} --property env=production`;
    id = (await json(words)).secretIds[0];
  });
  assert.doesNotMatch(sent, /everything/);
  assert.match((await run('secret list')).out, new RegExp(`\ntoken +${id} .* env=production\n`));
  assert.match((await run('secret show token')).out, /Properties +env=production\n/);
  assert.equal((await json(`secret show ${id}`)).secret.name, 'token');
  const { code, err } = await run(`export secret token --to ${inFolder('back.txt')} --yes`);
  assert.equal(code, 0, err);
  assert.equal(read('back.txt'), text);
  assert.equal(modeOf('back.txt'), 0o600);
  assert.equal((await run('secret delete token --yes')).code, 0);
  assert.deepEqual(await json('secret list'), { secrets: [] });
});

test('an export requires the name, and never overwrites a file', async () => {
  writeFileSync(inFolder('there'), 'mine');
  const there = await run(`export wallet shop --to ${inFolder('there')} --yes`);
  assert.equal(there.code, 7, there.err);
  assert.equal(read('there'), 'mine');
  const nobody = await run(`export wallet shop --to ${inFolder('new')}`);
  assert.equal(nobody.code, 10);
  assert.match(nobody.err, /recovery phrase of the wallet shop is written to .*new in clear text/);
  const other = await run(`export wallet shop --to ${inFolder('new')}`, { ask: async () => 'shp' });
  assert.equal(other.code, 10);
  assert(!existsSync(inFolder('new')));
  const done = await run(`export wallet shop --to ${inFolder('new')}`, { ask: async () => 'shop' });
  assert.equal(done.code, 0, done.err);
  assert(existsSync(inFolder('new')));
});

test('a command that does not wait does not begin an export that requires votes', async () => {
  const key = await newKey();
  const credentials = inFolder('alice.json');
  const { organizationId } = service.credentials;
  writeFileSync(credentials, JSON.stringify({ ...key, organizationId }), { mode: 0o600 });
  const user = {
    userName: 'alice',
    apiKeys: [{ apiKeyName: 'key', publicKey: key.apiPublicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  };
  await json('api create_users --params -', { input: JSON.stringify({ users: [user] }) });
  const policy = {
    policyName: 'two export',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'EXPORT'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  };
  await json('api create_policy --params -', { input: JSON.stringify(policy) });
  const waiting = async () =>
    (await json('api list_activities')).activities.filter(
      ({ status }: { status: string }) => status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
    ).length;
  const words = `export wallet shop --to ${inFolder('alice')} --credentials ${credentials} --yes`;
  const alone = await run(`${words} --json`);
  assert.equal(alone.code, 3, alone.err);
  assert.equal(JSON.parse(alone.err).error.code, 'export_needs_votes');
  assert.equal(await waiting(), 0);
  const over = await run(`${words} --wait=1s`);
  assert.equal(over.code, 3, over.err);
  assert.match(
    over.err,
    /its result cannot be opened any more\.\nnext: keywright activity reject /,
  );
  assert.equal(await waiting(), 1);
  assert(!existsSync(inFolder('alice')));
});

test('a dry run exports and imports nothing', async () => {
  await run('wallet create dry');
  const { code, out } = await run(`export wallet dry --to ${inFolder('dry')} --dry-run`);
  assert.equal(code, 0);
  assert.match(out, /It would be done/);
  assert(!existsSync(inFolder('dry')));
  assert.match((await run('wallet show dry')).out, /Exported +no/);
  const input = 'a'.repeat(64);
  assert.equal((await run('import key dry --from - --dry-run', { input })).code, 0);
  assert.equal((await run('key show dry')).code, 5);
});

for (const [words, exit, said] of [
  ['export wallet shop', 2, /--to is missing/],
  ['export wallet shop --to /nowhere/at/all --yes', 2, /cannot write \/nowhere\/at\/all/],
  ['export wallet shp --to x --yes', 5, /Did you mean shop\?/],
  ['export wallet shop --to x --curl', 2, /only this command can open/],
  ['import wallet new', 2, /--from is missing/],
  ['import wallet new --from /nowhere', 2, /the file does not exist/],
  ['import wallet new --from - --curl', 2, /takes two requests/],
  ['import wallet new --from - --account etherium', 2, /did you mean ethereum/],
  ['import secret new --from - --property env', 2, /not KEY=VALUE/],
] as const) {
  test(`keywright ${words} ends with ${exit}`, async () => {
    const { code, out, err } = await run(words);
    assert.equal(code, exit, err);
    assert.equal(out, '');
    assert.match(err, said);
  });
}

test('import refuses an invalid secret, and shows no part of it', async () => {
  for (const [words, input, exit] of [
    ['import wallet new --from -', 'secret words that are none', 6],
    ['import wallet new --from -', '{"kind":"wallet","mnemonic":"secret"', 2],
    ['import wallet new --from -', '{"kind":"key","mnemonic":"secret"}', 2],
    ['import wallet new --from -', '{"kind":"wallet","mnemonic":1}', 2],
    ['import wallet new --from -', '{"kind":"wallet","mnemonic":"secret","accounts":"secret"}', 2],
    ['import key new --from -', 'secret', 2],
    ['import key new --from -', `${'0'.repeat(64)}`, 6],
    ['import key new --from - --kind solana', '{"kind":"key","privateKey":"secret"}', 2],
  ] as const) {
    const { code, err } = await run(words, { input });
    assert.equal(code, exit, `${words} ${input}: ${err}`);
    assert.doesNotMatch(err, /secret w|"secret|000000/);
  }
});

test('a file that others can read is imported with a warning', async () => {
  writeFileSync(inFolder('open.hex'), '1'.repeat(64));
  chmodSync(inFolder('open.hex'), 0o644);
  const { code, err } = await run(`import key opened --from ${inFolder('open.hex')}`);
  assert.equal(code, 0, err);
  assert.match(err, /^warning: others may read .*open\.hex; type chmod 600 /m);
});

test('addresses that differ from the file end with 9', async () => {
  const document = JSON.parse(read('shop.json'));
  document.accounts[0].address = addresses[1];
  writeFileSync(inFolder('other.json'), JSON.stringify(document), { mode: 0o600 });
  const { code, err } = await run(`import wallet other --from ${inFolder('other.json')}`);
  assert.equal(code, 9, err);
  assert.match(err, /another address than in the file/);
});

test('the keys of the service are pinned, and a bundle by other keys ends with 9 and no file', async () => {
  const path = join(service.dataDirectory, 'config/keywright/pinned_keys.json');
  const pins = JSON.parse(readFileSync(path, 'utf8'));
  const { organizationId } = service.credentials;
  assert.match(pins[organizationId].signer, /^04[0-9a-f]{128}$/);
  assert.match((await run('doctor')).out, /pinned keys are those of the service/);
  const other = await serviceOfThisFile();
  const { keys } = (await (await fetch(`${other.baseUrl}/public/v1/discovery/keys`)).json()) as {
    keys: { role: string; publicKey: string }[];
  };
  const theirs = Object.fromEntries(keys.map(({ role, publicKey }) => [role, publicKey]));
  const content = readFileSync(path);
  writeFileSync(path, JSON.stringify({ [organizationId]: theirs }));
  for (const words of [
    `export wallet shop --to ${inFolder('forged')} --yes`,
    'import key forged --from -',
  ]) {
    const { code, err } = await run(`${words} --json`, { input: '2'.repeat(64) });
    assert.equal(code, 9, err);
    assert.equal(JSON.parse(err).error.code, 'SERVICE_KEY_CHANGED');
  }
  assert(!existsSync(inFolder('forged')));
  assert.equal((await run('key show forged')).code, 5);
  writeFileSync(path, 'no JSON');
  assert.equal((await run(`export wallet shop --to ${inFolder('forged')} --yes`)).code, 2);
  writeFileSync(path, content);
});

test('a profile keeps the pins of its service', async () => {
  const credentials = join(service.dataDirectory, 'root-credentials.json');
  assert.equal((await run(`login --with ${credentials} --profile ops`)).code, 0);
  const { code, err } = await run(
    `export wallet shop --to ${inFolder('ops.json')} --yes --profile ops`,
  );
  assert.equal(code, 0, err);
  assert.match(err, /Pinned the keys of the service; compare them with keywright keys/);
  const path = join(service.dataDirectory, 'config/keywright/config.json');
  const { profiles } = JSON.parse(readFileSync(path, 'utf8'));
  assert.match(profiles.ops.pinnedKeys.signer, /^04[0-9a-f]{128}$/);
  const next = await run(`export wallet shop --to ${inFolder('ops2.json')} --yes --profile ops`);
  assert.doesNotMatch(next.err, /Pinned/);
});

test('nothing is sealed to a target of another user', async () => {
  const suite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1';
  const begun = await json(
    `api init_import_secrets --param numSecrets=1 --param encryptionSuite=${suite}`,
  );
  const [otherTarget] = begun.enclaveTargetMessages;
  const input = 'test test test test test test test test test test test junk';
  const sent: string[] = [];
  const { fetch: real } = globalThis;
  globalThis.fetch = async (...[url, options]: Parameters<typeof fetch>) => {
    sent.push(String(url));
    const answer = await real(url, options);
    if (!String(url).endsWith('/init_import_wallet')) return answer;
    const document = JSON.parse(await answer.text());
    document.activity.result.initImportWalletResult.importBundle = otherTarget;
    return Response.json(document);
  };
  try {
    const { code, err } = await run('import wallet swapped --from -', { input });
    assert.equal(code, 9, err);
  } finally {
    globalThis.fetch = real;
  }
  assert(sent.every((url) => !url.endsWith('/import_wallet')));
});
