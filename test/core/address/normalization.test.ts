import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { signingSpellings } from '../../../src/core/address/normalization.ts';

/** The examples of EIP-55. */
const eip55Examples = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

const hexDigits = (length: number) =>
  fc.uint8Array({ minLength: length / 2, maxLength: length / 2 }).map((bytes) => bytes.toHex());

/** Changes the case of some letters. */
const mangled = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) =>
      Array.from(text, (letter, i) =>
        upper[i] ? letter.toUpperCase() : letter.toLowerCase(),
      ).join(''),
    );

test('EVM addresses: the examples of EIP-55, from any case', () => {
  for (const address of eip55Examples) {
    assert.equal(signingSpellings(address), address);
    assert.equal(signingSpellings(address.toLowerCase()), address);
    assert.equal(signingSpellings(address.toUpperCase()), address);
  }
});

test('EVM addresses: every letter case has one stored form', () => {
  const cases = hexDigits(40).chain((digits) =>
    fc.tuple(fc.constant(digits), mangled(`0x${digits}`)),
  );
  fc.assert(
    fc.property(cases, ([digits, sent]) => {
      const stored = signingSpellings(`0x${digits}`);
      assert.equal(signingSpellings(sent), stored);
      assert.equal(stored.toLowerCase(), `0x${digits}`);
    }),
  );
});

test('hex public keys: any letter case becomes lower case', () => {
  const keys = fc
    .constantFrom('', '02', '03', '04')
    .chain((prefix) => hexDigits(prefix === '04' ? 128 : 64).map((digits) => prefix + digits));
  const cases = keys.chain((key) => fc.tuple(fc.constant(key), mangled(key)));
  fc.assert(fc.property(cases, ([key, sent]) => assert.equal(signingSpellings(sent), key)));
});

test('bech32 and bech32m: upper case becomes lower case, mixed case and wrong checksums stay', () => {
  // Examples of BIP-173 and BIP-350.
  for (const address of [
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ]) {
    const capitals = address.toUpperCase();
    assert.equal(signingSpellings(capitals), address);
    assert.equal(signingSpellings(address), address);
    const mixed = `b${capitals.slice(1)}`;
    assert.equal(signingSpellings(mixed), mixed);
    const wrong = capitals.slice(0, -1) + (capitals.endsWith('Q') ? 'P' : 'Q');
    assert.equal(signingSpellings(wrong), wrong);
  }
});

test('TON: other workchains, the test network and a wrong checksum stay as sent', () => {
  // The elector's address is in the masterchain (-1).
  const masterchain = 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF';
  const testOnly = 'kQC4_unJ-jlbLt-3UO46cvKkyYI2-5LT9ZI3OpAvda2MpsxE';
  const wrongChecksum = 'UQC4_unJ-jlbLt-3UO46cvKkyYI2-5LT9ZI3OpAvda2MpioM';
  const rawMasterchain = `-1:${'33'.repeat(32)}`;
  for (const text of [masterchain, testOnly, wrongChecksum, rawMasterchain]) {
    assert.equal(signingSpellings(text), text);
  }
});

test('other texts come back unchanged', () => {
  for (const text of [
    '',
    '0x',
    '__proto__',
    '0190c8a2-5F3e-7d11-8c55-0a9f4f6d2b11',
    `0x${'A'.repeat(39)}`,
    `0x${'A'.repeat(64)}`,
    'A'.repeat(40),
    `05${'A'.repeat(64)}`,
    `${'A'.repeat(64)}\n`,
    'DMKEqWaf2UNJQoaNJXrqRWdNhYqQJX7SZw',
    'GCRN5PMAG5FM5QLCH7BUZPRQ7UIW37LBZLF2BIDEOSG4ZQ6HYRC45ALA',
    'A'.repeat(100_000),
  ]) {
    assert.equal(signingSpellings(text), text);
  }
});

test('normalization never throws, and normalizes its own result to itself', () => {
  const texts = fc.oneof(
    fc.string({ maxLength: 150 }),
    fc.string({ unit: fc.constantFrom(...'EQUk0:xaA_-+/='), minLength: 46, maxLength: 50 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const stored = signingSpellings(text);
      assert.equal(signingSpellings(stored), stored);
    }),
  );
});
