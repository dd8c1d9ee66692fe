// Opens votes with their users, which are separate records, for tests that watch changes.

import assert from 'node:assert/strict';
import type { LargeRecords } from '../../src/core/organization/model.ts';
import type { Activity } from '../../src/core/organization/records/activity.ts';
import type { UserView } from '../../src/core/organization/records/user_view.ts';
import type { RecordCodec } from '../../src/enclave/records/record_codec.ts';
import { withVoters } from '../../src/enclave/records/voters.ts';
import type { StoreChange, StoredActivity } from '../../src/store/port.ts';

/** Creates a codec that opens activities with users of earlier changes. */
export function createSeenVoters(codec: RecordCodec) {
  const users = new Map<string, UserView>();
  return {
    /** Stores the users in a change. */
    see: (change: StoreChange): void => {
      for (const row of change.records) {
        if (row.kind !== 'voter') continue;
        const voter = codec.openRecord(row.organizationId, row) as LargeRecords['voter'];
        users.set(`${row.organizationId}/${row.id}`, voter.user);
      }
    },
    /** Opens an activity. Fails if the user of a vote is unknown. */
    open: (row: StoredActivity): Activity =>
      withVoters(codec.openActivity(row.organizationId, row), (id) => {
        const user = users.get(`${row.organizationId}/${id}`);
        assert(user !== undefined, `the user ${id} of a vote was never stored`);
        return user;
      }),
  };
}
