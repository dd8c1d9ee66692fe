// Finds the row that the store failed to read, for the operator's log.

import { equalBytes } from '../../core/base/bytes.ts';
import { finish } from '../../core/base/steps.ts';
import { smallKinds } from '../../core/organization/kinds.ts';
import type { OrganizationRequest, StoredActivity, StorePort } from '../../store/port.ts';
import { headAddress } from './change_writer.ts';
import { isUnavailable, refuseRecord, unknownId, withLocation } from './record_codec.ts';
import type { VerifyOrganization } from './verify_organization.ts';

type FailedRead = Omit<OrganizationRequest, 'knownVersion'>;

export type FaultLocator = {
  /** Rejects the row on which a read failed. Throws the failure itself if no row is at fault. */
  ofRead(asked: FailedRead, failure: unknown): Promise<never>;
  /** Like `ofRead`, for a commit. Also rejects an activity whose stored row is not the one to be replaced. */
  ofCommit(activity: StoredActivity, failure: unknown): Promise<never>;
};

/** Creates a locator that reads each part of an organization separately. */
export function createFaultLocator(store: StorePort, verify: VerifyOrganization): FaultLocator {
  async function ofRead(asked: FailedRead, failure: unknown): Promise<never> {
    if (isUnavailable(failure)) throw failure;
    const { organizationId, kinds, fingerprint } = asked;
    const nothing = { organizationId, kinds: [], knownVersion: 0, fingerprint: undefined };
    const ask = (part: Partial<OrganizationRequest>) => () =>
      store.organization({ ...nothing, ...part });
    await withLocation(headAddress(organizationId, 0), ask({}));
    for (const kind of kinds) {
      await withLocation({ organizationId, kind, id: unknownId }, ask({ kinds: [kind] }));
    }
    await withLocation({ organizationId, kind: 'activity', id: unknownId }, ask({ fingerprint }));
    finish(verify(organizationId, undefined, await ask({ kinds })()));
    throw failure;
  }

  return {
    ofRead,
    ofCommit: async (activity, failure) => {
      const { organizationId, version } = activity;
      if (!isUnavailable(failure) && version > 1) await refuseUnlessStored(store, activity);
      return ofRead({ organizationId, kinds: smallKinds, fingerprint: undefined }, failure);
    },
  };
}

async function refuseUnlessStored(store: StorePort, activity: StoredActivity): Promise<void> {
  const { organizationId, id } = activity;
  const ask = () => store.activity({ organizationId, id });
  const row = await withLocation({ organizationId, kind: 'activity', id }, ask);
  const isStored =
    row !== undefined &&
    (['type', 'bucket', 'createdAtMs'] as const).every((name) => row[name] === activity[name]) &&
    equalBytes(row.fingerprint, activity.fingerprint);
  if (!isStored) refuseRecord({ organizationId, kind: 'activity', id, version: row?.version ?? 0 });
}
