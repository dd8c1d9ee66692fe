import type { Anchor } from '../../core/custody/record.ts';
import { assert } from '../../core/errors/errors.ts';
import type { GatewayMessages } from '../../ipc/messages.ts';
import type { Link } from '../../ipc/rpc.ts';
import { commitOutcomes, deliveryStates, type StorePort } from '../../store/port.ts';

/** Returns the anchor ports of the enclave, which call the gateway. */
export function anchorOverLink(link: Pick<Link<GatewayMessages>, 'call'>) {
  return {
    read: async () => (await link.call('anchor', undefined)).anchor,
    raise: async (anchor: Anchor) => (await link.call('setAnchor', anchor)).raised,
  };
}

/** Returns the store port of the enclave; each call is a message to the gateway. */
export function storeOverLink(link: Pick<Link<GatewayMessages>, 'call'>): StorePort {
  return {
    deployment: async () => (await link.call('deployment', undefined)).body,
    organization: (request) => link.call('organization', request),
    children: (request) => link.call('children', request),
    records: (request) => link.call('records', { maximumBytes: undefined, ...request }),
    recordPage: (request) => link.call('recordPage', request),
    lookup: (request) => link.call('lookup', { after: undefined, ...request }),
    lookups: ({ index, blinds }) => link.call('lookups', { index, blinds: [...blinds] }),
    activity: async (request) =>
      (await link.call('activity', { maximumBytes: undefined, ...request })).activity,
    activityPage: (request) => link.call('activityPage', request),
    deliveryPage: async (request) => {
      const page = await link.call('deliveryPage', request);
      const deliveries = page.deliveries.map((delivery) => {
        const state = deliveryStates.find((name) => name === delivery.state);
        assert(state !== undefined, 'a delivery has a state');
        return { ...delivery, state };
      });
      return { ...page, deliveries };
    },
    commit: async (change) => {
      const answered = await link.call('commit', change);
      const outcome = commitOutcomes.find((name) => name === answered);
      assert(outcome !== undefined, 'a commit has an outcome');
      return outcome;
    },
  };
}
