// Organizations that archived activities created. Each organization has a permanent row in the database, even
// after its deletion. A missing row was removed by an attacker.

import { headAddress, type SealedHead } from '../enclave/records/change_writer.ts';
import { openJson, type RecordCodec } from '../enclave/records/record_codec.ts';
import type { StoredOrganization } from '../store/port.ts';
import { copiedTables, type Snapshot } from '../store/tables/copied_tables.ts';
import { organizationOfRow } from '../store/tables/rows.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';

/** An organization, and the archived activity that created it. */
export type CreatedOrganization = {
  readonly organizationId: string;
  readonly activityId: string;
};

/** Counts of organizations that archived activities created. */
export type CreatedOrganizations = {
  readonly created: number;
  /** Deleted organizations among them. */
  readonly deleted: number;
  /** Organizations newer than the database, which was restored from an older backup. */
  readonly missing: number;
};

const organizations = copiedTables.find(({ name }) => name === 'organizations');
/** The number of identifiers that differ only in their last digit. */
const siblings = 16;

/** Returns the row of an organization, if it exists. */
export async function organizationIn(
  snapshot: Pick<Snapshot, 'page'>,
  organizationId: string,
): Promise<StoredOrganization | undefined> {
  if (organizations === undefined) return undefined;
  // A page begins after a key, and the shortened ID sorts before all siblings.
  const rows = await snapshot.page(organizations, { id: organizationId.slice(0, -1) }, siblings);
  const row = rows.find(({ id }) => id === organizationId);
  return row && organizationOfRow(row);
}

/**
 * Finds organizations that activities of one segment created. Raises UnusableDataError if an organization's
 * head differs from the sealed head, or if the database lacks the organization but records the segment
 * (`isRemembered`).
 */
export async function findCreated(
  snapshot: Pick<Snapshot, 'page'>,
  codec: Pick<RecordCodec, 'sealing'>,
  {
    segment,
    isRemembered,
    created,
  }: {
    readonly segment: string;
    readonly isRemembered: boolean;
    readonly created: readonly CreatedOrganization[];
  },
): Promise<CreatedOrganizations> {
  let deleted = 0;
  let missing = 0;
  for (const { organizationId, activityId } of created) {
    const row = await organizationIn(snapshot, organizationId);
    const origin = `activity ${activityId} of the archive segment ${segment} created`;
    if (row === undefined) {
      missing += 1;
      if (!isRemembered) continue;
      throw new UnusableDataError(
        `the database lacks organization ${organizationId}, which ${origin}`,
      );
    }
    const head = headOf(row, codec);
    if (head === undefined) {
      throw new UnusableDataError(
        `organization ${organizationId}, which ${origin}, differs from the sealed one`,
      );
    }
    if (head.deletedAtMs !== undefined) deleted += 1;
  }
  return { created: created.length, deleted, missing };
}

function headOf(
  { organizationId, version, head }: StoredOrganization,
  { sealing }: Pick<RecordCodec, 'sealing'>,
): SealedHead['head'] | undefined {
  try {
    return openJson<SealedHead>(sealing, headAddress(organizationId, version), head).head;
  } catch {
    return undefined;
  }
}
