// Combines several nodes of one chain into a source of the facts that more than half of them report.

import { ChainFault } from '../../core/balances/node_answer.ts';
import type { ChainSource } from './follow.ts';
import { answersOfMost, middle } from './several_nodes.ts';

/**
 * Returns the chain as reported by most of its nodes. A block that some of them lack counts as missing; a
 * contradiction raises a `ChainFault`. A single node is trusted.
 */
export function agreeing(nodes: readonly ChainSource[]): ChainSource {
  const [only] = nodes;
  if (only !== undefined && nodes.length === 1) return only;

  async function answersTo<Value>(ask: (node: ChainSource) => Promise<Value>) {
    return (await answersOfMost(nodes.map(ask), nodes.length, () => false)).answers;
  }

  async function alike<Value>(
    ask: (node: ChainSource) => Promise<Value | undefined>,
  ): Promise<Value | undefined> {
    const answers = await answersTo(ask);
    const groups = [...Map.groupBy(answers, (answer) => JSON.stringify(answer)).values()];
    const agreed = groups.find((group) => group.length * 2 > nodes.length);
    if (agreed !== undefined) return agreed[0];
    if (answers.includes(undefined)) return undefined;
    throw new ChainFault('the nodes contradict each other');
  }

  return {
    newest: async () => {
      const numbers = await answersTo((node) => node.newest());
      return Number(middle(numbers.map(BigInt)));
    },
    upTo: (number) => alike((node) => node.upTo(number)),
    mark: (number) => alike((node) => node.mark(number)),
    next: (number) => alike((node) => node.next(number)),
    final: (number) => alike((node) => node.final(number)),
  };
}
