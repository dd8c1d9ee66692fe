export { get_nonces } from './get_nonces.ts';
export { get_wallet_address_balances } from './get_wallet_address_balances.ts';
export { list_supported_assets } from './list_supported_assets.ts';
