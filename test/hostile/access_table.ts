// Who may do what, written by hand from what public clients and their documents expect, and never from
// the code: the names that policies see of every operation, and the rule that decides on it. Change a
// row only where those expectations change.

/** Who decides on an activity. */
export type Rule =
  /** The root quorum, or policies. */
  | 'policies'
  /** As `policies`; and a user needs no grant for its own credentials and sessions. */
  | 'policies or oneself'
  /** The root quorum alone; a user needs no grant for itself. */
  | 'quorum or oneself'
  /** The root quorum alone. */
  | 'quorum';

export type SubmitRow = {
  readonly operation: string;
  /** The activity types that are accepted, the newest first, without `ACTIVITY_TYPE_`. */
  readonly types: readonly string[];
  /** `activity.resource` and `activity.action`. */
  readonly resource: string;
  readonly action: string;
  readonly rule: Rule;
  /** A user of the parent may ask for it, as the parent's policies say. */
  readonly parentActs: boolean;
  /** Whoever names the parent acts in the child where the credential lives. */
  readonly findsChild: boolean;
};

const row = (
  operation: string,
  types: string,
  subject: string,
  rule: Rule = 'policies',
  more: 'parent acts' | 'finds child' | undefined = undefined,
): SubmitRow => {
  const [resource = '', action = ''] = subject.split(' ');
  return {
    operation,
    types: types.split(' '),
    resource,
    action,
    rule,
    parentActs: more === 'parent acts',
    findsChild: more === 'finds child',
  };
};

