import { create_swap_quote } from './create_swap_quote.ts';
import { execute_swap } from './execute_swap.ts';
import { get_swap_status } from './get_swap_status.ts';
import { upsert_swap_config } from './upsert_swap_config.ts';

export const swapActivities = { create_swap_quote, execute_swap, upsert_swap_config };
export const swapQueries = { get_swap_status };
