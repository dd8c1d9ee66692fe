// Decides whether this enclave may serve and change its data, by the rules of the data and by the replica
// that may sign. The record is read at most a second before a request begins. Within that second a newer
// release may add a rule. Every sealed head contains the number of rules known to its writer, and a greater
// number is rejected.

import {
  accepted,
  type CopyState,
  copyStateOf,
  fenced,
  newCustodyRecord,
  withRules,
} from '../../core/custody/record.ts';
import { type ErrorCode, fail, ServiceError } from '../../core/errors/errors.ts';
import type { LogOwner } from '../../core/log/origin.ts';
import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';
import type { StoredOrganization } from '../../store/port.ts';
import {
  type AnchorPort,
  type CustodyPorts,
  createCustodyReader,
  custodyId,
  type SeenCustody,
} from '../records/custody_reader.ts';

/** Stores nothing. */
export const noAnchor: AnchorPort = { read: async () => undefined, raise: async () => true };

type CopyStatus = AnswerOf<EnclaveMessages['copyStatus']>;

export type Custody = {
  /** The id of the record in the table of organizations. */
  readonly rowId: string;
  /** Returns the ID of the first organization. Raises the errors of `check`. */
  firstOrganizationId(): Promise<string>;
  /** Returns the first organization and the epoch, which name the log. */
  logOwner(): Promise<LogOwner>;
  /** Returns the row to write with the first organization of a database. */
  founding(organizationId: string): StoredOrganization;
  /** Adds missing rules to the record at the start, and updates the anchor. */
  begin(): Promise<void>;
  /** Raises the errors that stop the service: `rule_unknown`, `custody_missing`, `anchor_mismatch`. */
  check(): Promise<void>;
  /** Like `check`, and raises `fenced` and `superseded`, which prevent changes. */
  checkChanges(): Promise<void>;
  /** Returns true if `check` passes without a read of the store. */
  isChecked(): boolean;
  /** Returns true if `checkChanges` passes without a read of the store. */
  areChangesChecked(): boolean;
  /** Returns the epoch, and why this replica does not sign or serve. */
  copyStatus(): Promise<CopyStatus>;
  /** Returns the row and epoch of a fenced replica; writes nothing. */
  fence(backupAtMs: number): Promise<{ readonly epoch: number; readonly row: StoredOrganization }>;
  /** Lets only this replica sign; returns its epoch. Raises the anchor first. */
  accept(reason: string): Promise<number>;
};

/** Maximum number of replicas that are accepted at the same time over one anchor. */
const maximumRaises = 20;

const refusals: Readonly<Record<Exclude<CopyState, 'serving'>, ErrorCode>> = {
  fenced: 'fenced',
  superseded: 'superseded',
};

/** The errors that prevent the start, reported with their messages. */
const refusingCodes: ReadonlySet<ErrorCode> = new Set([
  'rule_unknown',
  'custody_missing',
  'anchor_mismatch',
]);

export function createCustody(ports: CustodyPorts): Custody {
  const { clock, rules, anchor } = ports;
  const { recent, remembered, update, rowOf } = createCustodyReader(ports);

  /** The state that the last check of changes allowed. */
  let allowed: SeenCustody | undefined;

  function refusalOfChanges({ record, anchor: remembered }: SeenCustody) {
    const state = copyStateOf(record, remembered);
    const refusal = state === 'serving' ? undefined : new ServiceError(refusals[state]);
    return { epoch: record.epoch, state, refusal };
  }

  return {
    rowId: custodyId,
    firstOrganizationId: async () => (await recent()).record.organizationId,
    logOwner: async () => {
      const { organizationId, epoch } = (await recent()).record;
      return { organizationId, epoch };
    },
    founding: (organizationId) => rowOf(newCustodyRecord(organizationId, rules), 1),
    begin: async () => {
      const seen = await update(async ({ record }) => withRules(record, rules));
      const { organizationId, epoch, fence } = seen.record;
      if (fence !== undefined || epoch <= (seen.anchor?.epoch ?? 0)) return;
      await anchor.raise({ organizationId, epoch });
    },
    check: async () => {
      await recent();
    },
    checkChanges: async () => {
      const seen = await recent();
      if (seen === allowed) return;
      const { refusal } = refusalOfChanges(seen);
      if (refusal !== undefined) fail(refusal.code);
      allowed = seen;
    },
    isChecked: () => remembered() !== undefined,
    areChangesChecked: () => allowed !== undefined && remembered() === allowed,
    copyStatus: async () => {
      try {
        const { epoch, state, refusal } = refusalOfChanges(await recent());
        return { epoch, state, reason: refusal?.message };
      } catch (error) {
        if (!(error instanceof ServiceError) || !refusingCodes.has(error.code)) throw error;
        return { epoch: 0, state: 'refused', reason: error.message };
      }
    },
    fence: async (backupAtMs) => {
      const { version, record } = await recent();
      return { epoch: record.epoch, row: rowOf(fenced(record, backupAtMs), version + 1) };
    },
    accept: async (reason) => {
      const { record } = await update(async (seen) => {
        let remembered = seen.anchor;
        for (let attempt = 1; attempt <= maximumRaises; attempt += 1) {
          const made = accepted(seen.record, remembered, { atMs: clock(), reason });
          const { organizationId, epoch } = made;
          // After a crash between the two writes no replica signs. In the other order two could.
          if (await anchor.raise({ organizationId, epoch })) return made;
          // Another replica was accepted at the same time. Each epoch has one replica.
          remembered = await anchor.read();
        }
        return fail('organization_busy', { attempts: maximumRaises });
      });
      return record.epoch;
    },
  };
}
