// Validates and stores the configuration of sponsored transactions.

import type { Context } from '../base/context.ts';
import { fail, failField } from '../errors/errors.ts';
import type { GasUsageConfig, Sponsor } from '../organization/records/gas_usage.ts';
import type { OrganizationDraft } from '../organization/state.ts';
import { gasUsageConfigOf, usdUnits, usdWords } from './gas_usage.ts';

/** 30 days. */
export const maximumWindowMinutes = 43_200;

/** Parameters of the configuration. */
type RequestedConfig = {
  readonly orgWindowLimitUsd: string;
  readonly subOrgWindowLimitUsd: string;
  readonly userWindowLimitUsd?: string | undefined;
  readonly windowMinutes: number;
  readonly enabled?: boolean | undefined;
  readonly solanaConfig?: { readonly rentPrefundEnabled?: boolean | undefined } | undefined;
  readonly sponsors: readonly Sponsor[] | undefined;
};

/** Creates or replaces the configuration. Raises `field_invalid` and `sponsored_by_parent`. */
export function configureGasUsage(
  asked: RequestedConfig,
  organization: OrganizationDraft,
  { now, newId }: Context,
): GasUsageConfig {
  const { id: organizationId, parentId } = organization;
  if (parentId !== undefined) fail('sponsored_by_parent', { organizationId, parentId });
  const { orgWindowLimitUsd, subOrgWindowLimitUsd, windowMinutes, enabled = true } = asked;
  const userWindowLimitUsd = asked.userWindowLimitUsd ?? subOrgWindowLimitUsd;
  const limits = { orgWindowLimitUsd, subOrgWindowLimitUsd, userWindowLimitUsd };
  for (const [name, text] of Object.entries(limits)) requireUsd(text, name);
  if (asked.solanaConfig?.rentPrefundEnabled === true) {
    const field = 'parameters.solanaConfig.rentPrefundEnabled';
    failField(field, 'expected `false`: sponsors pay fees and no rent');
  }
  const before = gasUsageConfigOf(organization);
  const sponsors = asked.sponsors ?? before?.sponsors ?? [];
  requireSponsors(sponsors);
  const config: GasUsageConfig = {
    id: before?.id ?? newId(),
    isEnabled: enabled,
    windowMinutes,
    limitUsd: orgWindowLimitUsd,
    subOrganizationLimitUsd: subOrgWindowLimitUsd,
    userLimitUsd: userWindowLimitUsd,
    sponsors,
    createdAtMs: before?.createdAtMs ?? now,
    updatedAtMs: now,
  };
  organization.put('gas_usage_config', config);
  return config;
}

function requireSponsors(sponsors: readonly Sponsor[]): void {
  const chains = new Set<string>();
  for (const [i, { caip2, usdPerCoin }] of sponsors.entries()) {
    const place = `sponsors.${i}`;
    if (chains.has(caip2)) failField(`parameters.${place}.caip2`, 'expected each chain once');
    chains.add(caip2);
    const price = requireUsd(usdPerCoin, `${place}.usdPerCoin`);
    if (price > 0n) continue;
    failField(`parameters.${place}.usdPerCoin`, 'expected a price above 0, by which fees count');
  }
}

function requireUsd(text: string, name: string): bigint {
  return usdUnits(text) ?? failField(`parameters.${name}`, `expected ${usdWords}, got \`${text}\``);
}
