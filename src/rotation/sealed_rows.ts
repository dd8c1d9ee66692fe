// The tables with sealed rows, and the address that each row was sealed for.

import type { RecordAddress } from '../enclave/keys/sealing.ts';
import { placeOfRow } from '../enclave/records/sealed_places.ts';
import type { CopiedRow } from '../store/tables/copied_tables.ts';
import { type SealedTable, sealedTables } from '../store/tables/sealed_columns.ts';

/** The tables with sealed rows, in the order in which they are rewritten. */
export const allSealedTables: readonly (SealedTable & {
  /** Returns the address of a row; undefined for a row that is not sealed with the keys of records. */
  readonly placeOf: (row: CopiedRow) => RecordAddress | undefined;
})[] = sealedTables.map((table) => ({
  ...table,
  placeOf: (row) => {
    const name = table.nameOf(row);
    return name && placeOfRow(name);
  },
}));
