import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AddressFormatName, addressFormats, addressOf } from '../../src/core/address/index.ts';
import { signingSpellings } from '../../src/core/address/normalization.ts';
import { bytesOfHex } from '../../src/core/base/bytes.ts';
import { type CurveName, curveNames } from '../../src/core/base/enums.ts';
import { namesOf } from '../../src/core/base/table.ts';
import vectors from '../vectors/addresses.json' with { type: 'json' };
import alternatives from '../vectors/bitcoin_script_alternatives.json' with { type: 'json' };

const formatNames = namesOf(addressFormats);

// RES-WALLET-ACCOUNT-09, RES-PRIVATE-KEY-08
for (const format of formatNames) {
  const ofFormat = vectors.filter(({ addressFormat }) => addressFormat === format);

  test(`addresses.json: ${format}`, () => {
    assert.ok(ofFormat.length >= 4, 'at least four vectors');
    for (const { curve, publicKey, address } of ofFormat) {
      assert.equal(addressOf(format, curveNamed(curve), bytes(publicKey)), address);
    }
  });

  test(`addresses.json has a vector for every curve of ${format}, and no other`, () => {
    assert.deepEqual(
      new Set(addressFormats[format].curves),
      new Set(ofFormat.map(({ curve }) => curve)),
    );
  });
}

test('addresses.json: all 219 vectors are of a known format', () => {
  const known = new Set<string>(formatNames);
  assert.equal(vectors.filter(({ addressFormat }) => known.has(addressFormat)).length, 219);
});

test('addresses.json: an address is its own stored form', () => {
  for (const { address } of vectors) assert.equal(signingSpellings(address), address);
});

test('addresses.json: the three spellings of a TON address are one', () => {
  const spelled = vectors.flatMap(({ address, addressRaw, addressNonBounceable }) =>
    addressRaw && addressNonBounceable ? [{ address, addressRaw, addressNonBounceable }] : [],
  );
  assert.equal(spelled.length, 14);
  for (const { address, addressRaw, addressNonBounceable } of spelled) {
    assert.match(address, /^EQ/);
    assert.equal(signingSpellings(addressRaw), address);
    assert.equal(signingSpellings(addressRaw.toUpperCase()), address);
    assert.equal(signingSpellings(addressNonBounceable), address);
    const base64 = addressNonBounceable.replaceAll('-', '+').replaceAll('_', '/');
    assert.equal(signingSpellings(base64), address);
  }
});

test('bitcoin_script_alternatives.json: P2SH and P2WSH wrap the script we state', () => {
  assert.equal(alternatives.vectors.length, 8);
  for (const { network, publicKey, P2SH, P2WSH } of alternatives.vectors) {
    const address = (script: string) =>
      addressOf(
        formatNamed(`ADDRESS_FORMAT_BITCOIN_${network}_${script}`),
        'CURVE_SECP256K1',
        bytes(publicKey),
      );
    assert.equal(address('P2SH'), P2SH['p2wpkh (BIP-49 nested segwit)']);
    assert.equal(address('P2WSH'), P2WSH['p2pk (BIP-173 example form)']);
  }
});

function bytes(hexText: string): Uint8Array {
  const decoded = bytesOfHex(hexText);
  assert.ok(decoded);
  return decoded;
}

function curveNamed(text: string): CurveName {
  const curve = curveNames.find((name) => name === text);
  assert.ok(curve, text);
  return curve;
}

function formatNamed(text: string): AddressFormatName {
  const format = formatNames.find((name) => name === text);
  assert.ok(format, text);
  return format;
}
