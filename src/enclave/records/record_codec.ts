// Converts rows of the store to values and back: JSON, sealed for its place.

import {
  packActivity,
  type RecordedActivity,
  unpackActivityInSteps,
} from '../../core/activity/stored_form.ts';
import { textOfUtf8 } from '../../core/base/bytes.ts';
import { finish, type Steps } from '../../core/base/steps.ts';
import { type ErrorCode, ServiceError } from '../../core/errors/errors.ts';
import type { RecordKind, Records } from '../../core/organization/model.ts';
import type { StoredActivity, StoredRecord, StorePort } from '../../store/port.ts';
import type { RecordAddress, Sealing } from '../keys/sealing.ts';
import type { Rewrap } from './wrapped_secrets.ts';

export type RecordCodec = {
  readonly sealing: Sealing;
  sealRecord(
    organizationId: string,
    kind: RecordKind,
    row: Records[RecordKind],
    version: number,
  ): StoredRecord;
  openRecord(organizationId: string, stored: StoredRecord): Records[RecordKind];
  /**
   * Seals an activity. `messageDigest` is the SHA-256 of the first vote's message, if the caller knows it.
   * Only an activity of megabytes takes several steps.
   */
  sealActivity(
    activity: RecordedActivity,
    fingerprint: Pick<StoredActivity, 'bucket' | 'fingerprint'>,
    messageDigest?: Uint8Array,
  ): Steps<StoredActivity>;
  /** Opens an activity. Its voters are separate records: see `voters.ts`. */
  openActivity(organizationId: string, stored: StoredActivity): RecordedActivity;
  /** Like `openActivity`, in steps if the activity is large. */
  openActivityInSteps(organizationId: string, stored: StoredActivity): Steps<RecordedActivity>;
  /** Like `openActivity`, and returns the sealed text to which the log commits. */
  openActivityText(
    organizationId: string,
    stored: StoredActivity,
  ): { readonly text: string; readonly activity: RecordedActivity };
  /** Returns only the sealed text. */
  activityText(
    organizationId: string,
    stored: Pick<StoredActivity, 'id' | 'version' | 'body'>,
  ): string;
};

/** The members of a sealed activity in its log entry. */
export type SealedActivity = Pick<
  RecordedActivity,
  'organizationId' | 'id' | 'version' | 'status' | 'updatedAtMs'
>;

/** Rejection of a row that was not sealed for its place: it was altered, moved or rolled back. */
export class RecordRefusedError extends ServiceError {
  readonly place: RecordAddress;

  constructor(place: RecordAddress) {
    super('record_refused');
    this.name = 'RecordRefusedError';
    this.place = place;
  }
}

/** Rejects a row. The operator's log names it, and the caller gets an internal error. */
export function refuseRecord(place: RecordAddress): never {
  const { organizationId, kind, id, version } = place;
  throw new RecordRefusedError({ organizationId, kind, id, version });
}

/** ID of a row that the store cannot identify. */
export const unknownId = '*';

/** Returns true if a store cannot answer now, or not at this size. Such an error says nothing about a row. */
export function isUnavailable(failure: unknown): boolean {
  return failure instanceof ServiceError && unavailable.has(failure.code);
}

const unavailable: ReadonlySet<ErrorCode> = new Set([
  'store_unavailable',
  'overloaded',
  'draining',
  'answer_too_large',
]);

/**
 * Returns the answer of the store. If it fails on a row (for example an integer out of range), rejects the
 * row by its address; rethrows the error of an unavailable store.
 */
export async function withLocation<Answer>(
  { organizationId, kind, id }: Omit<RecordAddress, 'version'>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (failure) {
    if (isUnavailable(failure)) throw failure;
    return refuseRecord({ organizationId, kind, id, version: 0 });
  }
}

/** The group of a record, for pages. The column is not sealed, so each record must itself name its group. */
const groups: { readonly [Kind in RecordKind]?: (row: Records[Kind]) => string } = {
  wallet_account: ({ walletId }) => walletId,
  email_event: ({ addressBlind }) => addressBlind,
  chain_transaction: ({ addressBlind }) => addressBlind,
};

function groupOf<Kind extends RecordKind>(kind: Kind, row: Records[Kind]): string | undefined {
  return groups[kind]?.(row);
}

/** A longer text is sealed in a separate step. */
const charactersOfPiece = 64 * 1024;

