// Decides whether this enclave may serve its data and change them: by the rules of the data, and by the copy
// that may sign. The record is read at most a second before a request begins. In that second a newer release
// may add a rule. Every sealed head states how many rules its writer knew, and a greater number is refused.

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

/** Remembers nothing. */
export const noAnchor: AnchorPort = { read: async () => undefined, raise: async () => true };

type CopyStatus = AnswerOf<EnclaveMessages['copyStatus']>;

export type Custody = {
  /** The id under which the record stands among the organizations. */
  readonly rowId: string;
  /** Raises what `check` raises. */
  firstOrganizationId(): Promise<string>;
  /** The first organization and the epoch, which name the log. */
  logOwner(): Promise<LogOwner>;
  /** The row that is written with the first organization of a database. */
  founding(organizationId: string): StoredOrganization;
  /** Adds missing rules to the record at the start, and updates the anchor. */
  begin(): Promise<void>;
  /** Raises the errors that stop the service: `rule_unknown`, `custody_missing`, `anchor_mismatch`. */
  check(): Promise<void>;
  /** The same, and what lets nothing be changed: `fenced`, `superseded`. */
  checkChanges(): Promise<void>;
  /** Returns true if `check` passes without a read of the store. */
  isChecked(): boolean;
  /** Returns true if `checkChanges` passes without a read of the store. */
  areChangesChecked(): boolean;
  /** Returns the epoch, and why this copy does not sign or serve. */
  copyStatus(): Promise<CopyStatus>;
  /** The row of a copy that is to be fenced, and its epoch; writes nothing. */
  fence(backupAtMs: number): Promise<{ readonly epoch: number; readonly row: StoredOrganization }>;
  /** Lets this copy sign, and no other; returns its epoch. The anchor learns of it first. */
  accept(reason: string): Promise<number>;
};

/** Copies that are accepted at the same time, over one anchor. */
const maximumRaises = 20;

const refusals: Readonly<Record<Exclude<CopyState, 'serving'>, ErrorCode>> = {
  fenced: 'fenced',
  superseded: 'superseded',
};

/** The errors that stop the start, each with a sentence of its own. */
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
          // Killed between the two, no copy signs; the other way round two could.
          if (await anchor.raise({ organizationId, epoch })) return made;
          // Another copy was accepted in the same moment; one epoch has one copy.
          remembered = await anchor.read();
        }
        return fail('organization_busy', { attempts: maximumRaises });
      });
      return record.epoch;
    },
  };
}
