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

export type Fills = Pick<ExternalServices, 'fillEthereum' | 'fillSolana'>;

/** Raised where a node has to be asked first, by whoever keeps nobody waiting meanwhile. */
export class AsksFirstError extends Error {
  /** Returns once there is an answer or a refusal, which is remembered. */
  readonly ask: () => Promise<void>;

  constructor(ask: () => Promise<void>) {
    super('a node has to be asked first');
    this.name = 'AsksFirstError';
    this.ask = ask;
  }
}

type Kept = { answeredAtMs: number | undefined; readonly answer: Promise<unknown> };

/**
 * Returns the same questions, each of which is asked once until `lifeMs` after its answer; refusals are
 * answers too. Those of `remembered` wait for no node: they raise `AsksFirstError`.
 */
export function createFills(
  external: Fills,
  of: { readonly clock: () => number; readonly lifeMs: number; readonly maximum: number },
): Fills & { readonly remembered: Fills } {
  const { clock, lifeMs, maximum } = of;
  const kept = createRecentCache<Kept>(maximum);

  function known(key: string): Kept | undefined {
    const found = kept.get(key);
    const { answeredAtMs } = found ?? {};
    return answeredAtMs !== undefined && clock() >= answeredAtMs + lifeMs ? undefined : found;
  }

  function once<Asked, Answer>(name: string, ask: (asked: Asked) => Promise<Answer>) {
    // Call data may be long, and questions are kept for minutes.
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
      // Whoever asked learns of a refusal.
      answer.then(answered, answered);
      kept.set(key, entry);
      return answer;
    };
    const remembered = async (asked: Asked): Promise<Answer> => {
      if (known(keyOf(asked))?.answeredAtMs !== undefined) return asking(asked);
      const ended = () => undefined;
      throw new AsksFirstError(() => asking(asked).then(ended, ended));
    };
    return { asking, remembered };
  }

  const ethereum = once<Parameters<Fills['fillEthereum']>[0], EthereumFilled>('ethereum', (asked) =>
    external.fillEthereum(asked),
  );
  const solana = once<Parameters<Fills['fillSolana']>[0], SolanaFilled>('solana', (asked) =>
    external.fillSolana(asked),
  );
  return {
    fillEthereum: ethereum.asking,
    fillSolana: solana.asking,
    remembered: { fillEthereum: ethereum.remembered, fillSolana: solana.remembered },
  };
}

const written = (_name: string, value: unknown) =>
  typeof value === 'bigint' ? `${value}n` : value;
