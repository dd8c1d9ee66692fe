// Adds the entries of decided activities to their commits while the audit trail is on.

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

/** Returns the store. With an audit trail, the commit of each decided activity adds its entry. */
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
