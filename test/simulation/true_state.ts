// The state of an organization in the true history, and the statuses of its activities that wait.

import type { OrganizationHead, RecordKind, Records } from '../../src/core/organization/model.ts';

/** An organization at one version, with all its records. */
export type TrueState = {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly version: number;
  readonly head: OrganizationHead;
  readonly rows: { readonly [Kind in RecordKind]: ReadonlyMap<string, Records[Kind]> };
};

/** Statuses that votes can still change. */
export const waitingStatuses: readonly string[] = [
  'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED',
];
