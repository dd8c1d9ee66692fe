import { abandon_transaction } from './abandon_transaction.ts';
import { eth_send_raw_transaction } from './eth_send_raw_transaction.ts';
import { eth_send_transaction } from './eth_send_transaction.ts';
import { eth_undelegate_7702 } from './eth_undelegate_7702.ts';
import { get_send_transaction_status } from './get_send_transaction_status.ts';
import { sol_send_transaction } from './sol_send_transaction.ts';

export const sendingActivities = {
  eth_send_transaction,
  eth_send_raw_transaction,
  eth_undelegate_7702,
  sol_send_transaction,
  abandon_transaction,
};
export const sendingQueries = { get_send_transaction_status };
