// Selects among several nodes of one chain, and compares their answers.

import { ChainFault } from '../../core/balances/node_answer.ts';
import type { JsonRpc } from './json_rpc.ts';

/** Time for which a silent node is skipped while others answer. */
const restMs = 15_000;

/** Returns true for a node without an answer. A rejection of one call is an answer. */
export const isSilence = (error: unknown): boolean =>
  error instanceof ChainFault && error.code === undefined;

/** Wraps a node. After a timeout the node is skipped for a while, because it would delay the others. */
export function resting(node: JsonRpc, clock: () => number): JsonRpc {
  let restsUntil = Number.NEGATIVE_INFINITY;
  return async (method, parameters) => {
    if (clock() < restsUntil) throw new ChainFault('it did not answer a moment ago');
    try {
      return await node(method, parameters);
    } catch (error) {
      if (isSilence(error)) restsUntil = clock() + restMs;
      throw error;
    }
  };
}

/** Selects the nodes to ask: without those that timed out recently, if the others suffice. */
export function createRest(clock: () => number) {
  const until = new Map<string, number>();
  return {
    awake: (urls: readonly string[]): readonly string[] => {
      const awake = urls.filter((url) => clock() >= (until.get(url) ?? 0));
      return awake.length * 2 > urls.length ? awake : urls;
    },
    silent: (url: string): void => {
      until.set(url, clock() + restMs);
    },
  };
}

/** Returns the answers of more than half of the nodes; raises a `ChainFault` if fewer answered. */
export async function answersOfMost<Answer>(
  asked: readonly Promise<Answer>[],
  nodes: number,
  isAnswer: (fault: ChainFault) => boolean,
): Promise<{ readonly answers: readonly Answer[]; readonly refusals: readonly ChainFault[] }> {
  const ended = await Promise.allSettled(asked);
  const answers = ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const faults = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  const unexpected = faults.find((fault) => !(fault instanceof ChainFault));
  if (unexpected !== undefined) throw unexpected;
  const refusals = faults.filter((fault) => fault instanceof ChainFault && isAnswer(fault));
  if ((answers.length + refusals.length) * 2 > nodes) return { answers, refusals };
  throw faults.find((fault) => !refusals.includes(fault)) ?? new ChainFault('too few nodes answer');
}

/** Returns the median, the lower of two. It is in the correct range if less than half are wrong. */
export function middle(numbers: readonly bigint[]): bigint {
  const sorted = numbers.toSorted((a, b) => (a === b ? 0 : a < b ? -1 : 1));
  const found = sorted[Math.floor((sorted.length - 1) / 2)];
  if (found === undefined) throw new ChainFault('no node answers');
  return found;
}

/** Returns the text that more than half of the nodes report, or undefined. */
export function saidByMost(texts: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(texts, (text) => text).values()];
  return groups.find((group) => group.length * 2 > texts.length)?.[0];
}
