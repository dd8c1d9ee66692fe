// The chain's values that transactions need, remembered: a node is not asked again for each attempt
// and view.

import { hex, utf8 } from '../core/base/bytes.ts';
import { createRecentCache } from '../core/base/lru_cache.ts';
import { sha256 } from '../core/crypto/hashes.ts';
import type {
  EthereumFilled,
  ExternalServices,
  SolanaFilled,
} from '../core/external/external_services.ts';

export type ChainLookups = Pick<ExternalServices, 'fetchEthereumFields' | 'fetchSolanaFields'>;

/**
 * Raised inside the queue when a node lookup is needed; the caller leaves the queue, fetches, and retries.
 */
export class LookupNeededError extends Error {
  /** Returns once there is an answer or a refusal, which is remembered. */
  readonly ask: () => Promise<void>;

  constructor(ask: () => Promise<void>) {
    super('a node has to be asked first');
    this.name = 'LookupNeededError';
    this.ask = ask;
  }
}

type Kept = { answeredAtMs: number | undefined; readonly answer: Promise<unknown> };

/**
 * Returns the same queries with a cache: each is asked once until `lifeMs` after its answer, refusals
 * included. Those of `remembered` do not wait for a node: they raise `LookupNeededError`.
 */
export function createChainLookups(
  external: ChainLookups,
  of: { readonly clock: () => number; readonly lifeMs: number; readonly maximum: number },
): ChainLookups & { readonly remembered: ChainLookups } {
  const { clock, lifeMs, maximum } = of;
  const kept = createRecentCache<Kept>(maximum);

  function known(key: string): Kept | undefined {
    const found = kept.get(key);
    const { answeredAtMs } = found ?? {};
    return answeredAtMs !== undefined && clock() >= answeredAtMs + lifeMs ? undefined : found;
  }

  function once<Asked, Answer>(name: string, ask: (asked: Asked) => Promise<Answer>) {
    // Call data may be long, and answers are cached for minutes.
    const keyOf = (asked: Asked) => `${name}/${hex(sha256(utf8(JSON.stringify(asked, written))))}`;
    const asking = (asked: Asked): Promise<Answer> => {
      const key = keyOf(asked);
      const found = known(key);
      // By its name it is the answer to a question of this kind.
      if (found !== undefined) return found.answer as Promise<Answer>;
      const answer = ask(asked);
      const entry: Kept = { answeredAtMs: undefined, answer };
      const answered = () => {
        entry.answeredAtMs = clock();
      };
      // The caller handles a refusal.
      answer.then(answered, answered);
      kept.set(key, entry);
      return answer;
    };
    const remembered = async (asked: Asked): Promise<Answer> => {
      if (known(keyOf(asked))?.answeredAtMs !== undefined) return asking(asked);
      const ended = () => undefined;
      throw new LookupNeededError(() => asking(asked).then(ended, ended));
    };
    return { asking, remembered };
  }

  const ethereum = once<Parameters<ChainLookups['fetchEthereumFields']>[0], EthereumFilled>(
    'ethereum',
    (asked) => external.fetchEthereumFields(asked),
  );
  const solana = once<Parameters<ChainLookups['fetchSolanaFields']>[0], SolanaFilled>(
    'solana',
    (asked) => external.fetchSolanaFields(asked),
  );
  return {
    fetchEthereumFields: ethereum.asking,
    fetchSolanaFields: solana.asking,
    remembered: { fetchEthereumFields: ethereum.remembered, fetchSolanaFields: solana.remembered },
  };
}

const written = (_name: string, value: unknown) =>
  typeof value === 'bigint' ? `${value}n` : value;
