// A watched chain whose blocks a test defines one by one.

import assert from 'node:assert/strict';
import type { EnclaveMessages, RequestOf } from '../../../src/ipc/messages.ts';
import type { TestService } from '../../support/harness.ts';

type Observed = RequestOf<EnclaveMessages['observe']>;
type Block = Observed['block'];
export type WatchedTransaction = Block['transactions'][number];
export type WatchedTransfer = Block['transfers'][number];

export const ethereum = 'eip155:1';
export const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
export const ether = { symbol: 'ETH', name: 'Ether', decimals: 18, caip19: 'eip155:1/slip44:60' };
export const sol = { symbol: 'SOL', name: 'Solana', decimals: 9, caip19: `${solana}/slip44:501` };

/** Returns a transaction of a block, by default of a stranger. */
export function transaction(
  txHash: string,
  members: Partial<WatchedTransaction> = {},
): WatchedTransaction {
  const stranger = { from: 'stranger', to: undefined, fee: '21', hasFailed: false, signers: [] };
  return { txHash, ...stranger, ...members };
}

export function transfer(
  txHash: string,
  members: Pick<WatchedTransfer, 'address'> & Partial<WatchedTransfer>,
): WatchedTransfer {
  const moved = { operation: 'deposit', amount: '5', counterparty: 'stranger' };
  return { txHash, ...ether, ...moved, ...members };
}

/** Starts a watch at block 1, which is final at once. `hash` names a block, and its parent is the tip. */
export function watchedChain(
  service: Pick<TestService, 'enclave'>,
  caip2: string = ethereum,
  { confirmations = 1, fromBlock }: { confirmations?: number; fromBlock?: number } = {},
) {
  const name = { caip2, fromBlock };
  const step = async (kind: string, block: Partial<Block> & { number: number; hash: string }) => {
    const { version } = await service.enclave.chainCursor(name);
    const parent = { number: block.number - 1, hash: '' };
    const whole = { parent, timestampMs: 1_000, transfers: [], transactions: [], ...block };
    const rules = { confirmations, lag: 0 };
    return (await service.enclave.observe({ ...name, version, ...rules, step: kind, block: whole }))
      .outcome;
  };
  const tip = async () => {
    const { blocks } = await service.enclave.chainCursor(name);
    return blocks.at(-1) ?? assert.fail('the watch has begun');
  };
  return {
    step,
    begin: async () => assert.equal(await step('begin', { number: 1, hash: 'b1' }), 'committed'),
    /** Adds the next block. */
    confirm: async (hash: string, block: Partial<Block> = {}) => {
      const parent = await tip();
      const next = { number: parent.number + 1, hash, parent, ...block };
      assert.equal(await step('confirm', next), 'committed');
      return next;
    },
    /** Finalizes the oldest block that is not final, with its confirmed contents. */
    finalize: async (block: Partial<Block> & { number: number; hash: string }) =>
      assert.equal(await step('finalize', block), 'committed'),
    rewindTo: async (number: number, hash: string) =>
      assert.equal(await step('rewind', { number, hash }), 'committed'),
  };
}
