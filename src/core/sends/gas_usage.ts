// Limits of sponsored transactions: fees in US dollars, counted over a rolling window in the same commit as
// the signature.

import type { Context } from '../base/context.ts';
import { assert, fail } from '../errors/errors.ts';
import type {
  GasUsage,
  GasUsageConfig,
  GasUsageScope,
  Sponsor,
} from '../organization/records/gas_usage.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import {
  type Counted,
  emptyCounter,
  isSpent,
  stretchMs,
  sumAt,
  withAmount,
} from '../policy/velocity/counter.ts';

/** Amounts are in billionths of a dollar. */
const decimals = 9;
const usdPattern = /^(0|[1-9]\d{0,11})(?:\.(\d{1,9}))?$/;
export const usdWords =
  'a decimal number of US dollars with at most 12 digits and 9 decimal places';

/** Parses decimal dollars into billionths. Returns undefined for malformed text. */
export function usdUnits(text: string): bigint | undefined {
  const [, whole, part = ''] = usdPattern.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole + part.padEnd(decimals, '0'));
}

/** Formats billionths of a dollar as decimal dollars. */
export function usdText(units: bigint): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const part = digits.slice(-decimals).replace(/0+$/, '');
  return part === '' ? digits.slice(0, -decimals) : `${digits.slice(0, -decimals)}.${part}`;
}

/** Decimal places of the smallest unit of a chain's coin. */
const coinDecimals = { eip155: 18n, solana: 9n } as const;

/**
 * Returns the price of a fee in billionths of a dollar, rounded up. `fee` is in the smallest unit of the
 * coin.
 */
export function priceOfFee(
  fee: bigint,
  { usdPerCoin }: Pick<Sponsor, 'usdPerCoin'>,
  family: keyof typeof coinDecimals,
): bigint {
  const unitsPerCoin = 10n ** coinDecimals[family];
  return (fee * unitsOf(usdPerCoin) + unitsPerCoin - 1n) / unitsPerCoin;
}

/** Returns the sponsorship configuration of an organization, if any. */
export function gasUsageConfigOf(organization: OrganizationView): GasUsageConfig | undefined {
  return organization.list('gas_usage_config')[0];
}

/** Returns an organization's displayed usage and its limit. */
export function gasUsageOf(
  organization: OrganizationView,
  config: GasUsageConfig,
  now: number,
): { readonly usage: bigint; readonly limitUsd: string } {
  const isChild = organization.parentId !== undefined;
  const counter = counterOf(organization, isChild ? 'organization' : 'all');
  return {
    usage: counter === undefined ? 0n : sumAt(rescaled(counter, config), windowOf(config), now),
    limitUsd: isChild ? config.subOrganizationLimitUsd : config.limitUsd,
  };
}

type Fee = { readonly units: bigint; readonly userId: string };
type Organizations<View> = Readonly<Record<'sending' | 'sponsoring', View>>;

/**
 * Counts a fee for the user, the sending organization, and all organizations of the sponsor. `sponsoring` is
 * the draft of the sponsor's organization: that of `sending` if an organization pays for itself. Raises
 * `sponsor_limit_exceeded` if a sum would exceed its limit.
 */
export function countSponsored(
  fee: Fee,
  organizations: Organizations<OrganizationDraft>,
  config: GasUsageConfig,
  { now, newId }: Context,
): void {
  const window = windowOf(config);
  removeSpent(organizations.sending, config, now);
  for (const { draft, known, counted, scope, user } of withinLimits(
    fee,
    organizations,
    config,
    now,
  )) {
    const { id, createdAtMs } = known ?? { id: newId(), createdAtMs: now };
    const grown = withAmount(counted, window, now, fee.units);
    const ofUser = user === undefined ? {} : { userId: user };
    const windowMs = window.durationMs;
    draft.put('gas_usage', { id, createdAtMs, scope, ...ofUser, windowMs, ...grown });
  }
}

/** Returns the counters to which a fee is added. Raises `sponsor_limit_exceeded`. */
export function withinLimits<View extends OrganizationView>(
  { units, userId }: Fee,
  { sending, sponsoring }: Organizations<View>,
  config: GasUsageConfig,
  now: number,
) {
  const { limitUsd, subOrganizationLimitUsd, userLimitUsd, windowMinutes: minutes } = config;
  const counter = (draft: View, scope: GasUsageScope, limit: string, user?: string) => {
    const known = counterOf(draft, scope, user);
    const counted = known === undefined ? emptyCounter : rescaled(known, config);
    const used = sumAt(counted, windowOf(config), now);
    if (used + units <= unitsOf(limit)) return { draft, known, counted, scope, user };
    const words = { all: 'all organizations', organization: 'the organization', user: 'the user' };
    return fail('sponsor_limit_exceeded', {
      scope: words[scope],
      limit,
      minutes,
      used: usdText(used),
    });
  };
  const isChild = sending.id !== sponsoring.id;
  return [
    counter(sponsoring, 'all', limitUsd),
    ...(isChild ? [counter(sending, 'organization', subOrganizationLimitUsd)] : []),
    counter(sending, 'user', userLimitUsd, userId),
  ];
}

/** Removes counters without amounts in the window. */
function removeSpent(draft: OrganizationDraft, config: GasUsageConfig, now: number): void {
  for (const counter of draft.list('gas_usage')) {
    if (isSpent(rescaled(counter, config), windowOf(config), now)) {
      draft.remove('gas_usage', counter.id);
    }
  }
}

/** Groups counts into sections of the current window. Each amount moves to the end of its section. */
function rescaled({ windowMs, ...counter }: GasUsage, config: GasUsageConfig): Counted {
  const window = windowOf(config);
  if (windowMs === window.durationMs) return counter;
  const [before, after] = [stretchMs({ durationMs: windowMs }), stretchMs(window)];
  const moved = Map.groupBy(counter.counts, ({ stretch }) =>
    Math.floor(((stretch + 1) * before - 1) / after),
  );
  const counts = [...moved].map(([stretch, parts]) => ({
    stretch,
    amount: String(parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)),
  }));
  return { ...counter, counts };
}

function counterOf(
  organization: OrganizationView,
  scope: GasUsageScope,
  userId?: string,
): GasUsage | undefined {
  return organization
    .list('gas_usage')
    .find((counter) => counter.scope === scope && counter.userId === userId);
}

const windowOf = ({ windowMinutes }: GasUsageConfig) => ({ durationMs: windowMinutes * 60_000 });

function unitsOf(text: string): bigint {
  const units = usdUnits(text);
  assert(units !== undefined, 'a stored amount was checked');
  return units;
}
