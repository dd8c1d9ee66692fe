// The nonces of senders at the delegate of a gas station, in the organization of the sponsor.

import type { Send, StationUse } from '../organization/records/sends.ts';
import type { OrganizationView } from '../organization/state.ts';

type Use = { readonly sendId: string; readonly station: StationUse };

/** Returns the sponsored transactions under way of a sender (lower-case hex) on a chain. */
export function stationUses(
  organization: OrganizationView,
  { caip2, sender }: { readonly caip2: string; readonly sender: string },
): readonly Use[] {
  return organization
    .list('sender')
    .filter((each) => each.caip2 === caip2)
    .flatMap(({ taken }) => taken)
    .flatMap(({ sendId, station }) => (station?.sender === sender ? [{ sendId, station }] : []));
}

/**
 * Returns the nonce of the next calls of a sender: the lowest from `used` on that no transaction under way
 * takes. A reverted or abandoned transaction takes none. `isDelegated`: an earlier transaction delivers the
 * authorization of the sender.
 */
export function nextStationNonce(
  used: bigint,
  uses: readonly Use[],
  sends: ReadonlyMap<string, Send>,
): { readonly nonce: bigint; readonly isDelegated: boolean } {
  const waiting = uses.filter(({ sendId }) => sends.get(sendId)?.isAbandoned !== true);
  const taken = waiting.filter(({ sendId }) => {
    const send = sends.get(sendId);
    return !(send?.status === 'INCLUDED' && send.error !== undefined);
  });
  const nonces = new Set(taken.map(({ station }) => BigInt(station.nonce)));
  let nonce = used;
  while (nonces.has(nonce)) nonce += 1n;
  return { nonce, isDelegated: waiting.some(({ station }) => station.isDelegation === true) };
}
