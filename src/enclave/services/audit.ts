// The lines of the audit stream, from sealed activities.

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

/** Lines of one request. */
const maximumAuditLines = 128;
/** Bytes of one answer; a line that is longer has an answer of its own. */
const maximumAnswerBytes = 1024 * 1024;
/** Policy sets whose ids stay in memory. */
const maximumCachedSets = 1_000;

type Audit = {
  /** JSON, one line for each of the first entries, at least one. */
  lines(entries: readonly Entry[]): Promise<readonly Uint8Array[]>;
};

export function createAudit({
  store,
  codec,
  refusedRow,
}: {
  readonly store: Pick<StorePort, 'activity' | 'records'>;
  readonly codec: RecordCodec;
  /** Called for a row that differs from what was sealed. */
  readonly refusedRow: (error: RecordRefusedError) => void;
}): Audit {
  const sets = createRecentCache<readonly string[]>(maximumCachedSets);

  /** Sets never change, and none is ever deleted. */
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
    // The row is an earlier, waiting state that was put back.
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
