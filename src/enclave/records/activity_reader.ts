// Activities, which the state of their organization vouches for.

import type { Activity } from '../../core/organization/records/activity.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { Reader } from '../../operations/reader.ts';
import type { StoredActivity, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import type { RecordAddress } from '../keys/sealing.ts';
import { vouchesFor } from './completeness.ts';
import { checkPage, pageOf } from './pages.ts';
import { maximumLookupRows } from './reader_limits.ts';
import { type RecordCodec, refuseRecord } from './record_codec.ts';
import type { Voters } from './voters.ts';

/** Reads after which a row counts as withheld whose state moves on each time. */
const maximumReads = 20;

/** Creates the reader of the activities of one organization at one version. */
export function createActivityReaders({
  store,
  codec,
  keys,
  voters,
  organization,
}: {
  readonly store: Pick<StorePort, 'activity' | 'activityPage' | 'lookup'>;
  readonly codec: RecordCodec;
  readonly keys: RootKeys;
  readonly voters: Pick<Voters, 'complete'>;
  readonly organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
}): (state: OrganizationState) => Pick<Reader, 'activity' | 'votedActivity' | 'activityPage'> {
  return (state) => {
    const organizationId = state.id;

    /** The state may be a moment older than the row: then what is true is asked for again. */
    async function activity(id: string): Promise<Activity | undefined> {
      let vouching: OrganizationState | undefined = state;
      let version = 0;
      for (let reads = 0; reads < maximumReads && vouching !== undefined; reads += 1) {
        const row = await store.activity({ organizationId, id });
        version = row?.version ?? 0;
        if (row === undefined) {
          if (!vouching.records.open_activity.has(id)) return undefined;
        } else {
          if (row.id !== id) refuseRecord({ organizationId, kind: 'activity', id, version });
          const recorded = codec.openActivity(organizationId, row);
          if (vouchesFor(vouching, recorded)) {
            return (await voters.complete(organizationId, [recorded]))[0];
          }
        }
        vouching = (await organization(organizationId)).state;
      }
      return refuseRecord({ organizationId, kind: 'activity', id, version });
    }

    return {
      activity,
      votedActivity: async (fingerprint) => {
        const blind = keys.blind('activity_fingerprint', organizationId, fingerprint);
        const limit = maximumLookupRows;
        const found = await store.lookup({ index: 'activity_fingerprint', blind, limit });
        for (const entry of found) {
          if (entry.organizationId !== organizationId) continue;
          const voted = await activity(entry.recordId);
          // An entry is only a hint: the activity itself says which body it answers.
          if (voted?.fingerprint === fingerprint) return voted;
        }
        return undefined;
      },
      activityPage: async (filter, page) => {
        const { statuses, types, fromId, beforeId } = filter;
        const rows = await pageOf(page, 'descending', (request) => {
          // No id equals a bound: those are of a moment, and name nothing.
          const bounds = {
            greaterThan: greater(request.greaterThan, fromId),
            lessThan: less(request.lessThan, beforeId),
          };
          return store.activityPage({
            organizationId,
            statuses,
            types,
            page: { ...request, ...bounds },
          });
        });
        const placeOf = ({ id, version }: StoredActivity): RecordAddress => ({
          organizationId,
          kind: 'activity',
          id,
          version,
        });
        checkPage(rows, page, 'descending', placeOf);
        const recorded = rows.map((row) => {
          const found = codec.openActivity(organizationId, row);
          const isWithin = greater(fromId, row.id) === row.id && less(beforeId, row.id) === row.id;
          const isAsked =
            isWithin &&
            (statuses.length === 0 || statuses.includes(found.status)) &&
            (types.length === 0 || types.includes(found.type));
          return isAsked ? found : refuseRecord(placeOf(row));
        });
        const vouched = recorded.filter((found) => vouchesFor(state, found));
        const complete = await voters.complete(organizationId, vouched);
        const known = new Map(complete.map((found) => [found.id, found]));
        return Promise.all(
          rows.map(
            async (row) =>
              // It was voted on since: what it is by now, even where the filter would not list it.
              known.get(row.id) ?? (await activity(row.id)) ?? refuseRecord(placeOf(row)),
          ),
        );
      },
    };
  };
}

/** The greater of two ids; the other where one is undefined. */
function greater(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}

function less(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}
