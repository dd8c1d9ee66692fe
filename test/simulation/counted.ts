// Counts of velocity controls in a simulation, derived from the counters before and after an activity.

import type { VelocityCounter } from '../../src/core/organization/records/velocity_controls.ts';
import type { TrueState } from './true_state.ts';

/**
 * The counted activity types by operation. All of these operations change their organization anyway, so
 * most signatures still run in parallel.
 */
const counted: Readonly<Record<string, string>> = {
  create_user_tag: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  create_wallet: 'ACTIVITY_TYPE_CREATE_WALLET',
  // One version of a type selects all its versions.
  eth_send_transaction: 'ACTIVITY_TYPE_ETH_SEND_TRANSACTION',
  sol_send_transaction: 'ACTIVITY_TYPE_SOL_SEND_TRANSACTION_V2',
};
export const countedOperations: readonly string[] = Object.keys(counted);
export const countedTypes: readonly string[] = Object.values(counted);

/** Every control of a simulation counts per user, over an hour in minutes. */
const windowMs = 60 * 60 * 1000;
const stretchMs = 60 * 1000;

/** Returns the effect of a completed activity on the counters. */
export function countEffects({
  intent,
  submitterId,
  before,
  after,
}: {
  /** The signers of a Solana transaction: each signature counts. */
  readonly intent: { readonly signWiths?: readonly string[] };
  readonly submitterId: string;
  readonly before: TrueState;
  readonly after: TrueState;
}) {
  const counterIn = (state: TrueState, controlId: string): VelocityCounter | undefined =>
    [...state.rows.velocity_counter.values()].find(
      (row) => row.controlId === controlId && row.groupId === submitterId,
    );
  const pairs = [...before.rows.velocity_control.keys()].map((id) => ({
    old: counterIn(before, id),
    now: counterIn(after, id),
  }));
  // A counter whose counts have all expired is removed, and created again.
  const made = pairs.filter(({ old, now }) => now !== undefined && old?.id !== now.id);
  const grown = pairs.flatMap(({ old, now }) =>
    old !== undefined && old.id === now?.id ? [old.id] : [],
  );
  const atMs = Math.max(0, ...pairs.map(({ now }) => now?.updatedAtMs ?? 0));
  const isSpent = ({ counts }: VelocityCounter) => counts.every((count) => hasLeft(count, atMs));
  const mayGo = [...before.rows.velocity_counter.values()].filter(
    (row) => !before.rows.user.has(row.groupId) || isSpent(row),
  );
  return {
    created: made.length,
    updated: grown,
    mayGo: mayGo.map(({ id }) => id),
    facts: {
      'each control counted its signatures': pairs.every(
        ({ old, now }) => now !== undefined && isMore(old, now, intent.signWiths?.length ?? 1),
      ),
    },
  };
}

function isMore(old: VelocityCounter | undefined, now: VelocityCounter, amount: number): boolean {
  const at = now.updatedAtMs;
  const kept = (old?.counts ?? []).filter((count) => !hasLeft(count, at));
  const sum = (counts: VelocityCounter['counts']) =>
    counts.reduce((total, { amount: one }) => total + Number(one), 0);
  return (
    sum(now.counts) === sum(kept) + amount &&
    now.counts.at(-1)?.stretch === Math.floor(at / stretchMs)
  );
}

function hasLeft({ stretch }: { readonly stretch: number }, atMs: number): boolean {
  return (stretch + 1) * stretchMs + windowMs <= atMs;
}
