// Input amounts that policies, limits and people may rely on. PSBTs are created with @scure/btc-signer, and
// hashes are compared with those of bitcoinjs-lib over the true amounts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { p2pkh, p2sh, p2tr, p2wpkh, p2wsh, Transaction } from '@scure/btc-signer';
import { Transaction as Plain } from 'bitcoinjs-lib';
import type { AddressFormatName } from '../../../src/core/address/index.ts';
import type { SigningAccount } from '../../../src/core/chains/chain.ts';
import { compileClause } from '../../../src/core/policy/language/clause.ts';
import { bitcoinKind } from '../../../src/core/transactions/bitcoin/index.ts';

const secretOf = (byte: number) => new Uint8Array(32).fill(byte);
const keyOf = (byte: number) => secp256k1.getPublicKey(secretOf(byte), true);
const wshScript = (byte: number) => Uint8Array.of(33, ...keyOf(byte), 0xac);

type Kind = 'P2PKH' | 'P2SH' | 'P2WPKH' | 'P2WSH' | 'P2TR';
type Payment = { readonly script: Uint8Array; readonly address?: string };
const scripts: Readonly<Record<Kind, (byte: number) => Payment>> = {
  P2PKH: (byte) => p2pkh(keyOf(byte)),
  P2SH: (byte) => p2sh(p2wpkh(keyOf(byte))),
  P2WPKH: (byte) => p2wpkh(keyOf(byte)),
  P2WSH: (byte) => p2wsh({ type: 'unknown', script: wshScript(byte) }),
  P2TR: (byte) => p2tr(keyOf(byte).subarray(1)),
};
const fieldsOf = (kind: Kind, byte: number): object => {
  if (kind === 'P2SH') return { redeemScript: p2wpkh(keyOf(byte)).script };
  return kind === 'P2WSH' ? { witnessScript: wshScript(byte) } : {};
};

/** Returns a coin of a key, with the transaction that created it. */
function coin(kind: Kind, byte: number, amount: bigint, place: number) {
  const { script } = scripts[kind](byte);
  const earlier = new Plain();
  earlier.addInput(new Uint8Array(32).fill(place + 1), place);
  earlier.addOutput(Uint8Array.of(0x51), 7n);
  earlier.addOutput(script, amount);
  return { kind, byte, amount, script, earlier };
}
type Coin = ReturnType<typeof coin>;

/** The forms in which a PSBT states the spent output of an input. */
type Stated = 'output' | 'transaction' | 'both' | 'nothing' | bigint;

function psbtOf(coins: readonly Coin[], stated: readonly Stated[], paid: bigint): Uint8Array {
  const psbt = new Transaction({ allowUnknownOutputs: true, disableScriptCheck: true });
  for (const [i, { kind, byte, amount, script, earlier }] of coins.entries()) {
    const form = stated[i] ?? 'nothing';
    const claimed = typeof form === 'bigint' ? form : amount;
    const hasOutput = form === 'output' || form === 'both' || typeof form === 'bigint';
    psbt.addInput({
      txid: earlier.getId(),
      index: 1,
      ...(hasOutput ? { witnessUtxo: { script, amount: claimed } } : {}),
      ...(form === 'transaction' || form === 'both' ? { nonWitnessUtxo: earlier.toBuffer() } : {}),
      ...(form === 'nothing' ? {} : fieldsOf(kind, byte)),
    });
  }
  psbt.addOutput({ script: p2wpkh(keyOf(99)).script, amount: paid });
  return psbt.toPSBT(0);
}

function accountOf(kind: Kind, byte: number): SigningAccount {
  const format: AddressFormatName = `ADDRESS_FORMAT_BITCOIN_MAINNET_${kind}`;
  return { format, address: String(scripts[kind](byte).address), publicKey: keyOf(byte) };
}

function read(psbt: Uint8Array, account: SigningAccount) {
  const transaction = bitcoinKind.format.read(psbt, account);
  const scope = bitcoinKind.facts(transaction, account, new Map());
  const { tx } = scope['bitcoin'] as { readonly tx: { readonly fee?: bigint } };
  const outcome = (condition: string, logic: 'strict' | 'three_valued') => {
    const found = compileClause('condition', condition).evaluate(scope, undefined, logic);
    return 'failure' in found ? found.failure : found.value;
  };
  const transfers = bitcoinKind.transfers(transaction, account);
  const explanation = bitcoinKind.explain(transaction, account, new Map());
  return {
    transaction,
    fee: tx.fee,
    outcome,
    isLimited: transfers.every(({ isAtLeast }) => isAtLeast !== true),
    explanation,
    digests: bitcoinKind.format.signedBytes(transaction).map((bytes) => bytes.toHex()),
  };
}

