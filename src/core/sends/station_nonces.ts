// Nonces of senders at the delegate of a gas station. The organization of the sponsor stores them.

import type { Send, StationUse } from '../organization/records/sends.ts';
import type { OrganizationView } from '../organization/state.ts';

/** Returns sender and nonce of the calls in a pending transaction; undefined without a sponsor. */
export function stationUseOf(
  organization: OrganizationView,
  { id, caip2, address }: Pick<Send, 'id' | 'caip2' | 'address'>,
): StationUse | undefined {
  const sender = organization
    .list('sender')
    .find((each) => each.caip2 === caip2 && each.address === address);
  return sender?.taken.find(({ sendId }) => sendId === id)?.station;
}

type Use = { readonly sendId: string; readonly station: StationUse };

/** Returns the pending sponsored transactions of a sender (lower-case hex) on a chain. */
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
 * Returns the nonce for a sender's next calls: the lowest from `used` that no pending transaction occupies.
 * Reverted and abandoned transactions occupy none. `isDelegated` is true if a pending transaction delivers
 * the sender's authorization.
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
