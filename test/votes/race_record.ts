// The durable changes of a race in order, opened with the root key.

import assert from 'node:assert/strict';
import { isSmallKind, smallKinds } from '../../src/core/organization/kinds.ts';
import type { OrganizationHead, Records, SmallKind } from '../../src/core/organization/model.ts';
import type { Activity } from '../../src/core/organization/records/activity.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import { headAddress, type SealedHead } from '../../src/enclave/records/change_writer.ts';
import { createRecordCodec, openJson } from '../../src/enclave/records/record_codec.ts';
import type { StoreChange } from '../../src/store/port.ts';
import { seededRandom, testRootKey } from '../support/harness.ts';
import { createSeenVoters } from '../support/voters.ts';

/** The organization at one version. */
export type State = {
  readonly version: number;
  readonly head: OrganizationHead;
  readonly rows: { readonly [Kind in SmallKind]: ReadonlyMap<string, Records[Kind]> };
};

/** One durable change, with the states before and after. */
export type Step = {
  readonly before: State;
  readonly after: State;
  readonly earlier: Activity | undefined;
  readonly activity: Activity;
};

export type RaceRecord = ReturnType<typeof createRecord>;

const codec = createRecordCodec(
  createSealing('seal', createRootKeys(testRootKey()), seededRandom('race record')),
);

const voters = createSeenVoters(codec);

/** Creates an empty record. `changed` receives each change of an organization by an activity. */
export function createRecord(changed: (step: Step) => void) {
  const states: State[] = [];
  const activities = new Map<string, Activity[]>();
  let organizationId = '';

  function stateAfter(change: StoreChange): State | undefined {
    const [row] = change.organizations;
    if (row === undefined) return states.at(-1);
    organizationId = row.organizationId;
    const place = headAddress(organizationId, row.version);
    const { head } = openJson<SealedHead>(codec.sealing, place, row.head);
    const earlier = states.at(-1);
    const rows = Object.fromEntries(
      smallKinds.map((kind) => {
        const kept = new Map<string, unknown>(earlier?.rows[kind] ?? []);
        for (const gone of change.deletedRecords) if (gone.kind === kind) kept.delete(gone.id);
        for (const stored of change.records) {
          if (stored.kind === kind) kept.set(stored.id, codec.openRecord(organizationId, stored));
        }
        return [kind, kept];
      }),
    );
    assert(change.records.every(({ kind }) => !isSmallKind(kind) || rows[kind] !== undefined));
    return { version: row.version, head, rows: rows as unknown as State['rows'] };
  }

  return {
    /** Records a change that has just become durable. */
    observe: (change: StoreChange) => {
      voters.see(change);
      const before = states.at(-1);
      const after = stateAfter(change);
      assert(after !== undefined, 'the first change makes the organization');
      const [row] = change.activities;
      if (row !== undefined && before !== undefined) {
        const activity = voters.open(row);
        const versions = activities.get(activity.id) ?? [];
        activities.set(activity.id, [...versions, activity]);
        changed({ before, after, earlier: versions.at(-1), activity });
      }
      if (after !== before) states.push(after);
    },
    organizationId: () => organizationId,
    current: (): State => {
      const state = states.at(-1);
      assert(state !== undefined);
      return state;
    },
    /** Returns the versions of the organization from this one on, oldest first. */
    statesSince: (version: number): readonly State[] =>
      states.filter((state) => state.version >= version),
    /** Returns the newest version of every activity, oldest activity first. */
    activities: (): Activity[] =>
      [...activities.values()].flatMap((versions) => versions.at(-1) ?? []),
    /** Returns all versions of one activity. */
    versionsOf: (id: string): readonly Activity[] => activities.get(id) ?? [],
  };
}