/** `POST /public/v1/submit/…`, the votes aside. */
export const submitRows: readonly SubmitRow[] = [
  // Organizations. Four are for the root quorum alone by the list of the clients' documents. A child is
  // deleted by its own root users, which leaves nothing behind, so no policy grants that either.
  row(
    'create_sub_organization',
    'CREATE_SUB_ORGANIZATION_V8 CREATE_SUB_ORGANIZATION_V7 CREATE_SUB_ORGANIZATION_V6 CREATE_SUB_ORGANIZATION_V5 CREATE_SUB_ORGANIZATION_V4 CREATE_SUB_ORGANIZATION_V3 CREATE_SUB_ORGANIZATION_V2 CREATE_SUB_ORGANIZATION',
    'ORGANIZATION CREATE',
  ),
  row('delete_sub_organization', 'DELETE_SUB_ORGANIZATION', 'ORGANIZATION DELETE', 'quorum'),
  row('update_organization_name', 'UPDATE_ORGANIZATION_NAME', 'ORGANIZATION UPDATE', 'quorum'),
  row('update_root_quorum', 'UPDATE_ROOT_QUORUM', 'ORGANIZATION UPDATE', 'quorum'),
  row('set_organization_feature', 'SET_ORGANIZATION_FEATURE', 'ORGANIZATION UPDATE', 'quorum'),
  row(
    'remove_organization_feature',
    'REMOVE_ORGANIZATION_FEATURE',
    'ORGANIZATION UPDATE',
    'quorum',
  ),
  // Operations of our own, which decide about policies and about what receivers trust.
  row('update_policy_settings', 'UPDATE_POLICY_SETTINGS', 'ORGANIZATION UPDATE', 'quorum'),
  row('rotate_webhook_key', 'ROTATE_WEBHOOK_KEY', 'ORGANIZATION UPDATE', 'quorum'),

  // No row is published for lists of addresses; they are configuration.
  row('set_ip_allowlist', 'SET_IP_ALLOWLIST', 'CONFIG UPDATE'),
  row('remove_ip_allowlist', 'REMOVE_IP_ALLOWLIST', 'CONFIG UPDATE'),

  // Users.
  row(
    'create_users',
    'CREATE_USERS_V4 CREATE_USERS_V3 CREATE_USERS_V2 CREATE_USERS',
    'USER CREATE',
  ),
  row('create_api_only_users', 'CREATE_API_ONLY_USERS', 'USER CREATE'),
  row('delete_users', 'DELETE_USERS', 'USER DELETE'),
  row('update_user', 'UPDATE_USER', 'USER UPDATE'),
  row('update_user_name', 'UPDATE_USER_NAME', 'USER UPDATE'),
  row('update_user_email', 'UPDATE_USER_EMAIL', 'USER UPDATE'),
  row('update_user_phone_number', 'UPDATE_USER_PHONE_NUMBER', 'USER UPDATE'),
  row('create_invitations', 'CREATE_INVITATIONS', 'INVITATION CREATE'),
  row('delete_invitation', 'DELETE_INVITATION', 'INVITATION DELETE'),
  row('create_user_tag', 'CREATE_USER_TAG', 'USER CREATE'),
  row('update_user_tag', 'UPDATE_USER_TAG', 'USER UPDATE'),
  row('delete_user_tags', 'DELETE_USER_TAGS', 'USER DELETE'),

  // Credentials: users create and delete their own.
  row(
    'create_api_keys',
    'CREATE_API_KEYS_V2 CREATE_API_KEYS',
    'CREDENTIAL CREATE',
    'policies or oneself',
  ),
  row('delete_api_keys', 'DELETE_API_KEYS', 'CREDENTIAL DELETE', 'policies or oneself'),
  row(
    'create_authenticators',
    'CREATE_AUTHENTICATORS_V2 CREATE_AUTHENTICATORS',
    'CREDENTIAL CREATE',
    'policies or oneself',
  ),
  row('delete_authenticators', 'DELETE_AUTHENTICATORS', 'CREDENTIAL DELETE', 'policies or oneself'),
  row(
    'create_oauth_providers',
    'CREATE_OAUTH_PROVIDERS_V2 CREATE_OAUTH_PROVIDERS',
    'CREDENTIAL CREATE',
    'policies or oneself',
  ),
  row(
    'delete_oauth_providers',
    'DELETE_OAUTH_PROVIDERS',
    'CREDENTIAL DELETE',
    'policies or oneself',
  ),
  // No row is published for it: it adds a passkey, and the recovery credential is the user's own.
  row('recover_user', 'RECOVER_USER', 'CREDENTIAL CREATE', 'policies or oneself'),

  // Sessions of oneself. A credential for somebody else is that person's whole authority.
  row('stamp_login', 'STAMP_LOGIN', 'AUTH CREATE', 'policies or oneself', 'finds child'),
  row(
    'create_read_only_session',
    'CREATE_READ_ONLY_SESSION',
    'AUTH CREATE',
    'policies or oneself',
    'finds child',
  ),
  row(
    'create_read_write_session',
    'CREATE_READ_WRITE_SESSION_V2 CREATE_READ_WRITE_SESSION',
    'AUTH CREATE',
    'quorum or oneself',
    'finds child',
  ),

  // Sign-ins, which a parent starts for users of its children.
  row('oauth', 'OAUTH', 'AUTH CREATE', 'policies', 'parent acts'),
  row('oauth_login', 'OAUTH_LOGIN', 'AUTH CREATE', 'policies', 'parent acts'),
  row('otp_login', 'OTP_LOGIN_V2 OTP_LOGIN', 'AUTH CREATE', 'policies', 'parent acts'),
  row(
    'init_otp_auth',
    'INIT_OTP_AUTH_V3 INIT_OTP_AUTH_V2 INIT_OTP_AUTH',
    'AUTH CREATE',
    'policies',
    'parent acts',
  ),
  row('otp_auth', 'OTP_AUTH', 'AUTH CREATE', 'policies', 'parent acts'),
  row(
    'email_auth',
    'EMAIL_AUTH_V3 EMAIL_AUTH_V2 EMAIL_AUTH',
    'AUTH CREATE',
    'policies',
    'parent acts',
  ),
  row(
    'init_user_email_recovery',
    'INIT_USER_EMAIL_RECOVERY_V2 INIT_USER_EMAIL_RECOVERY',
    'RECOVERY CREATE',
    'policies',
    'parent acts',
  ),
  // Codes that only show who holds a contact belong where they are asked for.
  row('init_otp', 'INIT_OTP_V3 INIT_OTP_V2 INIT_OTP', 'OTP CREATE'),
  row('verify_otp', 'VERIFY_OTP_V2 VERIFY_OTP', 'OTP VERIFY'),
  row('oauth2_authenticate', 'OAUTH2_AUTHENTICATE', 'AUTH CREATE'),
  row('create_oauth2_credential', 'CREATE_OAUTH2_CREDENTIAL', 'AUTH CREATE'),
  row('update_oauth2_credential', 'UPDATE_OAUTH2_CREDENTIAL', 'AUTH UPDATE'),
  row('delete_oauth2_credential', 'DELETE_OAUTH2_CREDENTIAL', 'AUTH DELETE'),

  // Further factors, profiles of sessions, the onboarding proxy.
  row('create_mfa_policy', 'CREATE_MFA_POLICY', 'MFA_POLICY CREATE'),
  row('update_mfa_policy', 'UPDATE_MFA_POLICY', 'MFA_POLICY UPDATE'),
  row('delete_mfa_policy', 'DELETE_MFA_POLICY', 'MFA_POLICY DELETE'),
  row('create_session_profile', 'CREATE_SESSION_PROFILE', 'SESSION_PROFILE CREATE'),
  row('enable_auth_proxy', 'ENABLE_AUTH_PROXY', 'AUTH_PROXY CREATE'),
  row('update_auth_proxy_config', 'UPDATE_AUTH_PROXY_CONFIG', 'AUTH_PROXY UPDATE'),
  row('disable_auth_proxy', 'DISABLE_AUTH_PROXY', 'AUTH_PROXY DELETE'),

  // Wallets.
  row('create_wallet', 'CREATE_WALLET', 'WALLET CREATE'),
  row('create_wallet_accounts', 'CREATE_WALLET_ACCOUNTS', 'WALLET CREATE'),
  row('update_wallet', 'UPDATE_WALLET', 'WALLET UPDATE'),
  row('export_wallet', 'EXPORT_WALLET', 'WALLET EXPORT'),
  row('export_wallet_account', 'EXPORT_WALLET_ACCOUNT', 'WALLET EXPORT'),
  row('init_import_wallet', 'INIT_IMPORT_WALLET', 'WALLET IMPORT'),
  row('import_wallet', 'IMPORT_WALLET', 'WALLET IMPORT'),
  row('delete_wallets', 'DELETE_WALLETS', 'WALLET DELETE'),
  row('delete_wallet_accounts', 'DELETE_WALLET_ACCOUNTS', 'WALLET DELETE'),

  // Private keys and their tags; signing is theirs too when a wallet account signs.
  row('create_private_keys', 'CREATE_PRIVATE_KEYS_V2 CREATE_PRIVATE_KEYS', 'PRIVATE_KEY CREATE'),
  row('create_private_key_tag', 'CREATE_PRIVATE_KEY_TAG', 'PRIVATE_KEY CREATE'),
  row('update_private_key_tag', 'UPDATE_PRIVATE_KEY_TAG', 'PRIVATE_KEY UPDATE'),
  row('delete_private_keys', 'DELETE_PRIVATE_KEYS', 'PRIVATE_KEY DELETE'),
  row('delete_private_key_tags', 'DELETE_PRIVATE_KEY_TAGS', 'PRIVATE_KEY DELETE'),
  row('export_private_key', 'EXPORT_PRIVATE_KEY', 'PRIVATE_KEY EXPORT'),
  row('init_import_private_key', 'INIT_IMPORT_PRIVATE_KEY', 'PRIVATE_KEY IMPORT'),
  row('import_private_key', 'IMPORT_PRIVATE_KEY', 'PRIVATE_KEY IMPORT'),
  row('sign_transaction', 'SIGN_TRANSACTION_V2 SIGN_TRANSACTION', 'PRIVATE_KEY SIGN'),
  row('eth_send_transaction', 'ETH_SEND_TRANSACTION_V2 ETH_SEND_TRANSACTION', 'PRIVATE_KEY SIGN'),
  row('eth_undelegate_7702', 'ETH_UNDELEGATE_7702 ETH_UNDELEGATE7702', 'PRIVATE_KEY SIGN'),
  // It signs nothing: policies name its kind.
  row('eth_send_raw_transaction', 'ETH_SEND_RAW_TRANSACTION', 'TRANSACTION CREATE'),
  row('abandon_transaction', 'ABANDON_TRANSACTION', 'TRANSACTION DELETE'),
  row('sol_send_transaction', 'SOL_SEND_TRANSACTION_V2 SOL_SEND_TRANSACTION', 'PRIVATE_KEY SIGN'),
  row('sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2 SIGN_RAW_PAYLOAD', 'PRIVATE_KEY SIGN'),
  row('sign_raw_payloads', 'SIGN_RAW_PAYLOADS', 'PRIVATE_KEY SIGN'),

  // No rows are published for secrets; policies name their types.
  row('init_import_secrets', 'INIT_IMPORT_SECRETS', 'SECRET IMPORT'),
  row('import_secrets', 'IMPORT_SECRETS', 'SECRET IMPORT'),
  row('export_secrets', 'EXPORT_SECRETS', 'SECRET EXPORT'),
  row('delete_secrets', 'DELETE_SECRETS', 'SECRET DELETE'),

  // Policies and what they read.
  row('create_policy', 'CREATE_POLICY_V3 CREATE_POLICY_V2 CREATE_POLICY', 'POLICY CREATE'),
  row('create_policies', 'CREATE_POLICIES', 'POLICY CREATE'),
  row('update_policy', 'UPDATE_POLICY_V2 UPDATE_POLICY', 'POLICY UPDATE'),
  row('delete_policy', 'DELETE_POLICY', 'POLICY DELETE'),
  row('delete_policies', 'DELETE_POLICIES', 'POLICY DELETE'),
  row('create_velocity_control', 'CREATE_VELOCITY_CONTROL', 'POLICY CREATE'),
  row('delete_velocity_control', 'DELETE_VELOCITY_CONTROL', 'POLICY DELETE'),
  row(
    'create_smart_contract_interface',
    'CREATE_SMART_CONTRACT_INTERFACE',
    'SMART_CONTRACT_INTERFACE CREATE',
  ),
  row(
    'delete_smart_contract_interface',
    'DELETE_SMART_CONTRACT_INTERFACE',
    'SMART_CONTRACT_INTERFACE DELETE',
  ),

  // Webhooks; to send again is an operation of our own.
  row('create_webhook_endpoint', 'CREATE_WEBHOOK_ENDPOINT', 'WEBHOOK_ENDPOINT CREATE'),
  row('update_webhook_endpoint', 'UPDATE_WEBHOOK_ENDPOINT', 'WEBHOOK_ENDPOINT UPDATE'),
  row('delete_webhook_endpoint', 'DELETE_WEBHOOK_ENDPOINT', 'WEBHOOK_ENDPOINT DELETE'),
  row('redeliver_webhook_events', 'REDELIVER_WEBHOOK_EVENTS', 'WEBHOOK_ENDPOINT UPDATE'),

  // Deployments; to tell their state is an operation of our own.
  row('create_tvc_app', 'CREATE_TVC_APP', 'TVC_APP CREATE'),
  row('set_tvc_app_live_deployment', 'UPDATE_TVC_APP_LIVE_DEPLOYMENT', 'TVC_APP UPDATE'),
  row('delete_tvc_app_and_deployments', 'DELETE_TVC_APP_AND_DEPLOYMENTS', 'TVC_APP DELETE'),
  row('create_tvc_deployment', 'CREATE_TVC_DEPLOYMENT', 'TVC_DEPLOYMENT CREATE'),
  row('create_tvc_manifest_approvals', 'CREATE_TVC_MANIFEST_APPROVALS', 'TVC_DEPLOYMENT UPDATE'),
  row('restore_tvc_deployment', 'RESTORE_TVC_DEPLOYMENT', 'TVC_DEPLOYMENT UPDATE'),
  row('set_tvc_deployment_status', 'SET_TVC_DEPLOYMENT_STATUS', 'TVC_DEPLOYMENT UPDATE'),
  row('delete_tvc_deployment', 'DELETE_TVC_DEPLOYMENT', 'TVC_DEPLOYMENT DELETE'),
  row('create_tvc_operator', 'CREATE_TVC_OPERATOR', 'TVC_OPERATOR CREATE'),
];

