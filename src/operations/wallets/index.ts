import { create_wallet } from './create_wallet.ts';
import { create_wallet_accounts } from './create_wallet_accounts.ts';
import { delete_wallet_accounts } from './delete_wallet_accounts.ts';
import { delete_wallets } from './delete_wallets.ts';
import { export_wallet } from './export_wallet.ts';
import { export_wallet_account } from './export_wallet_account.ts';
import { get_wallet } from './get_wallet.ts';
import { get_wallet_account } from './get_wallet_account.ts';
import { import_wallet } from './import_wallet.ts';
import { init_import_wallet } from './init_import_wallet.ts';
import { list_wallet_accounts } from './list_wallet_accounts.ts';
import { list_wallets } from './list_wallets.ts';
import { update_wallet } from './update_wallet.ts';

export const walletActivities = {
  create_wallet,
  create_wallet_accounts,
  delete_wallet_accounts,
  delete_wallets,
  export_wallet,
  export_wallet_account,
  import_wallet,
  init_import_wallet,
  update_wallet,
};

export const walletQueries = { get_wallet, get_wallet_account, list_wallet_accounts, list_wallets };
