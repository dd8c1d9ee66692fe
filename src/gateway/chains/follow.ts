// Follows a chain block by block: finds the next step from the answers of one node.

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

/** A chain as a node shows it. Each call raises where the node does not answer, or answers nonsense. */
export type ChainSource = {
  /** Number of the newest block that a watch may begin after. */
  newest(): Promise<number>;
  /** The newest of the blocks up to this number, which a watch may begin after. */
  upTo(number: number): Promise<BlockMark | undefined>;
  /**
   * Undefined if the node has not reached this number; without a hash if its chain continues and has no block
   * of this number.
   */
  mark(number: number): Promise<BlockMark | undefined>;
  /** The first block after this number; undefined where the node has none (yet). */
  next(number: number): Promise<Block | undefined>;
  /** Undefined where the node does not call the block of this number final (yet). */
  final(number: number): Promise<Block | undefined>;
};

type FollowedStep = Pick<CursorStep, 'kind'> & { readonly block: Block };

/** Undefined if there is nothing to do until the next block. Raises `ChainFault`. */
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
      // The blocks above are what makes it final, so they must still be there as well.
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
  // A node that lags behind another one adds nothing new.
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

/** Back to the newest block that the chain still has. */
async function rewind(cursor: ChainCursor, source: ChainSource): Promise<FollowedStep | undefined> {
  for (const mark of cursor.toReversed()) {
    const found = await source.mark(mark.number);
    if (found === undefined) return undefined;
    if (found.hash !== mark.hash) continue;
    // Nodes behind one address may see different chains; the next look decides.
    return mark === cursor.at(-1) ? undefined : { kind: 'rewind', block: without(mark) };
  }
  throw new ChainFault('the chain no longer has a block that was final');
}

function without(mark: BlockMark): Block {
  const { number, hash } = mark;
  const parent = { number, hash: '' };
  return { number, hash, parent, timestampMs: 0, transfers: [], transactions: [] };
}
