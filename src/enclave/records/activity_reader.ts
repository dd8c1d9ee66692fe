// Reads activities and checks them against the state of their organization.

import type { RecordedActivity } from '../../core/activity/stored_form.ts';
import { finishInParts } from '../../core/base/steps.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import { isFromEnd } from '../../operations/page.ts';
import type { ActivityFilter, Page, Reader } from '../../operations/reader.ts';
import type { StoredActivity, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import type { RecordAddress } from '../keys/sealing.ts';
import { vouchesFor } from './completeness.ts';
import { checkPage, pageOf } from './pages.ts';
import { createPauses, createPortion, type Reading } from './portions.ts';
import { maximumLookupRows } from './reader_limits.ts';
import { type RecordCodec, refuseRecord } from './record_codec.ts';
import type { Voters } from './voters.ts';

/** Maximum reads while the state keeps changing. Then the row counts as withheld. */
const maximumReads = 20;

type ActivityReads = Pick<Reader, 'activity' | 'activities' | 'votedActivity' | 'activityPage'>;

/** An activity and its approximate size in an answer, in bytes. */
type Weighed = { readonly activity: Activity; readonly bytes: number };

/** Creates the reader of the activities of one organization at one version. */
export function createActivityReaders(ports: {
  readonly store: Pick<StorePort, 'activity' | 'activityPage' | 'lookup'>;
  readonly codec: RecordCodec;
  readonly keys: RootKeys;
  readonly voters: Pick<Voters, 'complete' | 'charactersOf'>;
  readonly organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
  readonly reading: Reading;
}): (state: OrganizationState) => ActivityReads {
  const { store, keys } = ports;
  return (state) => {
    const organizationId = state.id;
    const one = createActivityRead(state, ports);
    const activity = async (id: string) => (await one(id))?.activity;
    return {
      activity,
      activities: async (ids) => {
        const portion = createPortion(organizationId, ports.reading);
        const activities: Activity[] = [];
        const answer = (isCut: boolean) => ({ activities, isCut, bytes: portion.bytes() });
        for (const id of ids) {
          const found = await one(id);
          if (found === undefined) continue;
          if (!portion.fits(found.bytes)) return answer(true);
          activities.push(found.activity);
          await portion.add(found.bytes);
        }
        return answer(false);
      },
      votedActivity: async (fingerprint) => {
        const blind = keys.blind('activity_fingerprint', organizationId, fingerprint);
        const limit = maximumLookupRows;
        const found = await store.lookup({ index: 'activity_fingerprint', blind, limit });
        for (const entry of found) {
          if (entry.organizationId !== organizationId) continue;
          const voted = await activity(entry.recordId);
          // An entry is only a hint; the activity itself names the body that it answers.
          if (voted?.fingerprint === fingerprint) return voted;
        }
        return undefined;
      },
      activityPage: createActivityPages(state, one, ports),
    };
  };
}

type Ports = Parameters<typeof createActivityReaders>[0];
type ReadOne = (id: string) => Promise<Weighed | undefined>;

/** Creates the function that reads one activity and checks it against the state of its organization. */
function createActivityRead(
  state: OrganizationState,
  { store, codec, voters, organization, reading }: Ports,
): ReadOne {
  const organizationId = state.id;
  /** The state may be slightly older than the row; the reader then fetches the current state. */
  return async (id) => {
    let vouching: OrganizationState | undefined = state;
    let version = 0;
    for (let reads = 0; reads < maximumReads && vouching !== undefined; reads += 1) {
      const row = await store.activity({ organizationId, id });
      version = row?.version ?? 0;
      if (row === undefined) {
        if (!vouching.records.open_activity.has(id)) return undefined;
      } else {
        if (row.id !== id) refuseRecord({ organizationId, kind: 'activity', id, version });
        const opening = codec.openActivityInSteps(organizationId, row);
        const recorded = await finishInParts(opening, reading.pause);
        if (vouchesFor(vouching, recorded)) {
          const [activity] = await voters.complete(organizationId, [recorded]);
          return activity && { activity, bytes: row.body.length + votersOf(activity, voters) };
        }
      }
      vouching = (await organization(organizationId)).state;
    }
    return refuseRecord({ organizationId, kind: 'activity', id, version });
  };
}

/**
 * Creates the function that reads pages of activities. A page that exceeds its bytes ends before its limit.
 */
function createActivityPages(
  state: OrganizationState,
  readOne: ReadOne,
  ports: Ports,
): ActivityReads['activityPage'] {
  const { reading } = ports;
  const organizationId = state.id;
  const rowsOf = createRowPages(organizationId, ports);
  const open = createRowReads(state, readOne, ports);

  /** Reads rows. A request that has to wait for a large read drops its rows, and reads them again. */
  async function rowsInTurn(
    filter: ActivityFilter,
    page: Page,
  ): Promise<readonly StoredActivity[]> {
    const rows = await rowsOf(filter, page);
    if (!reading.large.mustEnter() || !rows.some(isLeftOut)) return rows;
    return reading.large.enter(organizationId).then(() => rowsOf(filter, page));
  }

  return async (filter, page) => {
    const fromEnd = isFromEnd(page);
    const portion = createPortion(organizationId, reading);
    const found: Activity[] = [];
    const answer = (isCut: boolean) => ({
      activities: fromEnd ? found.toReversed() : found,
      isCut,
      bytes: portion.bytes(),
    });
    let { before, after } = page;
    while (found.length < page.limit) {
      const limit = page.limit - found.length;
      const rows = await rowsInTurn(filter, { before, after, limit });
      const inOrder = fromEnd ? rows.toReversed() : rows;
      const part = firstPart(inOrder);
      const last = part.at(-1);
      if (last === undefined) break;
      if (isLeftOut(last) && !portion.hasRoom()) return answer(true);
      for (const { activity, bytes } of await open(filter, part)) {
        if (!portion.fits(bytes)) return answer(true);
        found.push(activity);
        await portion.add(bytes);
      }
      if (part.length === rows.length && rows.length < limit) break;
      if (fromEnd) before = last.id;
      else after = last.id;
    }
    return answer(false);
  };
}

/** Creates the functions that read rows from the store, as pages in list order. */
function createRowPages(organizationId: string, { store }: Ports) {
  return async (filter: ActivityFilter, page: Page): Promise<readonly StoredActivity[]> => {
    const { statuses, types, fromId, beforeId } = filter;
    const rows = await pageOf(page, 'descending', (request) => {
      // No id equals a bound, because a bound encodes only a time.
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
    checkPage(rows, page, 'descending', (row) => placeOf(organizationId, row));
    return rows;
  };
}

/**
 * Creates the functions that read activities from their rows: several with bodies, or one without its body.
 */
function createRowReads(
  state: OrganizationState,
  readOne: ReadOne,
  { codec, voters, reading }: Ports,
) {
  const organizationId = state.id;

  /**
   * Returns the current state of an activity with later votes, even if the filter would no longer match it.
   */
  async function newest(filter: ActivityFilter, row: StoredActivity): Promise<Weighed> {
    const found = await readOne(row.id);
    if (found === undefined) return refuseRecord(placeOf(organizationId, row));
    const { activity } = found;
    const isListed = activity.version === row.version;
    if (isListed && !isAsked(filter, activity)) refuseRecord(placeOf(organizationId, row));
    return found;
  }

  return async (
    filter: ActivityFilter,
    rows: readonly StoredActivity[],
  ): Promise<readonly Weighed[]> => {
    const recorded: RecordedActivity[] = [];
    const pauses = createPauses(reading.pause);
    for (const row of rows) {
      if (isLeftOut(row)) continue;
      const opened = codec.openActivity(organizationId, row);
      if (!isAsked(filter, opened)) refuseRecord(placeOf(organizationId, row));
      if (vouchesFor(state, opened)) recorded.push(opened);
      await pauses.after(row.body.length);
    }
    const complete = await voters.complete(organizationId, recorded);
    const known = new Map(complete.map((found) => [found.id, found]));
    const weighed: Weighed[] = [];
    for (const row of rows) {
      const activity = known.get(row.id);
      weighed.push(
        activity === undefined
          ? await newest(filter, row)
          : { activity, bytes: row.body.length + votersOf(activity, voters) },
      );
    }
    return weighed;
  };
}

/**
 * Returns the rows before the first row without its body. If that row is the first, returns only that row.
 */
function firstPart(rows: readonly StoredActivity[]): readonly StoredActivity[] {
  const first = rows.findIndex(isLeftOut);
  return first === -1 ? rows : rows.slice(0, Math.max(first, 1));
}

const isLeftOut = ({ body }: StoredActivity): boolean => body.length === 0;

const placeOf = (
  organizationId: string,
  { id, version }: Pick<StoredActivity, 'id' | 'version'>,
): RecordAddress => ({ organizationId, kind: 'activity', id, version });

/** Returns true if the caller requested the row. */
function isAsked(
  { statuses, types, fromId, beforeId }: ActivityFilter,
  { id, status, type }: Pick<Activity, 'id' | 'status' | 'type'>,
): boolean {
  return (
    greater(fromId, id) === id &&
    less(beforeId, id) === id &&
    (statuses.length === 0 || statuses.includes(status)) &&
    (types.length === 0 || types.includes(type))
  );
}

/** Returns the characters of the voters in an answer. */
function votersOf(activity: Activity, voters: Pick<Voters, 'charactersOf'>): number {
  let characters = 0;
  for (const { user } of activity.votes) {
    characters += voters.charactersOf(activity.organizationId, user);
  }
  return characters;
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