/** Returns the hash of an input over the true amounts, by bitcoinjs-lib. */
function trueHash(coins: readonly Coin[], paid: bigint, i: number): string {
  const plain = new Plain();
  plain.version = 2;
  for (const { earlier } of coins) plain.addInput(earlier.getHash(), 1, 0xffffffff);
  plain.addOutput(p2wpkh(keyOf(99)).script, paid);
  const [{ kind, byte, script, amount }] = [coins[i] as Coin];
  if (kind === 'P2PKH') return plain.hashForSignature(i, script, 1).toHex();
  if (kind === 'P2TR') {
    const spent = coins.map((each) => each.script);
    const amounts = coins.map((each) => each.amount);
    return plain.hashForWitnessV1(i, spent, amounts, 0).toHex();
  }
  const code = kind === 'P2WSH' ? wshScript(byte) : p2pkh(keyOf(byte)).script;
  return plain.hashForWitnessV0(i, code, amount, 1).toHex();
}

const bitcoin = 100_000_000n;

test('two requests that lie about one input each are allowed by no rule on the fee', () => {
  const coins = [coin('P2WPKH', 7, bitcoin, 0), coin('P2WPKH', 7, bitcoin, 1)];
  const account = accountOf('P2WPKH', 7);
  const lies: readonly (readonly Stated[])[] = [
    ['output', 1_000n],
    [1_000n, 'output'],
    // One proven input does not help: its signature does not commit to the other amount.
    ['both', 1_000n],
    [1_000n, 'both'],
  ];
  for (const stated of lies) {
    const found = read(psbtOf(coins, stated, bitcoin), account);
    const honest = stated[0] === 1_000n ? 1 : 0;
    // The signature of the honest input is also valid in a transaction that pays a whole coin as fee.
    assert.equal(found.digests[honest], trueHash(coins, bitcoin, honest));
    assert.equal(found.fee, undefined);
    for (const logic of ['strict', 'three_valued'] as const) {
      const failure = found.outcome('bitcoin.tx.fee <= 10000', logic);
      assert.ok(typeof failure === 'object');
      assert.equal(failure.code, 'member_missing');
      assert.match(failure.message, /^there is no fee: not every signature commits to the amount/);
    }
    assert.equal(found.isLimited, false);
    assert.equal(found.explanation.fee, undefined);
    const [warning] = found.explanation.warnings;
    assert.equal(warning?.code, 'UNVERIFIED_AMOUNT');
    assert.match(warning?.text ?? '', /non_witness_utxo/);
  }
  const proven = read(psbtOf(coins, ['both', 'transaction'], 199_999_000n), account);
  assert.equal(proven.fee, 1_000n);
  assert.equal(proven.outcome('bitcoin.tx.fee <= 10000', 'strict'), true);
  assert.equal(proven.isLimited, true);
});

test('PSBTs as Bitcoin Core writes them are signed, by hashes that bitcoinjs-lib makes too', () => {
  for (const kind of ['P2SH', 'P2WPKH', 'P2WSH', 'P2TR'] as const) {
    const coins = [coin(kind, 7, 50_000n, 0), coin(kind, 7, 60_000n, 1)];
    for (const stated of ['both', 'transaction'] as const) {
      const found = read(psbtOf(coins, [stated, stated], 109_000n), accountOf(kind, 7));
      assert.equal(found.fee, 1_000n, kind);
      const expected = coins.map((_, i) => trueHash(coins, 109_000n, i));
      assert.deepEqual(found.digests, expected, kind);
    }
  }
});

test('a previous transaction that is another one, or another output beside it, is refused', () => {
  const coins = [coin('P2WPKH', 7, 50_000n, 0)];
  const [first] = coins as [Coin];
  const whole = psbtOf(coins, ['both'], 49_000n).toHex();
  const changed: readonly (readonly [string, string, RegExp])[] = [
    [
      first.earlier.toBuffer().toHex(),
      coin('P2WPKH', 7, 50_000n, 3).earlier.toBuffer().toHex(),
      /non_witness_utxo: expected the transaction whose hash the input names/,
    ],
    [
      `011f${u64(50_000n)}`,
      `011f${u64(49_999n)}`,
      /witness_utxo: expected the output that non_witness_utxo has/,
    ],
  ];
  for (const [from, to, message] of changed) {
    assert.equal(whole.split(from).length, 2);
    const bytes = Uint8Array.fromHex(whole.replace(from, to));
    assert.throws(() => read(bytes, accountOf('P2WPKH', 7)), { message });
  }
});

const u64 = (value: bigint): string => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes.toHex();
};

