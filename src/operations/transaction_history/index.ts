export { list_eth_transaction_history } from './list_eth_transaction_history.ts';
export { list_sol_transaction_history } from './list_sol_transaction_history.ts';
