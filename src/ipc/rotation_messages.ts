// The messages of a rotation of the root key while the service runs.

import { boolean, bytes, list, nothing, number, optional, packed, struct, text } from './codec.ts';

const work = { account: 'rotation', custody: 'changes' } as const;

/** Sealed rows of one table: their bodies, and their names as in store/tables/sealed_columns.ts. */
const sealedRows = struct({
  table: text,
  rows: packed(
    list(struct({ organizationId: text, kind: text, id: text, version: number, body: bytes })),
  ),
});

export const rotationMessages = {
  /** Passes the next root key (32 bytes). From now on the enclave opens rows of its epoch. */
  giveNextKey: { phase: 'running', request: struct({ rootKey: bytes }), answer: nothing },
  /** Reads the record of key epochs, and switches the enclave to its keys. */
  keyEpoch: {
    phase: 'running',
    request: nothing,
    answer: struct({
      /** The key epoch of new rows. */
      epoch: number,
      /** True from the first row of this epoch until no row of the epoch before is left. */
      isRotating: boolean,
      /** Public name of the next root key; undefined if the enclave does not have it. */
      nextKey: optional(text),
      /** Public name of the root key of new rows. */
      currentKey: text,
      /** True if the key of new rows is not the first one that the provider gave. */
      usesSecondKey: boolean,
      /** True if the enclave can still open rows of another epoch. */
      opensOthers: boolean,
    }),
  },
  /** Opens rows with the current keys. Returns the epochs of the webhook keys among them. */
  checkRows: {
    phase: 'running',
    work,
    request: sealedRows,
    answer: struct({
      webhookEpochs: list(number),
      /** Number of client requests in this enclave. */
      requests: number,
    }),
  },
  /** Makes the next root key the current one. Returns false if another enclave has changed the record. */
  advanceKeyEpoch: {
    phase: 'running',
    work,
    request: struct({ webhookEpochs: list(number) }),
    answer: struct({ isAdvanced: boolean }),
  },
  /** Seals rows again. An empty body stands for a row that needs no change. */
  resealRows: {
    phase: 'running',
    work,
    request: sealedRows,
    answer: struct({
      bodies: packed(list(bytes)),
      /** Number of client requests in this enclave. */
      requests: number,
    }),
  },
  /** Ends the rotation: no row of the epoch before is left. */
  endKeyEpoch: { phase: 'running', work, request: nothing, answer: struct({ isEnded: boolean }) },
} as const;
