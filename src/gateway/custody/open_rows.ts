// Opens every sealed row of a replica in the enclave, page by page.

import { isAuditEntry } from '../../store/reads/audit_stream.ts';
import {
  type CopiedRow,
  copiedTables,
  pagesOf,
  type RowCounts,
  type Snapshot,
} from '../../store/tables/copied_tables.ts';
import {
  activityOfRow,
  deliveryOfRow,
  organizationOfRow,
  recordOfRow,
} from '../../store/tables/rows.ts';
import type { Custodian } from './custodian.ts';
import { UnverifiedError } from './unverified_error.ts';

/** Opens the sealed rows of each table; other tables are not sealed. */
const opened = {
  organizations: (rows: readonly CopiedRow[]) => ({ organizations: rows.map(organizationOfRow) }),
  records: (rows: readonly CopiedRow[]) => ({ records: rows.map(recordOfRow) }),
  activities: (rows: readonly CopiedRow[]) => ({ activities: rows.map(activityOfRow) }),
  webhook_events: (rows: readonly CopiedRow[]) => ({
    events: rows.map(deliveryOfRow).filter((event) => !isAuditEntry(event)),
  }),
} as const;

const nothing = { organizations: [], records: [], activities: [], events: [] };

/**
 * Opens every sealed row; returns the number of rows of each table. `looked` is called with the rows of each
 * page. @throws UnusableDataError with the names of rows that do not open.
 */
export async function openAllRows(
  snapshot: Snapshot,
  custodian: Custodian,
  looked: (rows: number) => void,
): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const table of copiedTables) {
    counts[table.name] = 0;
    const open = Object.entries(opened).find(([name]) => name === table.name)?.[1];
    for await (const rows of pagesOf(snapshot, table)) {
      if (open !== undefined) {
        const asked = { ...nothing, ...open(rows) };
        const { refused } = await custodian.call('openRows', asked);
        if (refused.length > 0) refuse(refused);
      }
      counts[table.name] = (counts[table.name] ?? 0) + rows.length;
      looked(rows.length);
    }
  }
  return counts;
}

function refuse(rows: readonly string[]): never {
  const [first, ...others] = rows;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  throw new UnverifiedError(`a row does not open: ${first}${more}`);
}
