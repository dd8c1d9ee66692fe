// Signatures that unmodified libraries of each chain accept, and their verification offline.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { schnorr } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58 } from '@scure/base';
import * as kit from '@solana/kit';
import * as ethers from 'ethers';
import { TronWeb } from 'tronweb';
import * as viem from 'viem';
import { commandsOfThisFile } from './running_service.ts';

const { run, json } = await commandsOfThisFile();
const bitcore = createRequire(import.meta.url)('bitcore-lib');

await run('wallet create shop --account ethereum --account solana --account tron');
await run('wallet create plain');
await run('wallet create twin');
await json('api create_private_keys --params -', {
  input: JSON.stringify({
    privateKeys: [
      {
        privateKeyName: 'twin',
        curve: 'CURVE_SECP256K1',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      },
    ],
  }),
});
const bitcoinFormats = ['P2PKH', 'P2SH', 'P2WPKH', 'P2TR'].map(
  (script) => `ADDRESS_FORMAT_BITCOIN_MAINNET_${script}`,
);
await json('api create_wallet --params -', {
  input: JSON.stringify({
    walletName: 'coins',
    accounts: [...bitcoinFormats, 'ADDRESS_FORMAT_COSMOS'].map((addressFormat, number) => ({
      curve: 'CURVE_SECP256K1',
      pathFormat: 'PATH_FORMAT_BIP32',
      path: `m/84'/0'/0'/0/${number}`,
      addressFormat,
    })),
  }),
});

const messages = ['hello', '', 'ünï\u0000 🙂', 'x'.repeat(300)];

test('Ethereum messages verify with viem and ethers', async () => {
  for (const message of messages) {
    const { signature, address } = await json('sign message - --with shop/ethereum', {
      input: message,
    });
    assert(await viem.verifyMessage({ address, message, signature }));
    assert.equal(ethers.verifyMessage(message, signature), address);
  }
});

test('TRON messages verify with tronweb', async () => {
  const tron = new TronWeb({ fullHost: 'http://127.0.0.1:9' });
  for (const message of messages) {
    const { signature, address } = await json('sign message - --with shop/tron', {
      input: message,
    });
    assert.equal(await tron.trx.verifyMessageV2(message, signature), address);
  }
});

test('Solana messages verify with @solana/kit', async () => {
  for (const message of messages) {
    const { signature, address } = await json('sign message - --with shop/solana', {
      input: message,
    });
    const key = await kit.getPublicKeyFromAddress(kit.address(address));
    const bytes = kit.signatureBytes(base58.decode(signature));
    assert(await kit.verifySignature(key, bytes, new TextEncoder().encode(message)));
  }
});

test('Bitcoin messages verify with bitcore-lib, and headers name the kind of address', async () => {
  for (const message of messages.filter((text) => text !== '')) {
    const { signature, address } = await json('sign message - --with coins/bitcoin_mainnet_p2pkh', {
      input: message,
    });
    assert(new bitcore.Message(message).verify(address, signature));
  }
  for (const [kind, first] of [
    ['p2sh', 35],
    ['p2wpkh', 39],
  ] as const) {
    const document = await json(`sign message hello --with coins/bitcoin_mainnet_${kind}`);
    const bytes = Buffer.from(document.signature, 'base64');
    assert([first, first + 1].includes(bytes[0] ?? 0), kind);
    // With the header of P2PKH, the same numbers verify under the key of the address.
    const plain = Buffer.from(bytes);
    plain[0] = (bytes[0] ?? 0) - first + 31;
    const hash = new bitcore.Message('hello').magicHash();
    const signed = bitcore.crypto.Signature.fromCompact(plain);
    const key = bitcore.crypto.ECDSA.recoverPublicKey(hash, signed);
    const type = kind === 'p2sh' ? 'scripthash' : 'witnesspubkeyhash';
    assert.equal(bitcore.Address.fromPublicKey(key, 'livenet', type).toString(), document.address);
  }
});

