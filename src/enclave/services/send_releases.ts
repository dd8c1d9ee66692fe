// Pending transactions, and the freezes that stop their broadcast.

import { type Frozen, freezeOfSend, hasFreezes } from '../../core/freezes/frozen.ts';
import type { Send, StationUse } from '../../core/organization/records/sends.ts';
import { type OrganizationState, viewOf } from '../../core/organization/state.ts';
import { stationUseOf } from '../../core/sends/station_nonces.ts';
import type { Reader } from '../../operations/reader.ts';
import { keyIdsOf } from '../../operations/signing/signing_key.ts';
import { requiredState } from '../records/change_writer.ts';

export type SendRelease = {
  readonly send: Send;
  readonly isFrozen: boolean;
  readonly station: StationUse | undefined;
};

/** Creates the reader of transactions and their freezes, on the newest states of the store. */
export function createSendReleases({
  organization,
  reader,
}: {
  readonly organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
  readonly reader: (state: OrganizationState) => Reader;
}): (organizationId: string, ids: readonly string[]) => Promise<readonly SendRelease[]> {
  async function frozenOf(state: OrganizationState): Promise<Frozen> {
    const { parentId } = state;
    const parent =
      parentId === undefined ? undefined : viewOf(await requiredState(organization, parentId));
    return { organization: viewOf(state), parent };
  }

  return async (organizationId, ids) => {
    const { state } = await organization(organizationId);
    if (state === undefined) return [];
    const read = reader(state);
    const sends = [...(await read.sends(ids)).values()];
    const own = await frozenOf(state);
    const ofSenders = new Map<string, Promise<Frozen>>();
    // The sponsor stores the transactions of its sub-organizations.
    const frozenOfSender = (id: string) =>
      ofSenders.getOrInsertComputed(id, async () =>
        frozenOf(await requiredState(organization, id)),
      );
    return Promise.all(
      sends.map(async (send) => {
        const { organizationId: sending = organizationId } = send.origin ?? {};
        const frozen = sending === organizationId ? own : await frozenOfSender(sending);
        const station =
          send.isSponsored === true ? stationUseOf(own.organization, send) : undefined;
        if (!hasFreezes(frozen)) return { send, isFrozen: false, station };
        const isEarlier = send.origin === undefined;
        const keyIds = isEarlier ? await keyIdsOf(send.address, frozen.organization, read) : [];
        return { send, isFrozen: freezeOfSend(frozen, send, keyIds) !== undefined, station };
      }),
    );
  };
}
