// Deliberate differences from other services of the API family. `migrate check` searches for their marks, and
// docs/moving.md is generated from them.

export type Difference = {
  /** Stable name, for scripts. */
  readonly id: string;
  readonly title: string;
  /** The behavior of this service. */
  readonly here: string;
  /** The next step for a team that moves. */
  readonly step: string;
  /**
   * Operations, members and enum values that indicate the difference. `earn_deposit` also matches
   * `earnDeposit`.
   */
  readonly words?: string;
  /** Exact texts that indicate the difference, such as host names. */
  readonly texts?: readonly string[];
  /** Package names that indicate the difference. */
  readonly packages?: readonly string[];
  /** True if the service answers these operations with 404. */
  readonly isUnserved?: true;
};

export const differences: readonly Difference[] = [
  {
    id: 'address',
    title: 'Address of the service',
    here: 'The operator chooses the address of the service.',
    step: 'Set the base URL, and that of the onboarding proxy, to `baseUrl` of `root-credentials.json`.',
    texts: ['api.turnkey.com', 'authproxy.turnkey.com', 'auth.turnkey.com'],
  },
  {
    id: 'hosted-frames',
    title: 'Keys of the hosted service in packages',
    here: 'These packages accept only signatures of the hosted service, and have no setting for a different key.',
    step: 'Use `@turnkey/crypto` with its overriding key.',
    words: 'verify_otp',
    texts: ['recovery.turnkey.com'],
    packages: ['@turnkey/react-native-wallet-kit'],
  },
  {
    id: 'frames',
    title: 'Frames for exports and imports',
    here: 'Hosted frames accept only keys of the hosted service. This service has frames of its own.',
    step: 'Set `KEYWRIGHT_FRAME_ORIGINS`, and use `/frames/export` and `/frames/import` of the service.',
    words:
      'handle_export_wallet handle_export_wallet_account handle_export_private_key' +
      ' handle_import_wallet handle_import_private_key export_iframe_url import_iframe_url',
    texts: ['export.turnkey.com', 'import.turnkey.com'],
    packages: ['@turnkey/iframe-stamper'],
  },
  {
    id: 'wallet-kit',
    title: 'Codes of the wallet kit',
    here: 'They accept only keys of the hosted service. Passkeys, wallets and OAuth work in the windows of the kit.',
    step: 'Switch the codes off in `ui.authModal.methods`.',
    words: 'complete_otp email_otp_auth_enabled sms_otp_auth_enabled',
    packages: ['@turnkey/react-wallet-kit'],
  },
  {
    id: 'bundles',
    title: 'Bundles and tokens of the service',
    here: 'The functions of `@turnkey/crypto` verify the key of the hosted service, unless they get another key.',
    step: 'Pass the key of this service as `dangerouslyOverrideSignerPublicKey`, or as the last argument.',
    words:
      'decrypt_export_bundle encrypt_private_key_to_bundle encrypt_wallet_to_bundle' +
      ' decrypt_secret_bundle encrypt_secret_to_bundle encrypt_otp_code_to_bundle' +
      ' verify_otp_verification_token verify_session_jwt_signature encrypt_oauth2_client_secret',
  },
  {
    id: 'earn',
    title: 'Yields',
    here: 'Deposits go directly to vaults (ERC-4626) that the operator configures, without a wrapper and a fee.',
    step: 'Set `vaults` in `KEYWRIGHT_CHAINS`, and use the address of the vault as `wrapperAddress`.',
    words:
      'earn_deposit earn_withdraw get_earn_deposit_status get_earn_withdraw_status' +
      ' list_earn_enabled_vaults list_earn_positions list_earn_vaults',
  },
  {
    id: 'earn-wrappers',
    title: 'Wrappers of yields',
    here: 'A vault is its own wrapper: `earn_deploy_wrapper` opens it without a fee and deploys nothing.',
    step: 'Set `clientFeeBps` to 0, or name a fee wrapper (ERC-4626) of your own in `vaults`.',
    words: 'earn_deploy_wrapper earn_set_wrapper_state get_earn_deploy_status',
  },
  {
    id: 'earn-rewards',
    title: 'Rewards of yields',
    here: 'The operator names the distributor of rewards and the source of its proofs for a chain.',
    step: 'Set `rewards` in `KEYWRIGHT_CHAINS`.',
    words: 'earn_claim_rewards get_earn_claim_rewards_status list_earn_rewards',
  },
  {
    id: 'earn-fees',
    title: 'Claims of fees of yields',
    here: 'The service collects no fees of yields, so there is nothing to claim: 404.',
    step: 'Redeem the shares that a fee wrapper paid with `earn_withdraw`.',
    words: 'claim_earn_fees get_claim_earn_fees_status',
    isUnserved: true,
  },
  {
    id: 'swaps',
    title: 'Swaps',
    here: 'Swaps take place on one chain of Ethereum, in the pools of Uniswap v3 that the operator configures.',
    step: 'Set `swaps` in `KEYWRIGHT_CHAINS`. For other chains, send the call of a market with `eth_send_transaction`.',
    words: 'create_swap_quote execute_swap get_swap_status',
  },
  {
    id: 'swap-fees',
    title: 'Fees of swaps',
    here: 'The router pays the fee of each swap to an account of the parent: at most 100 basis points, the same for all pairs.',
    step: 'Set `feeBps` and `feeReceiverWalletAddress` by `upsert_swap_config`, and leave `stableFeeBps` out.',
    words: 'upsert_swap_config stable_fee_bps',
  },
  {
    id: 'market-features',
    title: 'Features of markets',
    here: 'Markets are no features of an organization: `set_organization_feature` refuses these names.',
    step: 'Set `vaults` and `swaps` in `KEYWRIGHT_CHAINS`, and fees by `upsert_swap_config`.',
    words: 'FEATURE_NAME_EARN_CONFIG FEATURE_NAME_SWAP_CONFIG',
  },
  {
    id: 'claimed-swap-fees',
    title: 'Claims of fees of swaps',
    here: 'Each swap pays its fee directly, so there is nothing to claim: 404.',
    step: 'Remove the calls.',
    words: 'claim_swap_fees',
    isUnserved: true,
  },
  {
    id: 'fiat-ramps',
    title: 'Money in and out',
    here: 'These operations belong to a market of the hosted service: 404.',
    step: 'Integrate a provider in the application.',
    words:
      'init_fiat_on_ramp get_onramp_transaction_status create_fiat_on_ramp_credential' +
      ' update_fiat_on_ramp_credential delete_fiat_on_ramp_credential list_fiat_on_ramp_credentials',
    isUnserved: true,
  },
  {
    id: 'spark',
    title: 'Spark',
    here: 'The operations need signatures of several parties (FROST), which this service does not support: 404.',
    step: 'Keep these wallets at their current service.',
    words:
      'spark_claim_transfer spark_prepare_lightning_receive spark_prepare_transfer spark_sign_frost',
    isUnserved: true,
  },
  {
    id: 'quorum-keys',
    title: 'Provisioning of deployments',
    here: 'No enclave hardware runs deployments here: 404.',
    step: 'Provision shares with the tools of the hardware; this service stores manifests and approvals.',
    words:
      're_encrypt_tvc_quorum_key_share get_tvc_deployment_debug_logs' +
      ' get_tvc_deployment_provisioning_details',
    isUnserved: true,
  },
  {
    id: 'internal-operations',
    title: 'Operations of the hosted service for itself',
    here: 'The operations are internal to the hosted service: 404.',
    step: 'Remove the calls.',
    words: 'refresh_feature_flags test_rate_limits',
    isUnserved: true,
  },
  {
    id: 'ethereum-sponsor',
    title: 'Sponsored transactions of Ethereum',
    here: 'The operator names the contracts of the gas station, and the parent names the delegate. The service sets nonce and fees.',
    step: 'Set `gasStation` in `KEYWRIGHT_CHAINS`, and name a sponsor with `upsert_gas_usage_config`.',
    words: 'gas_station_nonce',
    packages: ['@turnkey/gas-station'],
  },
  {
    id: 'sponsor',
    title: 'Sponsors name an account',
    here: 'An account of the parent pays if the policies of the parent allow it. The service fetches no prices.',
    step: 'Name `sponsors` with `upsert_gas_usage_config`, and allow the resource `SPONSORSHIP` in a policy.',
    words: 'sponsor upsert_gas_usage_config get_gas_usage',
  },
  {
    id: 'rent-prefund',
    title: 'Sponsored rent',
    here: 'The feature is stored and has no effect; `rentPrefundEnabled: true` is refused.',
    step: 'Fund the account that creates others.',
    words: 'FEATURE_NAME_SOLANA_RENT_PREFUND_ENABLED rent_prefund_enabled',
  },
  {
    id: 'one-call',
    title: 'One call per transaction',
    here: 'Without a sponsor, `calls` of `eth_send_transaction` has exactly one call.',
    step: 'Send the calls one after the other, or with `sponsor: true`.',
    words: 'eth_send_transaction',
  },
  {
    id: 'chains',
    title: 'Chains',
    here: '`caip2` names a chain that the operator configured; other names are refused.',
    step: 'Set `KEYWRIGHT_CHAINS` with nodes for the chains of the application.',
    words: 'caip2',
  },
  {
    id: 'claimed-contacts',
    title: 'Unverified contacts',
    here: '`list_suborgs` names them in `unverifiedOrganizationIds` too; they lead to no login.',
    step: 'Verify contacts before a search by them, or read this member too.',
    words: 'get_sub_org_ids get_verified_sub_org_ids list_suborgs list_verified_suborgs',
  },
  {
    id: 'activity-times',
    title: 'Times of activities',
    here: '`createdAt` and `updatedAt` are text for clients without the header `X-Client-Version`.',
    step: 'Set `KEYWRIGHT_ACTIVITY_TIMES=objects` if a client reads `seconds`: your own, or the Go SDK before v0.1.0.',
    texts: [
      'createdAt.seconds',
      'updatedAt.seconds',
      'turnkey_tk',
      'github.com/tkhq/go-sdk v0.0.',
      'github.com/tkhq/tkcli',
    ],
  },
  {
    id: 'identity-tokens',
    title: 'Accounts at identity providers',
    here: 'The service accepts a token for a different key than the stamp once, within ten minutes of `iat`.',
    step: 'Register the account right after the sign-in.',
    words: 'add_oauth_provider create_oauth_providers',
  },
  {
    id: 'mailed-links',
    title: 'Links in mails',
    here: 'A link in a mail leads only to an origin that the organization lists; others are refused.',
    step: 'List the origin in `FEATURE_NAME_WEBAUTHN_ORIGINS`, or in `allowedOrigins` of the proxy.',
    words: 'magic_link_template',
  },
  {
    id: 'account-look-ups',
    title: 'Look-ups of the onboarding proxy',
    here: '`verificationTokenRequiredForGetAccountPii` is true unless it is set.',
    step: 'Send a verification token, or set the member to false.',
    words: 'verification_token_required_for_get_account_pii proxy_get_account',
  },
  {
    id: 'hashed-payloads',
    title: 'Hashed payloads',
    here: '`HASH_FUNCTION_NO_OP` takes 32 bytes; `@turnkey/cosmjs` with `@turnkey/http` hashes twice.',
    step: 'Use `@turnkey/cosmjs` with `@turnkey/sdk-server`.',
    words: 'HASH_FUNCTION_NO_OP',
    packages: ['@turnkey/cosmjs'],
  },
  {
    id: 'boot-proofs',
    title: 'Proofs of the enclave',
    here: 'Boot proofs hold no document of enclave hardware, so `verify` of `@turnkey/crypto` refuses them.',
    step: 'Verify app proofs by `verifyAppProofSignature`.',
    words: 'get_boot_proof get_latest_boot_proof',
  },
  {
    id: 'organization-name',
    title: 'Names of organizations',
    here: 'Only the root quorum changes the name of an organization.',
    step: 'Have the root quorum approve the change.',
    words: 'update_organization_name',
  },
  {
    id: 'import-targets',
    title: 'Targets of imports',
    here: 'A target is valid for one import by its user, within two days.',
    step: 'Request a target immediately before each import.',
    words: 'init_import_wallet init_import_private_key',
  },
  {
    id: 'closed-lists',
    title: 'Clients with a fixed list of activity types',
    here: 'These packages fail on activity types that only this service has.',
    step: 'List the types that the application reads in `filterByType`.',
    texts: ['turnkey_client', 'turnkey-http', 'turnkey_http'],
  },
  {
    id: 'ethereum-provider',
    title: 'The provider of EIP-1193',
    here: '`personal_sign` signs the given 32 bytes, and the provider sends types 3 and 4 as type 2.',
    step: 'Hash messages first, and send other types with `@turnkey/viem`.',
    packages: ['@turnkey/eip-1193-provider'],
  },
];

/** Normalizes a name, so that `ACTIVITY_TYPE_EARN_DEPOSIT_V2` and `earnDeposit` are equal. */
export const unspelled = (name: string): string =>
  name
    .replace(/^ACTIVITY_TYPE_/, '')
    .replace(/_V\d+$/, '')
    .replaceAll('_', '')
    .toLowerCase();
