// Wraps the store for requests of the enclave. A row is first read with a bound; a large row is read only
// once the request has a place for large reads.

import { maximumPageBytes, type StorePort } from '../../store/port.ts';
import type { LargeReads } from './large_reads.ts';

/** Returns a store that reads large rows only in a place for large reads. */
export function boundedStore(store: StorePort, large: LargeReads): StorePort {
  return {
    ...store,
    activity: async (request) => {
      if (request.maximumBytes !== undefined || !large.mustEnter()) return store.activity(request);
      const row = await store.activity({ ...request, maximumBytes: maximumPageBytes });
      if (row === undefined || row.body.length > 0) return row;
      await large.enter(request.organizationId);
      return store.activity(request);
    },
    records: async (request) => {
      if (request.maximumBytes !== undefined || !large.mustEnter()) return store.records(request);
      const rows = await store.records({ ...request, maximumBytes: maximumPageBytes });
      if (rows.every(({ body }) => body.length > 0)) return rows;
      await large.enter(request.organizationId);
      return store.records(request);
    },
  };
}