/**
 * Creates the codec. Calls `sealed` with each sealed activity and its text. `rewrap` replaces a secret of an
 * earlier key epoch in a record that is sealed.
 */
export function createRecordCodec(
  sealing: Sealing,
  sealed: (activity: SealedActivity, text: string) => void = () => undefined,
  rewrap: Rewrap = (_organizationId, _kind, row) => row,
): RecordCodec {
  const openActivityText: RecordCodec['openActivityText'] = (organizationId, stored) =>
    finish(openActivityInSteps(organizationId, stored));
  function* openActivityInSteps(
    organizationId: string,
    stored: StoredActivity,
  ): Steps<ReturnType<RecordCodec['openActivityText']>> {
    const { id, version } = stored;
    const place = activityPlace({ organizationId, id, version });
    const opened = sealing.open(place, stored.body);
    if (stored.body.length >= charactersOfPiece) yield;
    const text = opened === undefined ? undefined : textOfUtf8(opened);
    if (text === undefined) return refuseRecord(place);
    if (text.length >= charactersOfPiece) yield;
    const activity = yield* unpackActivityInSteps(text, place);
    // Lists filter by the plain columns, so these must equal the values in the sealed body.
    if (activity.type !== stored.type || activity.status !== stored.status) refuseRecord(place);
    return { text, activity };
  }
  return {
    sealing,
    sealRecord: (organizationId, kind, row, version) => ({
      organizationId,
      kind,
      id: row.id,
      groupId: groupOf(kind, row),
      version,
      body: sealing.seal(
        { organizationId, kind, id: row.id, version },
        JSON.stringify(rewrap(organizationId, kind, row)),
      ),
    }),
    openRecord: (organizationId, stored) => {
      const { kind, id, version, body } = stored;
      const place = { organizationId, kind, id, version };
      if (stored.organizationId !== organizationId) refuseRecord(place);
      return openJson<Records[RecordKind]>(sealing, place, body);
    },
    sealActivity: function* (activity, { bucket, fingerprint }, messageDigest) {
      const text = yield* packActivity(activity, messageDigest);
      sealed(activity, text);
      const place = activityPlace(activity);
      const isLong = text.length >= charactersOfPiece;
      if (isLong) yield;
      const body = isLong ? yield* sealing.sealInSteps(place, text) : sealing.seal(place, text);
      return {
        organizationId: activity.organizationId,
        id: activity.id,
        type: activity.type,
        status: activity.status,
        bucket,
        fingerprint,
        createdAtMs: activity.createdAtMs,
        updatedAtMs: activity.updatedAtMs,
        version: activity.version,
        body,
      };
    },
    openActivity: (organizationId, stored) => openActivityText(organizationId, stored).activity,
    openActivityText,
    openActivityInSteps: function* (organizationId, stored) {
      return (yield* openActivityInSteps(organizationId, stored)).activity;
    },
    activityText: (organizationId, { id, version, body }) =>
      openText(sealing, activityPlace({ organizationId, id, version }), body),
  };
}

/**
 * Reads a row of the service itself, stored in the table of organizations under the ID of its place. If the
 * store fails on it, rejects the row by its place.
 */
export function readOwnRow(
  store: Pick<StorePort, 'organization'>,
  place: Omit<RecordAddress, 'version'>,
  knownVersion: number,
): ReturnType<StorePort['organization']> {
  const { organizationId } = place;
  return withLocation(place, () =>
    store.organization({ organizationId, kinds: [], knownVersion, fingerprint: undefined }),
  );
}

/** Opens sealed JSON. Rejects the row if it does not open. */
export function openJson<T>(sealing: Sealing, place: RecordAddress, body: Uint8Array): T {
  // Only this enclave can seal it, so its form needs no check.
  return JSON.parse(openText(sealing, place, body)) as T;
}

function openText(sealing: Sealing, place: RecordAddress, body: Uint8Array): string {
  const opened = sealing.open(place, body);
  const text = opened === undefined ? undefined : textOfUtf8(opened);
  return text ?? refuseRecord(place);
}

/** Returns the address of a sealed activity. */
export function activityPlace(
  activity: Pick<RecordedActivity, 'organizationId' | 'id' | 'version'>,
): RecordAddress {
  const { organizationId, id, version } = activity;
  return { organizationId, kind: 'activity', id, version };
}
