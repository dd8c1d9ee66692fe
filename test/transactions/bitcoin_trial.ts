// Compares the reader for Bitcoin with bitcoinjs-lib and @scure/btc-signer, and tries it on changed bytes.

import { isDeepStrictEqual } from 'node:util';
import { readPsbt } from '../../src/core/chains/bitcoin/read.ts';
import type { BitcoinTransaction } from '../../src/core/chains/bitcoin/transaction.ts';
import type { SigningAccount } from '../../src/core/chains/chain.ts';
import { UnreadableTransaction } from '../../src/core/chains/unreadable.ts';
import { bitcoinKind } from '../../src/core/transactions/bitcoin/index.ts';
import type { Random } from '../policy_reference/random.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../support/transaction_vectors.ts';
import { factsOfBitcoinjs, hashesOf, judgePsbt, unknownAmounts } from './bitcoin_oracles.ts';
import { changePsbt, type Entry, takeMapsApart } from './psbt_mutations.ts';
import { type CaseOutcome, type ChainTrial, withByteChanged } from './trial.ts';

const samples = readVectors<TransactionVector>('bitcoin')
  .filter(({ addressFormat }) => addressFormat.includes('MAINNET'))
  .map((vector) => ({
    bytes: vectorBytes(vector.unsignedTransaction),
    account: accountOf(vector),
  }));

export const bitcoinTrial: ChainTrial = { differential, mutation };

/** Rules of the reader that are stricter than both libraries, by the texts of its refusals. */
const stricter: readonly RegExp[] = [
  /^inputs\[\d+\]\.\w+: expected (no such field|it in an input|no signature yet)/,
  /^inputs\[\d+\]\.\w+: expected the (script|x coordinate) of the account's public key/,
  /^inputs\[\d+\]\.sighash_type: expected 0[01]000000/,
  /^inputs: expected an input that spends from the address that signs/,
  /^inputs\[\d+\]\.witness_utxo: expected it in every input/,
  /^inputs\[\d+\]\.witness_utxo: expected the output that non_witness_utxo has/,
  /: expected at most 21 million coins/,
  /: expected no more out than in/,
  /^global\.unsigned_tx\.(inputs|outputs): expected at least one/,
];

/** Faults of the libraries that the reader does not have, by the texts of their refusals. */
const tooStrict: readonly RegExp[] = [
  // The keys of others are not read, because nothing that is signed or shown depends on them.
  /Cannot find square root|bad point/,
];

function differential(random: Random): CaseOutcome {
  const { bytes: sample, account } = random.pick(samples);
  const bytes = random.chance(0.2) ? withByteChanged(sample, random) : changePsbt(sample, random);
  const transaction = read(bytes, account);
  const { refused, isSame } = judgePsbt(bytes);
  const shown = bytes.toHex();
  if (typeof transaction === 'string') {
    if (refused !== undefined) return { name: `refused: ${reasonOf(transaction)}` };
    if (!isSame) return { name: 'refused by us, written differently by a library' };
    return stricter.some((rule) => rule.test(transaction))
      ? { name: `stricter: ${reasonOf(transaction)}` }
      : { name: 'refused by us', problem: `${transaction}: ${shown}` };
  }
  if (refused !== undefined) {
    return tooStrict.some((rule) => rule.test(refused))
      ? { name: 'accepted; a library wants keys of others on the curve' }
      : { name: 'accepted by us', problem: `${refused}: ${shown}` };
  }
  if (!isSame) return { name: 'accepted by us', problem: `other bytes are written: ${shown}` };
  if (
    !isDeepStrictEqual(plainFacts(transaction, account), factsOfBitcoinjs(bytes, account.address))
  ) {
    return { name: 'other facts', problem: `other facts: ${shown}` };
  }
  const ours = bitcoinKind.format.signedBytes(transaction).map((digest) => digest.toHex());
  const theirs = hashesOf(bytes, transaction);
  return ours.every((digest, i) => theirs[i]?.every((each) => each === digest))
    ? { name: 'accepted' }
    : { name: 'other hashes', problem: `other hashes: ${shown}` };
}

