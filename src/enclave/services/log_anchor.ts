// Holds the database against the newest checkpoint that is remembered outside of it.

import { sha256 } from '../../core/crypto/hashes.ts';
import { fail } from '../../core/errors/errors.ts';
import { sameBytes } from '../../core/log/inclusion.ts';
import type { Checkpoint } from '../../core/log/note.ts';
import { type LogOwner, ownerOf } from '../../core/log/origin.ts';
import { placesOfFrontier, rootOf } from '../../core/log/tree.ts';
import type { LogHead, LogRows } from '../records/log_rows.ts';
import { readHashes } from '../records/log_tiles.ts';

/**
 * Requires that the log of the database has what the anchor knows. Raises `log_older_than_anchor`,
 * `log_differs_from_anchor`, `log_anchor_unreadable` for the anchor of other data, and `record_refused`.
 */
export async function requireAnchored({
  anchored,
  owner,
  head,
  rows,
}: {
  readonly anchored: Checkpoint | undefined;
  readonly owner: LogOwner;
  readonly head: LogHead | undefined;
  readonly rows: Pick<LogRows, 'tile'>;
}): Promise<void> {
  if (anchored === undefined) return;
  const known = ownerOf(anchored.origin);
  if (known?.organizationId !== owner.organizationId) return fail('log_anchor_unreadable');
  // The operator accepted a restore since: the log of the anchor ended.
  if (known.epoch < owner.epoch) return;
  const size = head?.size ?? 0;
  if (known.epoch > owner.epoch || anchored.size > size) {
    fail('log_older_than_anchor', {
      size,
      since: head === undefined ? 'its beginning' : new Date(head.atMs).toISOString(),
      anchored: anchored.size,
      missing: Math.max(0, anchored.size - size),
    });
  }
  const places = placesOfFrontier(anchored.size);
  const peaks = places.map(await readHashes(rows, places));
  const root = rootOf(sha256, { size: anchored.size, peaks });
  if (!sameBytes(root, anchored.root)) fail('log_differs_from_anchor', { size: anchored.size });
}
