import { create_wallet } from './create_wallet.ts';

export const walletActivities = { create_wallet };
export const walletQueries = {};