/** Coins of key 7 are signed; coins of key 8 belong to another account. */
const rows: readonly {
  readonly signer: Kind;
  readonly coins: readonly (readonly [Kind, number, Stated])[];
  readonly isKnown: boolean;
}[] = [
  { signer: 'P2WPKH', coins: [['P2WPKH', 7, 'output']], isKnown: true },
  { signer: 'P2SH', coins: [['P2SH', 7, 'output']], isKnown: true },
  { signer: 'P2WSH', coins: [['P2WSH', 7, 'output']], isKnown: true },
  { signer: 'P2PKH', coins: [['P2PKH', 7, 'transaction']], isKnown: true },
  {
    signer: 'P2WPKH',
    coins: [
      ['P2WPKH', 7, 'output'],
      ['P2WPKH', 8, 'both'],
    ],
    isKnown: true,
  },
  {
    signer: 'P2WPKH',
    coins: [
      ['P2WPKH', 7, 'output'],
      ['P2PKH', 8, 'transaction'],
    ],
    isKnown: true,
  },
  {
    signer: 'P2WPKH',
    coins: [
      ['P2WPKH', 7, 'both'],
      ['P2WPKH', 8, 'output'],
    ],
    isKnown: false,
  },
  {
    signer: 'P2WPKH',
    coins: [
      ['P2WPKH', 7, 'output'],
      ['P2TR', 8, 'output'],
    ],
    isKnown: false,
  },
  {
    signer: 'P2WPKH',
    coins: [
      ['P2WPKH', 7, 'output'],
      ['P2WPKH', 8, 'nothing'],
    ],
    isKnown: false,
  },
  {
    signer: 'P2WPKH',
    coins: [
      ['P2WPKH', 7, 'both'],
      ['P2WPKH', 7, 'output'],
    ],
    isKnown: false,
  },
  {
    signer: 'P2WPKH',
    coins: [
      ['P2WPKH', 7, 'output'],
      ['P2TR', 7, 'output'],
    ],
    isKnown: false,
  },
  {
    signer: 'P2WPKH',
    coins: [
      ['P2WPKH', 7, 'output'],
      ['P2SH', 7, 'output'],
    ],
    isKnown: false,
  },
  {
    signer: 'P2WPKH',
    coins: [
      ['P2WPKH', 7, 'output'],
      ['P2SH', 7, 'both'],
    ],
    isKnown: true,
  },
  {
    signer: 'P2PKH',
    coins: [
      ['P2PKH', 7, 'transaction'],
      ['P2WPKH', 8, 'output'],
    ],
    isKnown: false,
  },
  {
    signer: 'P2PKH',
    coins: [
      ['P2PKH', 7, 'transaction'],
      ['P2WPKH', 8, 'both'],
    ],
    isKnown: true,
  },
  {
    signer: 'P2TR',
    coins: [
      ['P2TR', 7, 'output'],
      ['P2TR', 7, 'output'],
    ],
    isKnown: true,
  },
  {
    signer: 'P2TR',
    coins: [
      ['P2TR', 7, 'output'],
      ['P2WPKH', 8, 'output'],
    ],
    isKnown: true,
  },
  {
    signer: 'P2TR',
    coins: [
      ['P2TR', 7, 'transaction'],
      ['P2PKH', 8, 'transaction'],
    ],
    isKnown: true,
  },
];

for (const { signer, coins, isKnown } of rows) {
  const title = coins.map(([kind, byte, stated]) => `${kind} of ${byte} by ${stated}`).join(', ');
  test(`${signer} of 7 signs ${title}: the fee is ${isKnown ? 'known' : 'unknown'}`, () => {
    const made = coins.map(([kind, byte], i) => coin(kind, byte, 50_000n, i));
    const stated = coins.map(([, , each]) => each);
    const found = read(psbtOf(made, stated, 49_000n), accountOf(signer, 7));
    const fee = 50_000n * BigInt(coins.length) - 49_000n;
    assert.equal(found.fee, isKnown ? fee : undefined);
    assert.equal(found.isLimited, isKnown);
    assert.equal(found.explanation.fee !== undefined, isKnown);
    // If the fee is known, a false amount makes every signature invalid.
    for (const [i, each] of stated.entries()) {
      if (!isKnown || each !== 'output') continue;
      const lying = stated.with(i, 50_001n);
      const { transaction, digests } = read(psbtOf(made, lying, 49_000n), accountOf(signer, 7));
      const signed = transaction.inputs.flatMap(({ isOurs }, at) => (isOurs ? [at] : []));
      for (const [at, input] of signed.entries()) {
        assert.notEqual(digests[at], trueHash(made, 49_000n, input));
      }
    }
  });
}
