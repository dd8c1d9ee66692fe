import { earn_deposit } from './earn_deposit.ts';
import { earn_withdraw } from './earn_withdraw.ts';
import { get_earn_deposit_status } from './get_earn_deposit_status.ts';
import { get_earn_withdraw_status } from './get_earn_withdraw_status.ts';
import { list_earn_enabled_vaults } from './list_earn_enabled_vaults.ts';
import { list_earn_positions } from './list_earn_positions.ts';
import { list_earn_vaults } from './list_earn_vaults.ts';

export const earnActivities = { earn_deposit, earn_withdraw };
export const earnQueries = {
  list_earn_vaults,
  list_earn_enabled_vaults,
  list_earn_positions,
  get_earn_deposit_status,
  get_earn_withdraw_status,
};
