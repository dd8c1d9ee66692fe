// Reads nonces used by final transactions of an address. A lookup is a hint; the row must name the address.

import { sentNonceValue } from '../../core/organization/indexes/indexes.ts';
import type { LargeRecords } from '../../core/organization/model.ts';
import type { Reader } from '../../operations/reader.ts';
import type { StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { type RecordCodec, refuseRecord } from './record_codec.ts';

const kind = 'sent_nonce';
/** One row is expected, or two if a database withheld the first for a time. */
const maximumRows = 10;
/** Creates the reader of the used nonces of one organization. */
export function createSentNonceReader({
  store,
  codec,
  keys,
}: {
  readonly store: Pick<StorePort, 'lookup' | 'records'>;
  readonly codec: RecordCodec;
  readonly keys: Pick<RootKeys, 'blind'>;
}): (organizationId: string) => Pick<Reader, 'sentNonce'> {
  return (organizationId) => ({
    sentNonce: async ({ caip2, address }) => {
      const value = sentNonceValue({ caip2, address });
      const blind = keys.blind(kind, organizationId, value);
      const found = await store.lookup({ index: kind, blind, limit: maximumRows });
      const ids = found
        .filter((entry) => entry.organizationId === organizationId)
        .map(({ recordId }) => recordId);
      const stored =
        ids.length === 0
          ? []
          : await store.records({ organizationId, kind, ids: [...new Set(ids)] });
      const rows = stored.map((row) => {
        if (row.kind !== kind || !ids.includes(row.id)) refuseRecord({ ...row, organizationId });
        return codec.openRecord(organizationId, row) as LargeRecords['sent_nonce'];
      });
      return rows
        .filter((row) => row.caip2 === caip2 && row.address === address)
        .toSorted((a, b) => (BigInt(a.next) < BigInt(b.next) ? 1 : -1))[0];
    },
  });
}
