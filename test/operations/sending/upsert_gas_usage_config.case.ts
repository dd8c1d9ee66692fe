import { activityCase } from '../case.ts';
import { describedGasUsage } from './gas_usage_requests.ts';

export default activityCase({
  types: 'UPSERT_GAS_USAGE_CONFIG',
  subject: 'SPONSORSHIP UPDATE',
  rule: 'policies',
  calls: [{ parameters: () => describedGasUsage(), by: 'parent' }],
});
