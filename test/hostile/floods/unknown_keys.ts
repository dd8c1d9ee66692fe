// Changes over 1,000 connections, stamped by a key that no user has. The root user of the named
// organization revokes keys and users meanwhile.

import { stamper } from '../../../bench/client.ts';
import { closedLoop, fromSource } from '../beside/closed_loop.ts';
import type { Flood, Target } from '../beside/flood.ts';
import { besideAttack } from '../beside/neighbour.ts';
import { attackerAddress } from '../beside/raw_senders.ts';
import { rootChanges } from '../beside/root_changes.ts';

const connections = 1_000;
const sources = 16;

export function attack({ port, attacker }: Target): Promise<never> {
  const stamp = stamper(attacker);
  let sent = 0;
  return closedLoop(port, connections, (connection) => {
    sent += 1;
    const change = stamp.submit('create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', {
      userTagName: `Unknown ${sent}`,
      userIds: [],
    });
    return fromSource(change, attackerAddress(connection % sources));
  });
}

export const flood: Flood = {
  longestMs: 1_500,
  name: 'changes stamped by a key of no user',
  run: (bounds) => besideAttack(bounds, import.meta.url, rootChanges),
};
