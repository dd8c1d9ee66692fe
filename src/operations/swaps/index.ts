import { create_swap_quote } from './create_swap_quote.ts';
import { execute_swap } from './execute_swap.ts';
import { get_swap_status } from './get_swap_status.ts';

export const swapActivities = { create_swap_quote, execute_swap };
export const swapQueries = { get_swap_status };
