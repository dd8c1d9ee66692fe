import { answerInteger, answerText, object } from '../../core/schema/schema.ts';
import { gasUsageConfigOf, gasUsageOf, usdText } from '../../core/sends/gas_usage.ts';
import { query } from '../operation.ts';

export const get_gas_usage = query({
  summary: 'Returns the sponsored fees of the organization in the current window, and their limit.',
  body: object({}),
  response: object({
    windowDurationMinutes: answerInteger(),
    windowLimitUsd: answerText(),
    usageUsd: answerText(),
  }),

  answer: async ({ organization, parent, services }) => {
    const sponsoring = (await parent()) ?? organization;
    const config = gasUsageConfigOf(sponsoring);
    // Sponsoring is not configured.
    if (config === undefined) {
      return { windowDurationMinutes: 0, windowLimitUsd: '0', usageUsd: '0' };
    }
    const { usage, limitUsd } = gasUsageOf(organization, config, services.clock());
    return {
      windowDurationMinutes: config.windowMinutes,
      windowLimitUsd: limitUsd,
      usageUsd: usdText(usage),
    };
  },
});
