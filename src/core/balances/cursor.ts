// Position in a chain, and its valid transitions.

export type BlockMark = { readonly number: number; readonly hash: string };

/** A watched chain. A chain with another first block is watched separately. */
export type ChainName = {
  readonly caip2: string;
  /** The first block to report, if the operator named one. */
  readonly fromBlock: number | undefined;
};

/** The newest final block and the reported blocks after it, each the parent of the next. Empty at first. */
export type ChainCursor = readonly BlockMark[];

export type CursorStep =
  /** Starts at the block before the first reported one, which counts as final and is not reported. */
  | { readonly kind: 'begin'; readonly block: BlockMark }
  /** Appends the next block. */
  | { readonly kind: 'confirm'; readonly block: BlockMark; readonly parent: BlockMark }
  /** Finalizes the oldest block that is not final, after fetching it again. */
  | { readonly kind: 'finalize'; readonly block: BlockMark }
  /** Removes the blocks after this one, which left the chain. */
  | { readonly kind: 'rewind'; readonly block: BlockMark };
export type CursorStepKind = CursorStep['kind'];

/** Bounds of the blocks that are reported but not final. */
export type CursorRules = {
  /** Number of later blocks that make a block final. */
  readonly confirmations: number;
  /** Maximum number of further blocks while the node does not call the oldest block final. */
  readonly lag: number;
};

/** The cursor after a step; undefined if the step does not fit. Final blocks stay final. */
export function cursorAfter(
  cursor: ChainCursor,
  step: CursorStep,
  rules: CursorRules,
): ChainCursor | undefined {
  const { block } = step;
  const mark = { number: block.number, hash: block.hash };
  const newest = cursor.at(-1);
  if (newest === undefined) return step.kind === 'begin' ? [mark] : undefined;
  switch (step.kind) {
    case 'begin':
      return undefined;
    case 'confirm': {
      const isNext = isSame(newest, step.parent) && mark.number > newest.number;
      return isNext && !isFull(cursor, rules) ? [...cursor, mark] : undefined;
    }
    case 'finalize': {
      const isReady = isReadyToFinalize(cursor, rules);
      return isReady && isSame(cursor[1], mark) ? cursor.slice(1) : undefined;
    }
    case 'rewind': {
      const kept = cursor.findIndex((each) => isSame(each, mark));
      const isEarlier = kept >= 0 && kept < cursor.length - 1;
      return isEarlier ? cursor.slice(0, kept + 1) : undefined;
    }
  }
}

/** Returns true if the oldest block that is not final has enough blocks after it. */
export function isReadyToFinalize(cursor: ChainCursor, { confirmations }: CursorRules): boolean {
  return cursor.length >= confirmations + 2;
}

/** Returns true if no further block may be reported before the oldest is final. */
export function isFull(cursor: ChainCursor, { confirmations, lag }: CursorRules): boolean {
  return cursor.length >= confirmations + 2 + lag;
}

function isSame(a: BlockMark | undefined, b: BlockMark): boolean {
  return a?.number === b.number && a.hash === b.hash;
}
