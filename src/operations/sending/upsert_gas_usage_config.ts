import { chainNameOf } from '../../core/balances/chain_names.ts';
import { failField } from '../../core/errors/errors.ts';
import type { DeployedChain } from '../../core/external/external_services.ts';
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
import { accountFormatsOf } from '../../core/transactions/kinds.ts';
import { caip2, chainOf } from '../balances/chain_of.ts';
import { activity, wireOf } from '../operation.ts';
import { findSigningKey } from '../signing/signing_key.ts';
import { requireSponsorKey } from './sponsor.ts';

const usd = () => text({ minimum: 1, maximum: 22 });
const maximumSponsors = 20;

export const upsert_gas_usage_config = activity({
  wire: wireOf('ACTIVITY_TYPE_UPSERT_GAS_USAGE_CONFIG'),
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
        object({
          caip2: caip2(),
          address: text({ minimum: 1, maximum: 64 }),
          delegate: optional(text({ minimum: 1, maximum: 64 })),
          usdPerCoin: usd(),
        }),
        { minimum: 0, maximum: maximumSponsors },
      ),
    ),
  }),
  result: object({ gasUsageConfigId: answerText() }),

  load: async ({ organization, parameters: { sponsors = [] }, read, services }) => {
    for (const [i, { caip2: name, address, delegate }] of sponsors.entries()) {
      const place = `parameters.sponsors.${i}`;
      const chain = chainOf(services.deployment, name, { field: `${place}.caip2` });
      const family = chain.caip2.startsWith('solana:') ? 'SOLANA' : 'ETHEREUM';
      const formats = accountFormatsOf(`TRANSACTION_TYPE_${family}`);
      const found = await findSigningKey(address, organization, read);
      requireSponsorKey(found);
      if (!found.addresses.some(({ format }) => formats.includes(format))) {
        failField(`${place}.address`, `expected an address of ${formats.join(' or ')}`);
      }
      requireDelegate(chain, delegate, `${place}.delegate`);
    }
  },
  apply: ({ organization, parameters, context }) => {
    const { windowDurationMinutes, sponsors, ...rest } = parameters;
    const windowMinutes = numberOf(windowDurationMinutes);
    const named = sponsors?.map(({ delegate, ...sponsor }) => ({
      ...sponsor,
      ...(delegate === undefined ? {} : { delegate: delegate.toLowerCase() }),
      caip2: chainNameOf(sponsor.caip2),
    }));
    const asked = { ...rest, windowMinutes, sponsors: named };
    return { gasUsageConfigId: configureGasUsage(asked, organization, context).id };
  },
});

/** Raises `field_invalid` unless the request names the delegate that the operator configured. */
function requireDelegate(
  { caip2, gasStation }: DeployedChain,
  delegate: string | undefined,
  field: string,
): void {
  if (delegate?.toLowerCase() === gasStation?.delegate) return;
  const expected =
    gasStation === undefined
      ? `expected nothing, since the operator named no \`gasStation\` for ${caip2}`
      : `expected ${gasStation.delegate}, which the operator named for ${caip2}`;
  failField(field, expected);
}
