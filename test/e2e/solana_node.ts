// The JSON-RPC of Solana over a chain of the test on loopback, with the answers of good and of faulty nodes.

import assert from 'node:assert/strict';
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { startLoopbackServer } from '../support/loopback_server.ts';
import type { SolanaBlock, SolanaChain } from './solana_chain.ts';
import { sendMethods } from './solana_send_methods.ts';
import { tokenPrograms } from './solana_tokens.ts';

/** `gone`: no answer. `late`: no block after the number. `lying`: wrong parents. */
export type Trouble =
  | 'gone'
  | 'lying'
  | 'foreign'
  /** The node has no older blocks. */
  | 'forgetful'
  | { readonly lateAfter: number }
  | undefined;

// biome-ignore lint/suspicious/noExplicitAny: a node accepts any parameters
type Call = { readonly id: number; readonly method: string; readonly params: readonly any[] };

class Refusal extends Error {
  readonly code: number;
  constructor(code: number) {
    super('refused');
    this.code = code;
  }
}

/** Starts a node. With `mines`, each transaction makes a final block. */
export async function startSolanaNode(chain: SolanaChain, { mines = false } = {}) {
  let trouble: Trouble;
  let swallowed: readonly string[] = [];
  let requests = 0;

  function blocksAt(commitment: unknown): readonly SolanaBlock[] {
    const isLate = typeof trouble === 'object' ? trouble.lateAfter : Number.POSITIVE_INFINITY;
    const newest = commitment === 'finalized' ? chain.finalSlot() : Number.POSITIVE_INFINITY;
    return chain.blocks().filter(({ slot }) => slot <= Math.min(newest, isLate));
  }

  function blockOf(slot: number, { commitment, transactionDetails, ...rest }: Call['params'][0]) {
    assert.deepEqual(rest, { encoding: 'json', maxSupportedTransactionVersion: 0, rewards: false });
    const block = blocksAt(commitment).find((each) => each.slot === slot);
    if (block === undefined) throw new Refusal(slot <= chain.finalSlot() ? -32007 : -32004);
    const { hash, parent, timeSeconds, transactions } = block;
    return {
      blockhash: hash,
      previousBlockhash: trouble === 'lying' ? hash : (parent?.hash ?? '1'.repeat(32)),
      parentSlot: parent?.slot ?? 0,
      blockHeight: block.height,
      blockTime: timeSeconds,
      ...(transactionDetails === 'accounts' ? { transactions } : {}),
    };
  }

  const withContext = (value: unknown) => ({
    context: { slot: blocksAt('confirmed').at(-1)?.slot },
    value,
  });
  const sending = sendMethods({
    chain,
    blocksAt,
    withContext,
    isForgetful: () => trouble === 'forgetful',
  });

  function mine(): void {
    chain.produce();
    chain.finalize();
  }

  const methods: Readonly<Record<string, (...params: Call['params']) => unknown>> = {
    ...sending,
    sendTransaction: (...params) => {
      const signature = sending['sendTransaction']?.(...params);
      if (mines) mine();
      return signature;
    },
    requestAirdrop: (address, lamports) => {
      const { publicKey: fromPubkey } = chain.payer;
      const toPubkey = new PublicKey(address);
      const signature = chain.send([SystemProgram.transfer({ fromPubkey, toPubkey, lamports })]);
      mine();
      return signature;
    },
    getGenesisHash: () => (trouble === 'foreign' ? '1'.repeat(44) : chain.genesisHash),
    getSlot: ({ commitment }) => blocksAt(commitment).at(-1)?.slot ?? 0,
    getBlocks: (first, last, { commitment }) =>
      slotsOf(blocksAt(commitment)).filter((slot) => slot >= first && slot <= last),
    getBlocksWithLimit: (first, limit, { commitment }) =>
      slotsOf(blocksAt(commitment))
        .filter((slot) => slot >= first)
        .slice(0, limit),
    getBlock: blockOf,
    getBalance: (address) =>
      withContext(Number(chain.accountAt(new PublicKey(address))?.lamports() ?? 0n)),
    getTokenAccountsByOwner: (owner, { mint }, { encoding, dataSlice: { offset, length } }) => {
      assert.equal(encoding, 'base64');
      const wanted = Buffer.concat([new PublicKey(mint).toBytes(), new PublicKey(owner).toBytes()]);
      const found = tokenPrograms
        .flatMap(chain.accountsOf)
        .filter(({ data }) => data.subarray(0, 64).equals(wanted));
      return withContext(
        found.map(({ pubkey, data }) => ({
          pubkey,
          account: { data: [data.subarray(offset, offset + length).toString('base64'), encoding] },
        })),
      );
    },
  };

  function answer({ id, method, params }: Call): object {
    const found = methods[method];
    if (found === undefined)
      return { jsonrpc: '2.0', id, error: { code: -32601, message: method } };
    try {
      return { jsonrpc: '2.0', id, result: found(...params) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } };
    }
  }

  const { origin, stop } = await startLoopbackServer(async (request, response) => {
    requests += 1;
    if (trouble === 'gone') return request.socket.destroy();
    const calls = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const names = [calls].flat().map(({ method }: Call) => method);
    if (names.some((name) => swallowed.includes(name))) return request.socket.destroy();
    response.end(JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls)));
  });
  return {
    url: origin,
    requests: () => requests,
    has: (next: Trouble) => {
      trouble = next;
    },
    /** Drops calls of these methods without an answer. */
    swallow: (...methods: readonly string[]) => {
      swallowed = methods;
    },
    stop,
  };
}

const slotsOf = (blocks: readonly SolanaBlock[]) => blocks.map(({ slot }) => slot);