const typedData = {
  domain: { name: 'Shop', version: '1', chainId: 1 },
  types: { Order: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Order',
  message: {
    amount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  },
} as const;

test('typed data verify with viem and ethers', async () => {
  const { signature, address } = await json('sign typed-data - --with shop', {
    input: JSON.stringify(typedData),
  });
  const { domain, types, message } = typedData;
  const amount = BigInt(message.amount);
  assert(await viem.verifyTypedData({ ...typedData, message: { amount }, address, signature }));
  const named = { Order: [...types.Order] };
  assert.equal(ethers.verifyTypedData(domain, named, message, signature), address);
});

const signings = [
  ...['ethereum', 'solana', 'tron'].map((kind) => `sign message - --with shop/${kind}`),
  ...['p2pkh', 'p2sh', 'p2wpkh'].map(
    (kind) => `sign message - --with coins/bitcoin_mainnet_${kind}`,
  ),
  'sign payload - --hash sha256 --with coins/bitcoin_mainnet_p2tr',
  'sign payload - --hash keccak256 --with shop/ethereum',
  'sign payload - --with shop/solana',
];

test('verify accepts what sign --json prints, and ends with 9 for any other digit', async () => {
  const documents = await Promise.all(signings.map((words) => json(words, { input: 'hello' })));
  const typed = await json('sign typed-data - --with shop', { input: JSON.stringify(typedData) });
  for (const document of [...documents, typed]) {
    const input = JSON.stringify(document);
    const good = await run('verify message --json', { input });
    assert.equal(good.code, 0, good.err);
    assert.equal(JSON.parse(good.out).verified, true);
    assert.match((await run('verify message', { input })).out, /^Verified +yes\n/);
    for (const [member, value] of Object.entries<string>(document)) {
      // Another digit or letter in each member, at its end and in the middle.
      for (const place of [Math.floor(value.length / 2), value.length - 3]) {
        const other = { ...document, [member]: altered(value, place) };
        const { code, out, err } = await run('verify message --json', {
          input: JSON.stringify(other),
        });
        assert.equal(code, 9, `${document.standard} ${member} ${place}: ${out}`);
        assert.equal(JSON.parse(out).verified, false);
        assert.equal(JSON.parse(err).error.code, 'signature_invalid');
      }
    }
  }
});

test('an engine without support for typed data does not report a bad signature', async (t) => {
  const input = JSON.stringify(
    await json('sign typed-data - --with shop', { input: JSON.stringify(typedData) }),
  );
  const fromHex = Object.getOwnPropertyDescriptor(Uint8Array, 'fromHex');
  assert(fromHex !== undefined);
  t.after(() => Object.defineProperty(Uint8Array, 'fromHex', fromHex));
  Reflect.deleteProperty(Uint8Array, 'fromHex');
  const { code, err } = await run('verify message', { input });
  assert.equal(code, 2);
  assert.match(err, /verify message of typed data needs Node 26 or later/);
});

test('missing members and members of another kind end with 9', async () => {
  const document = await json('sign message hello --with shop/ethereum');
  for (const member of Object.keys(document)) {
    for (const value of [undefined, 1, null, [], '', 'constructor']) {
      const input = JSON.stringify({ ...document, [member]: value });
      assert.equal((await run('verify message', { input })).code, 9, `${member} ${value}`);
    }
  }
  for (const input of ['', 'null', '"text"', '{', '[1', '\u00ff']) {
    assert.equal((await run('verify message', { input })).code, 2, input);
  }
});

test('bytes that are not text are signed unchanged, and verify', async () => {
  const readInput = async () => Uint8Array.of(0xff, 0x00, 0xfe);
  const document = await json('sign message - --with shop/ethereum', { readInput });
  assert.deepEqual([document.message, document.messageEncoding], ['0xff00fe', 'hex']);
  const { address, signature } = document;
  assert(await viem.verifyMessage({ address, message: { raw: '0xff00fe' }, signature }));
  const { code } = await run('verify message', { input: JSON.stringify(document) });
  assert.equal(code, 0);
});

test('a taproot account signs payloads with the key of its output', async () => {
  const { r, s, publicKey } = await json(
    'sign payload hello --encoding text --hash sha256 --with coins/bitcoin_mainnet_p2tr',
  );
  const digest = sha256(new TextEncoder().encode('hello'));
  assert(schnorr.verify(Buffer.from(r + s, 'hex'), digest, Buffer.from(publicKey, 'hex')));
});

test('the table shows the signature, and --quiet prints only the signature', async () => {
  const { signature, address } = await json('sign message hello --with shop/ethereum');
  const table = await run('sign message hello --with shop/ethereum');
  assert.equal(table.out, `Signature  ${signature}\nAddress    ${address}\nStandard   EIP-191\n`);
  assert.equal(
    (await run('sign message hello --with shop/ethereum --quiet')).out,
    `${signature}\n`,
  );
});

test('a signer is named by wallet, kind, path or address in any letter case', async () => {
  const { address, signature } = await json('sign message hello --with shop/ethereum');
  for (const signer of [
    `shop/m/44'/60'/0'/0/0`,
    address,
    address.toLowerCase(),
    `shop/${address}`,
  ]) {
    const { out } = await run(['sign', 'message', 'hello', '--quiet', '--with', signer]);
    assert.equal(out, `${signature}\n`, signer);
  }
  assert.equal((await run('sign message hello --with plain')).code, 0);
});

for (const [words, exit, said] of [
  ['sign message hello', 2, /--with is missing/],
  [
    'sign message hello --with shp',
    5,
    /no wallet, address or private key shp .*\n.*Did you mean shop\?/,
  ],
  [
    'sign message hello --with shop/bitcoin',
    5,
    /no account shop\/bitcoin\.\nnext: .*account list shop/,
  ],
  ['sign message hello --with shop', 2, /shop\/ethereum, shop\/solana, shop\/tron/],
  [
    'sign message hello --with twin',
    2,
    /twin has 2 accounts of which each signs messages: 0x\w{40}, 0x\w{40}\n/,
  ],
  ['sign message hello --with coins/cosmos', 2, /no account that signs messages, only: cosmos/],
  ['sign typed-data - --with shop/solana', 2, /is not JSON/],
  ['sign payload 00 --with plain', 2, /--hash is missing/],
  ['sign payload 00 --with plain --hash sha265', 2, /did you mean sha256\?/],
  ['sign payload 00 --with shop/solana --hash sha256', 2, /not for Ed25519/],
  ['sign payload xx --with plain --hash sha256', 6, /parameters\.payload/],
  ['sign transaction - --with plain', 2, /the standard input is empty/],
  ['sign transaction - --with plain --type etherium', 2, /did you mean ethereum\?/],
] as const) {
  test(`keywright ${words} ends with ${exit}`, async () => {
    const { code, out, err } = await run(words);
    assert.equal(code, exit, err);
    assert.equal(out, '');
    assert.match(err, said);
  });
}

const payment = viem.serializeTransaction({
  chainId: 1,
  nonce: 7,
  to: '0x000000000000000000000000000000000000dEaD',
  value: viem.parseEther('1.5'),
  gas: 21_000n,
  maxFeePerGas: viem.parseGwei('20'),
  maxPriorityFeePerGas: viem.parseGwei('1'),
});

/** The start of a transaction: type 2, the length, the chain and the nonce. */
const signedStart = /02f8[0-9a-f]{2}0107/;

test('a transaction is explained, with the service as the source, and signed', async () => {
  const { out, err, code } = await run('sign transaction - --with shop/ethereum', {
    input: `${payment}\n`,
  });
  assert.equal(code, 0, err);
  assert.match(err, /^Explanation by the service; this program did not check it:\n/);
  assert.match(err, /1\.5 ETH/);
  const [, signed = ''] = /^Signed transaction +(\w+)$/m.exec(out) ?? [];
  const { from, value, to } = ethers.Transaction.from(`0x${signed.replace(/^0x/, '')}`);
  assert.match(signed, signedStart);
  const { address } = await json('sign message hello --with shop/ethereum');
  assert.deepEqual(
    [from, value, to?.toLowerCase()],
    [address, 1_500_000_000_000_000_000n, `0x${'0'.repeat(36)}dead`],
  );
  const document = await json('sign transaction - --with shop/ethereum', { input: payment });
  assert.equal(document.signedTransaction, signed);
  assert.match(document.explanation.summary, /1\.5 ETH/);
});

test('bytes and base64 of a transaction are the same transaction', async () => {
  const bytes = viem.hexToBytes(payment);
  const expected = await json('sign transaction - --with plain', { input: payment });
  const raw = await json('sign transaction - --with plain', { readInput: async () => bytes });
  const base64 = await json('sign transaction - --with plain', {
    input: Buffer.from(bytes).toString('base64'),
  });
  assert.equal(raw.signedTransaction, expected.signedTransaction);
  assert.equal(base64.signedTransaction, expected.signedTransaction);
});

test('a dry run explains a transaction and signs nothing', async () => {
  const { code, out, err } = await run('sign transaction - --with shop --type ethereum --dry-run', {
    input: payment,
  });
  assert.equal(code, 0, err);
  assert.match(err, /1\.5 ETH/);
  assert.match(out, /It would be done/);
  assert.doesNotMatch(out, signedStart);
});

test('signing bytes that are not a transaction ends with 6', async () => {
  assert.equal((await run('sign transaction - --with shop/tron', { input: payment })).code, 6);
});

/** Returns a text with another letter or digit at a place. Appends one to shorter texts. */
function altered(value: string, place: number): string {
  const at = Math.max(0, place);
  const [letter = ''] = value.slice(at, at + 1);
  const other = letter === '1' ? '2' : '1';
  return value.slice(0, at) + other + value.slice(at + 1);
}
