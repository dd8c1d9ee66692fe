// The store while the audit trail is switched on: commits of decided activities include their entries.

import type { Settings } from '../../settings/settings.ts';
import type { StorePort } from '../../store/port.ts';
import { auditEventsOf } from '../../store/reads/audit_stream.ts';

/** Returns true if decided activities go to the audit trail. */
export function isAudited({
  auditFile,
  auditUrl,
  auditSyslog,
}: Pick<Settings, 'auditFile' | 'auditUrl' | 'auditSyslog'>): boolean {
  return [auditFile, auditUrl, auditSyslog].some((destination) => destination !== undefined);
}

/** Returns the store; with an audit trail, each decided activity is entered in the same commit. */
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
