// The row of a chain's cursor: its ID, its place and its content.

import type { ChainCursor, ChainName } from '../../core/balances/cursor.ts';
import type { StorePort } from '../../store/port.ts';
import type { RecordAddress } from '../keys/sealing.ts';
import { openJson, type RecordCodec, readOwnRow, refuseRecord } from './record_codec.ts';

/**
 * Returns the row ID of a cursor. A cursor is stored like an organization: one sealed row whose version rises
 * with every change, so that only one of two nodes advances it. Requests cannot name it, because the ID is
 * not a UUID.
 */
export function cursorId({ caip2, fromBlock }: ChainName): string {
  return `chain/${caip2}/${fromBlock ?? ''}`;
}

/** Returns true if a row among the organizations is a cursor, by its id. */
export function isChainCursor(id: string): boolean {
  return id.startsWith('chain/');
}

export function chainCursorPlace(organizationId: string, version: number): RecordAddress {
  return { organizationId, kind: 'chain_cursor', id: organizationId, version };
}

/** Returns the cursor and its version; 0 and empty before the first step. Raises `record_refused`. */
export async function readCursor(
  store: Pick<StorePort, 'organization'>,
  codec: RecordCodec,
  name: ChainName,
): Promise<{ readonly version: number; readonly cursor: ChainCursor }> {
  const organizationId = cursorId(name);
  const { organization: row } = await readOwnRow(store, chainCursorPlace(organizationId, 0), 0);
  if (row === undefined) return { version: 0, cursor: [] };
  const place = chainCursorPlace(organizationId, row.version);
  if (row.organizationId !== organizationId) refuseRecord(place);
  return { version: row.version, cursor: openJson<ChainCursor>(codec.sealing, place, row.head) };
}
