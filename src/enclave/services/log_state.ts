// The head of the log as known to this enclave. A later head is never older, and always continues the tree of
// the known head.

import { publicSha256 } from '../../core/crypto/hashes.ts';
import { ServiceError } from '../../core/errors/errors.ts';
import {
  consistencyPlan,
  type Frontier,
  isConsistent,
  isFrontier,
  proofOf,
  rootOf,
} from '../../core/log/tree.ts';
import { type LogHead, type LogRows, logHeadPlace } from '../records/log_rows.ts';
import { readHashes } from '../records/log_tiles.ts';
import { refuseRecord } from '../records/record_codec.ts';
import type { TileSource } from '../records/tile_hashes.ts';
import { createLogLine, type LogLine } from './log_line.ts';

export type KnownHead = { readonly version: number; readonly head: LogHead };

export type LogState = {
  /** Returns the newest head; undefined before the first entry. Raises `record_refused`. */
  read(): Promise<KnownHead | undefined>;
  /** Returns the last known head without a read from the store. */
  known(): KnownHead | undefined;
  hasBegun(): boolean;
  /** Remembers a head that this enclave wrote. */
  wrote(head: KnownHead): void;
  /** Compares the log with the anchor, once. */
  begin(): Promise<void>;
  /** Returns why the anchor does not match, as a sentence; undefined if it matches. */
  refusal(): string | undefined;
  /** Runs work on the log one item at a time. */
  readonly inTurn: LogLine;
};

/** Raises an error if a head of the log lacks entries of the anchors. */
export type RequireAnchored = (head: LogHead | undefined) => Promise<void>;

/** `readAnchors` returns undefined if the anchors cannot be read yet. */
export function createLogState(
  rows: TileSource & Pick<LogRows, 'head'>,
  readAnchors: () => Promise<RequireAnchored | undefined>,
): LogState {
  let known: KnownHead | undefined;
  let hasBegun = false;
  let refusal: string | undefined;

  async function read(): Promise<KnownHead | undefined> {
    const found = await rows.head(known?.version ?? 0);
    if (found === undefined) return undefined;
    if (found.head === undefined) return known;
    const next = { version: found.version, head: found.head };
    await requireContinued(rows, known, next);
    known = next;
    return next;
  }

  return {
    read,
    known: () => known,
    hasBegun: () => hasBegun,
    wrote: (head) => {
      known = head;
    },
    begin: async () => {
      if (hasBegun) return;
      try {
        // Reads the anchors first, because another node may append meanwhile and raise them.
        const requireAnchored = await readAnchors();
        const head = (await read())?.head;
        await requireAnchored?.(head);
        hasBegun = requireAnchored !== undefined;
        refusal = undefined;
      } catch (error) {
        if (error instanceof ServiceError) refusal = error.message;
        throw error;
      }
    },
    refusal: () => refusal,
    inTurn: createLogLine(),
  };
}

/** Requires that a head of another node continues the last known tree. */
async function requireContinued(
  rows: TileSource,
  known: KnownHead | undefined,
  next: KnownHead,
): Promise<void> {
  const place = logHeadPlace(next.version);
  const to = frontierOf(next.head);
  if (!isFrontier(to)) refuseRecord(place);
  if (known === undefined) return;
  const from = frontierOf(known.head);
  if (to.size < from.size || next.head.era < known.head.era) refuseRecord(place);
  const plan = consistencyPlan(from.size, to.size);
  const proof = proofOf(publicSha256, plan, await readHashes(rows, plan.flat()));
  const isContinued = isConsistent(publicSha256, { from: treeOf(from), to: treeOf(to), proof });
  if (!isContinued) refuseRecord(place);
}

export function frontierOf({ size, peaks }: Pick<LogHead, 'size' | 'peaks'>): Frontier {
  return { size, peaks: peaks.map((peak) => Uint8Array.fromBase64(peak)) };
}

export function treeOf(frontier: Frontier) {
  return { size: frontier.size, root: rootOf(publicSha256, frontier) };
}