function mutation(random: Random): CaseOutcome {
  const { bytes: sample, account } = random.pick(samples);
  const bytes = withByteChanged(sample, random);
  const transaction = read(bytes, account);
  if (typeof transaction === 'string') return { name: 'refused' };
  const before = read(sample, account);
  if (typeof before === 'string') throw new Error('a vector is refused');
  if (!isDeepStrictEqual(factsOf(before, account), factsOf(transaction, account))) {
    return { name: 'another fact' };
  }
  const format = bitcoinKind.format;
  if (!isDeepStrictEqual(format.signedBytes(before), format.signedBytes(transaction))) {
    return { name: 'another hash' };
  }
  const unknown = [sample, bytes].map((each) => unknownAmounts(each, account.address));
  const isUnknown = (i: number) => unknown.every((inputs) => inputs.includes(i));
  return isOfOthers(sample, bytes, before, isUnknown)
    ? { name: 'in a field of others, which is kept as it is' }
    : { name: 'unseen', problem: `nothing tells ${bytes.toHex()}` };
}

/**
 * Returns true if the changed entry does not affect the transaction: signatures, derivations and fields
 * outside the standards. In an input of others, it is also the script of the spent output, and the whole
 * output if its amount is unknown.
 */
function isOfOthers(
  before: Uint8Array,
  after: Uint8Array,
  { inputs }: BitcoinTransaction,
  isUnknown: (input: number) => boolean,
): boolean {
  const maps = takeMapsApart(after);
  return takeMapsApart(before).every((map, i) => {
    const isOurs = inputs[i - 1]?.isOurs ?? false;
    return map.every((entry, j) => {
      const changed = maps[i]?.[j];
      if (isDeepStrictEqual(entry, changed)) return true;
      const type = entry.key[0] ?? 0;
      if (type === witnessUtxo && !isOurs) {
        return isUnknown(i - 1) || isDeepStrictEqual(amountOf(entry), amountOf(changed));
      }
      return i > inputs.length || !signedFields.includes(type);
    });
  });
}

const witnessUtxo = 0x01;
/** The key of a spent output, and its amount, which precedes its script. */
const amountOf = (entry?: Entry) => [entry?.key, entry?.value.slice(0, 8)];
/** The fields with spent outputs, the type of the hash, and scripts. */
const signedFields = [0x00, 0x01, 0x03, 0x04, 0x05];

function factsOf(transaction: BitcoinTransaction, account: SigningAccount) {
  return bitcoinKind.facts(transaction, account, new Map());
}

/** Returns the facts as texts, without the names of address types. */
function plainFacts(transaction: BitcoinTransaction, account: SigningAccount): unknown {
  const { tx } = JSON.parse(
    JSON.stringify(factsOf(transaction, account).bitcoin, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  );
  return {
    ...tx,
    outputs: tx.outputs.map(({ address_type: _, address, ...rest }: Record<string, unknown>) => ({
      ...rest,
      address: (address as { readonly spelled: string }).spelled,
    })),
    locktime: tx.locktime.amount,
    fee: tx.fee ?? '',
  };
}

/** Returns the message of a refusal instead of throwing it; throws all other errors. */
function read(bytes: Uint8Array, account: SigningAccount): BitcoinTransaction | string {
  try {
    readPsbt(bytes);
    return bitcoinKind.format.read(bytes, account);
  } catch (error) {
    if (error instanceof UnreadableTransaction) return error.message;
    throw error;
  }
}

/** Returns the message of a refusal without places and numbers. */
function reasonOf(message: string): string {
  return message.replaceAll(/\[\d+\]/g, '[]').replaceAll(/\b[0-9a-f]*\d[0-9a-f]*\b/g, 'n');
}
