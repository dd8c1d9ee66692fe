// Follows a chain block by block: what the next step is, as the node at hand sees its chain.

import {
  type BlockMark,
  type Cursor,
  type CursorStep,
  isFinalizationDue,
} from '../../core/balances/cursor.ts';
import { ChainFault } from '../../core/balances/node_answer.ts';
import type { Block } from '../../core/balances/transfers.ts';

/** A chain as a node shows it. Each call raises where the node does not answer, or answers nonsense. */
export type ChainSource = {
  newest(): Promise<BlockMark>;
  /** Undefined where the node has no such block (yet). */
  mark(number: number): Promise<BlockMark | undefined>;
  block(number: number): Promise<Block | undefined>;
};

export type FollowedStep = Pick<CursorStep, 'kind'> & { readonly block: Block };

/** Undefined where there is nothing to do until the chain goes on. Raises `ChainFault`. */
export async function nextStep(
  cursor: Cursor,
  source: ChainSource,
  rules: { readonly confirmations: number; readonly fromBlock: number | undefined },
): Promise<FollowedStep | undefined> {
  const tip = cursor.at(-1);
  if (tip === undefined) return begin(source, rules);
  const [, oldest] = cursor;
  if (oldest !== undefined && isFinalizationDue(cursor, rules.confirmations)) {
    const [block, newest] = [await source.block(oldest.number), await source.mark(tip.number)];
    if (block === undefined || newest === undefined) return undefined;
    // The blocks above are what makes it final, so they must still be there as well.
    const holds = block.hash === oldest.hash && newest.hash === tip.hash;
    return holds ? { kind: 'finalize', block } : rewind(cursor, source);
  }
  const newest = await source.newest();
  // A node that lags behind another one says nothing new.
  if (newest.number < tip.number) return undefined;
  if (newest.number === tip.number) {
    return newest.hash === tip.hash ? undefined : rewind(cursor, source);
  }
  const block = await source.block(tip.number + 1);
  if (block === undefined) return undefined;
  return block.parentHash === tip.hash ? { kind: 'confirm', block } : rewind(cursor, source);
}

async function begin(
  source: ChainSource,
  { confirmations, fromBlock }: { confirmations: number; fromBlock: number | undefined },
): Promise<FollowedStep | undefined> {
  const newest = await source.newest();
  const number =
    fromBlock === undefined ? Math.max(0, newest.number - confirmations) : fromBlock - 1;
  const mark = number > newest.number ? undefined : await source.mark(number);
  return mark && { kind: 'begin', block: without(mark) };
}

/** Back to the newest block that the chain still has. */
async function rewind(cursor: Cursor, source: ChainSource): Promise<FollowedStep | undefined> {
  for (const mark of cursor.toReversed()) {
    const found = await source.mark(mark.number);
    if (found === undefined) return undefined;
    if (found.hash !== mark.hash) continue;
    // Nodes behind one address that see different chains: the next look tells.
    return mark === cursor.at(-1) ? undefined : { kind: 'rewind', block: without(mark) };
  }
  throw new ChainFault('the chain no longer has a block that was final');
}

function without(mark: BlockMark): Block {
  const { number, hash } = mark;
  return { number, hash, parentHash: '', timestampMs: 0, transfers: [] };
}
