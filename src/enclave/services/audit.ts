// Creates the lines of the audit stream from sealed activities.

import { isOpen } from '../../core/activity/activity.ts';
import { utf8 } from '../../core/base/bytes.ts';
import { createRecentCache } from '../../core/base/lru_cache.ts';
import { assert } from '../../core/errors/errors.ts';
import type { LargeRecords } from '../../core/organization/model.ts';
import { policySetRowId } from '../../core/policy/sets/policy_set.ts';
import { auditLine, unreadableAuditLine } from '../../core/views/audit_line.ts';
import type { EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { StorePort } from '../../store/port.ts';
import { type RecordCodec, RecordRefusedError, refuseRecord } from '../records/record_codec.ts';

type Entry = RequestOf<EnclaveMessages['auditLines']>['entries'][number];

/** Maximum entries of one request. */
const maximumAuditLines = 128;
/** Maximum bytes of one answer; a longer line gets its own answer. */
const maximumAnswerBytes = 1024 * 1024;
/** Maximum number of cached policy sets. */
const maximumCachedSets = 1_000;

type Audit = {
  /** Returns JSON, one line for each of the first entries, at least one. */
  lines(entries: readonly Entry[]): Promise<readonly Uint8Array[]>;
};

export function createAudit({
  store,
  codec,
  refusedRow,
}: {
  readonly store: Pick<StorePort, 'activity' | 'records'>;
  readonly codec: RecordCodec;
  /** Called for an altered row. */
  readonly refusedRow: (error: RecordRefusedError) => void;
}): Audit {
  const sets = createRecentCache<readonly string[]>(maximumCachedSets);

  /** Returns the policies of a set. Sets never change and are never deleted. */
  async function policyIdsOf(organizationId: string, setName: string): Promise<readonly string[]> {
    const id = policySetRowId(setName);
    const name = `${organizationId}/${id}`;
    const known = sets.get(name);
    if (known !== undefined) return known;
    const kind = 'policy_set';
    const rows = await store.records({ organizationId, kind, ids: [id] });
    const row = rows.find((each) => each.id === id && each.kind === kind);
    if (row === undefined) return refuseRecord({ organizationId, kind, id, version: 0 });
    const { policyIds } = codec.openRecord(organizationId, row) as LargeRecords['policy_set'];
    sets.set(name, policyIds);
    return policyIds;
  }

  async function lineOf({ number, organizationId, activityId, version }: Entry) {
    const row = await store.activity({ organizationId, id: activityId });
    const place = { organizationId, kind: 'activity', id: activityId, version } as const;
    if (row === undefined || row.id !== activityId) return refuseRecord(place);
    const activity = codec.openActivity(organizationId, row);
    // The row is an earlier, waiting version: a rollback.
    if (isOpen(activity)) return refuseRecord(place);
    const { evaluations } = activity;
    const voteId = activity.decisions?.at(-1)?.voteId;
    const setId = evaluations.find((each) => each.voteId === voteId)?.policySetId;
    const policyIds = setId === undefined ? [] : await policyIdsOf(organizationId, setId);
    return auditLine(number, activity, policyIds);
  }

  return {
    lines: async (entries) => {
      assert(entries.length <= maximumAuditLines, 'few lines are asked for at once');
      const lines: Uint8Array[] = [];
      let length = 0;
      for (const entry of entries) {
        const line = await lineOf(entry).catch((error: unknown) => {
          if (!(error instanceof RecordRefusedError)) throw error;
          refusedRow(error);
          return unreadableAuditLine(entry.number, entry);
        });
        const bytes = utf8(JSON.stringify(line));
        length += bytes.length;
        if (lines.length > 0 && length > maximumAnswerBytes) break;
        lines.push(bytes);
      }
      return lines;
    },
  };
}
