// Queries of clients about chains, sent to the operator's nodes.

import type { Chain } from '../../core/balances/chains.ts';
import { evmAmounts, evmTransactionCount, evmValue } from '../../core/balances/evm_questions.ts';
import type { ChainFault } from '../../core/balances/node_answer.ts';
import { solanaAmounts } from '../../core/balances/solana_questions.ts';
import { fail } from '../../core/errors/errors.ts';
import type { ExternalServices } from '../../core/external/external_services.ts';
import {
  type EthereumCall,
  estimateQuestion,
  fillQuestion,
  stationQuestion,
} from '../../core/sends/ethereum_fill.ts';
import { revertOf } from '../../core/sends/revert.ts';
import { solanaErrorOf } from '../../core/sends/solana_failure.ts';
import {
  lifetimeOfMost,
  lifetimeQuestion,
  refusalCodes,
  simulationQuestion,
  whyItFails,
} from '../../core/sends/solana_fill.ts';
import type { Log } from '../observability/log.ts';
import { type LookupServer, type Metrics, noMetrics } from '../observability/metrics.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { type WaitWatch, waitingSend } from '../outbound/waiting_send.ts';
import { tracedSend } from '../traces/traced_outbound.ts';
import { noTracing, type Tracing } from '../traces/tracing.ts';
import { createAsking, type Replies } from './ask_chain.ts';
import { createChainHealth } from './chain_health.ts';
import { createRewardSource } from './reward_source.ts';
import { middle, saidByMost } from './several_nodes.ts';

type ChainQueries = Pick<
  ExternalServices,
  | 'chainAmounts'
  | 'transactionCount'
  | 'fetchEthereumFields'
  | 'fetchSponsoredFields'
  | 'fetchContractValues'
  | 'fetchRewards'
  | 'fetchSolanaFields'
> & {
  /** Returns the chains with an answering node. */
  answering(): Promise<ReadonlySet<string>>;
  /** Aborts the queries in progress. */
  close(): void;
};

const amountsOf: Readonly<Record<Chain['family'], typeof evmAmounts>> = {
  eip155: evmAmounts,
  solana: solanaAmounts,
};

/** A revert is a valid answer that nodes report as an error. */
const isRevert = ({ code, data }: ChainFault): boolean => code === 3 || data !== undefined;

/** A rejection of a transaction is a valid answer too. */
const isRefused = ({ code }: ChainFault): boolean => refusalCodes.has(code);

const differentReasons = 'the nodes report different reasons';

type LookupMetrics = Pick<Metrics, 'lookupsWaiting' | 'lookupRefused'>;

const watchOf = (server: LookupServer, metrics: LookupMetrics): WaitWatch => ({
  waiting: (count) => metrics.lookupsWaiting(server, count),
  refused: () => metrics.lookupRefused(server),
});