/** `POST /public/v1/submit/…`: votes, for whoever counts for the activity that is voted on. */
export const voteRows: Readonly<Record<string, string>> = {
  approve_activity: 'APPROVE_ACTIVITY',
  reject_activity: 'REJECT_ACTIVITY',
};

/**
 * `POST /public/v1/query/…`: every user of the organization and of its parent reads all of it; no policy
 * takes that away.
 */
export const queryNames: readonly string[] = [
  ...['get_activity', 'list_activities', 'get_policy_evaluations', 'explain_activity'],
  'simulate_policies',
  ...['list_app_proofs', 'get_boot_proof', 'get_latest_boot_proof', 'get_attestation'],
  ...[
    'get_organization',
    'get_organization_configs',
    'list_suborgs',
    'list_verified_suborgs',
    'get_ip_allowlist',
  ],
  ...['get_user', 'list_users', 'list_user_tags', 'get_api_key', 'get_api_keys'],
  ...['get_authenticator', 'get_authenticators', 'get_oauth_providers'],
  ...['get_oauth2_credential', 'list_oauth2_credentials'],
  ...['get_mfa_policies', 'get_mfa_policy', 'get_mfa_status'],
  ...['get_session_profile', 'get_session_profiles', 'get_auth_proxy_config'],
  ...['get_wallet', 'list_wallets', 'get_wallet_account', 'list_wallet_accounts'],
  ...['get_nonces', 'get_wallet_address_balances', 'list_supported_assets'],
  'get_send_transaction_status',
  ...['list_eth_transaction_history', 'list_sol_transaction_history'],
  'list_email_events',
  ...['get_private_key', 'list_private_keys', 'list_private_key_tags', 'list_secrets'],
  ...[
    'get_policy',
    'list_policies',
    'get_active_policies',
    'get_policy_settings',
    'get_policy_warnings',
  ],
  ...['get_velocity_control', 'list_velocity_controls'],
  ...['get_smart_contract_interface', 'list_smart_contract_interfaces'],
  ...['get_tvc_app', 'list_tvc_apps', 'get_tvc_deployment', 'list_tvc_app_deployments'],
  ...['list_tvc_operators', 'get_app_status', 'get_tvc_qos_versions', 'validate_tvc_image'],
  ...['list_webhook_endpoints', 'list_webhook_deliveries'],
];

/** The one query that finds its caller below the parent that is named. */
export const queryThatFindsChild = 'whoami';

/**
 * `POST {auth_proxy_url}/v1/…`: no stamp, but the id of a configuration; where a captcha is switched on,
 * for some of them the token of one.
 */
export const proxyRows: Readonly<Record<string, { readonly takesCaptcha: boolean }>> = {
  account: { takesCaptcha: false },
  oauth2_authenticate: { takesCaptcha: false },
  oauth_login: { takesCaptcha: false },
  otp_init: { takesCaptcha: true },
  otp_init_v2: { takesCaptcha: true },
  otp_login: { takesCaptcha: false },
  otp_login_v2: { takesCaptcha: false },
  otp_verify: { takesCaptcha: false },
  otp_verify_v2: { takesCaptcha: false },
  signup: { takesCaptcha: true },
  signup_v2: { takesCaptcha: true },
  wallet_kit_client_params: { takesCaptcha: false },
  wallet_kit_config: { takesCaptcha: false },
};
