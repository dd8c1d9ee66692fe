// Verifies the store's answer for an organization: every row opens in its place, the small state is complete,
// and no version is older than one seen before.

import { endsStep, type Steps } from '../../core/base/steps.ts';
import { epochOf } from '../../core/custody/sealed_form.ts';
import { fail } from '../../core/errors/errors.ts';
import { isSmallKind } from '../../core/organization/kinds.ts';
import type { Records, SmallKind } from '../../core/organization/model.ts';
import { emptySmallState, type SmallState } from '../../core/organization/state.ts';
import type { OrganizationAnswer } from '../../store/port.ts';
import { keysAt, type RootKeys } from '../keys/root_keys.ts';
import { headAddress, type LoadedOrganization, markOf, type SealedHead } from './change_writer.ts';
import { completenessKey, completenessOf, type SealMarks } from './completeness.ts';
import { openJson, type RecordCodec, refuseRecord } from './record_codec.ts';

/**
 * Returns the state that the answer proves, or the known state if the answer confirms its version. Rows are
 * opened in steps: an organization can have thousands of them.
 * Returns undefined if there is no such organization. Raises `record_refused` and `rule_unknown`.
 */
export type VerifyOrganization = (
  organizationId: string,
  known: LoadedOrganization | undefined,
  answer: OrganizationAnswer,
) => Steps<LoadedOrganization | undefined>;

type StoredHead = NonNullable<OrganizationAnswer['organization']>;

/** `level` is the number of rules known to this enclave. */
export function createOrganizationVerifier(ports: {
  readonly codec: RecordCodec;
  readonly keys: RootKeys;
  readonly level: number;
}): VerifyOrganization {
  const { codec, keys } = ports;
  return function* verify(organizationId, known, answer) {
    if (answer.version === undefined) {
      // Deleted organizations keep their head, so a missing row is a fault.
      return known === undefined ? undefined : refuseRecord(headAddress(organizationId, 0));
    }
    const row = answer.organization;
    if (row === undefined) {
      const { version, guard } = known?.state ?? {};
      if (version === answer.version && guard === answer.guard) return known;
      return refuseRecord(headAddress(organizationId, answer.version));
    }
    const address = headAddress(organizationId, row.version);
    // A rollback, or another state of the same version.
    if (row.organizationId !== organizationId || row.version <= (known?.state.version ?? 0)) {
      refuseRecord(address);
    }
    const sealed = openHead(row, ports);
    const { records, marks } = yield* openSmallState(organizationId, answer.records, codec);
    const { head, guard, parentId, recent = [], completenessKey: carried } = sealed;
    const writer = keysAt(keys, epochOf(row.head)) ?? keys;
    const key =
      carried === undefined ? completenessKey(writer, organizationId) : Uint8Array.fromHex(carried);
    if (completenessOf(key, marks) !== sealed.completeness) refuseRecord(address);
    const state = { id: organizationId, parentId, version: row.version, guard, head, records };
    const bytes = answer.records.reduce((sum, { body }) => sum + body.length, 0);
    return { state, marks, bytes, recent };
  };
}

function openHead(
  row: StoredHead,
  { codec, level }: { readonly codec: RecordCodec; readonly level: number },
): SealedHead {
  const address = headAddress(row.organizationId, row.version);
  const sealed = openJson<SealedHead>(codec.sealing, address, row.head);
  // The store compares the columns, so they must equal the sealed values.
  if (sealed.parentId !== row.parentId || sealed.guard !== row.guard) refuseRecord(address);
  // A newer release wrote the head, under a rule that this release does not enforce.
  if (sealed.level > level) fail('rule_unknown', { rule: `number ${sealed.level}` });
  return sealed;
}

function* openSmallState(
  organizationId: string,
  rows: OrganizationAnswer['records'],
  codec: RecordCodec,
): Steps<{ readonly records: SmallState; readonly marks: SealMarks }> {
  const records = mutable(emptySmallState());
  const marks = new Map<string, string>();
  const counter = { steps: 0 };
  // Records are oldest first, whatever the order of the store.
  for (const row of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const { kind, id, version } = row;
    if (!isSmallKind(kind) || records[kind].has(id)) {
      refuseRecord({ organizationId, kind, id, version });
    }
    records[kind].set(id, codec.openRecord(organizationId, row) as Records[SmallKind]);
    marks.set(`${kind}/${id}`, markOf(row));
    if (endsStep(counter)) yield;
  }
  return { records: records as SmallState, marks };
}

/** Returns the empty maps of a new state, to be filled. */
function mutable(state: SmallState): Record<SmallKind, Map<string, Records[SmallKind]>> {
  return state as unknown as Record<SmallKind, Map<string, Records[SmallKind]>>;
}
