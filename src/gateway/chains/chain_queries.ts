// What clients ask of chains, asked of the nodes that the operator named.

import { ofChain } from '../../core/balances/chain_identity.ts';
import type { Chain } from '../../core/balances/chains.ts';
import { evmAmounts, evmTransactionCount } from '../../core/balances/evm_questions.ts';
import { ChainFault, type Question } from '../../core/balances/node_answer.ts';
import { solanaAmounts } from '../../core/balances/solana_questions.ts';
import { assert, fail } from '../../core/errors/errors.ts';
import type { ExternalServices } from '../../core/external/external_services.ts';
import type { Log } from '../log.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { ask } from './json_rpc.ts';

export type ChainQueries = Pick<ExternalServices, 'chainAmounts' | 'transactionCount'> & {
  /** Ends what is under way. */
  close(): void;
};

const amountsOf: Readonly<Record<Chain['family'], typeof evmAmounts>> = {
  eip155: evmAmounts,
  solana: solanaAmounts,
};

export function createChainQueries(chains: readonly Chain[], log: Log): ChainQueries {
  // The addresses are the operator's own words: nodes often run beside the service.
  const outbound = createOutbound({ allowPrivateTargets: true });

  async function answerOf<Answer>(
    caip2: string,
    questionOf: (chain: Chain) => Question<Answer>,
  ): Promise<Answer> {
    const chain = chains.find((each) => each.caip2 === caip2);
    assert(chain !== undefined, 'only chains that the operator named are asked about');
    try {
      return await ask(ofChain(chain, questionOf(chain)), chain.rpcUrl, outbound.send);
    } catch (error) {
      if (!(error instanceof ChainFault)) throw error;
      log('warn', 'a chain could not be asked', { chain: caip2, detail: error.message });
      return fail('chain_node_unavailable', { caip2 });
    }
  }

  return {
    chainAmounts: (caip2, address) =>
      answerOf(caip2, (chain) => amountsOf[chain.family](chain, address)),
    transactionCount: (caip2, address) => answerOf(caip2, () => evmTransactionCount(address)),
    close: () => outbound.close(),
  };
}
