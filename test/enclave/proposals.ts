// Proposals to commit without an operation.

import type { OrganizationState } from '../../src/core/organization/state.ts';
import type { Proposal } from '../../src/pipeline/ports.ts';

/**
 * Returns a proposal of a decided activity without parameters, which changes only what `more` lists.
 * `digest` is its fingerprint, 32 bytes.
 */
export function proposalOn(
  state: OrganizationState,
  { id, digest, atMs = 1 }: { readonly id: string; readonly digest: Uint8Array; atMs?: number },
  more: Partial<Proposal> = {},
): Proposal {
  return {
    state,
    changes: { head: undefined, records: [] },
    activity: {
      id,
      organizationId: state.id,
      type: 'TEST',
      status: 'ACTIVITY_STATUS_COMPLETED',
      intent: {},
      result: {},
      votes: [],
      submitterId: '',
      evaluations: [],
      fingerprint: '',
      createdAtMs: atMs,
      updatedAtMs: atMs,
      version: 1,
    },
    fingerprint: { digest, bucket: 0 },
    children: [],
    alsoDecidedOn: [],
    restsOnGuard: false,
    messages: [],
    ...more,
  };
}
