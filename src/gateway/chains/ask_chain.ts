// Queries the nodes of a chain: the first that answers, or all of them.

import { ofChain } from '../../core/balances/chain_identity.ts';
import type { Chain } from '../../core/balances/chains.ts';
import { ChainFault, type Question } from '../../core/balances/node_answer.ts';
import { assert, fail } from '../../core/errors/errors.ts';
import type { Log } from '../observability/log.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { ask, askEach } from './json_rpc.ts';
import { answersOfMost, createRest, isSilence } from './several_nodes.ts';

/** Creates the queries of nodes. All of them raise `chain_node_unavailable`. */
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
    assert(chain !== undefined, 'only configured chains are queried');
    return chain;
  }

  const refusing =
    (caip2: string) =>
    (error: unknown): never => {
      if (!(error instanceof ChainFault)) throw error;
      log('warn', 'a chain did not answer', { chain: caip2, detail: error.message });
      return fail('chain_node_unavailable', { caip2 });
    };

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
    return refusing(caip2)(last);
  }

  /** Calls each node that answered recently. Returns the replies of more than half of all nodes. */
  async function repliesTo<Answer>(
    chain: Chain,
    ofNode: (url: string) => Promise<Answer>,
    isAnswer: (fault: ChainFault) => boolean,
  ): Promise<Replies<Answer>> {
    const { caip2, rpcUrls } = chain;
    const noted = (url: string) => (error: unknown) => {
      if (isSilence(error)) rest.silent(url);
      throw error;
    };
    const asked = rest.awake(rpcUrls).map((url) => ofNode(url).catch(noted(url)));
    return answersOfMost(asked, rpcUrls.length, isAnswer).catch(refusing(caip2));
  }

  /** Returns the replies of more than half of the nodes, including refusals that are answers. */
  async function repliesOfMost<Answer>(
    caip2: string,
    question: Question<Answer>,
    isAnswer: (fault: ChainFault) => boolean,
  ): Promise<Replies<Answer>> {
    const asked = ofChain(chainOf(caip2), question);
    return repliesTo(chainOf(caip2), (url) => ask(asked, url, send), isAnswer);
  }

  /** Returns the replies of more than half of the nodes by question, all asked together. */
  async function repliesToEach<Answer>(
    caip2: string,
    questions: readonly Question<Answer>[],
    isAnswer: (fault: ChainFault) => boolean,
  ): Promise<readonly Replies<Answer>[]> {
    if (questions.length === 0) return [];
    const chain = chainOf(caip2);
    const asked = (url: string) => askNode(chain, questions, url, send);
    const { answers: nodes } = await repliesTo(chain, asked, () => false);
    const repliesAt = (_: unknown, i: number) => {
      const replies = nodes.map(async (readAnswer) => readAnswer(i));
      return answersOfMost(replies, chain.rpcUrls.length, isAnswer);
    };
    return Promise.all(questions.map(repliesAt)).catch(refusing(caip2));
  }

  /** Returns the answers of more than half of the nodes. */
  async function agreedAnswers<Answer>(
    caip2: string,
    question: Question<Answer>,
  ): Promise<readonly Answer[]> {
    return (await repliesOfMost(caip2, question, () => false)).answers;
  }

  return { answerOf, agreedAnswers, repliesOfMost, repliesToEach };
}

/** Answers of nodes, and refusals that are answers. */
export type Replies<Answer> = {
  readonly answers: readonly Answer[];
  readonly refusals: readonly ChainFault[];
};

/**
 * Sends several questions to a node together. The returned function reads the answer to the question at an
 * index, or raises its `ChainFault`.
 */
async function askNode<Answer>(
  chain: Chain,
  questions: readonly Question<Answer>[],
  url: string,
  send: Outbound['send'],
): Promise<(index: number) => Answer> {
  const identity = ofChain(chain, { calls: [], read: () => undefined });
  const calls = [identity, ...questions].flatMap((each) => each.calls);
  const results = await askEach(calls, url, send);
  const resultAt = (place: number): unknown => {
    const result = results[place];
    if (result === undefined) throw new ChainFault('the node does not support batches');
    return result();
  };
  identity.read([resultAt(0)]);
  return (index) => {
    const { calls: own = [], read } = questions[index] ?? {};
    const first = 1 + questions.slice(0, index).reduce((sum, each) => sum + each.calls.length, 0);
    const values = own.map((_, i) => resultAt(first + i));
    if (read === undefined) throw new ChainFault('the query does not exist');
    return read(values);
  };
}
