// A user without rights sends changes over 400 connections from eight sources, and each is refused. The root
// user revokes keys and users meanwhile.

import { stamper } from '../../../bench/client.ts';
import { closedLoop, fromSource } from '../beside/closed_loop.ts';
import type { Flood, Target } from '../beside/flood.ts';
import { attackerAddress } from '../beside/raw_senders.ts';
import { besideUserWithoutRights } from '../beside/root_changes.ts';

const connections = 400;
const sources = 8;

export function attack({ port, attacker }: Target): Promise<never> {
  const stamp = stamper(attacker);
  let sent = 0;
  return closedLoop(port, connections, (connection) => {
    sent += 1;
    const change = stamp.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
      walletName: `Refused ${sent}`,
      accounts: [],
    });
    return fromSource(change, attackerAddress(connection % sources));
  });
}

export const flood: Flood = {
  longestMs: 1_500,
  name: 'refused changes of a user without rights',
  run: (bounds) => besideUserWithoutRights(bounds, import.meta.url),
};
