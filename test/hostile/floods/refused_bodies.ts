// A user without rights sends changes of 400 kB over 16 connections, and each is refused. The root user
// revokes keys and users meanwhile. A refusal records a digest of such a body, not the body.

import { stamper } from '../../../bench/client.ts';
import { closedLoop, fromSource } from '../beside/closed_loop.ts';
import type { Flood, Target } from '../beside/flood.ts';
import { attackerAddress } from '../beside/raw_senders.ts';
import { besideUserWithoutRights } from '../beside/root_changes.ts';

const connections = 16;
const payloadCharacters = 400_000;
const source = attackerAddress(5);

export function attack({ port, attacker }: Target): Promise<never> {
  const stamp = stamper(attacker);
  // The service reads large bodies of a key only after it authenticated a small request.
  const small = fromSource(stamp.query('whoami', {}), source);
  const isIntroduced = new Set<number>();
  let sent = 0;
  return closedLoop(port, connections, (connection) => {
    if (!isIntroduced.has(connection)) {
      isIntroduced.add(connection);
      return small;
    }
    sent += 1;
    const change = stamp.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: attacker.organizationId,
      payload: `${sent} `.padEnd(payloadCharacters, 'x'),
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    });
    return fromSource(change, source);
  });
}

export const flood: Flood = {
  longestMs: 1_500,
  name: 'refused bodies of 400 kB',
  run: (bounds) => besideUserWithoutRights(bounds, import.meta.url),
};
