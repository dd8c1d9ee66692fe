// bitcoinjs-lib: the service signs its PSBTs with an imported key, the library finalizes them, and the
// script interpreter of another library accepts the result.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Address, OutScript } from '@scure/btc-signer';
import { encryptPrivateKeyToBundle } from '@turnkey/crypto';
import { networks, Psbt, Transaction } from 'bitcoinjs-lib';
import { generatePrivateKey } from 'viem/accounts';
import '../support/bitcoinjs_curve.ts';
import { type Spent, spends } from '../support/bitcoin_interpreter.ts';
import { isRefusal, serverClient } from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const { organizationId, userId } = service.credentials;
const client = serverClient(service);
const network = networks.regtest;
const kinds = ['P2PKH', 'P2SH', 'P2WPKH', 'P2WSH', 'P2TR'] as const;
type Kind = (typeof kinds)[number];
const key = await importKey();
const receiver = 'bcrt1qzz95l2ltc5wkaawt2kv9ykcrfsfccspphkm9fs';

for (const kind of kinds) {
  test(`${kind}: two inputs are signed, finalized and accepted`, async () => {
    const coins = [fund(kind, 60_000n), fund(kind, 50_000n)];
    const psbt = psbtOf(coins);
    const signed = await sign(kind, psbt.toHex());
    const { transaction, spent } = finalize(signed, coins);
    assert.deepEqual(spends(transaction.toHex(), spent), [true, true]);
    transaction.outs[0] = { ...output(receiver), value: 49_999n };
    assert.deepEqual(spends(transaction.toHex(), spent), [false, false]);
  });
}

test('one transaction spends from all five kinds of addresses of the key', async () => {
  const coins = kinds.map((kind) => fund(kind, 30_000n));
  let psbt = psbtOf(coins).toHex();
  for (const kind of kinds) psbt = await sign(kind, psbt);
  const { transaction, spent } = finalize(psbt, coins);
  assert.deepEqual(spends(transaction.toHex(), spent), Array(5).fill(true));
});

test('members that the client adds to a PSBT stay unchanged', async () => {
  const coins = [fund('P2WPKH', 60_000n)];
  const psbt = psbtOf(coins);
  const entry = { key: Uint8Array.of(0xfc, 2, 1, 2, 0), value: Uint8Array.of(7, 7) };
  psbt.data.globalMap.unknownKeyVals = [entry];
  psbt.data.addUnknownKeyValToInput(0, entry);
  psbt.data.addUnknownKeyValToOutput(1, entry);
  const signed = await sign('P2WPKH', psbt.toHex());
  const back = Psbt.fromHex(signed, { network });
  delete back.data.inputs[0]?.partialSig;
  assert.equal(back.toHex(), psbt.toHex());
});

test('a signed PSBT and a PSBT of other addresses are refused', async () => {
  const psbt = psbtOf([fund('P2WPKH', 60_000n)]);
  const signed = await sign('P2WPKH', psbt.toHex());
  await assert.rejects(
    sign('P2WPKH', signed),
    isRefusal(3, 'INVALID_TRANSACTION', /inputs\[0\]\.partial_sig.*: expected no signature yet/),
  );
  await assert.rejects(
    sign('P2TR', psbt.toHex()),
    isRefusal(3, 'INVALID_TRANSACTION', /expected an input that spends from the address/),
  );
});

type Coin = { readonly kind: Kind; readonly funding: Transaction };

/** Returns a transaction whose second output pays an address of the key. */
function fund(kind: Kind, value: bigint): Coin {
  const funding = new Transaction();
  funding.version = 2;
  const earlier = crypto.getRandomValues(new Uint8Array(32));
  funding.addInput(earlier, 0, 0xfffffffe, Uint8Array.of(0x51));
  funding.addOutput(Uint8Array.of(0x6a), 0n);
  funding.addOutput(scriptOf(kind), value);
  return { kind, funding };
}

