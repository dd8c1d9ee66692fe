// Records of sponsored transactions: the paying accounts, the limits, and the counted fees.

import type { Row } from './row.ts';
import type { StretchCount } from './velocity_controls.ts';

/** The sponsorship of an organization and its sub-organizations, at most one row. */
export type GasUsageConfig = Row & {
  readonly isEnabled: boolean;
  readonly windowMinutes: number;
  /** Limit in decimal US dollars of all organizations together in one window. */
  readonly limitUsd: string;
  /** Limits of each sub-organization and of each user. */
  readonly subOrganizationLimitUsd: string;
  readonly userLimitUsd: string;
  /** At most one sponsor for each chain. */
  readonly sponsors: readonly Sponsor[];
};

/** The account that pays the fees of sponsored transactions on a chain. */
export type Sponsor = {
  /** CAIP-2. */
  readonly caip2: string;
  /** Address of an account of the organization, in the spelling of the chain. */
  readonly address: string;
  /** Ethereum only: the contract whose code acts for senders, in lower-case hex with `0x`. */
  readonly delegate?: string;
  /** Price of a coin in decimal US dollars, used to count fees. */
  readonly usdPerCoin: string;
};

/** The counted fees of one scope. */
export type GasUsage = Row & {
  readonly scope: GasUsageScope;
  /** Set for the scope of a user. */
  readonly userId?: string;
  /** Length of the window when the newest amount was counted. */
  readonly windowMs: number;
  /** Amounts in billionths of a US dollar that may still be in the window, oldest first. */
  readonly counts: readonly StretchCount[];
};

/** `all`: an organization with its sub-organizations. Other scopes are stored in the sending organization. */
export type GasUsageScope = 'all' | 'organization' | 'user';
