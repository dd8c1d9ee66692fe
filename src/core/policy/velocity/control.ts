// Evaluates a control: the counted amounts of a request, their groups, and the bound.

import { assert } from '../../errors/errors.ts';
import type {
  ActivityFilter,
  AggregationOperator,
  VelocityControl,
} from '../../organization/records/velocity_controls.ts';
import { kindOfType } from '../activity_kinds.ts';
import { type AssetTransfer, assetOf, isOfAsset } from './assets.ts';
import type { RollingWindow } from './counter.ts';
import { decimalOf } from './decimal.ts';

/** The members of a request that controls read. */
export type CountedRequest = {
  /** The type as sent; all versions of a kind match. */
  readonly activityType: string;
  /** Number of signatures or exported secrets in the request, at least 1. */
  readonly executions: number;
  /** All visible transfers of the request. */
  readonly transfers: readonly AssetTransfer[];
  /** The submitter; empty for a user of another organization. */
  readonly userId: string;
  /** The used wallets and private keys; a single empty text if there are none. */
  readonly walletIds: readonly string[];
};

/** A control for evaluation. */
export type EvaluableControl = {
  readonly id: string;
  readonly identifier: string;
  readonly window: RollingWindow;
  /** Decimal places of the counter's unit. */
  readonly places: number;
  /** Returns the amount of the request, in the unit of the counter: 0 if the control does not count it. */
  readonly amountOf: (request: CountedRequest) => bigint;
  /** Returns false if the request may move more of the controlled asset than it shows. */
  readonly isKnown: (request: CountedRequest) => boolean;
  /** Returns the groups that count the whole amount of the request. */
  readonly groupsOf: (request: CountedRequest) => readonly string[];
  /** Returns true if a sum, in the counter's unit, satisfies the operator and the threshold. */
  readonly holds: (sum: bigint) => boolean;
};

/** Returns the control of a stored row, which was validated when it was created. */
export function evaluableControl(control: VelocityControl): EvaluableControl {
  return made.getOrInsertComputed(control, makeControl);
}

const made = new WeakMap<VelocityControl, EvaluableControl>();

function makeControl({
  id,
  identifier,
  dataSource,
  aggregation,
}: VelocityControl): EvaluableControl {
  const { method, operator, threshold, window, groupBy } = aggregation;
  const { chainAssetTransfer, activityExecution } = dataSource;
  const isFiltered = filterOf((chainAssetTransfer ?? activityExecution)?.filter);
  const assets = (chainAssetTransfer?.definition ?? []).map(({ caip19, decimals }) => {
    const asset = assetOf(caip19);
    assert(asset !== undefined, 'a stored asset is one');
    return { asset, decimals: Number(decimals) };
  });
  const isSum = method === 'VELOCITY_CONTROL_AGGREGATION_METHOD_SUM';
  // Assets with fewer decimal places are scaled up to the one with the most.
  const places = isSum ? Math.max(0, ...assets.map(({ decimals }) => decimals)) : 0;
  const isCounted = (transfer: AssetTransfer) =>
    assets.some(({ asset }) => isOfAsset(asset, transfer));
  const amountOfTransfer = (transfer: AssetTransfer): bigint => {
    const fitting = assets.filter(({ asset }) => isOfAsset(asset, transfer));
    if (fitting.length === 0) return 0n;
    if (!isSum) return 1n;
    // If a transfer may move several assets, the one with the largest value counts.
    const fewest = Math.min(...fitting.map(({ decimals }) => decimals));
    return transfer.amount * 10n ** BigInt(places - fewest);
  };
  return {
    id,
    identifier,
    window:
      window.rolling === undefined
        ? undefined
        : { durationMs: Number(window.rolling.duration) * 1_000 },
    places,
    amountOf: ({ activityType, executions, transfers }) => {
      if (!isFiltered(activityType)) return 0n;
      if (chainAssetTransfer === undefined) return BigInt(executions);
      return transfers
        .filter(({ from, to }) => from !== to)
        .reduce((sum, transfer) => sum + amountOfTransfer(transfer), 0n);
    },
    isKnown: ({ activityType, transfers }) =>
      !(isSum && isFiltered(activityType)) ||
      !transfers.some(
        (each) => each.isAtLeast === true && each.from !== each.to && isCounted(each),
      ),
    groupsOf: ({ userId, walletIds }) => {
      if (groupBy.user !== undefined) return [userId];
      return groupBy.wallet !== undefined ? walletIds : [''];
    },
    holds: comparison(operator, threshold, places),
  };
}

/** Returns a filter of activity types: one version of a kind matches all of them. */
function filterOf(filter: ActivityFilter | undefined): (activityType: string) => boolean {
  const { activity = [] } = filter ?? {};
  if (activity.length === 0) return () => true;
  const kinds = new Set(activity.map(({ activityType }) => kindOfType(activityType)));
  return (activityType) => kinds.has(kindOfType(activityType));
}

function comparison(
  operator: AggregationOperator,
  threshold: string,
  places: number,
): (sum: bigint) => boolean {
  const bound = decimalOf(threshold);
  assert(bound !== undefined, 'a stored threshold is a decimal number');
  const scaledBound = bound.digits * 10n ** BigInt(places);
  const scale = 10n ** BigInt(bound.places);
  const compare = comparisons[operator];
  return (sum) => compare(sum * scale, scaledBound);
}

const comparisons: Readonly<Record<AggregationOperator, (sum: bigint, bound: bigint) => boolean>> =
  {
    VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN: (sum, bound) => sum < bound,
    VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL: (sum, bound) => sum <= bound,
    VELOCITY_CONTROL_AGGREGATION_OPERATOR_EQUAL: (sum, bound) => sum === bound,
    VELOCITY_CONTROL_AGGREGATION_OPERATOR_GREATER_THAN_OR_EQUAL: (sum, bound) => sum >= bound,
    VELOCITY_CONTROL_AGGREGATION_OPERATOR_GREATER_THAN: (sum, bound) => sum > bound,
  };
