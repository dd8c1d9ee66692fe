import { disable_auth_proxy } from './disable_auth_proxy.ts';
import { enable_auth_proxy } from './enable_auth_proxy.ts';
import { get_auth_proxy_config } from './get_auth_proxy_config.ts';
import { update_auth_proxy_config } from './update_auth_proxy_config.ts';

export const authProxyActivities = {
  disable_auth_proxy,
  enable_auth_proxy,
  update_auth_proxy_config,
};
export const authProxyQueries = { get_auth_proxy_config };
