import { abandon_transaction } from './abandon_transaction.ts';
import { eth_send_raw_transaction } from './eth_send_raw_transaction.ts';
import { eth_send_transaction } from './eth_send_transaction.ts';
import { eth_undelegate_7702 } from './eth_undelegate_7702.ts';
import { get_gas_usage } from './get_gas_usage.ts';
import { get_send_transaction_status } from './get_send_transaction_status.ts';
import { sol_send_transaction } from './sol_send_transaction.ts';
import { upsert_gas_usage_config } from './upsert_gas_usage_config.ts';

export const sendingActivities = {
  eth_send_transaction,
  eth_send_raw_transaction,
  eth_undelegate_7702,
  sol_send_transaction,
  abandon_transaction,
  upsert_gas_usage_config,
};
export const sendingQueries = { get_gas_usage, get_send_transaction_status };
