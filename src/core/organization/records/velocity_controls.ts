// Records of limits over time: controls, and their counters.

import type { Row } from './row.ts';

export const aggregationMethods = [
  'VELOCITY_CONTROL_AGGREGATION_METHOD_SUM',
  'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT',
] as const;

export const aggregationOperators = [
  'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN',
  'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL',
  'VELOCITY_CONTROL_AGGREGATION_OPERATOR_EQUAL',
  'VELOCITY_CONTROL_AGGREGATION_OPERATOR_GREATER_THAN_OR_EQUAL',
  'VELOCITY_CONTROL_AGGREGATION_OPERATOR_GREATER_THAN',
] as const;
export type AggregationOperator = (typeof aggregationOperators)[number];

/** A control: the counted amounts, their time, and the bound that policies read. */
export type VelocityControl = Row & {
  readonly name: string;
  /** The name under which policies read it: `controls.<identifier>`. */
  readonly identifier: string;
  readonly dataSource: DataSource;
  readonly aggregation: Aggregation;
};

/** Exactly one member is present. */
export type DataSource = {
  readonly chainAssetTransfer?: {
    readonly definition: readonly AssetDefinition[];
    readonly filter?: ActivityFilter;
    readonly phase?: { readonly signature?: Empty; readonly submission?: Empty };
  };
  readonly activityExecution?: { readonly filter?: ActivityFilter };
};

/** An asset, and the number of its decimal places. */
type AssetDefinition = { readonly caip19: string; readonly decimals: string };

/** Default, also if empty: every activity. */
export type ActivityFilter = { readonly activity?: readonly { readonly activityType: string }[] };

export type Aggregation = {
  readonly method: (typeof aggregationMethods)[number];
  readonly operator: AggregationOperator;
  /** Decimal number in whole units. */
  readonly threshold: string;
  /** Exactly one member is present. */
  readonly window: {
    readonly rolling?: { readonly duration: string };
    readonly infinite?: Empty;
  };
  /** Exactly one member is present. */
  readonly groupBy: {
    readonly organization?: Empty;
    readonly user?: Empty;
    readonly wallet?: Empty;
  };
};

/** An object without members; its presence is the choice. */
type Empty = object;

/** The counts of one group of a control; `updatedAtMs` is the time of the newest amount. */
export type VelocityCounter = Row & {
  readonly controlId: string;
  /** A user, a wallet or a private key; empty for everything outside of groups. */
  readonly groupId: string;
  /** Amounts that may still be in the window, oldest first; each stretch of time once. */
  readonly counts: readonly StretchCount[];
};

/** The amount of one stretch of time, as a decimal integer. */
export type StretchCount = { readonly stretch: number; readonly amount: string };
