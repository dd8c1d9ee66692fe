// The true history: every durable change, opened with the root key, checked against the state right before
// it, and recorded.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RecordKind, Records } from '../../src/core/organization/model.ts';
import type { Activity } from '../../src/core/organization/records/activity.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import type { SealedHead } from '../../src/enclave/records/change_writer.ts';
import { headAddress } from '../../src/enclave/records/change_writer.ts';
import { createRecordCodec, openJson } from '../../src/enclave/records/record_codec.ts';
import type { StoreChange, StoredOrganization } from '../../src/store/port.ts';
import { seededRandom, testRootKey } from '../support/harness.ts';
import { createSeenVoters } from '../support/voters.ts';
import { authorityComplaints } from './authority.ts';
import { recordKinds } from './effect_parts.ts';
import { effectComplaints } from './effects.ts';
import { eventComplaints } from './events.ts';
import { proofComplaints } from './proofs.ts';
import { type TrueState, waitingStatuses } from './true_state.ts';

/** Records that belong to activities, not to the state of an organization. */
const besideState: ReadonlySet<string> = new Set(['activity_snapshot', 'voter']);

export type Truth = ReturnType<typeof createTruth>;

/** Creates an empty history. `complain` receives violations. */
export function createTruth(complain: (what: string) => void) {
  const keys = createRootKeys(testRootKey());
  const codec = createRecordCodec(createSealing('seal', keys, seededRandom('truth')));
  const voters = createSeenVoters(codec);
  /** Versions 1, 2, … of each organization. */
  const histories = new Map<string, TrueState[]>();
  /** The versions of each activity by its fingerprint, oldest first. */
  const activities = new Map<string, readonly Activity[]>();
  /** Versions of waiting activities, by organization and id. */
  const waiting = new Map<string, Map<string, number>>();
  /** Refused activities, which may be requested again, by body and user. */
  const refused = new Map<string, Activity>();
  /** Counters that rise when a change of an organization revokes a right. */
  const epochs = new Map<string, number>();
  const committed = new Map<string, number>();

  const current = (id: string) => histories.get(id)?.at(-1);
  const parentOf = ({ parentId }: TrueState) =>
    parentId === undefined ? undefined : current(parentId);
  const firstOf = (state: TrueState): TrueState => {
    const parent = parentOf(state);
    return parent === undefined ? state : firstOf(parent);
  };
  const activityOf = (fingerprint: string) => activities.get(fingerprint)?.at(-1);
  const earlierOf = ({ id, version, fingerprint }: Activity) =>
    activities.get(fingerprint)?.find((each) => each.id === id && each.version === version - 1);

  /** Returns the state after a change: the earlier rows without deleted ones, and with written ones. */
  function stateAfter(change: StoreChange, row: StoredOrganization): TrueState {
    const id = row.organizationId;
    const before = current(id);
    if (row.version !== (before?.version ?? 0) + 1) {
      complain(`organization ${id} went from version ${before?.version} to ${row.version}`);
    }
    const place = headAddress(id, row.version);
    const { head, guard } = openJson<SealedHead>(codec.sealing, place, row.head);
    if (guard !== row.guard) complain(`the guard ${row.guard} of ${id} was sealed as ${guard}`);
    const rows = emptyRows();
    for (const kind of recordKinds) {
      for (const [rowId, kept] of before?.rows[kind] ?? []) rows[kind].set(rowId, kept);
    }
    for (const deleted of change.deletedRecords) {
      if (deleted.organizationId !== id) continue;
      if (!rows[kindOf(deleted.kind)].delete(deleted.id)) {
        complain(`${deleted.kind} ${deleted.id} was deleted, but did not exist`);
      }
    }
    for (const stored of change.records) {
      if (stored.organizationId !== id || besideState.has(stored.kind)) continue;
      rows[kindOf(stored.kind)].set(stored.id, codec.openRecord(id, stored));
    }
    const after = {
      id,
      parentId: row.parentId,
      version: row.version,
      head,
      rows: rows as TrueRows,
    };
    if (before !== undefined && row.guard < row.version) {
      for (const what of takenBetween(before, after)) complain(`${what}, and the guard stayed`);
    }
    return after;
  }

  function checkedActivity(change: StoreChange): Activity | undefined {
    const [row, second] = change.activities;
    if (second !== undefined) complain('a change holds two activities');
    if (row === undefined) {
      const isStart = change.deployment !== undefined || tellsOfStart(change);
      if (!isStart) complain('something changed without an activity');
      return undefined;
    }
    voters.see(change);
    const activity = voters.open(row);
    const message = activity.request ?? activity.votes[0]?.message ?? '';
    const digest = createHash('sha256').update(message).digest('hex');
    if (activity.fingerprint !== `sha256:${digest}`) complain('an activity is not of its message');
    const known = activityOf(activity.fingerprint);
    const mayGoOn = waitingStatuses.includes(known?.status ?? '') && activity.version > 1;
    if (known !== undefined && !mayGoOn) complain(`a body was executed twice: ${message}`);
    return activity;
  }

  function keep(activity: Activity): void {
    const { id, organizationId, fingerprint, status, submitterId, type, version } = activity;
    if (status === 'ACTIVITY_STATUS_FAILED' && version === 1) {
      const key = `${fingerprint}/${submitterId}`;
      if (refused.has(key)) complain('a refusal was kept twice');
      refused.set(key, activity);
      return;
    }
    activities.set(fingerprint, [...(activities.get(fingerprint) ?? []), activity]);
    const open = waiting.get(organizationId) ?? new Map<string, number>();
    if (waitingStatuses.includes(status)) open.set(id, version);
    else open.delete(id);
    waiting.set(organizationId, open);
    const selection = activity.votes.at(-1)?.selection;
    if (version > 1 && selection !== undefined) count(selection);
    if (status === 'ACTIVITY_STATUS_COMPLETED') count(type);
  }

  function count(what: string): void {
    committed.set(what, (committed.get(what) ?? 0) + 1);
  }

  /** Asserts that the open activities of an organization are those that wait. */
  function checkWaiting({ id, head, rows }: TrueState): void {
    const isDeleted = head.deletedAtMs !== undefined;
    const open = isDeleted ? [] : [...(waiting.get(id) ?? [])];
    const known = [...rows.open_activity.values()].map((row) => [row.id, row.activityVersion]);
    if (JSON.stringify(known.sort()) !== JSON.stringify(open.sort())) {
      complain(`organization ${id} knows of ${known}, and what waits is ${open}`);
    }
  }

  return {
    /** Records a change that has just become durable. */
    observe: (change: StoreChange) => {
      const activity = checkedActivity(change);
      // Rows of used tokens have no head, and the custody record has no UUID, so neither is an
      // organization.
      const rows = change.organizations.filter(
        ({ head, organizationId }) => head.length > 0 && organizationId !== 'custody',
      );
      const touched = rows.map((row) => stateAfter(change, row));
      const written = [...change.records, ...change.deletedRecords]
        .filter(({ kind }) => kind !== 'voter')
        .map((row) => row.organizationId);
      for (const id of written) {
        if (!touched.some((state) => state.id === id)) {
          complain(`organization ${id} was written to, but kept its version`);
        }
      }
      if (activity !== undefined) {
        const before = current(activity.organizationId);
        assert(before !== undefined, 'an activity belongs to an organization');
        const after = touched.find((state) => state.id === before.id) ?? before;
        const children = touched.filter((state) => state.id !== before.id);
        for (const what of [
          ...authorityComplaints(activity, before, current(before.parentId ?? '')),
          ...effectComplaints({ activity, before, after, children }),
          ...eventComplaints(change, {
            activity,
            after,
            codec,
            parent: parentOf(after),
            earlier: earlierOf(activity),
          }),
          ...proofComplaints(activity, {
            first: firstOf(before),
            before,
            written: [after, ...children],
          }),
        ]) {
          complain(`${activity.type} at version ${before.version}: ${what}`);
        }
        keep(activity);
        if (activity.appProofs !== undefined) count('app proofs');
      }
      for (const state of touched) {
        checkWaiting(state);
        const before = current(state.id);
        if (before !== undefined && takesAway(before, state)) {
          epochs.set(state.id, (epochs.get(state.id) ?? 0) + 1);
        }
        histories.set(state.id, [...(histories.get(state.id) ?? []), state]);
      }
    },
    current,
    /** Returns all versions of an organization, oldest first. */
    history: (id: string): readonly TrueState[] => histories.get(id) ?? [],
    organizations: (): TrueState[] => [...histories.keys()].flatMap((id) => current(id) ?? []),
    /** Returns the newest version of an activity by its fingerprint (`sha256:…`), without refusals. */
    activityOf,
    /** Returns all versions of an activity, oldest first. */
    versionsOf: (fingerprint: string): readonly Activity[] => activities.get(fingerprint) ?? [],
    /** Returns ids of an organization's waiting activities. */
    waitingIn: (organizationId: string): string[] => [
      ...(waiting.get(organizationId)?.keys() ?? []),
    ],
    /** Returns ids of an organization's activities, newest first. */
    activityIdsOf: (organizationId: string): string[] =>
      [...[...activities.values()].flatMap((all) => all.slice(-1)), ...refused.values()]
        .flatMap((one) => (one.organizationId === organizationId ? [one.id] : []))
        .sort()
        .reverse(),
    epochOf: (id: string): number => epochs.get(id) ?? 0,
    /** Numbers of durable activities, by type. */
    committed: committed as ReadonlyMap<string, number>,
  };
}

