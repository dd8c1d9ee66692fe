import { list_eth_transaction_history } from './list_eth_transaction_history.ts';
import { list_sol_transaction_history } from './list_sol_transaction_history.ts';

export const historyQueries = { list_eth_transaction_history, list_sol_transaction_history };
