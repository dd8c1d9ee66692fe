// The requests of a command to an enclave that it started to look after a copy of the data.

import { copyStates } from '../core/custody/record.ts';
import { bytes, list, nothing, number, oneOf, optional, struct, text } from './codec.ts';
import { storedActivity, storedEvent, storedOrganization, storedRecord } from './stored_rows.ts';

/** The epoch of a copy, whether it may sign, and why not. */
export const copyStatus = struct({
  epoch: number,
  state: oneOf(...copyStates, 'refused'),
  reason: optional(text),
});

export const custodyMessages = {
  /** Hands over the root key as `start` does to an enclave that answers no requests. Answered once. */
  startCustody: { phase: 'before_start', request: struct({ rootKey: bytes }), answer: nothing },
  /** Opens sealed rows; organizations with all of their small state. Names those that do not open. */
  openRows: {
    phase: 'custody',
    request: struct({
      organizations: list(storedOrganization),
      records: list(storedRecord),
      activities: list(storedActivity),
      events: list(storedEvent),
    }),
    answer: struct({ refused: list(text) }),
  },
  /** The custody record of a copy that is fenced, as a row to be written; nothing is written. */
  fence: {
    phase: 'custody',
    request: struct({ backupAtMs: number }),
    answer: struct({ organizationId: text, epoch: number, row: storedOrganization }),
  },
  /** A keyed hash of a manifest (32 bytes), which requires the root key. */
  vouch: { phase: 'custody', request: struct({ manifest: bytes }), answer: struct({ mac: bytes }) },
  /** Lets this copy sign, and no other. */
  accept: {
    phase: 'custody',
    request: struct({ reason: text }),
    answer: struct({ epoch: number }),
  },
  /** Like `copyStatus`. */
  custodyCopyStatus: { phase: 'custody', request: nothing, answer: copyStatus },
} as const;
