// Follows a chain block by block: determines the next step from the answers of one node.

import {
  type BlockMark,
  type ChainCursor,
  type CursorRules,
  type CursorStep,
  isFull,
  isReadyToFinalize,
} from '../../core/balances/cursor.ts';
import { ChainFault } from '../../core/balances/node_answer.ts';
import type { Block } from '../../core/balances/transfers.ts';

/** A chain as seen by a node. Each call throws if the node does not answer, or answers invalidly. */
export type ChainSource = {
  /** Returns the number of the newest block after which a watch may begin. */
  newest(): Promise<number>;
  /** Returns the newest such block up to this number. */
  upTo(number: number): Promise<BlockMark | undefined>;
  /**
   * Returns a block mark; undefined if the node has not reached this number. The mark has no hash if the
   * chain continues without a block of this number.
   */
  mark(number: number): Promise<BlockMark | undefined>;
  /** Returns the first block after this number; undefined if the node has none yet. */
  next(number: number): Promise<Block | undefined>;
  /** Returns the block of this number; undefined if the node does not call it final yet. */
  final(number: number): Promise<Block | undefined>;
};

type FollowedStep = Pick<CursorStep, 'kind'> & { readonly block: Block };

/** Returns the next step; undefined if there is nothing to do until the next block. Raises `ChainFault`. */
export async function nextStep(
  cursor: ChainCursor,
  source: ChainSource,
  rules: CursorRules & { readonly fromBlock: number | undefined },
): Promise<FollowedStep | undefined> {
  const tip = cursor.at(-1);
  if (tip === undefined) return begin(source, rules);
  const [, oldest] = cursor;
  if (oldest !== undefined && isReadyToFinalize(cursor, rules)) {
    const block = await source.final(oldest.number);
    if (block !== undefined) {
      // The block is final because of the blocks above it, so these must still exist too.
      const newest = await source.mark(tip.number);
      if (newest === undefined) return undefined;
      const holds = block.hash === oldest.hash && newest.hash === tip.hash;
      return holds ? { kind: 'finalize', block } : rewind(cursor, source);
    }
  }
  const block = isFull(cursor, rules) ? undefined : await source.next(tip.number);
  if (block !== undefined) {
    const { number, hash } = block.parent;
    const isChild = number === tip.number && hash === tip.hash;
    return isChild ? { kind: 'confirm', block } : rewind(cursor, source);
  }
  // A node behind another one reports nothing new.
  const found = await source.mark(tip.number);
  const isThere = found === undefined || found.hash === tip.hash;
  return isThere ? undefined : rewind(cursor, source);
}

async function begin(
  source: ChainSource,
  { confirmations, fromBlock }: { confirmations: number; fromBlock: number | undefined },
): Promise<FollowedStep | undefined> {
  const newest = await source.newest();
  const number = fromBlock === undefined ? Math.max(0, newest - confirmations) : fromBlock - 1;
  const mark = number > newest ? undefined : await source.upTo(number);
  return mark && { kind: 'begin', block: without(mark) };
}

/** Returns the step back to the newest known block that the chain still has. */
async function rewind(cursor: ChainCursor, source: ChainSource): Promise<FollowedStep | undefined> {
  for (const mark of cursor.toReversed()) {
    const found = await source.mark(mark.number);
    if (found === undefined) return undefined;
    if (found.hash !== mark.hash) continue;
    // Nodes behind one address may see different chains; the next poll decides.
    return mark === cursor.at(-1) ? undefined : { kind: 'rewind', block: without(mark) };
  }
  throw new ChainFault('the chain no longer has a block that was final');
}

function without(mark: BlockMark): Block {
  const { number, hash } = mark;
  const parent = { number, hash: '' };
  return { number, hash, parent, timestampMs: 0, transfers: [], transactions: [] };
}
