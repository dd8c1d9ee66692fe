// Messages between an offline command and the enclave that it starts for a replica of the data.

import { copyStates } from '../core/custody/record.ts';
import { bytes, list, nothing, number, oneOf, optional, struct, text } from './codec.ts';
import { storedActivity, storedEvent, storedOrganization, storedRecord } from './stored_rows.ts';

/** The epoch of a replica, whether it may sign, and the reason if it may not. */
export const copyStatus = struct({
  epoch: number,
  state: oneOf(...copyStates, 'refused'),
  reason: optional(text),
});

export const custodyMessages = {
  /** Passes the root key to an enclave that answers no API requests. Answered once. */
  startCustody: { phase: 'before_start', request: struct({ rootKey: bytes }), answer: nothing },
  /** Opens sealed rows, each organization with all its small state. Returns names that do not open. */
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
  /** Returns the custody record of a fenced replica as a row for the caller to write. */
  fence: {
    phase: 'custody',
    request: struct({ backupAtMs: number }),
    answer: struct({ organizationId: text, epoch: number, row: storedOrganization }),
  },
  /** Returns a keyed hash of a manifest (32 bytes), which requires the root key. */
  vouch: { phase: 'custody', request: struct({ manifest: bytes }), answer: struct({ mac: bytes }) },
  /** Lets only this replica sign. */
  accept: {
    phase: 'custody',
    request: struct({ reason: text }),
    answer: struct({ epoch: number }),
  },
  /** Like `copyStatus`. */
  custodyCopyStatus: { phase: 'custody', request: nothing, answer: copyStatus },
} as const;
