// The gateway's reports about sent mails. The enclave cannot verify them: queries return them, and no
// decision depends on them.

import { firstIdAt } from '../../core/base/ids.ts';
import { assert, fail } from '../../core/errors/errors.ts';
import { emailEventLimits, newEmailEvent } from '../../core/external/email_events.ts';
import type { EmailEvent } from '../../core/organization/records/email_events.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { EmailEventReader } from '../records/email_event_reader.ts';
import { RecordRefusedError } from '../records/record_codec.ts';
import type { SystemChanges } from '../records/system_changes.ts';

type EmailEvents = {
  /** Stores a report. Raises `overloaded`, `organization_busy`. */
  seen(request: RequestOf<EnclaveMessages['emailSeen']>): Promise<void>;
};

/** Maximum events stored at one time; the gateway reports them one after the other. */
const maximumUnderWay = 8;

export function createEmailEvents(ports: {
  readonly events: EmailEventReader;
  readonly organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
  readonly systemChange: SystemChanges['systemChange'];
  readonly newId: () => string;
  readonly clock: () => number;
  /** Called for an altered row. */
  readonly refusedRow: (error: RecordRefusedError) => void;
}): EmailEvents {
  const { events, organization, systemChange, newId, clock } = ports;
  let underWay = 0;

  /** Returns events to delete. Skips altered rows. */
  async function outlived(organizationId: string, to: string): Promise<readonly EmailEvent[]> {
    const before = firstIdAt(clock() - emailEventLimits.keptMs);
    const rows = await events.outlived(organizationId, to, before);
    return rows.flatMap((row) => {
      try {
        return [events.open(organizationId, row)];
      } catch (error) {
        if (!(error instanceof RecordRefusedError)) throw error;
        ports.refusedRow(error);
        return [];
      }
    });
  }

  async function keep({ organizationId, ...seen }: RequestOf<EnclaveMessages['emailSeen']>) {
    const { state } = await organization(organizationId);
    if (state === undefined) return;
    const addressBlind = events.blindOf(organizationId, seen.to);
    const event = newEmailEvent(seen, { id: newId(), addressBlind, now: clock() });
    assert(event !== undefined, 'the gateway reports mails in the agreed form');
    const gone = await outlived(organizationId, seen.to);
    await systemChange(organizationId, (draft) => {
      // A deleted organization stores no events.
      if (draft.head.deletedAtMs !== undefined) return undefined;
      for (const row of gone) draft.drop('email_event', row);
      draft.add('email_event', event);
      return 'no_event';
    });
  }

  return {
    seen: async (request) => {
      if (underWay >= maximumUnderWay) fail('overloaded');
      underWay += 1;
      try {
        await keep(request);
      } finally {
        underWay -= 1;
      }
    },
  };
}
