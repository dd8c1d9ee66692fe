import { activityCase } from '../case.ts';
import { describedGasUsage } from './gas_usage_requests.ts';

export default activityCase({
  types: 'UPSERT_GAS_USAGE_CONFIG',
  subject: 'SPONSORSHIP UPDATE',
  rule: 'policies',
  calls: [{ parameters: () => describedGasUsage(), by: 'parent' }],
  generate: {
    weight: 0.5,
    parameters: ({ choice }) =>
      describedGasUsage({ orgWindowLimitUsd: String(1 + choice.below(50)) }),
  },
  effect: ({ intent, result: { gasUsageConfigId: id }, before, after }) => ({
    [before.rows.gas_usage_config.has(id) ? 'updated' : 'created']: { gas_usage_config: [id] },
    facts: {
      'it has its limit':
        after.rows.gas_usage_config.get(id)?.limitUsd === intent.orgWindowLimitUsd,
    },
  }),
});
