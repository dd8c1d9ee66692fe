// Checks an organization against the map of the log at its first load. Even a newly started enclave thus
// rejects an organization that was rolled back without the log.

import type { StoredOrganization } from '../../store/port.ts';
import { readMapPath } from '../records/log_map.ts';
import type { LogRows } from '../records/log_rows.ts';
import { RecordRefusedError } from '../records/record_codec.ts';
import type { RequireNewest } from '../records/shared_rows.ts';
import { requireAtMap, requireChain } from './log_appender.ts';
import type { KnownHead, LogState } from './log_state.ts';

/** Maximum number of reads while other nodes append. */
const maximumAttempts = 8;

type Answer = { readonly organization: StoredOrganization | undefined };

export function createLogGuard(
  rows: Pick<LogRows, 'mapPages' | 'lastEnd'>,
  { begin, hasBegun, known, read, inTurn }: LogState,
): RequireNewest {
  async function require(organizationId: string, { organization }: Answer, at: KnownHead) {
    const { map } = at.head;
    if (map === undefined) return;
    const { value } = await readMapPath(rows, map.root, organizationId);
    requireAtMap(organizationId, organization, value);
    const last = await rows.lastEnd(organizationId);
    requireChain(organizationId, last, { mapped: value, since: map.since });
  }

  return async (organizationId, answer, again) => {
    if (!hasBegun()) await inTurn(begin);
    const first = known();
    // This deployment has no log.
    if (first === undefined) return answer;
    try {
      await require(organizationId, answer, first);
      return answer;
    } catch (error) {
      if (!(error instanceof RecordRefusedError)) throw error;
    }
    // The pages or the organization may belong to a batch written in the meantime.
    return inTurn(async () => {
      for (let attempt = 1; ; attempt += 1) {
        const head = await read();
        const newest = await again();
        if (head === undefined) return newest;
        try {
          await require(organizationId, newest, head);
          return newest;
        } catch (error) {
          const isMoved = (await read())?.version !== head.version;
          if (!isMoved || attempt === maximumAttempts) throw error;
        }
      }
    });
  };
}
