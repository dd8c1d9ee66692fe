// The changes of an organization that a draft collects.

import type { OrganizationHead, RecordKind, Records } from './model.ts';

/** Events of an endpoint to deliver again, by their first and last number, both included. */
export type Redelivery = {
  readonly endpointId: string;
  readonly first: number;
  readonly last: number;
  readonly atMs: number;
};

export type RecordChange = {
  readonly kind: RecordKind;
  readonly id: string;
  /** Undefined for a new row. */
  readonly before: Records[RecordKind] | undefined;
  /** Undefined for a removed row. */
  readonly after: Records[RecordKind] | undefined;
};

export type DraftChanges = {
  /** The new head; undefined if it did not change. */
  readonly head: OrganizationHead | undefined;
  readonly records: readonly RecordChange[];
  /** Default: none. */
  readonly redeliveries?: readonly Redelivery[];
  /** IDs of tokens that must not have been used in the deployment before. Default: none. */
  readonly claims?: readonly string[];
  /** IDs of tokens to record as used, even if they were used before. Default: none. */
  readonly uses?: readonly string[];
};
