import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createBase58check } from '@scure/base';
import { addressOf } from '../../src/core/address/index.ts';
import { bytesOfBase64url, bytesOfHex, hex } from '../../src/core/base/bytes.ts';
import { bitcoinFormat } from '../../src/core/chains/bitcoin/index.ts';
import { readOutput, readSpentOutput } from '../../src/core/chains/bitcoin/plain.ts';
import { type Psbt, readPsbt } from '../../src/core/chains/bitcoin/read.ts';
import { taprootHashes } from '../../src/core/chains/bitcoin/sighash.ts';
import { writeBitcoin } from '../../src/core/chains/bitcoin/write.ts';
import type { SigningAccount } from '../../src/core/chains/chain.ts';
import { UnreadableTransaction } from '../../src/core/chains/unreadable.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { verifySchnorr } from '../../src/core/crypto/schnorr.ts';

type Case = { readonly name: string; readonly psbt: string };
type Cases = Readonly<Record<string, readonly Case[]>>;

/** Valid for their authors, and refused here: what we refuse and why. */
const refusedThoughValid: Readonly<Record<string, string>> = {
  'PSBT with global unsigned tx that has 0 inputs and 0 outputs':
    'global.unsigned_tx.inputs: expected at least one, got none',
  'PSBT with 0 inputs': 'global.unsigned_tx.inputs: expected at least one, got none',
  // Written before BIP-370 gave this type a meaning in version 2 alone.
  'PSBT with unknown types in the inputs. (bitcoinjs)':
    'inputs[0].field_0f: expected version 0 of the format, got a field of version 2',
};

const sources: readonly { readonly from: string; readonly cases: Cases }[] = [
  { from: 'BIP-174', cases: readVectors<Cases>('bip174') },
  { from: 'BIP-371', cases: readVectors<Cases>('bip371') },
  { from: 'bitcoinjs', cases: casesOfBitcoinjs() },
];

for (const { from, cases } of sources) {
  for (const { name, psbt } of cases.invalid ?? []) {
    test(`${from}: ${name}: refused`, () => {
      assert.throws(() => readPsbt(bytes(psbt)), UnreadableTransaction);
    });
  }
  for (const { name, psbt } of cases.valid ?? []) {
    const refusal = refusedThoughValid[name];
    test(`${from}: ${name}: ${refusal === undefined ? 'read and written again' : 'refused'}`, () => {
      if (refusal !== undefined) {
        assert.throws(() => readPsbt(bytes(psbt)), { message: refusal });
        return;
      }
      assert.equal(hex(written(readPsbt(bytes(psbt)))), psbt);
    });
  }
}

test('the counts of valid and invalid cases are those of the sources', () => {
  const counts = sources.map(({ from, cases }) => [
    from,
    cases.invalid?.length,
    cases.valid?.length,
  ]);
  assert.deepEqual(counts, [
    ['BIP-174', 20, 10],
    ['BIP-371', 11, 6],
    ['bitcoinjs', 18, 7],
  ]);
});

test('BIP-370: all 47 cases are refused, since version 2 is not accepted', () => {
  const cases = Object.values(readVectors<Cases>('bip370')).flat();
  assert.equal(cases.length, 47);
  for (const { psbt } of cases) {
    assert.throws(() => readPsbt(bytes(psbt)), UnreadableTransaction);
  }
});

test('BIP-174: the four cases that a signer refuses are of several keys, so no account signs', () => {
  const cases = readVectors<Cases>('bip174').failsSigner ?? [];
  assert.equal(cases.length, 4);
  for (const { psbt } of cases) {
    const account = accountOf('P2WPKH', new Uint8Array(32).fill(1));
    assert.throws(() => bitcoinFormat.read(bytes(psbt), account), {
      message: 'inputs: expected an input that spends from the address that signs',
    });
  }
});

