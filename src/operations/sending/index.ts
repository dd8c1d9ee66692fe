export { abandon_transaction } from './abandon_transaction.ts';
export { eth_send_raw_transaction } from './eth_send_raw_transaction.ts';
export { eth_send_transaction } from './eth_send_transaction.ts';
export { eth_undelegate_7702 } from './eth_undelegate_7702.ts';
export { get_gas_usage } from './get_gas_usage.ts';
export { get_send_transaction_status } from './get_send_transaction_status.ts';
export { sol_send_transaction } from './sol_send_transaction.ts';
export { upsert_gas_usage_config } from './upsert_gas_usage_config.ts';
