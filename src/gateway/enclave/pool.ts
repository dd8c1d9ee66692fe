// Several enclaves of one service. Each organization belongs to one enclave, which caches its state; while
// that enclave restarts, another serves the organization. Enclaves share the store like nodes: every commit
// is conditional, so any enclave can decide for any organization.

import { copyOfSecret } from '../../core/base/bytes.ts';
import { organizationNamedIn } from '../../core/base/named_organization.ts';
import type { Handlers } from '../../ipc/message_table.ts';
import type { EnclaveMessages, GatewayMessages, RequestOf } from '../../ipc/messages.ts';
import { maximumEnclaves } from '../../settings/settings.ts';
import { type SuperviseOptions, type Supervisor, superviseEnclave } from './supervise.ts';

/** Returns the default number of enclaves: all cores but one, which serves the gateway. */
export function usualEnclaves(cores: number): number {
  return Math.min(maximumEnclaves, Math.max(1, cores - 1));
}

/** Creates a supervisor of `count` enclaves, without starting them. */
export function superviseEnclaves(count: number, options: SuperviseOptions): Supervisor {
  return count === 1 ? superviseEnclave(options) : superviseSeveral(count, options);
}

function superviseSeveral(count: number, options: SuperviseOptions): Supervisor {
  const ending = new AbortController();
  const first = superviseEnclave({ ...options, handlers: handlersOf(0) });
  const others = Array.from({ length: count - 1 }, (_, index) =>
    superviseEnclave({ ...options, handlers: handlersOf(index + 1) }),
  );
  const members = [first, ...others];

  /** Returns the handlers of one enclave: the store, with its changes reported to the others. */
  function handlersOf(index: number): Handlers<GatewayMessages> {
    const { commit } = options.handlers;
    return {
      ...options.handlers,
      commit: async (change) => {
        const outcome = await commit(change);
        if (outcome === 'committed') {
          for (const { organizationId } of change.organizations) {
            reportChange(index, organizationId);
          }
        }
        return outcome;
      },
    };
  }

  function reportChange(by: number, organizationId: string): void {
    for (const [index, { calls }] of members.entries()) {
      if (index === by) continue;
      // A stopping enclave has no keys left to drop.
      for (const call of calls()) {
        call('organizationChanged', { organizationId }).catch(() => undefined);
      }
    }
  }

  /** Returns the enclave of an organization, or the next running one. */
  function memberOf(organizationId: string): Supervisor {
    const own = shareOf(organizationId, count);
    for (let further = 0; further < count; further += 1) {
      const member = members[(own + further) % count];
      if (member?.isRunning() === true) return member;
    }
    return first;
  }

  return {
    start: () =>
      options.withRootKey(async (rootKey) => {
        // The first enclave creates the first organization, or detects a wrong key.
        await first.startWith(copyOfSecret(rootKey));
        await Promise.all(others.map((member) => member.startWith(copyOfSecret(rootKey))));
      }, ending.signal),
    call: (name, request) => memberOf(organizationIn(request)).call(name, request),
    calls: () => members.flatMap((member) => member.calls()),
    isRunning: () => members.some((member) => member.isRunning()),
    stop: async () => {
      ending.abort();
      await Promise.all(members.map((member) => member.stop()));
    },
  };
}

/** Returns the index of an organization's enclave. The last digits of a UUID are random. */
export function shareOf(organizationId: string, count: number): number {
  const digits = Number.parseInt(organizationId.slice(-8), 16);
  return Number.isNaN(digits) ? 0 : digits % count;
}

type ApiRequest = RequestOf<EnclaveMessages['request']>;

/**
 * Returns the organization in a message, or an empty text. Requests to the onboarding proxy name a
 * configuration, which belongs to one organization.
 */
function organizationIn(message: unknown): string {
  if (typeof message !== 'object' || message === null) return '';
  if (isApiRequest(message)) {
    if (message.kind !== 'proxy') return organizationNamedIn(message.body);
    return message.headers.find(({ name }) => name === 'x-auth-proxy-config-id')?.value ?? '';
  }
  return 'organizationId' in message ? String(message.organizationId) : '';
}

const isApiRequest = (message: object): message is ApiRequest =>
  'kind' in message && 'headers' in message && 'body' in message;
