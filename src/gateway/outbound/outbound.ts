// The only way to send requests to hosts that callers or the operator name: identity providers, webhooks,
// message providers. It resolves the name, requires every address to be public, and connects to a checked
// address instead of the name, even if the name changes meanwhile. Redirects are returned as answers and not
// followed. Sizes and times are bounded.

import type { Agent } from 'node:http';
import { type Connect, createConnect } from './connection.ts';
import { type Exchange, exchange, openAgents } from './exchange.ts';
import { outboundLimits } from './limits.ts';
import { createNameLookup, type NameLookup } from './name_lookup.ts';
import type { OutboundAnswer, OutboundFailure, OutboundRequest } from './request.ts';
import { refusalOfAddress, type Target, type TargetRules, targetOf } from './target_address.ts';

export type Outbound = {
  /** Sends one request. Never rejects because of the other side. */
  send(request: OutboundRequest): Promise<OutboundAnswer | OutboundFailure>;
  /** Closes all connections; requests in progress fail. */
  close(): void;
};

/** Time and timers, which tests replace. */
type OutboundClock = {
  /** Runs a function once after a delay. Returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void;
};

export type OutboundOptions = TargetRules & {
  readonly lookup?: NameLookup;
  readonly connect?: Connect;
  readonly clock?: OutboundClock;
  /** Maximum requests in progress, in total and to one host and port. */
  readonly requests?: number;
  readonly requestsPerHost?: number;
};

/** Creates a client with its own connections. */
export function createOutbound(options: OutboundOptions): Outbound {
  const {
    allowPrivateTargets,
    lookup = createNameLookup(options),
    connect = createConnect(),
    clock = systemClock,
    requests = outboundLimits.requests,
    requestsPerHost = outboundLimits.requestsPerHost,
  } = options;
  const agents = openAgents(connect, requestsPerHost);
  const places = createPlaces(requests, requestsPerHost);

  async function addressesOf({ host, isAddress }: Target): Promise<Addresses | OutboundFailure> {
    if (isAddress) return { addresses: [host] };
    let addresses: readonly string[];
    try {
      addresses = await lookup(host);
    } catch (error) {
      return { failure: 'name_not_found', detail: codeOf(error) };
    }
    if (addresses.length === 0) return { failure: 'name_not_found', detail: 'no address' };
    if (addresses.length > outboundLimits.addresses) {
      return { failure: 'refused_target', detail: 'the name has too many addresses' };
    }
    for (const address of addresses) {
      const refusal = refusalOfAddress(address, { allowPrivateTargets });
      if (refusal !== undefined) return { failure: 'refused_target', detail: refusal };
    }
    return { addresses: addresses.toSorted(version4First) };
  }

  async function sendTo(
    target: Target,
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<OutboundAnswer | OutboundFailure> {
    const resolved = await addressesOf(target);
    if ('failure' in resolved) return resolved;
    const agent: Agent = target.isSecure ? agents.secure : agents.plain;
    let outcome: Exchange = { failure: 'network', detail: 'no address was tried' };
    for (const address of resolved.addresses.slice(0, outboundLimits.attempts)) {
      if (signal.aborted) break;
      const attempt = { agent, target, address, request, signal };
      outcome = await exchange(attempt);
      if (retryOf(outcome) === 'new_connection') outcome = await exchange(attempt);
      if (retryOf(outcome) !== 'other_address') break;
    }
    if (!('failure' in outcome)) return outcome;
    return { failure: outcome.failure, detail: outcome.detail };
  }

  return {
    send: async (request) => {
      const target = targetOf(request.url, { allowPrivateTargets });
      if ('refusal' in target) return { failure: 'refused_target', detail: target.refusal };
      const leave = places.take(`${target.host}:${target.port}`);
      if (leave === undefined) return { failure: 'busy', detail: 'too many requests under way' };
      const late = new AbortController();
      const timeout = Promise.withResolvers<OutboundFailure>();
      const cancel = clock.after(request.timeoutMs, () => {
        timeout.resolve({ failure: 'timeout', detail: `no answer in ${request.timeoutMs} ms` });
        late.abort();
      });
      try {
        return await Promise.race([sendTo(target, request, late.signal), timeout.promise]);
      } finally {
        cancel();
        leave();
      }
    },
    close: () => {
      agents.secure.destroy();
      agents.plain.destroy();
    },
  };
}

function retryOf(outcome: Exchange): string | undefined {
  return 'retry' in outcome ? outcome.retry : undefined;
}

type Addresses = { readonly addresses: readonly string[] };

const systemClock: OutboundClock = {
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Sorts IPv4 first, because many machines have no route to IPv6, and nearly all servers have IPv4. */
function version4First(a: string, b: string): number {
  return Number(a.includes(':')) - Number(b.includes(':'));
}

/** Counts requests in progress, in total and by server. */
function createPlaces(
  requests: number,
  requestsPerHost: number,
): { take(host: string): (() => void) | undefined } {
  const byHost = new Map<string, number>();
  let total = 0;
  return {
    take: (host) => {
      const count = byHost.get(host) ?? 0;
      if (total >= requests || count >= requestsPerHost) return undefined;
      total += 1;
      byHost.set(host, count + 1);
      return () => {
        total -= 1;
        const left = (byHost.get(host) ?? 1) - 1;
        if (left === 0) byHost.delete(host);
        else byHost.set(host, left);
      };
    },
  };
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
}
