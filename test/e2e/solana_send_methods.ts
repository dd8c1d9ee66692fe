// The methods of Solana's JSON-RPC that send and follow transactions, over a chain of the test.

import assert from 'node:assert/strict';
import { base58 } from '@scure/base';
import { PublicKey } from '@solana/web3.js';
import type { SolanaBlock, SolanaChain } from './solana_chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: a node accepts any parameters
type Method = (...params: readonly any[]) => unknown;

export function sendMethods(of: {
  readonly chain: SolanaChain;
  readonly blocksAt: (commitment: unknown) => readonly SolanaBlock[];
  readonly withContext: (value: unknown) => { readonly context: object };
  readonly isForgetful: () => boolean;
}): Readonly<Record<string, Method>> {
  const { chain, blocksAt, withContext, isForgetful } = of;

  const newestAt = (commitment: unknown) => blocksAt(commitment).at(-1);
  const atSlot = (slot: number | undefined, value: unknown) => ({ context: { slot }, value });

  function landedAt(signature: string, commitment: unknown) {
    const known = isForgetful() ? [] : blocksAt(commitment);
    return known
      .flatMap(({ slot, landed }) => landed.map((each) => ({ slot, ...each })))
      .find((each) => each.signature === signature);
  }

  return {
    getLatestBlockhash: () =>
      withContext({
        blockhash: chain.recentBlockhash(),
        lastValidBlockHeight: (newestAt('confirmed')?.height ?? 0) + 150,
      }),
    getBlockHeight: ({ commitment }) => newestAt(commitment)?.height,
    getEpochInfo: ({ commitment }) => {
      const { slot, height } = newestAt(commitment) ?? { slot: 0, height: 0 };
      return { absoluteSlot: slot, blockHeight: height, epoch: 0, slotIndex: slot };
    },
    isBlockhashValid: (hash, { commitment }) =>
      atSlot(newestAt(commitment)?.slot, hash === chain.recentBlockhash()),
    getFirstAvailableBlock: () => (isForgetful() ? newestAt('confirmed')?.slot : 0),
    getAccountInfo: (address, { commitment, encoding }) => {
      assert.equal(encoding, 'base64');
      const account = chain.accountAt(new PublicKey(address));
      return atSlot(
        newestAt(commitment)?.slot,
        account && {
          data: [Buffer.from(account.data()).toString('base64'), encoding],
          owner: new PublicKey(account.owner()).toBase58(),
          lamports: Number(account.lamports()),
        },
      );
    },
    simulateTransaction: (transaction, { encoding, sigVerify }) => {
      assert.deepEqual([encoding, sigVerify], ['base64', false]);
      const { err, logs } = chain.simulate(Buffer.from(transaction, encoding));
      return withContext({ err, logs, unitsConsumed: 150, accounts: null });
    },
    sendTransaction: (transaction, { encoding, skipPreflight }) => {
      if (encoding === 'base58') return chain.accept(Buffer.from(base58.decode(transaction)));
      assert.deepEqual([encoding, skipPreflight], ['base64', true]);
      return chain.accept(Buffer.from(transaction, encoding));
    },
    getSignatureStatuses: (signatures: readonly string[], { searchTransactionHistory }) => {
      assert.equal(searchTransactionHistory, true);
      return withContext(
        signatures.map((signature) => {
          const found = landedAt(signature, 'confirmed');
          if (found === undefined) return null;
          const { slot, err } = found;
          const isFinal = slot <= chain.finalSlot();
          return {
            slot,
            err,
            confirmations: isFinal ? null : 1,
            confirmationStatus: isFinal ? 'finalized' : 'confirmed',
          };
        }),
      );
    },
    getSignaturesForAddress: (address, { limit, commitment, minContextSlot }) => {
      assert((newestAt(commitment)?.slot ?? 0) >= minContextSlot);
      return blocksAt(commitment)
        .toReversed()
        .flatMap(({ slot, landed }) =>
          landed.map(({ signature, bytes }) => ({ signature, bytes, slot })),
        )
        .filter(({ bytes }) => Buffer.from(bytes).includes(new PublicKey(address).toBytes()))
        .map(({ signature, slot }) => ({ signature, slot }))
        .slice(0, limit);
    },
    getTransaction: (signature, { commitment, encoding }) => {
      const found = landedAt(signature, commitment);
      if (found === undefined) return null;
      const { slot, err, logs } = found;
      if (encoding === 'base64') {
        return { slot, transaction: [Buffer.from(found.bytes).toString(encoding), encoding] };
      }
      return { slot, meta: { err, logMessages: logs, computeUnitsConsumed: 150 } };
    },
  };
}
