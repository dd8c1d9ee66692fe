// Fetches the values of a node that a Solana transaction needs before it is signed.

import type { Question } from '../balances/node_answer.ts';
import type { SolanaFailure } from '../organization/records/sends.ts';
import { isRecentIn, nonceIn, numberOf, simulationIn } from './solana_node.ts';
import type { SolanaFilled, StatedLifetime } from './solana_send.ts';

const commitment = 'confirmed';

/** Reads the state of a blockhash, or of a nonce account: it determines whether the transaction can land. */
export function lifetimeQuestion({ hash, nonceAccount }: StatedLifetime): Question<SolanaFilled> {
  const form = { commitment, encoding: 'base64' };
  return {
    calls: [
      { method: 'getBlockHeight', params: [{ commitment }] },
      { method: 'isBlockhashValid', params: [hash, { commitment }] },
      ...(nonceAccount === undefined
        ? []
        : [{ method: 'getAccountInfo', params: [nonceAccount, form] }]),
    ],
    read: ([height, valid, account]) => {
      const recent = isRecentIn(valid);
      const nonce = account === undefined ? undefined : nonceIn(account);
      return {
        slot: (nonce ?? recent).slot,
        height: numberOf(height),
        isRecent: recent.value,
        nonce: nonce?.value,
      };
    },
  };
}

/** Maximum distance between slots or heights of nodes of the same chain: some minutes. */
const maximumApart = 1_000;

/**
 * Combines the answers of nodes. More than half of them must report the same nonce. Slot and height are
 * medians, the higher of two, so that a transaction fails late instead of wrongly. Returns undefined if the
 * nodes contradict each other.
 */
export function lifetimeOfMost(answers: readonly SolanaFilled[]): SolanaFilled | undefined {
  const isMost = (some: readonly SolanaFilled[]) => some.length * 2 > answers.length;
  const alike = [...Map.groupBy(answers, ({ nonce }) => nonce).values()].find(isMost);
  const slot = middle(answers.map((each) => each.slot));
  const height = middle(answers.map((each) => each.height));
  if (alike === undefined || slot === undefined || height === undefined) return undefined;
  const isRecent = isMost(answers.filter((each) => each.isRecent));
  return { slot, height, isRecent, nonce: alike[0]?.nonce };
}

/**
 * Returns the median. It is right if less than half of the numbers are wrong. An even count has two middle
 * numbers, which may be far apart.
 */
function middle(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const higher = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return higher - lower > maximumApart ? undefined : higher;
}

/** Simulates a transaction (base64) with missing signatures, and returns its failure. */
export function simulationQuestion(transaction: string): Question<SolanaFailure | undefined> {
  const form = { commitment, encoding: 'base64', sigVerify: false };
  return {
    calls: [{ method: 'simulateTransaction', params: [transaction, form] }],
    read: ([simulated]) => simulationIn(simulated),
  };
}

/** Error codes of nodes for a transaction that no block would accept. */
export const refusalCodes: ReadonlySet<number | undefined> = new Set([
  -32602, -32003, -32013, -32015,
]);

/** Returns a sentence about the failure, with the last log lines of the programs. */
export function whyItFails(message: string, { logs = [] }: Pick<SolanaFailure, 'logs'>): string {
  const last = logs.findLast((line) => line.startsWith('Program log: '));
  return last === undefined ? message : `${message} (${last.slice('Program log: '.length)})`;
}
