// Loads and verifies an organization at its newest version, and the activity of a fingerprint.

import { fingerprintText } from '../../core/activity/activity.ts';
import { equalBytes } from '../../core/base/bytes.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { Fingerprint } from '../../pipeline/ports.ts';
import type { StoredActivity, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import type { ArchiveReader } from './archive_reader.ts';
import { headAddress, type LoadedOrganization } from './change_writer.ts';
import { activityOfChange, vouchesFor } from './completeness.ts';
import type { KnownOrganizations } from './known_organizations.ts';
import type { FaultLocator } from './locate_fault.ts';
import type { Reading } from './portions.ts';
import { type RecordCodec, refuseRecord } from './record_codec.ts';
import { blindFingerprint } from './seal_proposal.ts';
import { createNewestReader, type RequireNewest } from './shared_rows.ts';
import type { VerifyOrganization } from './verify_organization.ts';
import type { Voters } from './voters.ts';

type Ports = {
  readonly store: StorePort;
  readonly codec: RecordCodec;
  readonly keys: RootKeys;
  readonly voters: Voters;
  readonly archive: ArchiveReader;
  readonly verify: VerifyOrganization;
  readonly faults: FaultLocator;
  readonly known: KnownOrganizations;
  readonly requireNewest: RequireNewest;
  readonly reading: Pick<Reading, 'pause' | 'workFor'>;
};

type BlindFingerprint = Pick<StoredActivity, 'bucket' | 'fingerprint'>;

/** Returns the newest state of an organization, and the activity of the fingerprint if it exists. */
export type LoadOrganization = (
  organizationId: string,
  fingerprint?: Fingerprint,
) => Promise<{ state: OrganizationState | undefined; activity: Activity | undefined }>;

export function createOrganizationLoader(ports: Ports): LoadOrganization {
  const { keys, voters } = ports;
  const newest = createNewestReader(ports);
  return async (organizationId, fingerprint) => {
    const blind = fingerprint && blindFingerprint(keys, organizationId, fingerprint);
    const { answer, loaded } = await newest(organizationId, blind);
    const row = answer.activity;
    if (row === undefined || blind === undefined || fingerprint === undefined) {
      await refuseIfWithheld(organizationId, loaded, blind, ports);
      return { state: loaded?.state, activity: undefined };
    }
    // Both come from one snapshot, so an activity without its organization is a fault.
    if (loaded === undefined) refuseRecord(headAddress(organizationId, 0));
    const recorded = openActivity(row, loaded, { fingerprint, blind }, ports);
    const [activity] = await voters.complete(organizationId, [recorded]);
    return { state: loaded.state, activity };
  };
}

/** Rejects a missing activity if the organization remembers that its request was done. */
async function refuseIfWithheld(
  organizationId: string,
  loaded: LoadedOrganization | undefined,
  blind: BlindFingerprint | undefined,
  { archive }: Ports,
): Promise<void> {
  const id = activityOfChange(loaded?.recent ?? [], blind?.fingerprint);
  if (id === undefined) return;
  // The body of an archived activity is too old to be repeated, so its timestamp is rejected.
  const isArchived = (await archive.segmentOf(organizationId, id)) !== undefined;
  if (!isArchived) refuseRecord({ organizationId, kind: 'activity', id, version: 0 });
}

/** Opens the activity of a fingerprint. Rejects a row of another fingerprint, body or time. */
function openActivity(
  row: StoredActivity,
  { state }: LoadedOrganization,
  asked: { readonly fingerprint: Fingerprint; readonly blind: BlindFingerprint },
  { codec }: Ports,
) {
  const { fingerprint, blind } = asked;
  const recorded = codec.openActivity(state.id, row);
  const isOfFingerprint =
    row.bucket === blind.bucket &&
    equalBytes(row.fingerprint, blind.fingerprint) &&
    // The columns are not sealed; the activity itself names the body that it answers.
    recorded.fingerprint === fingerprintText(fingerprint.bodyDigest ?? fingerprint.digest);
  if (!isOfFingerprint || !vouchesFor(state, recorded)) {
    refuseRecord({ organizationId: state.id, kind: 'activity', id: row.id, version: row.version });
  }
  return recorded;
}
