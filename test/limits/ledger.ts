// Decides which requests a limit must have allowed, from the durable order of those that were carried out.
// Written from docs/limits.md, without the code of the product.

import type { Choice } from '../simulation/choice.ts';

export type Limit = {
  readonly threshold: number;
  readonly windowMs: number;
  readonly isByUser: boolean;
  /**
   * True for a limit on the lamports that transactions send, false for one on the number of signed
   * payloads.
   */
  readonly isSum: boolean;
  /** True if each signature needs the votes of two users. */
  readonly needsVotes: boolean;
  /** The control in the form of requests. */
  readonly control: object;
};

/** Draws a limit on signatures or on amounts. */
export function limitOf(choice: Choice): Limit {
  const threshold = choice.pick([1, 2, 3, 5, 8]);
  const seconds = choice.pick([10, 600, 86_400]);
  const isByUser = choice.chance(0.4);
  const isSum = choice.chance(0.5);
  const method = isSum ? 'SUM' : 'COUNT';
  return {
    threshold,
    windowMs: seconds * 1_000,
    isByUser,
    isSum,
    needsVotes: choice.chance(0.4),
    control: {
      name: 'Limit',
      identifier: 'limit',
      dataSource: isSum
        ? {
            chainAssetTransfer: {
              definition: [{ caip19: 'solana:mainnet/slip44:501', decimals: '0' }],
            },
          }
        : {
            activityExecution: {
              filter: { activity: [{ activityType: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS' }] },
            },
          },
      aggregation: {
        method: `VELOCITY_CONTROL_AGGREGATION_METHOD_${method}`,
        operator: 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL',
        threshold: String(threshold),
        window: { rolling: { duration: String(seconds) } },
        groupBy: isByUser ? { user: {} } : { organization: {} },
      },
    },
  };
}

/** An activity that became durable. */
export type Entry = {
  readonly userId: string;
  readonly amount: number;
  readonly isDone: boolean;
  /** The time of the deciding node's clock. */
  readonly atMs: number;
};

/** Creates an empty ledger of one limit. */
export function createLedger({ threshold, windowMs, isByUser }: Limit) {
  const lengthMs = Math.max(1_000, Math.ceil(windowMs / 60));
  const taken = new Map<string, { atMs: number; amount: number }[]>();
  const groupOf = (userId: string) => (isByUser ? userId : '');

  /** The time of a group does not run backwards while anything of the group counts. */
  function timeOf(group: string, atMs: number): number {
    return Math.max(atMs, ...(taken.get(group) ?? []).map((each) => each.atMs));
  }
  function sum(group: string, atMs: number): number {
    const at = timeOf(group, atMs);
    return (taken.get(group) ?? []).reduce((total, each) => {
      const end = (Math.floor(each.atMs / lengthMs) + 1) * lengthMs;
      return end + windowMs > at ? total + each.amount : total;
    }, 0);
  }

  return {
    /** Returns complaints about an activity that exceeds the limit, or was refused within it. */
    judge({ userId, amount, isDone, atMs }: Entry): string[] {
      const group = groupOf(userId);
      const before = sum(group, atMs);
      const fits = before + amount <= threshold;
      if (isDone) {
        for (const each of taken.keys()) if (sum(each, atMs) === 0) taken.delete(each);
        const entry = { atMs: timeOf(group, atMs), amount };
        taken.set(group, [...(taken.get(group) ?? []), entry]);
      }
      if (isDone === fits) return [];
      return [
        `${before} of ${threshold} were taken, ${amount} more ${isDone ? 'done' : 'refused'}`,
      ];
    },
    left: (userId: string, atMs: number): number => threshold - sum(groupOf(userId), atMs),
  };
}
