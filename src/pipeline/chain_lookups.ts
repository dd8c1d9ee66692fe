// Lookups of transaction fields at chain nodes: their cache, their limit for each organization, and the
// cached answers for queries.

import { hex, utf8 } from '../core/base/bytes.ts';
import { createRecentCache } from '../core/base/lru_cache.ts';
import { createPlaces } from '../core/base/places.ts';
import { sha256 } from '../core/crypto/hashes.ts';
import type { ExternalServices } from '../core/external/external_services.ts';
import type { Ports } from './ports.ts';

export type ChainLookups = Pick<
  ExternalServices,
  | 'fetchEthereumFields'
  | 'fetchSponsoredFields'
  | 'fetchContractValues'
  | 'fetchRewards'
  | 'fetchSolanaFields'
>;

/**
 * Raised inside the queue when a node lookup is needed; the caller leaves the queue, fetches, and retries.
 */
export class LookupNeededError extends Error {
  /** Resolves once the answer or refusal is cached. */
  readonly ask: () => Promise<void>;

  constructor(ask: () => Promise<void>) {
    super('a node has to be asked first');
    this.name = 'LookupNeededError';
    this.ask = ask;
  }
}

type CachedAnswer = { answeredAtMs: number | undefined; readonly answer: Promise<unknown> };

/**
 * Returns the same queries with a cache. Each answer or refusal is cached for `lifeMs`. The queries of
 * `remembered` never wait for a node: without a cached answer they raise `LookupNeededError`. Each such error
 * doubles the age of the answers that they accept.
 */
export function createChainLookups(
  external: ChainLookups,
  of: { readonly clock: () => number; readonly lifeMs: number; readonly maximum: number },
): ChainLookups & { readonly remembered: ChainLookups } {
  const { clock, lifeMs, maximum } = of;
  const kept = createRecentCache<CachedAnswer>(maximum);
  /**
   * Life of answers after a wait in the line. It doubles with each lookup of a request, so a line with long
   * waits cannot make every answer expire.
   */
  let longLifeMs = lifeMs;

  function known(key: string, forMs = lifeMs): CachedAnswer | undefined {
    const found = kept.get(key);
    const { answeredAtMs } = found ?? {};
    return answeredAtMs !== undefined && clock() >= answeredAtMs + forMs ? undefined : found;
  }

  function once<Query, Answer>(name: string, ask: (asked: Query) => Promise<Answer>) {
    // Call data may be long, and answers are cached for minutes.
    const keyOf = (asked: Query) => `${name}/${hex(sha256(utf8(JSON.stringify(asked, written))))}`;
    const asking = (asked: Query): Promise<Answer> => {
      const key = keyOf(asked);
      const found = known(key);
      // The name in the key determines the type of the answer.
      if (found !== undefined) return found.answer as Promise<Answer>;
      const answer = ask(asked);
      const entry: CachedAnswer = { answeredAtMs: undefined, answer };
      const answered = () => {
        entry.answeredAtMs = clock();
      };
      // The caller handles a refusal.
      answer.then(answered, answered);
      kept.set(key, entry);
      return answer;
    };
    const remembered = async (asked: Query): Promise<Answer> => {
      const found = known(keyOf(asked), longLifeMs);
      if (found?.answeredAtMs !== undefined) return found.answer as Promise<Answer>;
      longLifeMs *= 2;
      const ended = () => undefined;
      throw new LookupNeededError(() => asking(asked).then(ended, ended));
    };
    return { asking, remembered };
  }

  const ethereum = once('ethereum', external.fetchEthereumFields);
  const sponsored = once('sponsored', external.fetchSponsoredFields);
  const values = once('values', external.fetchContractValues);
  const rewards = once('rewards', external.fetchRewards);
  const solana = once('solana', external.fetchSolanaFields);
  return {
    fetchEthereumFields: ethereum.asking,
    fetchSponsoredFields: sponsored.asking,
    fetchContractValues: values.asking,
    fetchRewards: rewards.asking,
    fetchSolanaFields: solana.asking,
    remembered: {
      fetchEthereumFields: ethereum.remembered,
      fetchSponsoredFields: sponsored.remembered,
      fetchContractValues: values.remembered,
      fetchRewards: rewards.remembered,
      fetchSolanaFields: solana.remembered,
    },
  };
}

const written = (_name: string, value: unknown) =>
  typeof value === 'bigint' ? `${value}n` : value;

/** Maximum number of concurrent calls of each kind of an organization. Further calls wait. */
const callsAtOnce = 8;

/**
 * Returns a function that limits the calls of an organization to `external`. Nodes and key holders serve few
 * calls at a time, so an organization without a limit could block all others.
 */
export function createBoundedServices(): (
  external: ExternalServices,
  organizationId: string,
) => ExternalServices {
  const places = createPlaces(callsAtOnce);
  return (external, organizationId) => {
    const ofNodes = <Answer>(ask: () => Promise<Answer>) =>
      places.run(`node/${organizationId}`, ask);
    return {
      ...external,
      chainAmounts: (...of) => ofNodes(() => external.chainAmounts(...of)),
      transactionCount: (...of) => ofNodes(() => external.transactionCount(...of)),
      fetchEthereumFields: (asked) => ofNodes(() => external.fetchEthereumFields(asked)),
      fetchSponsoredFields: (asked) => ofNodes(() => external.fetchSponsoredFields(asked)),
      fetchContractValues: (asked) => ofNodes(() => external.fetchContractValues(asked)),
      fetchRewards: (asked) => ofNodes(() => external.fetchRewards(asked)),
      fetchSolanaFields: (asked) => ofNodes(() => external.fetchSolanaFields(asked)),
      orderSignatures: (order) =>
        places.run(`holder/${organizationId}`, () => external.orderSignatures(order)),
    };
  };
}

/** Lifetime of displayed lookups for a waiting transaction. */
const shownLifeMs = 300_000;
/** Maximum number of waiting transactions in the cache, for all organizations. */
const maximumShown = 1_000;

const shown = new WeakMap<ExternalServices, ExternalServices>();

/** Creates the ports for views of waiting transactions. The deciding vote queries the chain itself. */
export function readOnlyPorts(ports: Ports): Ports {
  const { external, clock } = ports;
  const remembered = shown.getOrInsertComputed(external, () => {
    const limits = { clock, lifeMs: shownLifeMs, maximum: maximumShown };
    const { remembered: _remembered, ...lookups } = createChainLookups(external, limits);
    return { ...external, ...lookups };
  });
  return { ...ports, external: remembered };
}