export function createChainQueries(
  chains: readonly Chain[],
  log: Log,
  {
    tracing = noTracing,
    metrics = noMetrics,
    clock = () => performance.now(),
  }: {
    readonly tracing?: Tracing;
    readonly metrics?: LookupMetrics;
    readonly clock?: () => number;
  } = {},
): ChainQueries {
  // The operator configured the addresses, and nodes often run next to the service.
  const outbound = createOutbound({ allowPrivateTargets: true });

  const nodes = waitingSend(outbound.send, watchOf('chain_node', metrics));
  const send = tracedSend(nodes, tracing, 'chain_node');
  const { answerOf, agreedAnswers, repliesOfMost, repliesToEach } = createAsking({
    chains,
    log,
    clock,
    send,
  });
  const answering = createChainHealth({
    chains: chains.map(({ caip2 }) => caip2),
    // Each query already checks the identity of the chain, so it needs no calls.
    ask: (caip2) => answerOf(caip2, () => ({ calls: [], read: () => undefined })),
    clock,
  });

  /** Returns the number of transactions of an address, and recent fees. */
  async function feesOf(caip2: string, from: string) {
    const filled = await agreedAnswers(caip2, fillQuestion(from));
    const used = middle(filled.map((each) => each.used));
    const baseFee = middle(filled.map((each) => each.baseFee));
    return { used, baseFee, tip: middle(filled.map((each) => each.tip)) };
  }

  const gasOf = async (caip2: string, calls: readonly EthereumCall[]) =>
    sumOfGas(calls, await repliesToEach(caip2, calls.map(estimateQuestion), isRevert));

  const watch = watchOf('reward_source', metrics);
  const fetchRewards = createRewardSource({ chains, log, outbound, tracing, watch });

  return {
    answering,
    chainAmounts: (caip2, address) =>
      answerOf(caip2, (chain) => amountsOf[chain.family](chain, address)),
    transactionCount: async (caip2, address) => {
      const counts = await agreedAnswers(caip2, evmTransactionCount(address));
      return String(middle(counts.map((count) => BigInt(count))));
    },
    fetchEthereumFields: async ({ caip2, from, estimatesGas, ...call }) => {
      const filled = await feesOf(caip2, from);
      return { ...filled, gas: estimatesGas ? await gasOf(caip2, [{ from, ...call }]) : undefined };
    },
    fetchSponsoredFields: async ({ caip2, sponsor, from, station, calls, estimatesGas }) => {
      const [filled, states] = await Promise.all([
        feesOf(caip2, sponsor),
        agreedAnswers(caip2, stationQuestion(from, station)),
      ]);
      const codes = states.map(({ senderCode, stationCode, delegateCode }) =>
        [senderCode, stationCode, delegateCode].join(),
      );
      const most = saidByMost(codes) ?? fail('chain_node_unavailable', { caip2 });
      const alike = states.filter((_, i) => codes[i] === most);
      const [state = fail('chain_node_unavailable', { caip2 })] = alike;
      const own = calls.map((call) => ({ from, ...call }));
      const gas = estimatesGas ? await gasOf(caip2, own) : undefined;
      return {
        ...state,
        ...filled,
        usedBySender: middle(alike.map((each) => each.usedBySender)),
        stationNonce: middle(alike.map((each) => each.stationNonce)),
        gas,
      };
    },
    fetchContractValues: async ({ caip2, calls }) =>
      (await repliesToEach(caip2, calls.map(evmValue), isRevert)).map(agreedValue),
    fetchRewards,
    fetchSolanaFields: async ({ caip2, transaction, ...lifetime }) => {
      const lifetimes = await agreedAnswers(caip2, lifetimeQuestion(lifetime));
      const filled = lifetimeOfMost(lifetimes) ?? fail('chain_node_unavailable', { caip2 });
      // An expired lifetime would fail for that reason, which gets a clearer message.
      if (!(filled.isRecent || filled.nonce === lifetime.hash)) return filled;
      const simulated = simulationQuestion(transaction);
      const { answers, refusals } = await repliesOfMost(caip2, simulated, isRefused);
      const failures = answers.filter((failure) => failure !== undefined);
      if ((failures.length + refusals.length) * 2 <= answers.length + refusals.length)
        return filled;
      const reasons = [
        ...failures.map((failure) => whyItFails(solanaErrorOf(failure).message, failure)),
        ...refusals.map(({ code }) => `the node refuses it with code ${code}`),
      ];
      const reason = saidByMost(reasons) ?? differentReasons;
      return fail('transaction_would_revert', { reason });
    },
    close: () => outbound.close(),
  };
}

/** Returns the sum of the gas estimates of calls. Raises `transaction_would_revert`. */
function sumOfGas(calls: readonly EthereumCall[], replies: readonly Replies<bigint>[]): bigint {
  const gas = replies.map(({ answers, refusals }, i) => {
    if (refusals.length <= answers.length) return middle(answers);
    const data = saidByMost(refusals.map((refusal) => refusal.data ?? ''));
    const to = calls[i]?.to ?? '';
    const reason = data === undefined ? differentReasons : revertOf(to, data).displayMessage;
    return fail('transaction_would_revert', { reason, data: data ?? '', to });
  });
  return gas.reduce((sum, each) => sum + each, 0n);
}

/** Returns the middle of the values that nodes report; undefined unless most report one. */
function agreedValue(of: Replies<bigint | undefined>): bigint | undefined {
  const values = of.answers.filter((value) => value !== undefined);
  const isNone = values.length * 2 <= of.answers.length + of.refusals.length;
  return isNone ? undefined : middle(values);
}
