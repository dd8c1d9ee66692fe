// Queries the nodes of a chain about a pending transaction, for every family of chains.

import type { Chain } from '../../core/balances/chains.ts';
import { ChainFault } from '../../core/balances/node_answer.ts';
import { sendStatuses } from '../../core/organization/records/sends.ts';
import type { SendProgress } from '../../core/sends/progress.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { JsonRpc } from '../chains/json_rpc.ts';
import type { Log } from '../observability/log.ts';

export type UnsettledSend = AnswerOf<EnclaveMessages['unsettledSends']>[number];
type SendSeen = RequestOf<EnclaveMessages['sendSeen']>;

type Nodes = {
  readonly chain: Pick<Chain, 'caip2' | 'confirmations'>;
  readonly nodes: readonly JsonRpc[];
  readonly log: Log;
};

/**
 * Looks up a transaction at all nodes. Sends it to nodes that have it in no block if `maySend` resolves to
 * true. Calls `maySend` before each node, so that a freeze stops a pending send. `news` is the report to the
 * enclave; undefined without a change.
 */
export type Look = (
  of: Nodes,
  send: UnsettledSend,
  maySend: () => Promise<boolean>,
) => Promise<{
  /** True if each answering node has it in a block. */
  readonly isIncluded: boolean;
  readonly news: Pick<SendSeen, 'ethereum' | 'solana'> | undefined;
  readonly outcome: LookOutcome;
}>;

/** More than half of the nodes agree, contradict each other, or do not answer. */
type LookOutcome = 'agreed' | 'disagreed' | 'unanswered';

/** Returns the outcome of a lookup at several nodes, by the nodes that answered. */
export function outcomeOf(
  seen: readonly unknown[],
  shown: unknown,
  { nodes }: Pick<Nodes, 'nodes'>,
): LookOutcome {
  if (shown !== undefined) return 'agreed';
  return seen.length * 2 > nodes.length ? 'disagreed' : 'unanswered';
}

/** Returns the views of the nodes that answered. */
export async function seenBy<Seen>(
  { chain, nodes, log }: Nodes,
  look: (node: JsonRpc) => Promise<Seen>,
): Promise<readonly Seen[]> {
  const answers = await Promise.allSettled(nodes.map(look));
  return answers.flatMap((answer) => {
    if (answer.status === 'fulfilled') return [answer.value];
    if (!(answer.reason instanceof ChainFault)) throw answer.reason;
    const { message: detail } = answer.reason;
    log('warn', 'a node did not answer about a transaction', { chain: chain.caip2, detail });
    return [];
  });
}

/** Returns the progress of a pending transaction: its status and its block. */
export function progressOf({ status: text, block }: UnsettledSend): SendProgress {
  const status = sendStatuses.find((each) => each === text);
  if (status === undefined) throw new Error('the enclave names an unknown status');
  if (block === undefined) return { status };
  const { number, hash } = block;
  return { status, block: { number, ...(hash === undefined ? {} : { hash }) } };
}
