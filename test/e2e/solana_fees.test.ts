// The highest fee of an explanation is at least the fee of a real virtual machine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { programs } from '../../src/core/chains/solana/programs.ts';
import { solanaKind } from '../../src/core/transactions/solana/index.ts';
import { createSolanaChain } from './solana_chain.ts';

const chain = createSolanaChain();
const { publicKey } = chain.payer;
const account = {
  address: publicKey.toBase58(),
  format: 'ADDRESS_FORMAT_SOLANA',
  publicKey: publicKey.toBytes(),
} as const;

/** Returns the fee of the machine for a transaction, and the highest fee of its explanation. */
function feesOf(instructions: readonly TransactionInstruction[]) {
  chain.produce();
  const message = new TransactionMessage({
    payerKey: publicKey,
    recentBlockhash: chain.recentBlockhash(),
    instructions: [...instructions],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([chain.payer]);
  const bytes = Uint8Array.from(transaction.serialize());
  const { fee } = solanaKind.explain(solanaKind.format.read(bytes, account), account, new Map());
  const before = chain.accountAt(publicKey)?.lamports() ?? 0n;
  chain.executeBytes(bytes);
  return { taken: before - (chain.accountAt(publicKey)?.lamports() ?? 0n), highest: fee?.maximum };
}

const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000n });
const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 300_000 });
const heap = ComputeBudgetProgram.requestHeapFrame({ bytes: 65_536 });
/** The client has no function for this instruction. */
const loaded = new TransactionInstruction({
  programId: ComputeBudgetProgram.programId,
  keys: [],
  data: Buffer.from('0400000004', 'hex'),
});
const memo = new TransactionInstruction({
  programId: new PublicKey(programs.memo),
  keys: [],
  data: Buffer.from('memo'),
});
const transfer = SystemProgram.transfer({
  fromPubkey: publicKey,
  toPubkey: publicKey,
  lamports: 1,
});

test('no fee is above the highest fee of the explanation', () => {
  // Without a limit in the transaction, each budget instruction takes units too.
  const subsets = [heap, loaded, limit].reduce<readonly (readonly TransactionInstruction[])[]>(
    (sets, each) => sets.flatMap((set) => [set, [...set, each]]),
    [[], [price]],
  );
  for (const budget of subsets) {
    for (const others of [[], [memo], [transfer], [memo, transfer, memo]]) {
      const { taken, highest } = feesOf([...budget, ...others]);
      const programsCalled = [...budget, ...others].map(({ data }) =>
        Buffer.from(data).toString('hex'),
      );
      assert(taken <= BigInt(highest ?? 0), `${taken} of at most ${highest}: ${programsCalled}`);
      const isExact = budget.includes(limit) || !others.some((each) => each === transfer);
      if (isExact) assert.equal(highest, String(taken), String(programsCalled));
    }
  }
});
