export { create_swap_quote } from './create_swap_quote.ts';
export { execute_swap } from './execute_swap.ts';
export { get_swap_status } from './get_swap_status.ts';
export { upsert_swap_config } from './upsert_swap_config.ts';
