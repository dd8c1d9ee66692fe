// A small Ethereum chain with nodes for tests: all nodes see the same chain, and some misbehave.

import { ChainFault } from '../../../src/core/balances/node_answer.ts';
import type { JsonRpc } from '../../../src/gateway/chains/json_rpc.ts';

export const sender = `0x${'5e'.repeat(20)}`;
export const ownHash = `0x${'11'.repeat(32)}`;
export const otherHash = `0x${'22'.repeat(32)}`;

type Block = { readonly hash: string; readonly transactions: readonly string[] };

/** Creates a chain on which one address sends: each mined transaction uses its next nonce. */
export function createChain() {
  const blocks: Block[] = [];
  const pending = new Set<string>();
  let serial = 0;
  const mine = (transactions: readonly string[] = []) => {
    serial += 1;
    const hash = `0x${serial.toString(16).padStart(64, '0')}`;
    blocks.push({ hash, transactions });
    for (const each of transactions) pending.delete(each);
  };
  mine();
  return {
    blocks,
    pending,
    mine,
    /** Removes the newest blocks with their transactions. */
    drop: (count: number) => blocks.splice(Math.max(1, blocks.length - count)),
  };
}

export type Chain = ReturnType<typeof createChain>;

/** The answer to a call, or undefined for that of an honest node. */
export type Behavior = (
  method: string,
  parameters: readonly unknown[],
) => { readonly answer: unknown } | undefined;

const numberOf = (value: unknown) => Number(String(value));
const quantity = (value: number) => `0x${value.toString(16)}`;

/** Creates a node of a chain; `asked` lists the methods of its calls. */
export function createNode(chain: Chain, behavior: Behavior = () => undefined) {
  const asked: string[] = [];
  const call: JsonRpc = async (method, parameters) => {
    asked.push(method);
    const other = behavior(method, parameters);
    return other === undefined ? honest(chain, method, parameters) : other.answer;
  };
  return { call, asked };
}

export const silent: Behavior = (method) => {
  throw new ChainFault(`${method}: timeout`);
};

function honest(chain: Chain, method: string, [first, second]: readonly unknown[]): unknown {
  const { blocks, pending } = chain;
  const heightOf = (hash: unknown) =>
    blocks.findIndex(({ transactions }) => transactions.includes(String(hash)));
  switch (method) {
    case 'eth_blockNumber':
      return quantity(blocks.length - 1);
    case 'eth_getTransactionCount': {
      const upTo = blocks.slice(0, numberOf(second) + 1);
      return quantity(upTo.flatMap(({ transactions }) => transactions).length);
    }
    case 'eth_getTransactionReceipt': {
      const height = heightOf(first);
      if (height === -1) return null;
      const blockHash = blocks[height]?.hash;
      return { transactionHash: first, blockNumber: quantity(height), blockHash, status: '0x1' };
    }
    case 'eth_getBlockByNumber': {
      const block = blocks[numberOf(first)];
      return block === undefined ? null : { ...block, number: first };
    }
    case 'eth_getTransactionByHash':
      return pending.has(String(first)) || heightOf(first) !== -1 ? { hash: first } : null;
    case 'eth_sendRawTransaction': {
      if (pending.has(ownHash)) throw new ChainFault('already known', -32_000);
      if (blocks.some(({ transactions }) => transactions.length > 0)) {
        throw new ChainFault('nonce too low', -32_000);
      }
      pending.add(ownHash);
      return ownHash;
    }
    default:
      throw new ChainFault(`${method}: there is no such method`, -32_601);
  }
}