type TrueRows = TrueState['rows'];

function emptyRows(): Record<RecordKind, Map<string, Records[RecordKind]>> {
  const empty = recordKinds.map((kind) => [kind, new Map()]);
  return Object.fromEntries(empty) as Record<RecordKind, Map<string, Records[RecordKind]>>;
}

function kindOf(kind: string): RecordKind {
  const found = recordKinds.find((known) => known === kind);
  assert(found !== undefined, `records are of a known kind, got ${kind}`);
  return found;
}

/** Returns true for a change with which an enclave stores its boot statement before its first proof. */
function tellsOfStart({ records, deletedRecords, events }: StoreChange): boolean {
  const kinds = [...records, ...deletedRecords].map(({ kind }) => kind);
  return (
    events.length === 0 && kinds.length > 0 && kinds.every((kind) => kind === 'boot_statement')
  );
}

/** Returns true if a change revokes a right. */
function takesAway(before: TrueState, after: TrueState): boolean {
  const isGone = (kind: RecordKind) =>
    [...before.rows[kind].keys()].some((id) => !after.rows[kind].has(id));
  return (
    isGone('api_key') ||
    isGone('user') ||
    JSON.stringify(before.head.rootQuorum) !== JSON.stringify(after.head.rootQuorum) ||
    before.head.deletedAtMs !== after.head.deletedAtMs
  );
}

/** Kinds that no signature depends on, and a kind whose new rows revoke nothing. */
const unread: readonly RecordKind[] = [
  'open_activity',
  'voted_activity',
  'otp_code',
  'used_token',
  'sender',
  'send',
  'sent_nonce',
  'email_event',
  'chain_transaction',
  'gas_usage',
];
const growing: readonly RecordKind[] = ['api_key', 'wallet', 'wallet_account'];

/** Returns the changes that a signature decided earlier must not ignore. */
function takenBetween(before: TrueState, after: TrueState): string[] {
  const taken = recordKinds.filter((kind) => {
    if (unread.includes(kind)) return false;
    const [old, rows] = [before.rows[kind], after.rows[kind]];
    const isGrown = old.size !== rows.size && !growing.includes(kind);
    return isGrown || [...old].some(([id, row]) => !isDeepStrictEqual(rows.get(id), row));
  });
  return isDeepStrictEqual(before.head, after.head) ? taken : ['the head', ...taken];
}
