// Questions to the nodes of a chain: to the first that answers, or to all of them.

import { ofChain } from '../../core/balances/chain_identity.ts';
import type { Chain } from '../../core/balances/chains.ts';
import { ChainFault, type Question } from '../../core/balances/node_answer.ts';
import { assert, fail } from '../../core/errors/errors.ts';
import type { Log } from '../observability/log.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { ask } from './json_rpc.ts';
import { answersOfMost, createRest, isSilence } from './several_nodes.ts';

/** All functions raise `chain_node_unavailable`. */
export function createAsking(of: {
  readonly chains: readonly Chain[];
  readonly log: Log;
  readonly clock: () => number;
  readonly send: Outbound['send'];
}) {
  const { chains, log, clock, send } = of;
  const rest = createRest(clock);

  function chainOf(caip2: string): Chain {
    const chain = chains.find((each) => each.caip2 === caip2);
    assert(chain !== undefined, 'only chains that the operator named are asked about');
    return chain;
  }

  function unavailable(caip2: string, fault: ChainFault): never {
    log('warn', 'a chain could not be asked', { chain: caip2, detail: fault.message });
    return fail('chain_node_unavailable', { caip2 });
  }

  /** Returns the answer of the first node that responds. */
  async function answerOf<Answer>(
    caip2: string,
    questionOf: (chain: Chain) => Question<Answer>,
    isAnswer: (fault: ChainFault) => boolean = () => false,
  ): Promise<Answer> {
    const chain = chainOf(caip2);
    const question = ofChain(chain, questionOf(chain));
    let last = new ChainFault('there is no node');
    for (const url of chain.rpcUrls) {
      try {
        return await ask(question, url, send);
      } catch (error) {
        if (!(error instanceof ChainFault) || isAnswer(error)) throw error;
        last = error;
      }
    }
    return unavailable(caip2, last);
  }

  /** Returns the replies of more than half of the nodes; refusals that are answers are among it. */
  async function repliesOfMost<Answer>(
    caip2: string,
    question: Question<Answer>,
    isAnswer: (fault: ChainFault) => boolean,
  ): Promise<{ readonly answers: readonly Answer[]; readonly refusals: readonly ChainFault[] }> {
    const chain = chainOf(caip2);
    const asked = ofChain(chain, question);
    return answersOfMost(
      rest.awake(chain.rpcUrls).map((url) =>
        ask(asked, url, send).catch((error) => {
          if (isSilence(error)) rest.silent(url);
          throw error;
        }),
      ),
      chain.rpcUrls.length,
      isAnswer,
    ).catch((error) => {
      if (!(error instanceof ChainFault)) throw error;
      return unavailable(caip2, error);
    });
  }

  /** Returns the answers of more than half of the nodes. */
  async function agreedAnswers<Answer>(
    caip2: string,
    question: Question<Answer>,
  ): Promise<readonly Answer[]> {
    return (await repliesOfMost(caip2, question, () => false)).answers;
  }

  return { answerOf, agreedAnswers, repliesOfMost };
}
