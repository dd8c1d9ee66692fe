import { get_nonces } from './get_nonces.ts';
import { get_wallet_address_balances } from './get_wallet_address_balances.ts';
import { list_supported_assets } from './list_supported_assets.ts';

export const balanceQueries = { get_nonces, get_wallet_address_balances, list_supported_assets };
