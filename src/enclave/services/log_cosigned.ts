// The newest checkpoint that witnesses cosigned. The enclave verifies only its own signature; the reader of a
// receipt verifies the cosignatures.

import type { Checkpoint } from '../../core/log/note.ts';
import type { LogHead } from '../records/log_rows.ts';

type ProvenTree = {
  readonly size: number;
  /** The checkpoint, as a signed note. */
  readonly note: string;
};

export type CosignedCheckpoint = {
  /** Remembers a note that this service signed. Ignores a checkpoint with another origin. */
  remember(checkpoint: Checkpoint | undefined, origin: string, note: string): undefined;
  /** Returns the newest checkpoint, with cosignatures if it has any. */
  noteOf(head: LogHead): string;
  /** Returns the tree that proves an entry: the cosigned tree, or the newest tree for newer entries. */
  treeFor(index: number, head: LogHead): ProvenTree;
};

export function createCosignedCheckpoint(): CosignedCheckpoint {
  let cosigned: (Checkpoint & ProvenTree) | undefined;

  function fitting(head: LogHead) {
    const isSameLog = cosigned !== undefined && head.note.startsWith(`${cosigned.origin}\n`);
    return isSameLog && cosigned !== undefined && cosigned.size <= head.size ? cosigned : undefined;
  }

  return {
    remember: (checkpoint, origin, note) => {
      if (checkpoint?.origin === origin) cosigned = { ...checkpoint, note };
      return undefined;
    },
    noteOf: (head) => {
      const fits = fitting(head);
      return fits?.size === head.size ? fits.note : head.note;
    },
    treeFor: (index, head) => {
      const fits = fitting(head);
      return fits !== undefined && index < fits.size ? fits : head;
    },
  };
}
