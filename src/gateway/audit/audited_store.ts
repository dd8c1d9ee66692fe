// The store while the audit trail is switched on: what decides activities brings their entries with it.

import type { Settings } from '../../settings/settings.ts';
import type { StorePort } from '../../store/port.ts';
import { auditEventsOf } from '../../store/reads/audit_stream.ts';

/** Returns true if decided activities are to be told of. */
export function isAudited({
  auditFile,
  auditUrl,
}: Pick<Settings, 'auditFile' | 'auditUrl'>): boolean {
  return auditFile !== undefined || auditUrl !== undefined;
}

/** The store; where that is asked for, each activity that a change decides is entered beside it. */
export function entered(settings: Settings, store: StorePort, wake: () => void): StorePort {
  if (!isAudited(settings)) return store;
  return {
    ...store,
    commit: async (change) => {
      const entries = auditEventsOf(change.activities);
      if (entries.length === 0) return store.commit(change);
      const outcome = await store.commit({ ...change, events: [...change.events, ...entries] });
      if (outcome === 'committed') wake();
      return outcome;
    },
  };
}
