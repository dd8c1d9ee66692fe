import { account } from './account.ts';
import { disable_auth_proxy } from './disable_auth_proxy.ts';
import { enable_auth_proxy } from './enable_auth_proxy.ts';
import { get_auth_proxy_config } from './get_auth_proxy_config.ts';
import { oauth_login } from './oauth_login.ts';
import { oauth2_authenticate } from './oauth2_authenticate.ts';
import { otp_init } from './otp_init.ts';
import { otp_init_v2 } from './otp_init_v2.ts';
import { otp_login } from './otp_login.ts';
import { otp_login_v2 } from './otp_login_v2.ts';
import { otp_verify } from './otp_verify.ts';
import { otp_verify_v2 } from './otp_verify_v2.ts';
import { signup } from './signup.ts';
import { signup_v2 } from './signup_v2.ts';
import { update_auth_proxy_config } from './update_auth_proxy_config.ts';
import { wallet_kit_client_params } from './wallet_kit_client_params.ts';
import { wallet_kit_config } from './wallet_kit_config.ts';

export const authProxyActivities = {
  disable_auth_proxy,
  enable_auth_proxy,
  update_auth_proxy_config,
};
export const authProxyQueries = { get_auth_proxy_config };
/** `POST /v1/<name>`. */
export const authProxyOperations = {
  account,
  oauth2_authenticate,
  oauth_login,
  otp_init,
  otp_init_v2,
  otp_login,
  otp_login_v2,
  otp_verify,
  otp_verify_v2,
  signup,
  signup_v2,
  wallet_kit_client_params,
  wallet_kit_config,
};
