// The endpoints of the onboarding proxy, by the last segment of their path.

import { account } from './account.ts';
import { oauth_login, oauth2_authenticate } from './oauth.ts';
import {
  otp_init,
  otp_init_v2,
  otp_login,
  otp_login_v2,
  otp_verify,
  otp_verify_v2,
} from './one_time_codes.ts';
import type { ProxyEndpoint } from './proxy_endpoint.ts';
import { signup, signup_v2 } from './sign_up.ts';
import { wallet_kit_client_params, wallet_kit_config } from './wallet_kit.ts';

/** `POST /v1/<name>`. Without a prototype: a name from a path finds only what stands here. */
export const proxyEndpoints: Readonly<Record<string, ProxyEndpoint>> = Object.freeze(
  Object.assign(Object.create(null), {
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
  }),
);