/** Spends the coins in a payment, an output with data, and the change. */
function psbtOf(coins: readonly Coin[]): Psbt {
  const psbt = new Psbt({ network });
  psbt.addInputs(coins.map(inputOf));
  const total = coins.reduce((sum, { funding }) => sum + (funding.outs[1]?.value ?? 0n), 0n);
  psbt.addOutput({ address: receiver, value: 20_000n });
  psbt.addOutput({ script: Uint8Array.of(0x6a, 2, 0x68, 0x69), value: 0n });
  psbt.addOutput({ address: key.P2WPKH, value: total - 21_000n });
  return psbt;
}

function inputOf({ kind, funding }: Coin) {
  const coin = { hash: funding.getId(), index: 1, sequence: 0xfffffffd };
  const out = funding.outs[1];
  assert.ok(out !== undefined);
  if (kind === 'P2PKH') return { ...coin, nonWitnessUtxo: funding.toBuffer() };
  const witnessUtxo = { script: out.script, value: out.value };
  if (kind === 'P2SH') return { ...coin, witnessUtxo, redeemScript: scriptOf('P2WPKH') };
  if (kind === 'P2TR') return { ...coin, witnessUtxo, tapInternalKey: key.publicKey.slice(1) };
  if (kind === 'P2WPKH') return { ...coin, witnessUtxo };
  const witnessScript = Uint8Array.of(33, ...key.publicKey, 0xac);
  return { ...coin, witnessUtxo, witnessScript };
}

function finalize(
  psbtHex: string,
  coins: readonly Coin[],
): { readonly transaction: Transaction; readonly spent: readonly Spent[] } {
  const psbt = Psbt.fromHex(psbtHex, { network });
  psbt.finalizeAllInputs();
  const spent = coins.map(({ funding }) => {
    const out = funding.outs[1];
    assert.ok(out !== undefined);
    return out;
  });
  return { transaction: psbt.extractTransaction(), spent };
}

function scriptOf(kind: Kind): Uint8Array {
  return output(key[kind]).script;
}

function output(to: string): { readonly script: Uint8Array } {
  return { script: OutScript.encode(Address(network).decode(to)) };
}

async function sign(kind: Kind, unsignedTransaction: string): Promise<string> {
  const { signedTransaction } = await client.signTransaction({
    signWith: key[kind],
    type: 'TRANSACTION_TYPE_BITCOIN',
    unsignedTransaction,
  });
  return signedTransaction;
}

/** Imports a key, and creates an address of each kind for it. */
async function importKey() {
  const { importBundle } = await client.initImportPrivateKey({ userId });
  const encryptedBundle = await encryptPrivateKeyToBundle({
    privateKey: generatePrivateKey().slice(2),
    keyFormat: 'HEXADECIMAL',
    importBundle,
    userId,
    organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(importBundle).enclaveQuorumPublic,
  });
  const { privateKeyId, addresses: made } = await client.importPrivateKey({
    userId,
    privateKeyName: 'Bitcoin',
    encryptedBundle,
    curve: 'CURVE_SECP256K1',
    addressFormats: kinds.map((kind) => `ADDRESS_FORMAT_BITCOIN_REGTEST_${kind}` as const),
  });
  const { privateKey } = await client.getPrivateKey({ privateKeyId });
  const addressOf = (kind: Kind) => {
    const row = made.find(({ format }) => format === `ADDRESS_FORMAT_BITCOIN_REGTEST_${kind}`);
    assert.ok(row?.address !== undefined);
    return row.address;
  };
  return {
    publicKey: Uint8Array.fromHex(privateKey.publicKey),
    P2PKH: addressOf('P2PKH'),
    P2SH: addressOf('P2SH'),
    P2WPKH: addressOf('P2WPKH'),
    P2WSH: addressOf('P2WSH'),
    P2TR: addressOf('P2TR'),
  };
}
