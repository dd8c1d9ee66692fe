// The sealed column of each table, and the address that each row was sealed for.

import type { RecordAddress } from '../enclave/keys/sealing.ts';
import { chainCursorPlace, isChainCursor } from '../enclave/records/chain_cursor.ts';
import { headAddress } from '../enclave/records/change_writer.ts';
import { custodyId, custodyPlace } from '../enclave/records/custody_reader.ts';
import { eventAddress } from '../enclave/records/event_writer.ts';
import { keyEpochId } from '../enclave/records/key_epochs.ts';
import { isLogHead, logHeadPlace } from '../enclave/records/log_rows.ts';
import { activityPlace } from '../enclave/records/record_codec.ts';
import { deploymentAddress } from '../enclave/services/bootstrap.ts';
import { isAuditEntry } from '../store/reads/audit_stream.ts';
import { type CopiedRow, type CopiedTable, copiedTables } from '../store/tables/copied_tables.ts';
import { bytesOf, integerOf, textOf } from '../store/tables/rows.ts';

/** The member of a record that holds a sealed secret, and the kind of that secret. */
export const secretMembers: Readonly<
  Record<string, { readonly member: string; readonly kind: string }>
> = {
  wallet: { member: 'secret', kind: 'wallet_secret' },
  private_key: { member: 'secret', kind: 'private_key_secret' },
  secret_text: { member: 'secret', kind: 'text_secret' },
  import_target: { member: 'secret', kind: 'import_target_secret' },
  auth_proxy_config: { member: 'secret', kind: 'auth_proxy_secret' },
  otp_code: { member: 'targetPrivateKey', kind: 'otp_target_secret' },
};

/** A table with sealed rows. */
type SealedTable = {
  readonly table: CopiedTable;
  readonly column: string;
  /** Returns the address of a row; undefined for a row that is not sealed with the keys of records. */
  readonly placeOf: (row: CopiedRow) => RecordAddress | undefined;
};

const sealedTables: Readonly<Record<string, Omit<SealedTable, 'table'>>> = {
  deployment: { column: 'body', placeOf: () => deploymentAddress },
  organizations: { column: 'head', placeOf: placeOfHead },
  records: {
    column: 'body',
    placeOf: (row) => ({
      organizationId: textOf(row['organization_id']),
      kind: textOf(row['kind']),
      id: textOf(row['id']),
      version: integerOf(row['version']),
    }),
  },
  activities: {
    column: 'body',
    placeOf: (row) =>
      activityPlace({
        organizationId: textOf(row['organization_id']),
        id: textOf(row['id']),
        version: integerOf(row['version']),
      }),
  },
  webhook_events: {
    column: 'body',
    placeOf: (row) => {
      const endpointId = textOf(row['endpoint_id']);
      if (isAuditEntry({ endpointId })) return undefined;
      const eventId = textOf(row['event_id']);
      return eventAddress({
        organizationId: textOf(row['organization_id']),
        endpointId,
        eventId,
      });
    },
  },
};

/** The tables with sealed rows, in the order in which they are rewritten. */
export const allSealedTables: readonly SealedTable[] = copiedTables.flatMap((table) => {
  const sealed = sealedTables[table.name];
  return sealed === undefined ? [] : [{ table, ...sealed }];
});

function placeOfHead(row: CopiedRow): RecordAddress | undefined {
  const id = textOf(row['id']);
  const version = integerOf(row['version']);
  // The record of key epochs has a sealing of its own, and used tokens have no body.
  if (id === keyEpochId || bytesOf(row['head']).length === 0) return undefined;
  if (id === custodyId) return custodyPlace(version);
  if (isLogHead(id)) return logHeadPlace(version);
  if (isChainCursor(id)) return chainCursorPlace(id, version);
  return headAddress(id, version);
}
