// Compares the log of the database with the newest checkpoints outside of the database: in a file, and at
// witnesses.

import { publicSha256 } from '../../core/crypto/hashes.ts';
import { fail, ServiceError } from '../../core/errors/errors.ts';
import { sameBytes } from '../../core/log/inclusion.ts';
import type { Checkpoint } from '../../core/log/note.ts';
import { type LogOwner, originOf, ownerOf } from '../../core/log/origin.ts';
import { placesOfFrontier, rootOf } from '../../core/log/tree.ts';
import { readHashes } from '../records/log_tiles.ts';
import type { TileSource } from '../records/tile_hashes.ts';
import type { RequireAnchored } from './log_state.ts';

export type WitnessedCheckpoint = { readonly witness: string; readonly note: string };

export type AnchorPorts = {
  /** Returns the first organization and the custody epoch, which name the log. */
  readonly owner: () => Promise<LogOwner>;
  /** Returns the newest checkpoint in a file outside of the database, as a signed note. */
  readonly anchor: () => Promise<string | undefined>;
  /** Returns the newest checkpoints of logs that witnesses cosigned. Raises `witnesses_unanswered`. */
  readonly witnessed: (origins: readonly string[]) => Promise<readonly WitnessedCheckpoint[]>;
  /** Writes a line for the operator. */
  readonly log: (level: 'warn', message: string, fields: { readonly witness: string }) => void;
};

type CheckpointIn = (note: string | undefined) => Checkpoint | undefined;
type Anchored = Checkpoint & { readonly anchor: string };

/**
 * Reads the anchors, and returns the check of a head that was read later. Raises `log_anchor_unreadable`, and
 * `witnesses_unanswered`.
 */
export async function readAnchors(
  ports: AnchorPorts,
  checkpointIn: CheckpointIn,
  rows: TileSource,
): Promise<RequireAnchored> {
  const owner = await ports.owner();
  const inFile = checkpointIn(await ports.anchor());
  const known: Anchored[] = inFile === undefined ? [] : [{ ...inFile, anchor: 'the log anchor' }];
  known.push(...(await readWitnessed(ports, checkpointIn, owner)));
  // The longest log comes first, because the error reports the number of missing entries.
  known.sort((a, b) => b.size - a.size);
  return async (head) => {
    for (const anchored of known) await requireAnchored({ anchored, owner, head, rows });
  };
}

/** Drops checkpoints that this log did not sign, because a witness must not prevent a start. */
async function readWitnessed(
  { witnessed, log }: AnchorPorts,
  checkpointIn: CheckpointIn,
  owner: LogOwner,
): Promise<readonly Anchored[]> {
  // After `restore accept` on another machine, the witnesses have the log of the next epoch.
  const origins = [owner, { ...owner, epoch: owner.epoch + 1 }].map(originOf);
  return (await witnessed(origins)).flatMap(({ witness, note }) => {
    try {
      const checkpoint = checkpointIn(note);
      if (checkpoint !== undefined && origins.includes(checkpoint.origin)) {
        return [{ ...checkpoint, anchor: `the witness ${witness}` }];
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
    log('warn', 'a witness reported a checkpoint that this log did not sign', { witness });
    return [];
  });
}

/**
 * Requires that the log of the database contains the entries of the anchor. Raises `log_older_than_anchor`,
 * `log_differs_from_anchor`, `log_anchor_unreadable` for the anchor of other data, and `record_refused`.
 */
async function requireAnchored({
  anchored,
  owner,
  head,
  rows,
}: {
  readonly anchored: Anchored;
  readonly owner: LogOwner;
  readonly head: Parameters<RequireAnchored>[0];
  readonly rows: TileSource;
}): Promise<void> {
  const known = ownerOf(anchored.origin);
  if (known?.organizationId !== owner.organizationId) return fail('log_anchor_unreadable');
  // The operator has accepted a restore since then, so the anchor belongs to an ended log.
  if (known.epoch < owner.epoch) return;
  const size = head?.size ?? 0;
  const { anchor } = anchored;
  if (known.epoch > owner.epoch || anchored.size > size) {
    fail('log_older_than_anchor', {
      anchor,
      size,
      since: head === undefined ? 'its beginning' : new Date(head.atMs).toISOString(),
      anchored: anchored.size,
      missing: Math.max(0, anchored.size - size),
    });
  }
  const places = placesOfFrontier(anchored.size);
  const peaks = places.map(await readHashes(rows, places));
  const root = rootOf(publicSha256, { size: anchored.size, peaks });
  if (!sameBytes(root, anchored.root))
    fail('log_differs_from_anchor', { anchor, size: anchored.size });
}
