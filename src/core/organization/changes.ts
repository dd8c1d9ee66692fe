// Changes that a draft of an organization gathers.

import type { OrganizationHead, RecordKind, Records } from './model.ts';

/** Events of one endpoint, by their first and last sequence number. */
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
  /** The new head, where it changed. */
  readonly head: OrganizationHead | undefined;
  readonly records: readonly RecordChange[];
  /** Absent: none. */
  readonly redeliveries?: readonly Redelivery[];
  /** Ids of tokens that nothing else in the whole deployment may have used; absent: none. */
  readonly claims?: readonly string[];
  /** Ids of tokens that are noted as used, by this change or an earlier one; absent: none. */
  readonly uses?: readonly string[];
};
