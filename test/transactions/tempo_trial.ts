// Compares the reader for Tempo with ox, viem and ethers, and tries it on changed bytes.

import { isDeepStrictEqual } from 'node:util';
import { decodeRlp } from 'ethers';
import { concatBytes, hex } from '../../src/core/base/bytes.ts';
import type { TempoTransaction } from '../../src/core/chains/tempo/transaction.ts';
import { writeTempo } from '../../src/core/chains/tempo/write.ts';
import { UnreadableTransaction } from '../../src/core/chains/unreadable.ts';
import { tempoKind } from '../../src/core/transactions/tempo/index.ts';
import type { Random } from '../policy_reference/random.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../support/transaction_vectors.ts';
import { changeOneItem, type RlpTree, writeTree } from './rlp_mutations.ts';
import { factsOf, hasLargeFloat, judge, signedPayload } from './tempo_oracles.ts';
import { type CaseOutcome, type ChainTrial, withByteChanged } from './trial.ts';

const vectors = readVectors<TransactionVector>('tempo');
const [first] = vectors;
if (first === undefined) throw new Error('there are no vectors of Tempo');
const account = accountOf(first);
export const plainSamples = vectors.map(({ unsignedTransaction }) =>
  vectorBytes(unsignedTransaction),
);
const [plainTransaction] = plainSamples.map(require);
if (plainTransaction === undefined) throw new Error('there are no vectors of Tempo');
/** The vectors, and a transaction with the signature of another fee payer. */
const samples: readonly Uint8Array[] = [
  ...plainSamples,
  writeTempo({ ...plainTransaction, feePayer: { yParity: 1n, r: 2n ** 255n, s: 3n } }),
];

export const tempoTrial: ChainTrial = { differential, mutation };

function differential(random: Random): CaseOutcome {
  const bytes = changed(random.pick(samples), random);
  const transaction = read(bytes);
  const { envelope, refused } = judge(bytes);
  const shown = bytes.toHex();
  if (envelope === undefined) {
    if (transaction === undefined) return { name: `refused: ${refused}` };
    return hasLargeFloat(bytes)
      ? { name: 'accepted; ox loses digits beyond 2^53' }
      : { name: 'accepted by us', problem: `${refused}: ${shown}` };
  }
  if (transaction === undefined) {
    return { name: 'refused by us', problem: `accepted by all: ${shown}` };
  }
  if (!isDeepStrictEqual(factsIn(transaction), factsOf(envelope, account.address))) {
    return { name: 'other facts', problem: `other facts: ${shown}` };
  }
  const [digest] = tempoKind.format.signedBytes(transaction);
  return digest !== undefined && hex(digest) === signedPayload(envelope)
    ? { name: 'accepted' }
    : { name: 'another hash', problem: `another hash is signed: ${shown}` };
}

/**
 * A changed byte must change a fact or the signed bytes. The signature of the fee payer is an exception:
 * the answer contains it unchanged, and its owner is responsible for it.
 */
function mutation(random: Random): CaseOutcome {
  const sample = random.pick(samples);
  const bytes = withByteChanged(sample, random);
  const transaction = read(bytes);
  if (transaction === undefined) return { name: 'refused' };
  const before = require(sample);
  if (!isDeepStrictEqual(factsIn(before), factsIn(transaction))) return { name: 'another fact' };
  const isSigned = !isDeepStrictEqual(signedBytes(before), signedBytes(transaction));
  if (isSigned) return { name: 'another hash' };
  return isDeepStrictEqual({ ...before, bytes, feePayer: transaction.feePayer }, transaction)
    ? { name: 'another signature of who pays the fee' }
    : { name: 'unseen', problem: `nothing tells ${bytes.toHex()}` };
}

const signedBytes = (transaction: TempoTransaction) => tempoKind.format.signedBytes(transaction);

function factsIn(transaction: TempoTransaction) {
  return tempoKind.facts(transaction, account, new Map());
}

function changed(sample: Uint8Array, random: Random): Uint8Array {
  if (random.chance(0.1)) return withByteChanged(sample, random);
  if (random.chance(0.03)) return sample.subarray(0, random.below(sample.length));
  let tree = treeOf(decodeRlp(sample.subarray(1)));
  for (let left = random.below(3); left >= 0; left -= 1) tree = changeOneItem(tree, random);
  const surplus = random.chance(0.02) ? Uint8Array.of(random.below(256)) : new Uint8Array(0);
  return concatBytes(Uint8Array.of(0x76), writeTree(tree), surplus);
}

type Decoded = ReturnType<typeof decodeRlp>;

function treeOf(item: Decoded): RlpTree {
  return typeof item === 'string'
    ? { bytes: vectorBytes(item.slice(2)) }
    : { items: item.map(treeOf) };
}

function require(bytes: Uint8Array): TempoTransaction {
  return tempoKind.format.read(bytes, account);
}

/** Returns undefined for refused bytes; throws all other errors. */
function read(bytes: Uint8Array): TempoTransaction | undefined {
  try {
    return require(bytes);
  } catch (error) {
    if (error instanceof UnreadableTransaction) return undefined;
    throw error;
  }
}
