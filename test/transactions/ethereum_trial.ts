// Compares the reader for Ethereum with viem, ethers and ox, and tries it on changed bytes.

import { isDeepStrictEqual } from 'node:util';
import type { EthereumTransaction } from '../../src/core/chains/ethereum/transaction.ts';
import { UnreadableTransaction } from '../../src/core/chains/unreadable.ts';
import { ethereumKind } from '../../src/core/transactions/ethereum/index.ts';
import type { Random } from '../policy_reference/random.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../support/transaction_vectors.ts';
import { changeRlp } from './ethereum_mutations.ts';
import { factsOf, type OracleView, oracles } from './ethereum_oracles.ts';
import { type CaseOutcome, type ChainTrial, withByteChanged } from './trial.ts';

const vectors = readVectors<TransactionVector>('ethereum');
const [first] = vectors;
if (first === undefined) throw new Error('there are no vectors of Ethereum');
const account = accountOf(first);
const samples = vectors.map(({ unsignedTransaction }) => vectorBytes(unsignedTransaction));

export const ethereumTrial: ChainTrial = { differential, mutation };

type Rule = {
  readonly why: string;
  readonly libraries: readonly string[];
  /** Matches the refusal of the reader or of the library. */
  readonly message: RegExp;
};

const all = Object.keys(oracles);

/** The reasons why the reader refuses what a library accepts. */
const stricter: readonly Rule[] = [
  {
    why: 'nodes hold nonce, gas and chain in 64 bits, amounts in 256; libraries take any length',
    libraries: all,
    message: /^[a-zA-Z]+(\[\d+\]\.[a-zA-Z]+)?: expected an integer of at most \d+ bytes?, got/,
  },
  {
    why: 'EIP-2294, EIP-2681',
    libraries: all,
    message: /^(chainId|nonce): expected at most \d+$/,
  },
  {
    why: 'chain 0 is no chain: v would be that of a transaction without EIP-155',
    libraries: all,
    message: /^chainId: expected a chain, got 0$/,
  },
  {
    why: 'EIP-1559; these look only where both are set',
    libraries: ['viem', 'ox'],
    message: /^maxPriorityFeePerGas: expected no more than maxFeePerGas$/,
  },
  {
    why: 'EIP-4844 and EIP-7702 create no contracts',
    libraries: all,
    message: /^to: expected 20 bytes, got 0$/,
  },
  {
    why: 'EIP-4844: the version of a hash is 1, and there is a hash',
    libraries: all,
    message: /^blobVersionedHashes(\[\d+\]: expected a hash from 01|: expected at least one hash)$/,
  },
  {
    why: 'EIP-7702: the list is not empty',
    libraries: all,
    message: /^authorizationList: expected at least one authorization$/,
  },
  {
    why: 'EIP-7702: the parity of a signature is 0 or 1; viem reads any number as one of them',
    libraries: ['viem'],
    message: /^authorizationList\[\d+\]\.yParity: expected 0 or 1, got \d+$/,
  },
  {
    why: 'viem takes a list of one item, or of none, for its bytes',
    libraries: ['viem', 'ox'],
    message: /: expected bytes, got a list$/,
  },
];

/** The reasons why the reader accepts what a library refuses. */
const laxer: readonly Rule[] = [
  {
    why: 'viem and ox hold nonces and chains as numbers of JavaScript',
    libraries: ['viem', 'ox'],
    message: /is not in safe (unsigned )?integer range/,
  },
  {
    why: 'ethers holds nonces as numbers of JavaScript',
    libraries: ['ethers'],
    message: /overflow \(argument="nonce"/,
  },
  {
    why: 'EIP-7702: nodes pass over an authorization with a high s; its authority is empty here',
    libraries: ['ethers'],
    message: /^non-canonical s; /,
  },
];

function isExplained(rules: readonly Rule[], library: string, message: string): boolean {
  return rules.some((rule) => rule.libraries.includes(library) && rule.message.test(message));
}

function differential(random: Random): CaseOutcome {
  const bytes = changed(random.pick(samples), random);
  const shown = bytes.toHex();
  const ours = read(bytes);
  for (const [library, oracle] of Object.entries(oracles)) {
    let view: OracleView | undefined;
    try {
      view = oracle(`0x${shown}`);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (typeof ours === 'string') continue;
      if (isExplained(laxer, library, message)) continue;
      return { name: 'accepted by us', problem: `${library} refuses ${shown}: ${message}` };
    }
    if (view?.isSame !== true) continue;
    if (typeof ours === 'string') {
      if (isExplained(stricter, library, ours)) continue;
      return { name: 'refused by us', problem: `${library} accepts ${shown}: ${ours}` };
    }
    const facts = factsOf(ours, ours.gas);
    if (!isDeepStrictEqual(facts, view.facts)) {
      return {
        name: 'other facts',
        problem: `${library}: ${facts} is not ${view.facts}, ${shown}`,
      };
    }
  }
  return { name: typeof ours === 'string' ? `refused: ${nameOf(ours)}` : 'accepted' };
}

/** Refusals of one kind get one name. */
function nameOf(refusal: string): string {
  return refusal.replace(/\d+/g, 'N').slice(0, 60);
}

function changed(sample: Uint8Array, random: Random): Uint8Array {
  if (random.chance(0.1)) return withByteChanged(sample, random);
  if (random.chance(0.03)) return sample.subarray(0, random.below(sample.length));
  if (random.chance(0.03)) return Uint8Array.of(...sample, random.below(256));
  const isTyped = (sample[0] ?? 0) < 0xc0;
  const list = changeRlp(isTyped ? sample.subarray(1) : sample, random);
  if (!isTyped) return list;
  const type = random.chance(0.04) ? random.below(6) : (sample[0] ?? 0);
  return Uint8Array.of(type, ...list);
}

/**
 * Every changed byte must change a fact. That is a stronger requirement than a different hash, which covers
 * all bytes anyway.
 */
function mutation(random: Random): CaseOutcome {
  const sample = random.pick(samples);
  const bytes = withByteChanged(sample, random);
  const after = read(bytes);
  if (typeof after === 'string') return { name: 'refused' };
  const before = read(sample);
  if (typeof before === 'string') throw new Error('a vector is refused');
  return isDeepStrictEqual(tellingFacts(before), tellingFacts(after))
    ? { name: 'unseen', problem: `no fact tells ${bytes.toHex()}` }
    : { name: 'another fact' };
}

function tellingFacts(transaction: EthereumTransaction) {
  return ethereumKind.facts(transaction, account, new Map());
}

/** Returns the message of a refusal instead of throwing it; throws all other errors. */
function read(bytes: Uint8Array): EthereumTransaction | string {
  try {
    return ethereumKind.format.read(bytes, account);
  } catch (error) {
    if (error instanceof UnreadableTransaction) return error.message;
    throw error;
  }
}
