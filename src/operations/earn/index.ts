import { earn_claim_rewards } from './earn_claim_rewards.ts';
import { earn_deploy_wrapper } from './earn_deploy_wrapper.ts';
import { earn_deposit } from './earn_deposit.ts';
import { earn_set_wrapper_state } from './earn_set_wrapper_state.ts';
import { earn_withdraw } from './earn_withdraw.ts';
import { get_earn_claim_rewards_status } from './get_earn_claim_rewards_status.ts';
import { get_earn_deploy_status } from './get_earn_deploy_status.ts';
import { get_earn_deposit_status } from './get_earn_deposit_status.ts';
import { get_earn_withdraw_status } from './get_earn_withdraw_status.ts';
import { list_earn_enabled_vaults } from './list_earn_enabled_vaults.ts';
import { list_earn_positions } from './list_earn_positions.ts';
import { list_earn_rewards } from './list_earn_rewards.ts';
import { list_earn_vaults } from './list_earn_vaults.ts';

export const earnActivities = {
  earn_deposit,
  earn_withdraw,
  earn_claim_rewards,
  earn_deploy_wrapper,
  earn_set_wrapper_state,
};
export const earnQueries = {
  list_earn_vaults,
  list_earn_enabled_vaults,
  list_earn_positions,
  list_earn_rewards,
  get_earn_deposit_status,
  get_earn_withdraw_status,
  get_earn_claim_rewards_status,
  get_earn_deploy_status,
};
