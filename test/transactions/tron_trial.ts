// Compares the reader for Tron with @bufbuild/protobuf and TronWeb, and tries it on changed bytes.

import { isDeepStrictEqual } from 'node:util';
import type { TronTransaction } from '../../src/core/chains/tron/transaction.ts';
import { UnreadableTransaction } from '../../src/core/chains/unreadable.ts';
import { tronKind } from '../../src/core/transactions/tron/index.ts';
import type { Random } from '../policy_reference/random.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../support/transaction_vectors.ts';
import { changeOneField, putTogether, takeApart } from './protobuf_mutations.ts';
import { type CaseOutcome, type ChainTrial, withByteChanged } from './trial.ts';
import { judge, tronWebWritesTheSame } from './tron_oracles.ts';

const vectors = readVectors<TransactionVector>('tron');
const [first] = vectors;
if (first === undefined) throw new Error('there are no vectors of Tron');
const account = accountOf(first);
const samples = vectors.map(({ unsignedTransaction }) => vectorBytes(unsignedTransaction));

/** Paths of messages: the contract, its parameter and the value inside, permissions and their keys. */
const nested = [/^11$/, /^11,2$/, /^11,2,2$/, /^11,2,2,[234]$/, /^11,2,2,[234],7$/];
const permissionUpdates = new Set(samples.slice(-2));

export const tronTrial: ChainTrial = { differential, mutation };

function differential(random: Random): CaseOutcome {
  const sample = random.pick(samples);
  const bytes = changed(sample, random);
  const transaction = read(bytes);
  const { facts, refused } = judge(bytes);
  const shown = bytes.toHex();
  if (transaction === undefined) {
    if (facts !== undefined) return { name: 'refused by us', problem: `accepted by all: ${shown}` };
    return { name: `refused: ${refused}` };
  }
  if (refused !== undefined) return { name: 'accepted by us', problem: `${refused}: ${shown}` };
  if (!isDeepStrictEqual(tronKind.facts(transaction, account, new Map()), facts)) {
    return { name: 'other facts', problem: `other facts: ${shown}` };
  }
  if (tronWebWritesTheSame(bytes, ...innerOf(bytes, transaction))) return { name: 'accepted' };
  return hasLargeNumber(bytes)
    ? { name: 'accepted; TronWeb loses digits beyond 2^53' }
    : { name: 'accepted by us', problem: `TronWeb writes other bytes: ${shown}` };
}

/**
 * Every changed byte must change a fact. That is a stronger requirement than a different hash, which covers
 * all bytes anyway.
 */
function mutation(random: Random): CaseOutcome {
  const sample = random.pick(samples);
  const bytes = withByteChanged(sample, random);
  const transaction = read(bytes);
  if (transaction === undefined) return { name: 'refused' };
  const before = read(sample);
  if (before === undefined) throw new Error('a vector is refused');
  return isDeepStrictEqual(factsOf(before), factsOf(transaction))
    ? { name: 'unseen', problem: `no fact tells ${bytes.toHex()}` }
    : { name: 'another fact' };
}

function factsOf(transaction: TronTransaction) {
  return tronKind.facts(transaction, account, new Map());
}

function changed(sample: Uint8Array, random: Random): Uint8Array {
  if (random.chance(0.1)) return withByteChanged(sample, random);
  if (random.chance(0.03)) return sample.subarray(0, random.below(sample.length));
  let fields = takeApart(sample, (path) => isMessage(sample, path));
  for (let left = random.below(3); left >= 0; left -= 1) fields = changeOneField(fields, random);
  return putTogether(fields);
}

function isMessage(sample: Uint8Array, path: readonly number[]): boolean {
  const text = path.join(',');
  const depth = permissionUpdates.has(sample) ? nested.length : 3;
  return nested.slice(0, depth).some((pattern) => pattern.test(text));
}

/** Returns undefined for refused bytes; throws all other errors. */
function read(bytes: Uint8Array): TronTransaction | undefined {
  try {
    return tronKind.format.read(bytes, account);
  } catch (error) {
    if (error instanceof UnreadableTransaction) return undefined;
    throw error;
  }
}

/** Returns the name and the bytes of the message inside. */
function innerOf(bytes: Uint8Array, { raw }: TronTransaction): [string, Uint8Array] {
  const fields = takeApart(bytes, (path) => ['11', '11,2'].includes(path.join(',')));
  const contract = fields.find(({ number }) => number === 11)?.value;
  const parameter = memberOf(contract, 2);
  const value = memberOf(parameter, 2);
  if (!(value instanceof Uint8Array)) throw new Error('no message inside');
  return [raw.contract.type, value];
}

type Value = ReturnType<typeof takeApart>[number]['value'] | undefined;

function memberOf(value: Value, number: number): Value {
  if (typeof value !== 'object' || value instanceof Uint8Array) return undefined;
  return value.find((field) => field.number === number)?.value;
}

function hasLargeNumber(bytes: Uint8Array): boolean {
  const isLarge = ({ value }: ReturnType<typeof takeApart>[number]): boolean => {
    if (typeof value === 'bigint') return value >= 2n ** 53n;
    return value instanceof Uint8Array ? false : value.some(isLarge);
  };
  const deep = takeApart(bytes, (path) => isMessage(samples.at(-1) ?? bytes, path));
  const plain = takeApart(bytes, (path) => isMessage(samples[0] ?? bytes, path));
  return deep.some(isLarge) || plain.some(isLarge);
}