test('bitcoinjs: the signer of P2PKH, P2TR and P2WPKH inputs gives the same PSBT', () => {
  const signer = readVectors<Bitcoinjs>('bitcoinjs').bip174.signer.find(({ description }) =>
    description?.startsWith('Sign PSBT with 3 inputs [P2PKH, P2TR (key-path), P2WPKH]'),
  );
  assert.ok(signer !== undefined);
  const expected = readPsbt(bytesOfBase64(signer.result));
  let psbt = bytesOfBase64(signer.psbt);
  for (const { input, script } of [
    { input: 0, script: 'P2PKH' },
    { input: 2, script: 'P2WPKH' },
  ] as const) {
    const key = keyOfWif(signer.keys[input]?.WIF ?? '');
    const transaction = bitcoinFormat.read(psbt, accountOf(script, key));
    const signatures = bitcoinFormat
      .signedBytes(transaction)
      .map((digest) => curves.CURVE_SECP256K1.sign(key, digest));
    psbt = bitcoinFormat.attach(transaction, signatures);
    assert.deepEqual(readPsbt(psbt).inputs[input], expected.inputs[input]);
  }
  // The key of the file is the tweaked one, which no account has: its signature fits our hash.
  const { unsigned, inputs } = readPsbt(psbt);
  const spent = inputs.map((entries, i) => {
    const alone = entries.find(({ type }) => type === 0x01);
    if (alone !== undefined) return readOutput(alone.value, '');
    const whole = entries.find(({ type }) => type === 0x00);
    const coin = unsigned.inputs[i];
    assert.ok(whole !== undefined && coin !== undefined);
    return readSpentOutput(whole.value, coin, '');
  });
  const [digest] = taprootHashes(unsigned, [1], { spent });
  const signature = expected.inputs[1]?.find(({ type }) => type === 0x13)?.value;
  const outputKey = spent[1]?.script.subarray(2);
  assert.ok(digest !== undefined && signature !== undefined && outputKey !== undefined);
  assert.ok(verifySchnorr(outputKey, signature, digest));
});

type ScriptName = 'P2PKH' | 'P2WPKH';

function accountOf(script: ScriptName, key: Uint8Array) {
  const publicKey = curves.CURVE_SECP256K1.publicKeyOf(key);
  const format = `ADDRESS_FORMAT_BITCOIN_REGTEST_${script}` as const;
  const address = addressOf(format, 'CURVE_SECP256K1', publicKey);
  return { address, format, publicKey } satisfies SigningAccount;
}

/** Wallet import format: a version, the key, a byte for its compressed point. */
function keyOfWif(text: string): Uint8Array {
  return createBase58check(sha256).decode(text).slice(1, 33);
}

function written({ inputs, ...psbt }: Psbt): Uint8Array {
  return writeBitcoin({ ...psbt, inputs: inputs.map((entries) => ({ entries })) });
}

type Bitcoinjs = {
  readonly bip174: {
    readonly invalid: readonly { readonly description: string; readonly psbt: string }[];
    readonly valid: readonly { readonly description: string; readonly psbt: string }[];
    readonly signer: readonly {
      readonly description?: string;
      readonly psbt: string;
      readonly keys: readonly { readonly WIF: string }[];
      readonly result: string;
    }[];
  };
};

function casesOfBitcoinjs(): Cases {
  const { invalid, valid } = readVectors<Bitcoinjs>('bitcoinjs').bip174;
  const caseOf = ({ description, psbt }: { description: string; psbt: string }) => ({
    name: `${description} (bitcoinjs)`,
    psbt: hex(bytesOfBase64(psbt)),
  });
  return { invalid: invalid.map(caseOf), valid: valid.map(caseOf) };
}

function readVectors<Rows>(file: string): Rows {
  const url = new URL(`../vectors/psbt/${file}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8'));
}

function bytes(text: string): Uint8Array {
  const read = bytesOfHex(text);
  assert.ok(read !== undefined);
  return read;
}

function bytesOfBase64(text: string): Uint8Array {
  const read = bytesOfBase64url(text);
  assert.ok(read !== undefined);
  return read;
}
