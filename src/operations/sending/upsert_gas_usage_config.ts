import { chainNameOf } from '../../core/balances/chain_names.ts';
import { policy } from '../../core/policy/decision/access.ts';
import {
  answerText,
  boolean,
  decimal,
  list,
  numberOf,
  object,
  optional,
  text,
} from '../../core/schema/schema.ts';
import { configureGasUsage, maximumWindowMinutes } from '../../core/sends/gas_usage_config.ts';
import { caip2, chainOf } from '../balances/chain_of.ts';
import { activity } from '../operation.ts';
import { findSigningKey } from '../signing/signing_key.ts';
import { accountThatSigns } from '../signing/transactions.ts';

const usd = () => text({ minimum: 1, maximum: 22 });
const maximumSponsors = 20;

export const upsert_gas_usage_config = activity({
  wire: {
    type: 'ACTIVITY_TYPE_UPSERT_GAS_USAGE_CONFIG',
    intent: 'upsertGasUsageConfigIntent',
    result: 'upsertGasUsageConfigResult',
  },
  summary: 'Sets the accounts that pay for sponsored transactions, and their limits.',
  subject: { resource: 'SPONSORSHIP', action: 'UPDATE' },
  authority: 'sponsorship',
  parameters: object({
    orgWindowLimitUsd: usd(),
    subOrgWindowLimitUsd: usd(),
    userWindowLimitUsd: optional(usd()),
    windowDurationMinutes: decimal({ minimum: 1, maximum: maximumWindowMinutes }),
    enabled: optional(boolean()),
    solanaConfig: optional(object({ rentPrefundEnabled: optional(boolean()) })),
    sponsors: optional(
      list(
        object({ caip2: caip2(), address: text({ minimum: 1, maximum: 64 }), usdPerCoin: usd() }),
        { minimum: 0, maximum: maximumSponsors },
      ),
    ),
  }),
  result: object({ gasUsageConfigId: answerText() }),

  access: policy(),

  load: async ({ organization, parameters: { sponsors = [] }, read, services }) => {
    for (const [i, { caip2: name, address }] of sponsors.entries()) {
      const field = `parameters.sponsors.${i}.caip2`;
      chainOf(services.deployment, name, { family: 'solana:', field });
      const found = await findSigningKey(address, organization, read);
      accountThatSigns('TRANSACTION_TYPE_SOLANA', found);
    }
  },
  apply: ({ organization, parameters, context }) => {
    const { windowDurationMinutes, sponsors, ...rest } = parameters;
    const windowMinutes = numberOf(windowDurationMinutes);
    const named = sponsors?.map((sponsor) => ({ ...sponsor, caip2: chainNameOf(sponsor.caip2) }));
    const asked = { ...rest, windowMinutes, sponsors: named };
    return { gasUsageConfigId: configureGasUsage(asked, organization, context).id };
  },
});
