// Changes transactions of Solana: single bytes, and parts.

import { solanaFormat } from '../../src/core/chains/solana/sign.ts';
import type { SolanaTransaction } from '../../src/core/chains/solana/transaction.ts';
import { writeTransaction } from '../../src/core/chains/solana/write.ts';
import { UnreadableTransaction } from '../../src/core/chains/unreadable.ts';
import { accountOf, solanaVectors } from '../core/chains/solana/vectors.ts';
import type { Random } from '../policy_reference/random.ts';
import { withByteChanged } from './trial.ts';

type Writable = Parameters<typeof writeTransaction>[0];

/** Returns a transaction with one to three changes, which sometimes have no effect. */
export function changedTransaction(bytes: Uint8Array, random: Random): Uint8Array {
  let changed = bytes;
  for (let left = random.below(4); left > 0; left -= 1) {
    changed = random.chance(0.5) ? changedBytes(changed, random) : changedParts(changed, random);
  }
  return changed;
}

const byteChanges: readonly ((bytes: Uint8Array, random: Random) => Uint8Array)[] = [
  withByteChanged,
  (bytes, random) => bytes.slice(0, random.below(bytes.length + 1)),
  (bytes, random) => Uint8Array.of(...bytes, random.below(256)),
  (bytes, random) => {
    const at = random.below(bytes.length + 1);
    return Uint8Array.of(...bytes.subarray(0, at), random.below(256), ...bytes.subarray(at));
  },
  (bytes, random) => {
    const at = random.below(bytes.length);
    return Uint8Array.of(...bytes.subarray(0, at), ...bytes.subarray(at + 1));
  },
  // Writes a length in a longer form, if the byte is one.
  (bytes, random) => {
    const at = random.below(bytes.length);
    const length = (bytes[at] ?? 0) | 0x80;
    return Uint8Array.of(...bytes.subarray(0, at), length, 0, ...bytes.subarray(at + 1));
  },
  // Changes a byte near the start or the end of a part, in most cases to a small value.
  (bytes, random) => {
    const changed = bytes.slice();
    changed[random.below(changed.length)] = random.below(5);
    return changed;
  },
];

function changedBytes(bytes: Uint8Array, random: Random): Uint8Array {
  return bytes.length === 0 ? bytes : random.pick(byteChanges)(bytes, random);
}

const accounts = solanaVectors.map(accountOf);

/** Changes parts. Bytes that the reader refuses have no parts, so their bytes are changed. */
function changedParts(bytes: Uint8Array, random: Random): Uint8Array {
  for (const account of accounts) {
    try {
      const transaction = solanaFormat.read(bytes, account);
      return writeTransaction({ ...transaction, ...random.pick(partChanges)(transaction, random) });
    } catch (error) {
      if (!(error instanceof UnreadableTransaction)) throw error;
    }
  }
  return changedBytes(bytes, random);
}

const someBytes = (count: number, random: Random): Uint8Array =>
  Uint8Array.from({ length: count }, () => random.below(256));

type Change = (transaction: SolanaTransaction, random: Random) => Partial<Writable>;

const partChanges: readonly Change[] = [
  ({ header }, random) => ({
    header: { ...header, [random.pick(Object.keys(header))]: random.below(5) },
  }),
  ({ keys }, random) => ({ keys: [...keys, someBytes(32, random)] }),
  ({ keys }, random) => ({ keys: [...keys, random.pick(keys)] }),
  ({ keys }) => ({ keys: keys.slice(0, -1) }),
  ({ keys }) => ({ keys: keys.toReversed() }),
  ({ signatures }, random) => ({ signatures: [...signatures, someBytes(64, random)] }),
  ({ signatures }) => ({ signatures: signatures.slice(0, -1) }),
  ({ signatures }, random) => ({ signatures: signatures.map(() => someBytes(64, random)) }),
  (_, random) => ({ lifetime: someBytes(32, random) }),
  ({ instructions }) => ({ instructions: [...instructions, ...instructions] }),
  ({ instructions }) => ({ instructions: instructions.slice(1) }),
  ({ instructions }, random) =>
    withInstruction(instructions, random, ({ data }) => ({
      data: data.slice(0, random.below(data.length + 1)),
    })),
  ({ instructions }, random) =>
    withInstruction(instructions, random, ({ data }) => ({
      data: Uint8Array.of(...data, ...someBytes(random.below(200), random)),
    })),
  ({ instructions }, random) =>
    withInstruction(instructions, random, ({ data }) => ({
      data: Uint8Array.of(random.below(64), ...data.subarray(1)),
    })),
  ({ instructions }, random) =>
    withInstruction(instructions, random, ({ accounts: named }) => ({
      accounts: named.slice(0, random.below(named.length + 1)),
    })),
  ({ instructions }, random) =>
    withInstruction(instructions, random, ({ accounts: named }) => ({
      accounts: Uint8Array.of(...named, random.below(8)),
    })),
  ({ instructions, keys }, random) =>
    withInstruction(instructions, random, () => ({ programIndex: random.below(keys.length + 1) })),
  ({ tables }, random) => ({
    tables: [
      ...tables,
      {
        key: someBytes(32, random),
        writable: someBytes(random.below(3), random),
        readonly: someBytes(random.below(3), random),
      },
    ],
  }),
  ({ version }) => ({ version: version === 'LEGACY' ? 'V0' : 'LEGACY', tables: [] }),
  ({ config }, random) => ({ config: { ...config, heapSize: 1024 * random.below(300) } }),
  (_, random) => ({ config: { computeUnitLimit: random.below(1_000_000) } }),
  (_, random) => ({ config: { priorityFee: BigInt(random.below(1_000_000)) } }),
  () => ({ version: 'V1', tables: [] }),
];

function withInstruction(
  instructions: Writable['instructions'],
  random: Random,
  change: (
    instruction: Writable['instructions'][number],
  ) => Partial<Writable['instructions'][number]>,
): Partial<Writable> {
  const at = random.below(instructions.length);
  return {
    instructions: instructions.map((each, i) => (i === at ? { ...each, ...change(each) } : each)),
  };
}
