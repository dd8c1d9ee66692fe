// Written by `npm run docs` from the operations of the service: do not edit.

type Call<Parameters, Result> = { readonly parameters: Parameters; readonly result: Result };

/** Operations that change or sign something. */
export interface Submits {
  /** Creates a sub-organization with its root users and, if given, a wallet. */
  readonly create_sub_organization: Call<CreateSubOrganizationParameters, CreateSubOrganizationResult>;
  /** Deletes the sub-organization that the request names, with everything in it. */
  readonly delete_sub_organization: Call<DeleteSubOrganizationParameters, DeleteSubOrganizationResult>;
  /** Removes a feature of the organization, which switches off its effect. */
  readonly remove_organization_feature: Call<RemoveOrganizationFeatureParameters, RemoveOrganizationFeatureResult>;
  /** Sets a feature of the organization and replaces an earlier value. */
  readonly set_organization_feature: Call<SetOrganizationFeatureParameters, SetOrganizationFeatureResult>;
  /** Renames the organization. */
  readonly update_organization_name: Call<UpdateOrganizationNameParameters, UpdateOrganizationNameResult>;
  /** Sets the members of the root quorum and its threshold. */
  readonly update_root_quorum: Call<UpdateRootQuorumParameters, UpdateRootQuorumResult>;
  /** Removes the IP allowlist of the organization, or of one API key. */
  readonly remove_ip_allowlist: Call<RemoveIpAllowlistParameters, RemoveIpAllowlistResult>;
  /** Sets the addresses from which requests are accepted: for the organization, or for one API key. */
  readonly set_ip_allowlist: Call<SetIpAllowlistParameters, SetIpAllowlistResult>;
  /** Creates users that sign with API keys, all or none. */
  readonly create_api_only_users: Call<CreateApiOnlyUsersParameters, CreateApiOnlyUsersResult>;
  /** Creates users with their credentials, all or none. */
  readonly create_users: Call<CreateUsersParameters, CreateUsersResult>;
  /** Deletes users with their credentials; members of the root quorum cannot be deleted. */
  readonly delete_users: Call<DeleteUsersParameters, DeleteUsersResult>;
  /** Updates the name, contacts and tags of a user. */
  readonly update_user: Call<UpdateUserParameters, UpdateUserResult>;
  /** Sets the email address of a user; an empty string removes it. */
  readonly update_user_email: Call<UpdateUserEmailParameters, UpdateUserEmailResult>;
  /** Renames a user. */
  readonly update_user_name: Call<UpdateUserNameParameters, UpdateUserNameResult>;
  /** Sets the phone number of a user; an empty string removes it. */
  readonly update_user_phone_number: Call<UpdateUserPhoneNumberParameters, UpdateUserPhoneNumberResult>;
  /**
   * Creates invitations, which note whom the organization expects. The service sends nothing, and an
   * invitation gives no access.
   */
  readonly create_invitations: Call<CreateInvitationsParameters, CreateInvitationsResult>;
  /** Deletes an invitation. */
  readonly delete_invitation: Call<DeleteInvitationParameters, DeleteInvitationResult>;
  /** Creates a user tag and adds it to users. */
  readonly create_user_tag: Call<CreateUserTagParameters, CreateUserTagResult>;
  /** Deletes user tags, and returns the users that had one of them. */
  readonly delete_user_tags: Call<DeleteUserTagsParameters, DeleteUserTagsResult>;
  /** Renames a user tag, adds it to users and removes it from others. */
  readonly update_user_tag: Call<UpdateUserTagParameters, UpdateUserTagResult>;
  /** Creates API keys of a user. */
  readonly create_api_keys: Call<CreateApiKeysParameters, CreateApiKeysResult>;
  /** Deletes API keys of a user; the user must keep one credential. */
  readonly delete_api_keys: Call<DeleteApiKeysParameters, DeleteApiKeysResult>;
  /** Creates passkeys of a user. */
  readonly create_authenticators: Call<CreateAuthenticatorsParameters, CreateAuthenticatorsResult>;
  /** Deletes passkeys of a user; the user must keep one credential. */
  readonly delete_authenticators: Call<DeleteAuthenticatorsParameters, DeleteAuthenticatorsResult>;
  /** Creates OAuth identities of a user, each proven by an ID token. */
  readonly create_oauth_providers: Call<CreateOauthProvidersParameters, CreateOauthProvidersResult>;
  /** Deletes OAuth identities of a user; the user must keep one credential. */
  readonly delete_oauth_providers: Call<DeleteOauthProvidersParameters, DeleteOauthProvidersResult>;
  /** Stores a client of an OAuth 2.0 provider, its secret encrypted to the service. */
  readonly create_oauth2_credential: Call<CreateOauth2CredentialParameters, CreateOauth2CredentialResult>;
  /** Deletes a client of an OAuth 2.0 provider; identities created with it stay. */
  readonly delete_oauth2_credential: Call<DeleteOauth2CredentialParameters, DeleteOauth2CredentialResult>;
  /**
   * Logs a user in by an OIDC token; the service creates the session key and encrypts it to the client.
   */
  readonly oauth: Call<OauthParameters, OauthResult>;
  /**
   * Exchanges an authorization code of an OAuth 2.0 provider for an ID token that the service issues.
   */
  readonly oauth2_authenticate: Call<Oauth2AuthenticateParameters, Oauth2AuthenticateResult>;
  /** Starts a session of the user whom an OIDC token names, for the key in its nonce. */
  readonly oauth_login: Call<OauthLoginParameters, OauthLoginResult>;
  /** Replaces a client of an OAuth 2.0 provider, its secret included. */
  readonly update_oauth2_credential: Call<UpdateOauth2CredentialParameters, UpdateOauth2CredentialResult>;
  /** Starts a session of one hour that can read, sent in the header `X-Session`. */
  readonly create_read_only_session: Call<CreateReadOnlySessionParameters, CreateReadOnlySessionResult>;
  /** Starts a session whose key the service creates and encrypts to the target key of the request. */
  readonly create_read_write_session: Call<CreateReadWriteSessionParameters, CreateReadWriteSessionResult>;
  /** Starts a session of the user who stamps the request, with any of the user's credentials. */
  readonly stamp_login: Call<StampLoginParameters, StampLoginResult>;
  /** Creates an MFA policy: the further credentials that a user must show for some activities. */
  readonly create_mfa_policy: Call<CreateMfaPolicyParameters, CreateMfaPolicyResult>;
  /** Deletes an MFA policy. */
  readonly delete_mfa_policy: Call<DeleteMfaPolicyParameters, DeleteMfaPolicyResult>;
  /** Updates an MFA policy; members that are left out stay. */
  readonly update_mfa_policy: Call<UpdateMfaPolicyParameters, UpdateMfaPolicyResult>;
  /** Creates a session profile: the scope of the sessions that name it. It cannot be changed. */
  readonly create_session_profile: Call<CreateSessionProfileParameters, CreateSessionProfileResult>;
  /** Sends a user an API key that expires by email, encrypted to the target key of the request. */
  readonly email_auth: Call<EmailAuthParameters, EmailAuthResult>;
  /** Sends a one-time code to an email address or a phone number. */
  readonly init_otp: Call<InitOtpParameters, InitOtpResult>;
  /** Sends a one-time code to a user, who exchanges it for an API key. */
  readonly init_otp_auth: Call<InitOtpAuthParameters, InitOtpAuthResult>;
  /** Sends a user who lost all credentials a key by email that can add a passkey. */
  readonly init_user_email_recovery: Call<InitUserEmailRecoveryParameters, InitUserEmailRecoveryResult>;
  /**
   * Exchanges a one-time code for an API key that expires, encrypted to the target key of the request.
   */
  readonly otp_auth: Call<OtpAuthParameters, OtpAuthResult>;
  /** Exchanges a verification token for a session of the user with that contact. */
  readonly otp_login: Call<OtpLoginParameters, OtpLoginResult>;
  /** Completes a recovery: adds a passkey, and deletes the recovery keys of the user. */
  readonly recover_user: Call<RecoverUserParameters, RecoverUserResult>;
  /** Exchanges a one-time code for a verification token of the contact. */
  readonly verify_otp: Call<VerifyOtpParameters, VerifyOtpResult>;
  /** Disables the onboarding proxy and deletes its settings, user and policy. */
  readonly disable_auth_proxy: Call<DisableAuthProxyParameters, DisableAuthProxyResult>;
  /** Enables the onboarding proxy, with a user and a policy of its own. */
  readonly enable_auth_proxy: Call<EnableAuthProxyParameters, EnableAuthProxyResult>;
  /** Updates settings of the onboarding proxy; members that are left out stay. */
  readonly update_auth_proxy_config: Call<UpdateAuthProxyConfigParameters, UpdateAuthProxyConfigResult>;
  /** Creates a wallet with a new seed, and its first accounts. */
  readonly create_wallet: Call<CreateWalletParameters, CreateWalletResult>;
  /** Derives accounts of a wallet, and stores them unless `persist` is false. */
  readonly create_wallet_accounts: Call<CreateWalletAccountsParameters, CreateWalletAccountsResult>;
  /** Deletes wallet accounts; a wallet can derive the same account again. */
  readonly delete_wallet_accounts: Call<DeleteWalletAccountsParameters, DeleteWalletAccountsResult>;
  /** Deletes wallets with all their accounts; they cannot be restored. */
  readonly delete_wallets: Call<DeleteWalletsParameters, DeleteWalletsResult>;
  /**
   * Exports the mnemonic of a wallet, encrypted to a target key; the passphrase of an imported wallet
   * follows on the next line, after `--PASS--` if it could be misread.
   */
  readonly export_wallet: Call<ExportWalletParameters, ExportWalletResult>;
  /**
   * Exports the private key of the account with this address, encrypted to a target key; of several,
   * the first that was created.
   */
  readonly export_wallet_account: Call<ExportWalletAccountParameters, ExportWalletAccountResult>;
  /** Imports a wallet from a mnemonic that was encrypted to an import target. */
  readonly import_wallet: Call<ImportWalletParameters, ImportWalletResult>;
  /** Creates an import target: a key that the user encrypts one wallet to within two days. */
  readonly init_import_wallet: Call<InitImportWalletParameters, InitImportWalletResult>;
  /** Renames a wallet. */
  readonly update_wallet: Call<UpdateWalletParameters, UpdateWalletResult>;
  /** Creates random private keys with their addresses, or registers external keys, all or none. */
  readonly create_private_keys: Call<CreatePrivateKeysParameters, CreatePrivateKeysResult>;
  /** Deletes private keys; they cannot be restored. */
  readonly delete_private_keys: Call<DeletePrivateKeysParameters, DeletePrivateKeysResult>;
  /** Exports a private key, encrypted to a target key; for Ed25519 the seed. */
  readonly export_private_key: Call<ExportPrivateKeyParameters, ExportPrivateKeyResult>;
  /** Imports a private key that was encrypted to an import target. */
  readonly import_private_key: Call<ImportPrivateKeyParameters, ImportPrivateKeyResult>;
  /** Creates an import target: a key that the user encrypts one private key to within two days. */
  readonly init_import_private_key: Call<InitImportPrivateKeyParameters, InitImportPrivateKeyResult>;
  /** Deletes secrets; they cannot be restored. */
  readonly delete_secrets: Call<DeleteSecretsParameters, DeleteSecretsResult>;
  /** Exports the texts of secrets, each encrypted to its target key, in the order of the request. */
  readonly export_secrets: Call<ExportSecretsParameters, ExportSecretsResult>;
  /** Imports secrets that were encrypted to import targets, and returns their IDs in the same order. */
  readonly import_secrets: Call<ImportSecretsParameters, ImportSecretsResult>;
  /** Creates import targets: keys that the user encrypts one secret to each within two days. */
  readonly init_import_secrets: Call<InitImportSecretsParameters, InitImportSecretsResult>;
  /** Creates a private key tag and adds it to private keys. */
  readonly create_private_key_tag: Call<CreatePrivateKeyTagParameters, CreatePrivateKeyTagResult>;
  /** Deletes private key tags, and returns the private keys that had one of them. */
  readonly delete_private_key_tags: Call<DeletePrivateKeyTagsParameters, DeletePrivateKeyTagsResult>;
  /** Renames a private key tag, adds it to private keys and removes it from others. */
  readonly update_private_key_tag: Call<UpdatePrivateKeyTagParameters, UpdatePrivateKeyTagResult>;
  /** Creates several policies, all or none. */
  readonly create_policies: Call<CreatePoliciesParameters, CreatePoliciesResult>;
  /** Creates a policy. */
  readonly create_policy: Call<CreatePolicyParameters, CreatePolicyResult>;
  /** Deletes several policies, all or none. */
  readonly delete_policies: Call<DeletePoliciesParameters, DeletePoliciesResult>;
  /** Deletes a policy. */
  readonly delete_policy: Call<DeletePolicyParameters, DeletePolicyResult>;
  /** Updates a policy; members that are left out stay. */
  readonly update_policy: Call<UpdatePolicyParameters, UpdatePolicyResult>;
  /**
   * Sets what a DENY policy does when one of its expressions fails: it refuses the activity (the
   * default), or it is skipped. Not part of the common interface.
   */
  readonly update_policy_settings: Call<UpdatePolicySettingsParameters, UpdatePolicySettingsResult>;
  /** Creates a limit over time, which policies read as `controls.<identifier>`. */
  readonly create_velocity_control: Call<CreateVelocityControlParameters, CreateVelocityControlResult>;
  /** Deletes a velocity control with what it counted; refused while a policy reads it. */
  readonly delete_velocity_control: Call<DeleteVelocityControlParameters, DeleteVelocityControlResult>;
  /** Deletes velocity controls and their counters. Rejected while a policy reads one of them. */
  readonly delete_velocity_controls: Call<DeleteVelocityControlsParameters, DeleteVelocityControlsResult>;
  /** Creates a label of the address book, whose addresses policies read as `address_book.<label>`. */
  readonly create_address_label: Call<CreateAddressLabelParameters, CreateAddressLabelResult>;
  /** Deletes a label with its addresses. Rejected while a policy reads the label. */
  readonly delete_address_label: Call<DeleteAddressLabelParameters, DeleteAddressLabelResult>;
  /** Adds and removes addresses of a label. Activities that wait do not read the changed label. */
  readonly update_address_label: Call<UpdateAddressLabelParameters, UpdateAddressLabelResult>;
  /**
   * Creates a freeze, which immediately stops signatures, exports and sends of its subject. Returns the
   * existing freeze if there is one.
   */
  readonly create_freeze: Call<CreateFreezeParameters, CreateFreezeResult>;
  /** Deletes a freeze. Requires the root quorum. */
  readonly delete_freeze: Call<DeleteFreezeParameters, DeleteFreezeResult>;
  /** Adds a holder to the key of an unsealed organization. Requires the root quorum. */
  readonly create_key_holder: Call<CreateKeyHolderParameters, CreateKeyHolderResult>;
  /**
   * Creates a key of the organization, which seals its wallets and private keys in addition to the root
   * key. If all holders lose their secrets, the wallets are lost.
   */
  readonly create_organization_key: Call<CreateOrganizationKeyParameters, CreateOrganizationKeyResult>;
  /**
   * Removes a holder from the key of an unsealed organization, except the last holder. Requires the
   * root quorum.
   */
  readonly delete_key_holder: Call<DeleteKeyHolderParameters, DeleteKeyHolderResult>;
  /**
   * Seals an organization that has its own key: no enclave uses its wallets and private keys until a
   * holder unseals it.
   */
  readonly seal_organization: Call<SealOrganizationParameters, SealOrganizationResult>;
  /** Unseals an organization in the answering enclave, with the secret of a holder of its key. */
  readonly unseal_organization: Call<UnsealOrganizationParameters, UnsealOrganizationResult>;
  /** Stores the ABI or IDL of a contract, so that policies can read its calls. */
  readonly create_smart_contract_interface: Call<CreateSmartContractInterfaceParameters, CreateSmartContractInterfaceResult>;
  /** Deletes a smart contract interface. */
  readonly delete_smart_contract_interface: Call<DeleteSmartContractInterfaceParameters, DeleteSmartContractInterfaceResult>;
  /** Signs a payload with a wallet account or a private key. */
  readonly sign_raw_payload: Call<SignRawPayloadParameters, SignRawPayloadResult>;
  /** Signs several payloads with one wallet account or private key, all or none. */
  readonly sign_raw_payloads: Call<SignRawPayloadsParameters, SignRawPayloadsResult>;
  /** Signs a transaction with a wallet account or a private key. */
  readonly sign_transaction: Call<SignTransactionParameters, SignTransactionResult>;
  /** Abandons a transaction under way that is in no block, which frees its place and nonce. */
  readonly abandon_transaction: Call<AbandonTransactionParameters, AbandonTransactionResult>;
  /** Sends a signed transaction to an Ethereum chain, until it is in a final block. */
  readonly eth_send_raw_transaction: Call<EthSendRawTransactionParameters, EthSendRawTransactionResult>;
  /** Signs a transaction of an Ethereum chain and sends it, until it is in a final block. */
  readonly eth_send_transaction: Call<EthSendTransactionParameters, EthSendTransactionResult>;
  /** Removes the code that acts for an address by EIP-7702, in a transaction that is sent. */
  readonly eth_undelegate_7702: Call<EthUndelegate7702Parameters, EthUndelegate7702Result>;
  /** Signs a transaction of Solana and sends it, until it is in a final block. */
  readonly sol_send_transaction: Call<SolSendTransactionParameters, SolSendTransactionResult>;
  /** Sets the accounts that pay for sponsored transactions, and their limits. */
  readonly upsert_gas_usage_config: Call<UpsertGasUsageConfigParameters, UpsertGasUsageConfigResult>;
  /** Sends a claim of the rewards of an address on a chain, which pays to that address. */
  readonly earn_claim_rewards: Call<EarnClaimRewardsParameters, EarnClaimRewardsResult>;
  /**
   * Opens a configured vault to deposits of the organization, without a fee. Nothing is deployed: the
   * vault is its own wrapper.
   */
  readonly earn_deploy_wrapper: Call<EarnDeployWrapperParameters, EarnDeployWrapperResult>;
  /** Moves tokens of an address into a vault that the operator configured. */
  readonly earn_deposit: Call<EarnDepositParameters, EarnDepositResult>;
  /**
   * Sets whether a vault takes deposits of the organization and its sub-organizations. Withdrawals stay
   * possible.
   */
  readonly earn_set_wrapper_state: Call<EarnSetWrapperStateParameters, EarnSetWrapperStateResult>;
  /** Moves tokens from a vault to the address that holds the position. */
  readonly earn_withdraw: Call<EarnWithdrawParameters, EarnWithdrawResult>;
  /** Returns the output of a swap of tokens, with the least output that its execution accepts. */
  readonly create_swap_quote: Call<CreateSwapQuoteParameters, CreateSwapQuoteResult>;
  /** Sends a swap of tokens by Uniswap, which gives at least the named output or reverts. */
  readonly execute_swap: Call<ExecuteSwapParameters, ExecuteSwapResult>;
  /**
   * Sets the fee of swaps of the organization and its sub-organizations, and the account that receives
   * it.
   */
  readonly upsert_swap_config: Call<UpsertSwapConfigParameters, UpsertSwapConfigResult>;
  /**
   * Registers an application for enclaves, with the operators who approve its manifests and those who
   * hold its quorum key. Send each set either by its ID or with its members.
   */
  readonly create_tvc_app: Call<CreateTvcAppParameters, CreateTvcAppResult>;
  /** Registers a version of an application and creates its manifest, which operators then approve. */
  readonly create_tvc_deployment: Call<CreateTvcDeploymentParameters, CreateTvcDeploymentResult>;
  /**
   * Stores signatures of operators over a manifest. The deployment becomes live at the threshold if its
   * application has no live one yet.
   */
  readonly create_tvc_manifest_approvals: Call<CreateTvcManifestApprovalsParameters, CreateTvcManifestApprovalsResult>;
  /**
   * Creates an operator from two accounts of an existing or a new wallet: `/0` below the path is its
   * encryption key, `/1` its signing key.
   */
  readonly create_tvc_operator: Call<CreateTvcOperatorParameters, CreateTvcOperatorResult>;
  /** Creates a quorum key, and stores only its shares, each encrypted to an operator. */
  readonly create_tvc_quorum_key: Call<CreateTvcQuorumKeyParameters, CreateTvcQuorumKeyResult>;
  /** Deletes an application with all its deployments, the live one included; it cannot be restored. */
  readonly delete_tvc_app_and_deployments: Call<DeleteTvcAppAndDeploymentsParameters, DeleteTvcAppAndDeploymentsResult>;
  /** Marks a deployment that is not live as deleted. It stays visible and can be restored. */
  readonly delete_tvc_deployment: Call<DeleteTvcDeploymentParameters, DeleteTvcDeploymentResult>;
  /** Stores the share of an operator, encrypted to an enclave of a deployment. */
  readonly post_tvc_quorum_key_share: Call<PostTvcQuorumKeyShareParameters, PostTvcQuorumKeyShareResult>;
  /** Restores a deleted deployment that is not cleaned up yet. The deployment does not become live. */
  readonly restore_tvc_deployment: Call<RestoreTvcDeploymentParameters, RestoreTvcDeploymentResult>;
  /** Sets the live deployment of an application to one that was approved, and replaces the former. */
  readonly set_tvc_app_live_deployment: Call<SetTvcAppLiveDeploymentParameters, SetTvcAppLiveDeploymentResult>;
  /**
   * Reports the running instances of a deployment; with `cleanedUp`, that a deleted one was removed.
   * Not part of the common interface.
   */
  readonly set_tvc_deployment_status: Call<SetTvcDeploymentStatusParameters, SetTvcDeploymentStatusResult>;
  /**
   * Creates an endpoint that events are delivered to. Without a URL its events are kept for
   * `list_webhook_deliveries`. See docs/webhooks.md.
   */
  readonly create_webhook_endpoint: Call<CreateWebhookEndpointParameters, CreateWebhookEndpointResult>;
  /** Deletes an endpoint with its subscriptions; events that were not delivered are dropped. */
  readonly delete_webhook_endpoint: Call<DeleteWebhookEndpointParameters, DeleteWebhookEndpointResult>;
  /**
   * Delivers events once more, named by their IDs or by their first and last number. Not part of the
   * common interface.
   */
  readonly redeliver_webhook_events: Call<RedeliverWebhookEventsParameters, RedeliverWebhookEventsResult>;
  /**
   * Publishes a new signing key for webhooks, which signs a day later; the present key stays published
   * for a week after that. Send `immediately` if the present key is no longer trusted. For the first
   * organization only; not part of the common interface.
   */
  readonly rotate_webhook_key: Call<RotateWebhookKeyParameters, RotateWebhookKeyResult>;
  /**
   * Updates an endpoint; members that are left out stay. While the endpoint is inactive, it collects no
   * new events and keeps those that wait.
   */
  readonly update_webhook_endpoint: Call<UpdateWebhookEndpointParameters, UpdateWebhookEndpointResult>;
}

/** Operations that read. */
export interface Queries {
  /** Returns the organization and the user that the credential of the request belongs to. */
  readonly whoami: Call<WhoamiBody, WhoamiResponse>;
  /**
   * Explains an activity: how it was decided at each vote, as that was recorded, and who may still
   * vote.
   */
  readonly explain_activity: Call<ExplainActivityBody, ExplainActivityResponse>;
  /** Returns an activity of the organization. */
  readonly get_activity: Call<GetActivityBody, GetActivityResponse>;
  /**
   * Returns the outcome of each policy at each vote on an activity; the submission is the first vote.
   */
  readonly get_policy_evaluations: Call<GetPolicyEvaluationsBody, GetPolicyEvaluationsResponse>;
  /**
   * Lists the activities of the organization, newest first. The header `Prefer: wait=25` holds an empty
   * page until there is news.
   */
  readonly list_activities: Call<ListActivitiesBody, ListActivitiesResponse>;
  /** Returns the statement of the answering enclave about its program; no hardware attests it. */
  readonly get_attestation: Call<GetAttestationBody, GetAttestationResponse>;
  /** Returns the boot proof of the enclave run that signed app proofs with a given key. */
  readonly get_boot_proof: Call<GetBootProofBody, GetBootProofResponse>;
  /** Returns the boot proof of the enclave run that answers the request. */
  readonly get_latest_boot_proof: Call<GetLatestBootProofBody, GetLatestBootProofResponse>;
  /**
   * Returns the receipt of an activity: its entry in the log, with the proof that a checkpoint has it.
   */
  readonly get_receipt: Call<GetReceiptBody, GetReceiptResponse>;
  /** Lists the app proofs of an activity; the list is empty if the request did not ask for proofs. */
  readonly list_app_proofs: Call<ListAppProofsBody, ListAppProofsResponse>;
  /**
   * Lists the entries of the organization in the log, oldest first, with a proof of the last entry.
   * `keywright audit` verifies them.
   */
  readonly list_log_entries: Call<ListLogEntriesBody, ListLogEntriesResponse>;
  /** Returns the organization with its users, policies, keys, wallets, tags and features. */
  readonly get_organization: Call<GetOrganizationBody, GetOrganizationResponse>;
  /** Returns the features of the organization and its root quorum. */
  readonly get_organization_configs: Call<GetOrganizationConfigsBody, GetOrganizationConfigsResponse>;
  /** Lists the IDs of the sub-organizations, oldest first: all, or those found by a filter. */
  readonly list_suborgs: Call<ListSuborgsBody, ListSuborgsResponse>;
  /**
   * Lists the IDs of the sub-organizations with a user whose contact is verified, oldest first: all, or
   * those found by a filter.
   */
  readonly list_verified_suborgs: Call<ListVerifiedSuborgsBody, ListVerifiedSuborgsResponse>;
  /** Returns the IP allowlist of the organization, or of one API key; an empty one if none is set. */
  readonly get_ip_allowlist: Call<GetIpAllowlistBody, GetIpAllowlistResponse>;
  /** Returns a user with its credentials. */
  readonly get_user: Call<GetUserBody, GetUserResponse>;
  /** Lists the users with their credentials, oldest first. */
  readonly list_users: Call<ListUsersBody, ListUsersResponse>;
  /** Lists the user tags, oldest first. */
  readonly list_user_tags: Call<ListUserTagsBody, ListUserTagsResponse>;
  /** Returns an API key. */
  readonly get_api_key: Call<GetApiKeyBody, GetApiKeyResponse>;
  /** Lists the API keys of a user, or of all users, oldest first. */
  readonly get_api_keys: Call<GetApiKeysBody, GetApiKeysResponse>;
  /** Returns a passkey. */
  readonly get_authenticator: Call<GetAuthenticatorBody, GetAuthenticatorResponse>;
  /** Lists the passkeys of a user, oldest first. */
  readonly get_authenticators: Call<GetAuthenticatorsBody, GetAuthenticatorsResponse>;
  /** Lists the OAuth identities of a user, or of all users, oldest first. */
  readonly get_oauth_providers: Call<GetOauthProvidersBody, GetOauthProvidersResponse>;
  /** Returns a client of an OAuth 2.0 provider, its secret still encrypted. */
  readonly get_oauth2_credential: Call<GetOauth2CredentialBody, GetOauth2CredentialResponse>;
  /** Lists the clients of OAuth 2.0 providers, oldest first. */
  readonly list_oauth2_credentials: Call<ListOauth2CredentialsBody, ListOauth2CredentialsResponse>;
  /** Lists the MFA policies of a user, in the order in which they are tried. */
  readonly get_mfa_policies: Call<GetMfaPoliciesBody, GetMfaPoliciesResponse>;
  /** Returns an MFA policy. */
  readonly get_mfa_policy: Call<GetMfaPolicyBody, GetMfaPolicyResponse>;
  /** Returns the credentials that users must still show for a waiting activity. */
  readonly get_mfa_status: Call<GetMfaStatusBody, GetMfaStatusResponse>;
  /** Returns a session profile of the organization, or of its parent. */
  readonly get_session_profile: Call<GetSessionProfileBody, GetSessionProfileResponse>;
  /** Lists the session profiles of the organization, or of its parent, oldest first. */
  readonly get_session_profiles: Call<GetSessionProfilesBody, GetSessionProfilesResponse>;
  /** Lists the outcomes of mails to an address in the last 90 days, newest first. */
  readonly list_email_events: Call<ListEmailEventsBody, ListEmailEventsResponse>;
  /** Returns the onboarding proxy: its user, and its settings with their defaults. */
  readonly get_auth_proxy_config: Call<GetAuthProxyConfigBody, GetAuthProxyConfigResponse>;
  /** Returns a wallet. */
  readonly get_wallet: Call<GetWalletBody, GetWalletResponse>;
  /**
   * Returns the account of a wallet with this address, this path as it was sent, or both; of several,
   * the first that was created.
   */
  readonly get_wallet_account: Call<GetWalletAccountBody, GetWalletAccountResponse>;
  /** Lists the accounts of one wallet or of all wallets, oldest first. */
  readonly list_wallet_accounts: Call<ListWalletAccountsBody, ListWalletAccountsResponse>;
  /** Lists the wallets of the organization, oldest first. */
  readonly list_wallets: Call<ListWalletsBody, ListWalletsResponse>;
  /**
   * Returns the chains of the service and whether their nodes answer; to the root quorum, the last
   * backup too.
   */
  readonly get_service_health: Call<GetServiceHealthBody, GetServiceHealthResponse>;
  /** Returns the next nonces of an Ethereum address, as nodes of the chain report them. */
  readonly get_nonces: Call<GetNoncesBody, GetNoncesResponse>;
  /**
   * Returns the balances of the address of a wallet account on a chain, as a node of the chain reports
   * them.
   */
  readonly get_wallet_address_balances: Call<GetWalletAddressBalancesBody, GetWalletAddressBalancesResponse>;
  /** Lists the coin and the tokens of a chain whose balances the service knows. */
  readonly list_supported_assets: Call<ListSupportedAssetsBody, ListSupportedAssetsResponse>;
  /**
   * Lists transactions of the address of a wallet account on a chain of Ethereum since the service
   * watches it, newest first.
   */
  readonly list_eth_transaction_history: Call<ListEthTransactionHistoryBody, ListEthTransactionHistoryResponse>;
  /**
   * Lists transactions of the address of a wallet account on a chain of Solana since the service
   * watches it, newest first.
   */
  readonly list_sol_transaction_history: Call<ListSolTransactionHistoryBody, ListSolTransactionHistoryResponse>;
  /** Returns the public part of a private key. */
  readonly get_private_key: Call<GetPrivateKeyBody, GetPrivateKeyResponse>;
  /** Lists the private keys of the organization, oldest first, without the keys. */
  readonly list_private_keys: Call<ListPrivateKeysBody, ListPrivateKeysResponse>;
  /** Lists the secrets of the organization, oldest first, without their texts. */
  readonly list_secrets: Call<ListSecretsBody, ListSecretsResponse>;
  /** Lists the private key tags, oldest first. */
  readonly list_private_key_tags: Call<ListPrivateKeyTagsBody, ListPrivateKeyTagsResponse>;
  /** Returns which policies are in force now, as their `time` clauses say. */
  readonly get_active_policies: Call<GetActivePoliciesBody, GetActivePoliciesResponse>;
  /** Returns a policy; an expression that is not set is empty. */
  readonly get_policy: Call<GetPolicyBody, GetPolicyResponse>;
  /**
   * Returns what a DENY policy does when one of its expressions fails. Not part of the common
   * interface.
   */
  readonly get_policy_settings: Call<GetPolicySettingsBody, GetPolicySettingsResponse>;
  /** Returns warnings about the policies of the organization; a warning refuses nothing. */
  readonly get_policy_warnings: Call<GetPolicyWarningsBody, GetPolicyWarningsResponse>;
  /** Lists the policies of the organization, oldest first. */
  readonly list_policies: Call<ListPoliciesBody, ListPoliciesResponse>;
  /**
   * Decides past activities once more, as they were asked for and voted on, under changed policies;
   * nothing is stored.
   */
  readonly simulate_policies: Call<SimulatePoliciesBody, SimulatePoliciesResponse>;
  /** Returns a velocity control. */
  readonly get_velocity_control: Call<GetVelocityControlBody, GetVelocityControlResponse>;
  /** Lists the velocity controls, oldest first. */
  readonly list_velocity_controls: Call<ListVelocityControlsBody, ListVelocityControlsResponse>;
  /** Lists the counted amounts of the velocity controls, one for each control and group that has one. */
  readonly list_velocity_usage: Call<ListVelocityUsageBody, ListVelocityUsageResponse>;
  /** Lists the labels of the address book with their addresses, oldest first. */
  readonly list_address_labels: Call<ListAddressLabelsBody, ListAddressLabelsResponse>;
  /** Lists the freezes of the organization, oldest first. */
  readonly list_freezes: Call<ListFreezesBody, ListFreezesResponse>;
  /**
   * Returns the organization key and its holders, and whether the organization is sealed in the
   * answering enclave.
   */
  readonly get_organization_key: Call<GetOrganizationKeyBody, GetOrganizationKeyResponse>;
  /** Returns a smart contract interface. */
  readonly get_smart_contract_interface: Call<GetSmartContractInterfaceBody, GetSmartContractInterfaceResponse>;
  /** Lists the smart contract interfaces, oldest first. */
  readonly list_smart_contract_interfaces: Call<ListSmartContractInterfacesBody, ListSmartContractInterfacesResponse>;
  /** Returns the sponsored fees of the organization in the current window, and their limit. */
  readonly get_gas_usage: Call<GetGasUsageBody, GetGasUsageResponse>;
  /** Returns the outcome of a transaction that the service sends. */
  readonly get_send_transaction_status: Call<GetSendTransactionStatusBody, GetSendTransactionStatusResponse>;
  /** Returns the outcome of a claim of rewards. */
  readonly get_earn_claim_rewards_status: Call<GetEarnClaimRewardsStatusBody, GetEarnClaimRewardsStatusResponse>;
  /** Returns the state of an opened vault: it is complete at once, since nothing is deployed. */
  readonly get_earn_deploy_status: Call<GetEarnDeployStatusBody, GetEarnDeployStatusResponse>;
  /** Returns the outcome of a deposit into a vault. */
  readonly get_earn_deposit_status: Call<GetEarnDepositStatusBody, GetEarnDepositStatusResponse>;
  /** Returns the outcome of a withdrawal from a vault. */
  readonly get_earn_withdraw_status: Call<GetEarnWithdrawStatusBody, GetEarnWithdrawStatusResponse>;
  /** Lists the vaults that the organization can deposit into: all that the operator configured. */
  readonly list_earn_enabled_vaults: Call<ListEarnEnabledVaultsBody, ListEarnEnabledVaultsResponse>;
  /** Lists what an address holds in the configured vaults, as nodes of the chains report it. */
  readonly list_earn_positions: Call<ListEarnPositionsBody, ListEarnPositionsResponse>;
  /** Lists the rewards outside of vaults that an address can claim or claimed. */
  readonly list_earn_rewards: Call<ListEarnRewardsBody, ListEarnRewardsResponse>;
  /** Lists the configured vaults that take a token, those with the most tokens first. */
  readonly list_earn_vaults: Call<ListEarnVaultsBody, ListEarnVaultsResponse>;
  /** Returns the outcome of a swap. */
  readonly get_swap_status: Call<GetSwapStatusBody, GetSwapStatusResponse>;
  /** Returns the reported status of an application. */
  readonly get_app_status: Call<GetAppStatusBody, GetAppStatusResponse>;
  /** Returns an application, also a deleted one. */
  readonly get_tvc_app: Call<GetTvcAppBody, GetTvcAppResponse>;
  /** Returns a deployment, also a deleted one, with its manifest, approvals and shares. */
  readonly get_tvc_deployment: Call<GetTvcDeploymentBody, GetTvcDeploymentResponse>;
  /** Lists the versions of QuorumOS that deployments may name, oldest first. */
  readonly get_tvc_qos_versions: Call<GetTvcQosVersionsBody, GetTvcQosVersionsResponse>;
  /** Lists the deployments of an application, oldest first, deleted ones included. */
  readonly list_tvc_app_deployments: Call<ListTvcAppDeploymentsBody, ListTvcAppDeploymentsResponse>;
  /** Lists the applications, oldest first, deleted ones included. */
  readonly list_tvc_apps: Call<ListTvcAppsBody, ListTvcAppsResponse>;
  /** Lists the operators, oldest first. */
  readonly list_tvc_operators: Call<ListTvcOperatorsBody, ListTvcOperatorsResponse>;
  /** Lists the quorum keys with their encrypted shares, oldest first. */
  readonly list_tvc_quorum_keys: Call<ListTvcQuorumKeysBody, ListTvcQuorumKeysResponse>;
  /** Checks the form of an image reference and returns the digest in it. It asks no registry. */
  readonly validate_tvc_image: Call<ValidateTvcImageBody, ValidateTvcImageResponse>;
  /**
   * Lists the events of a webhook endpoint by number, with their outcome and every attempt. Numbers
   * have no gap, so a receiver sees what it missed. The header `Prefer: wait=25` holds an empty page
   * until there is news. Not part of the common interface.
   */
  readonly list_webhook_deliveries: Call<ListWebhookDeliveriesBody, ListWebhookDeliveriesResponse>;
  /** Lists the webhook endpoints of the organization, oldest first. */
  readonly list_webhook_endpoints: Call<ListWebhookEndpointsBody, ListWebhookEndpointsResponse>;
}

/** Versions of an operation's type and result that have any, and their name if it is another. */
export const versions: Readonly<Record<string, string>> = {
  create_api_keys: '2',
  create_authenticators: '2',
  create_oauth_providers: '2 2',
  create_policy: '3',
  create_private_keys: '2 2',
  create_read_write_session: '2 2',
  create_sub_organization: '8 8',
  create_swap_quote: '2',
  create_users: '4',
  email_auth: '3',
  eth_send_transaction: '2 2',
  execute_swap: '3',
  init_otp: '3 2',
  init_otp_auth: '3 2',
  init_user_email_recovery: '2',
  otp_login: '2',
  set_tvc_app_live_deployment: '  update_tvc_app_live_deployment',
  sign_raw_payload: '2',
  sign_transaction: '2',
  sol_send_transaction: '2 2',
  update_policy: '2 2',
  verify_otp: '2',
};

export type ActivityStatus =
  | 'ACTIVITY_STATUS_CREATED'
  | 'ACTIVITY_STATUS_PENDING'
  | 'ACTIVITY_STATUS_COMPLETED'
  | 'ACTIVITY_STATUS_FAILED'
  | 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
  | 'ACTIVITY_STATUS_REJECTED'
  | 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED';

export type SignatureSchemeTk =
  | 'SIGNATURE_SCHEME_TK_API_P256'
  | 'SIGNATURE_SCHEME_TK_API_SECP256K1'
  | 'SIGNATURE_SCHEME_TK_API_ED25519'
  | 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'
  | 'SIGNATURE_SCHEME_TK_WEBAUTHN'
  | 'SIGNATURE_SCHEME_TK_ATTESTED_P256';

export type AuthenticatorTransport =
  | 'AUTHENTICATOR_TRANSPORT_BLE'
  | 'AUTHENTICATOR_TRANSPORT_INTERNAL'
  | 'AUTHENTICATOR_TRANSPORT_NFC'
  | 'AUTHENTICATOR_TRANSPORT_USB'
  | 'AUTHENTICATOR_TRANSPORT_HYBRID';

export type CredentialType =
  | 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR'
  | 'CREDENTIAL_TYPE_API_KEY_P256'
  | 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256'
  | 'CREDENTIAL_TYPE_API_KEY_SECP256K1'
  | 'CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256'
  | 'CREDENTIAL_TYPE_API_KEY_ED25519'
  | 'CREDENTIAL_TYPE_OTP_AUTH_KEY_P256'
  | 'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256'
  | 'CREDENTIAL_TYPE_OAUTH_KEY_P256'
  | 'CREDENTIAL_TYPE_LOGIN';

export type AuthenticationType =
  | 'AUTHENTICATION_TYPE_PASSKEY'
  | 'AUTHENTICATION_TYPE_API_KEY'
  | 'AUTHENTICATION_TYPE_SESSION'
  | 'AUTHENTICATION_TYPE_EMAIL_OTP'
  | 'AUTHENTICATION_TYPE_SMS_OTP'
  | 'AUTHENTICATION_TYPE_OAUTH';

export type AddressFormat =
  | 'ADDRESS_FORMAT_UNCOMPRESSED'
  | 'ADDRESS_FORMAT_COMPRESSED'
  | 'ADDRESS_FORMAT_ETHEREUM'
  | 'ADDRESS_FORMAT_SOLANA'
  | 'ADDRESS_FORMAT_COSMOS'
  | 'ADDRESS_FORMAT_TRON'
  | 'ADDRESS_FORMAT_SUI'
  | 'ADDRESS_FORMAT_APTOS'
  | 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2PKH'
  | 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2SH'
  | 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH'
  | 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WSH'
  | 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR'
  | 'ADDRESS_FORMAT_BITCOIN_TESTNET_P2PKH'
  | 'ADDRESS_FORMAT_BITCOIN_TESTNET_P2SH'
  | 'ADDRESS_FORMAT_BITCOIN_TESTNET_P2WPKH'
  | 'ADDRESS_FORMAT_BITCOIN_TESTNET_P2WSH'
  | 'ADDRESS_FORMAT_BITCOIN_TESTNET_P2TR'
  | 'ADDRESS_FORMAT_BITCOIN_SIGNET_P2PKH'
  | 'ADDRESS_FORMAT_BITCOIN_SIGNET_P2SH'
  | 'ADDRESS_FORMAT_BITCOIN_SIGNET_P2WPKH'
  | 'ADDRESS_FORMAT_BITCOIN_SIGNET_P2WSH'
  | 'ADDRESS_FORMAT_BITCOIN_SIGNET_P2TR'
  | 'ADDRESS_FORMAT_BITCOIN_REGTEST_P2PKH'
  | 'ADDRESS_FORMAT_BITCOIN_REGTEST_P2SH'
  | 'ADDRESS_FORMAT_BITCOIN_REGTEST_P2WPKH'
  | 'ADDRESS_FORMAT_BITCOIN_REGTEST_P2WSH'
  | 'ADDRESS_FORMAT_BITCOIN_REGTEST_P2TR'
  | 'ADDRESS_FORMAT_SEI'
  | 'ADDRESS_FORMAT_XLM'
  | 'ADDRESS_FORMAT_DOGE_MAINNET'
  | 'ADDRESS_FORMAT_DOGE_TESTNET'
  | 'ADDRESS_FORMAT_TON_V3R2'
  | 'ADDRESS_FORMAT_TON_V4R2'
  | 'ADDRESS_FORMAT_TON_V5R1'
  | 'ADDRESS_FORMAT_XRP'
  | 'ADDRESS_FORMAT_SPARK_MAINNET'
  | 'ADDRESS_FORMAT_SPARK_REGTEST';

export type VelocityControlAggregationOperator =
  | 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN'
  | 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL'
  | 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_EQUAL'
  | 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_GREATER_THAN_OR_EQUAL'
  | 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_GREATER_THAN';

export type FeatureName =
  | 'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY'
  | 'FEATURE_NAME_WEBAUTHN_ORIGINS'
  | 'FEATURE_NAME_EMAIL_AUTH'
  | 'FEATURE_NAME_EMAIL_RECOVERY'
  | 'FEATURE_NAME_WEBHOOK'
  | 'FEATURE_NAME_SMS_AUTH'
  | 'FEATURE_NAME_OTP_EMAIL_AUTH'
  | 'FEATURE_NAME_AUTH_PROXY'
  | 'FEATURE_NAME_SOLANA_RENT_PREFUND_ENABLED';

export type Outcome =
  | 'OUTCOME_ALLOW'
  | 'OUTCOME_DENY_EXPLICIT'
  | 'OUTCOME_DENY_IMPLICIT'
  | 'OUTCOME_REQUIRES_CONSENSUS'
  | 'OUTCOME_REJECTED'
  | 'OUTCOME_ERROR'
  | 'OUTCOME_REQUIRES_AUTHENTICATORS'
  | 'OUTCOME_TIME_INACTIVE';

export type MnemonicLanguage =
  | 'MNEMONIC_LANGUAGE_ENGLISH'
  | 'MNEMONIC_LANGUAGE_SIMPLIFIED_CHINESE'
  | 'MNEMONIC_LANGUAGE_TRADITIONAL_CHINESE'
  | 'MNEMONIC_LANGUAGE_CZECH'
  | 'MNEMONIC_LANGUAGE_FRENCH'
  | 'MNEMONIC_LANGUAGE_ITALIAN'
  | 'MNEMONIC_LANGUAGE_JAPANESE'
  | 'MNEMONIC_LANGUAGE_KOREAN'
  | 'MNEMONIC_LANGUAGE_SPANISH'
  | 'MNEMONIC_LANGUAGE_PORTUGUESE';

export type FreezeType =
  | 'FREEZE_TYPE_WALLET'
  | 'FREEZE_TYPE_PRIVATE_KEY'
  | 'FREEZE_TYPE_USER'
  | 'FREEZE_TYPE_ORGANIZATION'
  | 'FREEZE_TYPE_SUB_ORGANIZATION'
  | 'FREEZE_TYPE_DEPLOYMENT';

export interface Activity {
  /** Activity ID: UUID of the activity. */
  readonly id: string;
  /** Organization ID: UUID of the organization that the resource belongs to. */
  readonly organizationId: string;
  /** Status: State of the activity. */
  readonly status: ActivityStatus;
  /** Type: Activity type that was submitted. */
  readonly type: string;
  /** Intent: One member, named after the operation, that echoes the parameters. */
  readonly intent: Readonly<Record<string, unknown>>;
  /** Result: One member, named after the operation, with the outcome; empty until it completes. */
  readonly result: Readonly<Record<string, unknown>>;
  /** Votes: Approvals and rejections; the submission is the first. */
  readonly votes: readonly Vote[];
  /** Fingerprint: `sha256:` and the lower-case hex SHA-256 of the request body. */
  readonly fingerprint: string;
  /** Can approve: Whether the caller may approve the activity now. */
  readonly canApprove: boolean;
  /** Can reject: Whether the caller may reject the activity now. */
  readonly canReject: boolean;
  /**
   * Created at: Time of creation. RFC 3339 in UTC with milliseconds; a Timestamp object for clients
   * that send `X-Client-Version`.
   */
  readonly createdAt: string;
  /**
   * Updated at: Time of the last change. RFC 3339 in UTC with milliseconds; a Timestamp object for
   * clients that send `X-Client-Version`.
   */
  readonly updatedAt: string;
  /**
   * Explanation: The effects of the transaction, payload or contract interface, for people; only while
   * the activity waits for votes.
   */
  readonly explanation?: Explanation | undefined;
  /** App proofs: Proofs of the outcome of the activity, by the enclave. */
  readonly appProofs?: readonly AppProof[] | undefined;
  /** Failure: Why the activity failed; absent if it did not. */
  readonly failure?: Failure | undefined;
  /** Request: The signed request, if a later vote of its submitter replaced the vote that has it. */
  readonly request?: {
    /** User ID: UUID of the user. */
    readonly userId: string;
    /** Message: The exact body that the submitter signed. */
    readonly message: string;
    /** Public key: Key that signed the request, in the sent spelling. */
    readonly publicKey?: string | undefined;
    /** Signature: Signature of the request, in the sent spelling. */
    readonly signature?: string | undefined;
    /** Scheme: Signature scheme of the request. */
    readonly scheme?: SignatureSchemeTk | undefined;
  } | undefined;
}

export interface Vote {
  /** Vote ID: UUID of the vote. */
  readonly id: string;
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** User: The user who voted, with the credentials at that time. */
  readonly user: User;
  /** Activity ID: UUID of the activity. */
  readonly activityId: string;
  /** Selection: Whether the vote approves or rejects. */
  readonly selection: 'VOTE_SELECTION_APPROVED' | 'VOTE_SELECTION_REJECTED';
  /** Message: The exact body that the user signed. */
  readonly message: string;
  /** Public key: Key that signed the vote, in the sent spelling. */
  readonly publicKey: string;
  /** Signature: Signature of the vote, in the sent spelling. */
  readonly signature: string;
  /** Scheme: Signature scheme of the vote. */
  readonly scheme: SignatureSchemeTk;
  /** Created at: Time of the vote. */
  readonly createdAt: Timestamp;
}

export interface Failure {
  /** Code: Number of the gRPC status. */
  readonly code: number;
  /** Message: What went wrong, for people. */
  readonly message: string;
  /** Details: What went wrong, for programs. */
  readonly details: readonly (Readonly<Record<string, unknown>>)[];
}

export interface Explanation {
  /** Summary: Who does what, in one sentence. */
  readonly summary: string;
  /** Effects: What happens, in the order of the transaction. */
  readonly effects: readonly {
    /** Kind: Kind of the effect. */
    readonly kind: 'TRANSFER' | 'TOKEN_TRANSFER' | 'APPROVAL' | 'CALL' | 'CONTRACT_CREATION' | 'DELEGATION' | 'PERMISSION_CHANGE' | 'RESOURCE_CHANGE' | 'DATA' | 'VALIDITY' | 'MESSAGE' | 'DESCRIPTION';
    /** Text: The effect in one sentence. */
    readonly text: string;
    /** From: Address that pays, in the notation of its chain. */
    readonly from?: string | undefined;
    /** To: Address that is paid, in the notation of its chain. */
    readonly to?: string | undefined;
    /** Amount: Decimal integer in the smallest unit of the asset. */
    readonly amount?: string | undefined;
    /** Asset: Coin of the chain, or address of the contract or mint of the token. */
    readonly asset?: string | undefined;
    /** Contract: Contract or program that is called. */
    readonly contract?: string | undefined;
    /** Function name: Called function or instruction, if an uploaded interface names it. */
    readonly functionName?: string | undefined;
    /** Arguments: Arguments of the call, if an uploaded interface names them. */
    readonly arguments?: readonly NamedValue[] | undefined;
  }[];
  /** Fee: Maximum cost of the transaction in addition to its transfers. */
  readonly fee?: {
    /** Maximum: Decimal integer in the smallest unit of the asset. */
    readonly maximum: string;
    /** Asset: Asset in which the fee is paid. */
    readonly asset: string;
    /** Payer: Address that pays the fee; absent if the signing account pays. */
    readonly payer?: string | undefined;
    /** Text: The fee in one sentence. */
    readonly text: string;
  } | undefined;
  /** Warnings: Unusual properties to check, most serious first. */
  readonly warnings: readonly {
    /** Code: Stable code of the warning. */
    readonly code: 'UNLIMITED_APPROVAL' | 'APPROVAL' | 'UNKNOWN_CONTRACT' | 'UNREADABLE_CALL_DATA' | 'CODE_DELEGATION' | 'NO_CHAIN_ID' | 'DURABLE_NONCE' | 'NEW_AUTHORITY' | 'OWNER_IS_ANOTHER' | 'FEE_PAYER_IS_ANOTHER' | 'HIDDEN_ACCOUNTS' | 'HIGH_FEE' | 'UNVERIFIED_AMOUNT' | 'AMOUNT_DESTROYED' | 'OTHER_SIGNERS' | 'NO_EXPIRY' | 'HASH_ONLY' | 'UNKNOWN_PAYLOAD' | 'UNUSUAL_TEXT' | 'NOT_DESCRIBED' | 'NAME_OF_ANOTHER_CALL' | 'NOT_DECODED';
    /** Text: The warning in one sentence. */
    readonly text: string;
  }[];
}

export interface Timestamp {
  /** Seconds: Whole seconds since 1970, as decimal text. */
  readonly seconds: string;
  /** Nanoseconds: Nanoseconds within the second, as decimal text from 0 to 999999999. */
  readonly nanos: string;
}

export interface User {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** User name: Name of the user: a label for people, 1 to 255 characters. */
  readonly userName: string;
  /** Email address: Email address of the user. */
  readonly userEmail?: string | undefined;
  /** Phone number: Phone number of the user in E.164 format, like +15555550123. */
  readonly userPhoneNumber?: string | undefined;
  /** Passkeys: Passkeys of the user; may be empty. */
  readonly authenticators: readonly Authenticator[];
  /** API keys: API keys of the user; may be empty. */
  readonly apiKeys: readonly ApiKey[];
  /** User tags: UUIDs of the tags of the user. */
  readonly userTags: readonly string[];
  /** OAuth identities: Accounts of the user at identity providers; may be empty. */
  readonly oauthProviders: readonly OauthProvider[];
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
  /** MFA policies: MFA policies of the user, in their order. */
  readonly mfaPolicies: readonly MfaPolicy[];
}

export interface ApiKey {
  /** Credential: Public key and type of the credential. */
  readonly credential: Credential;
  /** API key ID: UUID of the API key. */
  readonly apiKeyId: string;
  /** API key name: Name of the API key: a label for people. */
  readonly apiKeyName: string;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
  /**
   * Lifetime in seconds: Seconds from creation after which it expires; a decimal string. Absent: it
   * does not expire.
   */
  readonly expirationSeconds?: string | undefined;
}

export interface Authenticator {
  /** Transports: Ways in which the device can be reached. */
  readonly transports: readonly AuthenticatorTransport[];
  /** Attestation type: Format of the attestation of the device. */
  readonly attestationType: string;
  /** AAGUID: Kind of the device: 16 bytes, base64url. */
  readonly aaguid: string;
  /** Credential ID: Raw ID of the passkey, base64url. */
  readonly credentialId: string;
  /** Model: Name of the kind of device, if known. */
  readonly model: string;
  /** Credential: Public key and type of the credential. */
  readonly credential: Credential;
  /** Passkey ID: UUID of the passkey. */
  readonly authenticatorId: string;
  /** Passkey name: Name of the passkey: a label for people. */
  readonly authenticatorName: string;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
}

export interface Credential {
  /** Public key: Public key in hex; of a passkey its COSE key in base64url. */
  readonly publicKey: string;
  /** Credential type: Kind of the credential, named after what created it. */
  readonly type: CredentialType;
  /**
   * Session profile ID: UUID of the session profile that limits the session; absent: an unscoped
   * session.
   */
  readonly sessionProfileId?: string | undefined;
}

export interface OauthProvider {
  /** Identity ID: UUID of the account at the identity provider. */
  readonly providerId: string;
  /** Provider name: Name of the identity: a label for people. */
  readonly providerName: string;
  /** Issuer: Claim `iss` of the provider: its URL. */
  readonly issuer: string;
  /** Audience: Claim `aud`: client ID of the application at the provider. */
  readonly audience: string;
  /** Subject: Claim `sub`: ID of the person at the provider. */
  readonly subject: string;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
}

export interface MfaPolicy {
  /** MFA policy ID: UUID of the MFA policy. */
  readonly mfaPolicyId: string;
  /** MFA policy name: Name of the MFA policy. */
  readonly mfaPolicyName: string;
  /** Condition: Condition in the policy language: the activities to which it applies. */
  readonly condition: string;
  /**
   * Required methods: Steps that are all required, in any order; any one of its methods satisfies a
   * step.
   */
  readonly requiredAuthenticationMethods: readonly RequiredAuthenticationMethods[];
  /** Order: Position among the MFA policies of the user: the lowest that applies decides. */
  readonly order: number;
  /** Notes: Notes for people. */
  readonly notes?: string | undefined;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
}

export interface RequiredAuthenticationMethods {
  /** Any of: Methods for this step; one suffices. */
  readonly any: readonly AuthenticationMethod[];
}

export interface AuthenticationMethod {
  /** Method: Kind of credential. */
  readonly type: AuthenticationType;
  /**
   * Credential ID: UUID of the one credential or session profile that counts; absent: any of that kind.
   */
  readonly id?: string | undefined;
}

export interface Tag {
  /** Tag ID: UUID of the tag. */
  readonly tagId: string;
  /** Tag name: Name of the tag. */
  readonly tagName: string;
  /** Tag type: Whether the tag marks users or private keys. */
  readonly tagType: 'TAG_TYPE_USER' | 'TAG_TYPE_PRIVATE_KEY';
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
}

export interface Wallet {
  /** Wallet ID: UUID of the wallet. */
  readonly walletId: string;
  /** Wallet name: Name of the wallet: a label for people. */
  readonly walletName: string;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
  /** Exported: Whether the key was ever exported. */
  readonly exported: boolean;
  /** Imported: Whether the key was imported. */
  readonly imported: boolean;
}

export interface WalletAccount {
  /** Account ID: UUID of the wallet account. */
  readonly walletAccountId: string;
  /** Organization ID: UUID of the organization that the resource belongs to. */
  readonly organizationId: string;
  /** Wallet ID: UUID of the wallet. */
  readonly walletId: string;
  /** Curve: Elliptic curve of the key. */
  readonly curve: 'CURVE_SECP256K1' | 'CURVE_ED25519' | 'CURVE_P256';
  /** Path format: Notation of the path: always PATH_FORMAT_BIP32. */
  readonly pathFormat: 'PATH_FORMAT_BIP32';
  /** Derivation path: BIP-32 path of the account, for example m/44'/60'/0'/0/0. */
  readonly path: string;
  /** Address format: Chain and kind of the address. */
  readonly addressFormat: AddressFormat;
  /** Address: Address in the notation of its chain. */
  readonly address: string;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
  /** Public key: Public key in hex: 33 bytes compressed, or 32 bytes for Ed25519. */
  readonly publicKey?: string | undefined;
  /** Wallet details: The wallet that the account derives from. */
  readonly walletDetails?: Wallet | undefined;
  /** Account name: Name of the account, unique within the organization. */
  readonly name?: string | undefined;
  /** Chain namespace: CAIP-2 namespace of the address, for example eip155. */
  readonly caip2Prefix?: string | undefined;
}

export interface PrivateKey {
  /** Private key ID: UUID of the private key. */
  readonly privateKeyId: string;
  /** Public key: Public key in hex: 33 bytes compressed, or 32 bytes for Ed25519. */
  readonly publicKey: string;
  /** Private key name: Name of the private key: a label for people. */
  readonly privateKeyName: string;
  /** Curve: Elliptic curve of the key. */
  readonly curve: 'CURVE_SECP256K1' | 'CURVE_ED25519' | 'CURVE_P256';
  /** Addresses: Addresses of the key, one for each format. */
  readonly addresses: readonly PrivateKeyAddress[];
  /** Private key tags: UUIDs of the tags of the private key. */
  readonly privateKeyTags: readonly string[];
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
  /** Exported: Whether the key was ever exported. */
  readonly exported: boolean;
  /** Imported: Whether the key was imported. */
  readonly imported: boolean;
  /** Held by: Kind of the external holder; absent if the service has the key. */
  readonly heldBy?: string | undefined;
}

export interface PrivateKeyAddress {
  /** Address format: Chain and kind of the address. */
  readonly format?: AddressFormat | undefined;
  /** Address: Address in the notation of its chain. */
  readonly address?: string | undefined;
}

export interface Policy {
  /** Policy ID: UUID of the policy. */
  readonly policyId: string;
  /** Policy name: Name of the policy, unique within the organization. */
  readonly policyName: string;
  /** Effect: Whether the policy allows or denies. */
  readonly effect: 'EFFECT_ALLOW' | 'EFFECT_DENY';
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
  /** Notes: Notes for people. */
  readonly notes: string;
  /** Consensus: Whose approval the policy requires; absent: no approval. */
  readonly consensus: string;
  /** Condition: Activities to which the policy applies; absent: all. */
  readonly condition: string;
  /** Time: When the policy is in force; absent or empty: always. */
  readonly time?: string | undefined;
}

export interface VelocityControl {
  /** Velocity control ID: UUID of the velocity control. */
  readonly velocityControlId: string;
  /** Organization ID: UUID of the organization that the resource belongs to. */
  readonly organizationId: string;
  /** Name: Name for people. */
  readonly name: string;
  /**
   * Identifier: Name under which policies read it, as in controls.daily; unique within the
   * organization.
   */
  readonly identifier: string;
  /** Data source: What is counted: exactly one of the members. */
  readonly dataSource: VelocityControlDataSource;
  /** Aggregation: How amounts are added up, and the bound. */
  readonly aggregation: VelocityControlAggregation;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
}

export interface VelocityControlDataSource {
  /** Asset transfers: Counts transfers that signed transactions show. */
  readonly chainAssetTransfer?: {
    /** Assets: Assets that are counted together, each once. */
    readonly definition: readonly {
      /** Asset: CAIP-19 name of the asset. */
      readonly caip19: string;
      /** Decimals: Decimal places of the smallest unit of the asset: 0 to 255, as a decimal string. */
      readonly decimals: string;
    }[];
    /** Filter: Which activities count; absent: all. */
    readonly filter?: {
      /** Activity types: Types that count, in all their versions; empty: all. */
      readonly activity?: readonly {
        /** Activity type: Activity type, for example ACTIVITY_TYPE_SIGN_TRANSACTION_V2. */
        readonly activityType: string;
      }[] | undefined;
    } | undefined;
    /** Phase: When a transfer counts. Default: when it is signed. */
    readonly phase?: {
      /** Signature: Counts a transfer when it is signed. */
      readonly signature?: Readonly<Record<never, never>> | undefined;
      /** Submission: Refused: transfers count when they are signed. */
      readonly submission?: Readonly<Record<never, never>> | undefined;
    } | undefined;
  } | undefined;
  /** Activities: Counts activities that are carried out, once for each payload or secret of them. */
  readonly activityExecution?: {
    /** Filter: Which activities count; absent: all. */
    readonly filter?: {
      /** Activity types: Types that count, in all their versions; empty: all. */
      readonly activity?: readonly {
        /** Activity type: Activity type, for example ACTIVITY_TYPE_SIGN_TRANSACTION_V2. */
        readonly activityType: string;
      }[] | undefined;
    } | undefined;
  } | undefined;
}

export interface VelocityControlAggregation {
  /** Method: SUM adds amounts in whole units, COUNT adds 1 for each. */
  readonly method: 'VELOCITY_CONTROL_AGGREGATION_METHOD_SUM' | 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT';
  /** Operator: How the sum, with the request, compares to the threshold. */
  readonly operator: VelocityControlAggregationOperator;
  /** Threshold: Decimal number in whole units: at most 38 digits, 18 of them after the point. */
  readonly threshold: string;
  /** Window: Time that is looked back on: exactly one of the members. */
  readonly window: {
    /** Rolling window: Counts what happened within the duration before the request. */
    readonly rolling?: {
      /** Duration: Seconds, 1 to 31622400, as a decimal string. */
      readonly duration: string;
    } | undefined;
    /** No window: Counts everything since the control was created. */
    readonly infinite?: Readonly<Record<never, never>> | undefined;
  };
  /** Group by: Whose amounts are added up together: exactly one of the members. */
  readonly groupBy: {
    /** Organization: Adds up all amounts of the organization. */
    readonly organization?: Readonly<Record<never, never>> | undefined;
    /** User: Adds up the amounts of each submitting user by itself. */
    readonly user?: Readonly<Record<never, never>> | undefined;
    /** Wallet: Adds up the amounts of each wallet or private key by itself. */
    readonly wallet?: Readonly<Record<never, never>> | undefined;
  };
}

export interface SmartContractInterface {
  /** Organization ID: UUID of the organization that the resource belongs to. */
  readonly organizationId: string;
  /** Contract interface ID: UUID of the contract interface. */
  readonly smartContractInterfaceId: string;
  /**
   * Contract address: Ethereum address in any letter case, or base58 of the 32 bytes of a Solana
   * program. A description must name it as a deployment.
   */
  readonly smartContractAddress: string;
  /**
   * Contract interface: JSON: a Solidity ABI, an Anchor IDL with `instructions`, or a description
   * (ERC-7730).
   */
  readonly smartContractInterface: string;
  /** Type: Chain family of the interface, or the format of a description. */
  readonly type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM' | 'SMART_CONTRACT_INTERFACE_TYPE_SOLANA' | 'SMART_CONTRACT_INTERFACE_TYPE_ERC7730';
  /** Label: Name of the contract, for people. */
  readonly label: string;
  /** Notes: Notes for people. */
  readonly notes: string;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
}

export interface Oauth2Credential {
  /** OAuth 2.0 client ID: UUID of the client at the provider. */
  readonly oauth2CredentialId: string;
  /** Organization ID: UUID of the organization that the resource belongs to. */
  readonly organizationId: string;
  /** Provider: Provider that speaks OAuth 2.0 without OIDC. */
  readonly provider: 'OAUTH2_PROVIDER_X' | 'OAUTH2_PROVIDER_DISCORD';
  /** Client ID: ID of the client at the provider. */
  readonly clientId: string;
  /** Encrypted client secret: Secret of the client, HPKE encrypted to the key of the service; hex. */
  readonly encryptedClientSecret: string;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
}

export interface SessionProfile {
  /**
   * Session profile ID: UUID of the session profile that limits the session; absent: an unscoped
   * session.
   */
  readonly sessionProfileId: string;
  /** Session profile name: Name of the session profile, unique within the organization. */
  readonly sessionProfileName: string;
  /** Scope: Condition in the policy language that limits the activities of a session. */
  readonly scope: string;
  /**
   * Lifetime in seconds: Seconds from creation after which it expires; a decimal string. Absent: it
   * does not expire.
   */
  readonly expirationSeconds?: string | undefined;
  /** Notes: Notes for people. */
  readonly notes?: string | undefined;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
}

export interface Feature {
  /** Feature: Name of the feature. */
  readonly name: FeatureName;
  /** Value: Value of the feature; absent if it has none. */
  readonly value?: string | undefined;
}

export interface WebhookEndpoint {
  /** Endpoint ID: UUID of the webhook endpoint. */
  readonly endpointId: string;
  /** Organization ID: UUID of the organization that the resource belongs to. */
  readonly organizationId: string;
  /** URL: HTTPS URL of a public host that receives deliveries; empty or absent: clients fetch them. */
  readonly url: string;
  /** Name: Name of the endpoint. */
  readonly name: string;
  /** Active: Whether it is in use. Default: true. */
  readonly isActive: boolean;
  /** Format: Body format: the event, or a chat notice. Default: the event. */
  readonly bodyFormat?: 'WEBHOOK_FORMAT_EVENT' | 'WEBHOOK_FORMAT_SLACK' | 'WEBHOOK_FORMAT_TEAMS' | 'WEBHOOK_FORMAT_TELEGRAM' | undefined;
  /** Subscriptions: Which events are delivered. */
  readonly subscriptions?: readonly WebhookSubscription[] | undefined;
}

export interface AppProof {
  /** Scheme: Signature scheme of the proof. */
  readonly scheme: 'SIGNATURE_SCHEME_EPHEMERAL_KEY_P256';
  /** Public key: Key of the run of the enclave that signed; hex. */
  readonly publicKey: string;
  /** Payload: JSON text that is signed. */
  readonly proofPayload: string;
  /** Signature: Hex of r and s over SHA-256 of the payload. */
  readonly signature: string;
}

export interface BootProof {
  /** Ephemeral key: Public key of the run of the enclave; hex. */
  readonly ephemeralPublicKeyHex: string;
  /** Hardware document: Empty: no hardware vouches for this enclave. */
  readonly awsAttestationDocB64: string;
  /** Manifest: Empty: the service does not run on QuorumOS. */
  readonly qosManifestB64: string;
  /** Manifest envelope: Empty: the service does not run on QuorumOS. */
  readonly qosManifestEnvelopeB64: string;
  /** Deployment: Version of the service that runs. */
  readonly deploymentLabel: string;
  /** Enclave application: Name of the program in the enclave. */
  readonly enclaveApp: string;
  /** Owner: Public URL of the deployment. */
  readonly owner: string;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Manifest version: Empty: the service does not run on QuorumOS. */
  readonly qosManifestVersion: string;
  /**
   * Software statement: Statement of the enclave about its program, with its signature. It is no
   * hardware attestation. Not part of the common interface.
   */
  readonly softwareStatement: SoftwareStatement;
}

export interface TvcApp {
  /** Application ID: UUID of the application. */
  readonly id: string;
  /** Organization ID: UUID of the organization that the resource belongs to. */
  readonly organizationId: string;
  /** Name: Name of the application. */
  readonly name: string;
  /**
   * Quorum key: Public key of the application: two uncompressed P-256 points in hex, for encryption and
   * signatures.
   */
  readonly quorumPublicKey: string;
  /** Manifest set: Operators who approve manifests. */
  readonly manifestSet: TvcOperatorSet;
  /** Share set: Operators who hold shares of the quorum key. */
  readonly shareSet: TvcOperatorSet;
  /** Egress: Whether the application may open connections. Default: false. */
  readonly enableEgress: boolean;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
  /** Live deployment: UUID of the deployment that serves; absent: none. */
  readonly liveDeploymentId?: string | undefined;
  /** Public domain: Host name under which the application is reached. */
  readonly publicDomain: string;
  /** Debug deployments: Whether deployments in debug mode are accepted. Default: false. */
  readonly enableDebugModeDeployments: boolean;
}

export interface TvcDeployment {
  /** Deployment ID: UUID of the deployment. */
  readonly id: string;
  /** Organization ID: UUID of the organization that the resource belongs to. */
  readonly organizationId: string;
  /** Application ID: UUID of the application. */
  readonly appId: string;
  /** Manifest set: Operators who approve manifests. */
  readonly manifestSet: TvcOperatorSet;
  /** Share set: Operators who hold shares of the quorum key. */
  readonly shareSet: TvcOperatorSet;
  /** Manifest: Manifest of the deployment. */
  readonly manifest: {
    /** Manifest ID: UUID of the manifest. */
    readonly id: string;
    /** Manifest: The manifest as JSON text. */
    readonly manifest: string;
    /** Created at: Time of creation. */
    readonly createdAt: Timestamp;
    /** Updated at: Time of the last change. */
    readonly updatedAt: Timestamp;
  };
  /** Approvals: Approvals of the manifest. */
  readonly manifestApprovals: readonly {
    /** Approval ID: UUID of the approval. */
    readonly id: string;
    /** Manifest ID: UUID of the manifest. */
    readonly manifestId: string;
    /** Operator: The operator who approved. */
    readonly operator: TvcOperator;
    /** Approval: Signature of the operator over the digest of the manifest; hex. */
    readonly approval: string;
    /** Created at: Time of creation. */
    readonly createdAt: Timestamp;
    /** Updated at: Time of the last change. */
    readonly updatedAt: Timestamp;
  }[];
  /** Version of the base: Version of the system that starts the program. */
  readonly qosVersion: string;
  /** Container: The program and how it is started. */
  readonly pivotContainer: {
    /** Image: Address of the container image. */
    readonly containerUrl: string;
    /** Program path: Path of the program in the image. */
    readonly path: string;
    /** Arguments: Arguments of the program. */
    readonly args: readonly string[];
    /** Pull secret: Whether a secret is stored to pull the image. */
    readonly hasPullSecret: boolean;
    /** Health check: Protocol of the health check. */
    readonly healthCheckType: 'TVC_HEALTH_CHECK_TYPE_HTTP' | 'TVC_HEALTH_CHECK_TYPE_GRPC';
    /** Health check port: Port of the health check: 1 to 65535. */
    readonly healthCheckPort: number;
    /** Ingress port: Port that requests are sent to: 1 to 65535. */
    readonly publicIngressPort: number;
  };
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
  /** Deleted: Whether the deployment is deleted; it can be restored. */
  readonly delete: boolean;
  /** Debug mode: Whether the enclave runs in debug mode, without protection. Default: false. */
  readonly debugMode: boolean;
  /** CPUs: Number of CPUs of an instance. */
  readonly instanceSizeCpus?: number | undefined;
  /** Memory: Memory of an instance in GiB. */
  readonly instanceSizeRam?: number | undefined;
}

export interface TvcOperator {
  /** Operator ID: UUID of the operator. */
  readonly id: string;
  /** Name: Name of the operator. */
  readonly name: string;
  /** Public key: Encryption and signing key: 130 bytes in hex. */
  readonly publicKey: string;
  /** Encryption key: Uncompressed P-256 point in hex. */
  readonly encryptPublicKey: string;
  /** Signing key: Uncompressed P-256 point in hex. */
  readonly signPublicKey: string;
  /** Key source: Whether the keys are external or of a wallet account of the organization. */
  readonly keySource: 'EXTERNAL_KEY' | 'ORG_WALLET_ACCOUNT';
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
}

export interface TvcOperatorSet {
  /** Set ID: UUID of the set of operators. */
  readonly id: string;
  /** Name: Name of the set of operators. */
  readonly name: string;
  /** Organization ID: UUID of the organization that the resource belongs to. */
  readonly organizationId: string;
  /** Operators: Members of the set. */
  readonly operators: readonly TvcOperator[];
  /** Threshold: Number of members whose approval suffices. */
  readonly threshold: number;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
}

export interface PaginationOptions {
  /** Limit: Rows on the page: 1 to 100. Default: 10. */
  readonly limit?: string | number | undefined;
  /** Before: Returns rows before the row with this UUID, which is excluded. */
  readonly before?: string | undefined;
  /** After: Returns rows after the row with this UUID, which is excluded. */
  readonly after?: string | undefined;
}

export interface WalletAccountParams {
  /** Curve: Elliptic curve of the key. */
  readonly curve: 'CURVE_SECP256K1' | 'CURVE_ED25519' | 'CURVE_P256';
  /** Path format: Notation of the path: always PATH_FORMAT_BIP32. */
  readonly pathFormat: 'PATH_FORMAT_BIP32';
  /** Derivation path: BIP-32 path of the account, for example m/44'/60'/0'/0/0. */
  readonly path: string;
  /** Address format: Chain and kind of the address. */
  readonly addressFormat: AddressFormat;
  /** Account name: Name of the account, unique within the organization. */
  readonly name?: string | undefined;
}

export interface WalletParams {
  /** Wallet name: Name of the wallet: a label for people. */
  readonly walletName: string;
  /** Accounts: Wallet accounts; may be empty. */
  readonly accounts: readonly WalletAccountParams[];
  /** Mnemonic length: Words of the mnemonic: 12, 15, 18, 21 or 24. Default: 12. */
  readonly mnemonicLength?: string | number | undefined;
}

export interface PrivateKeyParams {
  /** Private key name: Name of the private key: a label for people. */
  readonly privateKeyName: string;
  /** Curve: Elliptic curve of the key. */
  readonly curve: 'CURVE_SECP256K1' | 'CURVE_ED25519' | 'CURVE_P256';
  /** Private key tags: UUIDs of the tags of the private key. */
  readonly privateKeyTags: readonly string[];
  /** Address formats: Kinds of addresses to derive for the key. */
  readonly addressFormats: readonly AddressFormat[];
  /**
   * External public key: Public key in hex of a key that another holds; absent: the service creates a
   * random key.
   */
  readonly externalSignerPubkey?: string | undefined;
}

export interface ApiKeyParams {
  /** API key name: Name of the API key: a label for people. */
  readonly apiKeyName: string;
  /** Public key: Public key in hex: 33 bytes compressed, or 32 bytes for Ed25519. */
  readonly publicKey: string;
  /** Curve: Elliptic curve of the API key. */
  readonly curveType: 'API_KEY_CURVE_P256' | 'API_KEY_CURVE_SECP256K1' | 'API_KEY_CURVE_ED25519';
  /**
   * Lifetime in seconds: Seconds from creation after which it expires; a decimal string. Absent: it
   * does not expire.
   */
  readonly expirationSeconds?: string | number | undefined;
}

export interface AuthenticatorParams {
  /** Passkey name: Name of the passkey: a label for people. */
  readonly authenticatorName: string;
  /** Challenge: Challenge of the registration; it must equal the one in `clientDataJson`. */
  readonly challenge: string;
  /** Attestation: What the browser returned when it created the passkey. */
  readonly attestation: Attestation;
}

export interface Attestation {
  /** Credential ID: Raw ID of the passkey, base64url. */
  readonly credentialId: string;
  /** Client data: Bytes of the client data, base64url. */
  readonly clientDataJson: string;
  /** Attestation object: CBOR of the attestation, base64url. */
  readonly attestationObject: string;
  /** Transports: Ways in which the device can be reached. */
  readonly transports: readonly AuthenticatorTransport[];
}

export interface OauthProviderParams {
  /** Provider name: Name of the identity: a label for people. */
  readonly providerName: string;
  /** OIDC token: ID token of the identity provider: a compact JWT. */
  readonly oidcToken?: string | undefined;
  /**
   * OIDC claims: Claims of the identity in place of a token; send one of `oidcToken` and `oidcClaims`.
   */
  readonly oidcClaims?: {
    /** Issuer: Claim `iss`: URL of the identity provider. */
    readonly iss: string;
    /** Subject: Claim `sub`: ID of the person at the provider. */
    readonly sub: string;
    /** Audience: Claim `aud`: client ID of the application at the provider. */
    readonly aud: string;
  } | undefined;
}

export interface PolicyParams {
  /** Policy name: Name of the policy, unique within the organization. */
  readonly policyName: string;
  /** Effect: Whether the policy allows or denies. */
  readonly effect: 'EFFECT_ALLOW' | 'EFFECT_DENY';
  /** Condition: Activities to which the policy applies; absent: all. */
  readonly condition?: string | undefined;
  /** Consensus: Whose approval the policy requires; absent: no approval. */
  readonly consensus?: string | undefined;
  /** Notes: Notes for people. */
  readonly notes: string;
  /** Time: When the policy is in force; absent or empty: always. */
  readonly time?: string | undefined;
}

export interface EmailCustomization {
  /** Logo URL: HTTPS address of a logo that the email shows. */
  readonly logoUrl?: string | undefined;
  /**
   * Link template: URL with `%s` in place of the code or bundle; the organization must allow its
   * origin.
   */
  readonly magicLinkTemplate?: string | undefined;
  /** Template variables: JSON object of texts that the email inserts. */
  readonly templateVariables?: string | undefined;
  /** Template ID: Refused: the service stores no templates. */
  readonly templateId?: string | undefined;
}

export interface ClientSignature {
  /** Public key: P-256 public key that the token is bound to; hex, compressed. */
  readonly publicKey: string;
  /** Scheme: Signature scheme: ECDSA on P-256 over SHA-256. */
  readonly scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256';
  /** Message: Signed JSON text: token ID, usage, and the object of the use. */
  readonly message: string;
  /** Signature: Hex of r and s, 64 bytes. */
  readonly signature: string;
}

export interface MailCustomization {
  /** Application name: Name of the application, shown in the message. */
  readonly appName: string;
  /** Logo URL: HTTPS address of a logo that the email shows. */
  readonly logoUrl?: string | undefined;
  /**
   * Link template: URL with `%s` in place of the code or bundle; the organization must allow its
   * origin.
   */
  readonly magicLinkTemplate?: string | undefined;
  /** Template variables: JSON object of texts that the email inserts. */
  readonly templateVariables?: string | undefined;
  /** Template ID: Refused: the service stores no templates. */
  readonly templateId?: string | undefined;
}

export interface AuthProxySettings {
  /** Allowed origins: Origins of pages that may use the proxy. Default: all. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Allowed methods: Ways to sign in that the proxy offers. Default: all. */
  readonly allowedAuthMethods?: readonly ('email' | 'sms' | 'passkey' | 'wallet' | 'google' | 'apple' | 'facebook' | 'x' | 'discord' | 'oidc')[] | undefined;
  /** Sender address: Address that the email is sent from. */
  readonly sendFromEmailAddress?: string | undefined;
  /** Reply-to address: Address for answers to the email. */
  readonly replyToEmailAddress?: string | undefined;
  /** Email login template: Refused: the service stores no templates. */
  readonly emailAuthTemplateId?: string | undefined;
  /** Code template: Refused: the service stores no templates. */
  readonly otpTemplateId?: string | undefined;
  /** Email customization: Texts of emails that the proxy sends. */
  readonly emailCustomizationParams?: {
    /** Application name: Name of the application, shown in the message. */
    readonly appName?: string | undefined;
    /** Logo URL: HTTPS address of a logo that the email shows. */
    readonly logoUrl?: string | undefined;
    /**
     * Link template: URL with `%s` in place of the code or bundle; the organization must allow its
     * origin.
     */
    readonly magicLinkTemplate?: string | undefined;
    /** Template variables: JSON object of texts that the email inserts. */
    readonly templateVariables?: string | undefined;
    /** Template ID: Refused: the service stores no templates. */
    readonly templateId?: string | undefined;
  } | undefined;
  /** SMS customization: Text of messages that the proxy sends. */
  readonly smsCustomizationParams?: {
    /** Template: Text of the message, with a placeholder for the code. */
    readonly template?: string | undefined;
  } | undefined;
  /** Wallet kit settings: What pages with the wallet kit show. */
  readonly walletKitSettings?: WalletKitSettings | undefined;
  /** Life of codes: Seconds: at most 600. Default: 300. */
  readonly otpExpirationSeconds?: number | undefined;
  /** Life of tokens: Seconds: at most 86400. Default: 3600. */
  readonly verificationTokenExpirationSeconds?: number | undefined;
  /** Life of sessions: Seconds. Default: 900. */
  readonly sessionExpirationSeconds?: number | undefined;
  /** Alphanumeric codes: Whether codes have letters. Default: true. */
  readonly otpAlphanumeric?: boolean | undefined;
  /** Code length: Characters of a code: 6 to 9. Default: 9. */
  readonly otpLength?: number | undefined;
  /** Sender name: Name of the sender. Default: Notifications. */
  readonly sendFromEmailSenderName?: string | undefined;
  /** Token for look-ups: Whether finding an account by contact or name requires a verification token. */
  readonly verificationTokenRequiredForGetAccountPii?: boolean | undefined;
  /** Social linking: Google client IDs whose verified addresses link to accounts. Default: none. */
  readonly socialLinkingClientIds?: readonly string[] | undefined;
  /** Captcha: Whether strangers must solve a captcha. Default: false. */
  readonly captchaEnabled?: boolean | undefined;
}

export interface WalletKitSettings {
  /** Social providers: Identity providers that the page offers. */
  readonly enabledSocialProviders?: readonly ('google' | 'apple' | 'facebook' | 'x' | 'discord')[] | undefined;
  /** Client IDs: Client ID of the application at each provider. */
  readonly oauthClientIds?: {
    /** Google: Client ID at Google. */
    readonly google?: string | undefined;
    /** Apple: Client ID at Apple. */
    readonly apple?: string | undefined;
    /** Facebook: Client ID at Facebook. */
    readonly facebook?: string | undefined;
    /** X: Client ID at X. */
    readonly x?: string | undefined;
    /** Discord: Client ID at Discord. */
    readonly discord?: string | undefined;
  } | undefined;
  /** Redirect URL: Page that providers send the person back to. */
  readonly oauthRedirectUrl?: string | undefined;
}

export interface EvaluatedPolicy {
  /** Policy ID: UUID of the policy. */
  readonly policyId: string;
  /** Policy name: Name of the policy, unique within the organization. */
  readonly policyName: string;
  /** Effect: Whether the policy allows or denies. */
  readonly effect: 'EFFECT_ALLOW' | 'EFFECT_DENY';
  /** Outcome: Outcome of the policy. */
  readonly outcome: Outcome;
  /** Clauses: The clauses of the policy, as evaluated in the decision. */
  readonly clauses: readonly EvaluatedClause[];
}

export interface EvaluatedClause {
  /** Clause: Name of the clause. */
  readonly clause: 'condition' | 'consensus' | 'time';
  /** Value: Value of the clause; absent: it failed, or was not evaluated. */
  readonly value?: boolean | undefined;
  /** Because: The comparisons that make the clause false, at most three; absent for long clauses. */
  readonly because?: readonly {
    /** Position: Offset of the comparison, in bytes of the text of the clause. */
    readonly position: number;
    /** Text: The comparison in the spelling of the language. */
    readonly text: string;
    /** Values: The facts that the comparison read. */
    readonly values: readonly NamedValue[];
  }[] | undefined;
  /** Failure: Why the clause has no value. */
  readonly failure?: {
    /** Code: Number of the gRPC status. */
    readonly code: string;
    /** Position: Offset in the clause, in bytes of its UTF-8, from 0. */
    readonly position: number;
    /** Message: What went wrong, for people. */
    readonly message: string;
  } | undefined;
}

export interface NamedValue {
  /**
   * Name: Name of the argument, or its position if it has none; `account` and a name for an account of
   * a Solana instruction.
   */
  readonly name: string;
  /** Value: The argument as text. */
  readonly value: string;
}

export interface MfaStatus {
  /** MFA policy ID: UUID of the MFA policy. */
  readonly mfaPolicyId: string;
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** Satisfied: Whether the user has satisfied the policy. */
  readonly satisfied: boolean;
  /** Satisfied methods: Methods with which the user has approved. */
  readonly satisfiedMethods: readonly AuthenticationMethod[];
  /** Required methods: Steps that are all required; any one of its methods satisfies a step. */
  readonly requiredMethods: readonly RequiredAuthenticationMethods[];
}

export interface RootQuorum {
  /** Threshold: Number of members whose approval suffices. */
  readonly threshold: number;
  /** Members: UUIDs of the users in the root quorum. */
  readonly userIds: readonly string[];
}

export interface HistoryTransfer {
  /** Direction: IN: to the address. OUT: from the address. */
  readonly direction: 'IN' | 'OUT';
  /** Asset: Transferred asset; absent if it is no longer configured. */
  readonly asset?: {
    /** Asset: CAIP-19 name of the asset. */
    readonly caip19: string;
    /** Symbol: Symbol of the asset, for example ETH. */
    readonly symbol: string;
    /** Name: Name of the asset. */
    readonly name: string;
    /** Decimals: Decimal places of the asset. */
    readonly decimals: number;
  } | undefined;
  /** Amount: Amount in the smallest unit of the asset: decimal. */
  readonly amount: string;
  /** Counterparty: Address of the other party; empty if several or none are known. */
  readonly counterparty: string;
  /** Display: Amount for people. */
  readonly display?: DisplayedAmount | undefined;
}

export interface DisplayedAmount {
  /** Amount: Balance in whole units of the asset, as a decimal string. */
  readonly crypto: string;
  /** US dollars: Empty: the service knows no prices. */
  readonly usd: string;
}

export interface PageInfo {
  /** Has next page: Whether rows follow the page. */
  readonly hasNextPage: boolean;
  /** Has previous page: Whether rows precede the page. */
  readonly hasPreviousPage: boolean;
  /** Start cursor: ID of the first row; absent: the page is empty. */
  readonly startCursor?: string | undefined;
  /** End cursor: ID of the last row; absent: the page is empty. */
  readonly endCursor?: string | undefined;
}

export interface SoftwareStatement {
  /** Statement: JSON text that is signed. */
  readonly statement: string;
  /** Scheme: Signature scheme of the statement. */
  readonly scheme: string;
  /** Public key: Attestation key of the deployment; hex. */
  readonly publicKey: string;
  /** Signature: Hex of r and s over SHA-256 of the statement. */
  readonly signature: string;
  /** Sources: Every source file with its hash, a line each; absent for other versions. */
  readonly sources?: string | undefined;
}

export interface TvcOperatorSetParams {
  /** Name: Name of the new set of operators. */
  readonly name: string;
  /** New operators: Operators to create with the set. */
  readonly newOperators?: readonly {
    /** Name: Name of the operator. */
    readonly name: string;
    /** Public key: Two uncompressed P-256 points in hex, for encryption and signatures: 130 bytes. */
    readonly publicKey: string;
  }[] | undefined;
  /** Existing operators: UUIDs of existing operators. */
  readonly existingOperatorIds?: readonly string[] | undefined;
  /** Threshold: Number of members whose approval suffices. */
  readonly threshold: number;
}

export interface WebhookSubscription {
  /** Event type: Kind of the event, for example ACTIVITY_UPDATES. */
  readonly eventType: string;
  /** Filters: JSON object of filters, see docs/webhooks.md; absent: every event of the type. */
  readonly filtersJson?: string | undefined;
  /** Active: Whether it is in use. Default: true. */
  readonly isActive?: boolean | undefined;
}

export interface CreateSubOrganizationParameters {
  /** Sub-organization name: Name of the new sub-organization; several may have the same name. */
  readonly subOrganizationName: string;
  /** Root users: Users that the sub-organization starts with; together they are its root quorum. */
  readonly rootUsers: readonly {
    /** User name: Name of the user: a label for people, 1 to 255 characters. */
    readonly userName: string;
    /** Email address: Email address of the user. */
    readonly userEmail?: string | undefined;
    /** Phone number: Phone number of the user in E.164 format, like +15555550123. */
    readonly userPhoneNumber?: string | undefined;
    /** User tag: Name of a tag that is created in the sub-organization and given to the user. */
    readonly userTag?: string | undefined;
    /** API keys: API keys of the user; may be empty. */
    readonly apiKeys: readonly ApiKeyParams[];
    /** Passkeys: Passkeys of the user; may be empty. */
    readonly authenticators: readonly AuthenticatorParams[];
    /** OAuth identities: Accounts of the user at identity providers; may be empty. */
    readonly oauthProviders: readonly OauthProviderParams[];
  }[];
  /**
   * Root quorum threshold: Number of root users whose approval acts as root: 1 up to the number of root
   * users.
   */
  readonly rootQuorumThreshold: number;
  /** Wallet: Wallet that the sub-organization starts with; absent: none. */
  readonly wallet?: WalletParams | undefined;
  /** Disable email recovery: Starts the sub-organization without recovery by email. Default: false. */
  readonly disableEmailRecovery?: boolean | undefined;
  /** Disable email login: Starts the sub-organization without login by a mailed key. Default: false. */
  readonly disableEmailAuth?: boolean | undefined;
  /**
   * Disable SMS login: Starts the sub-organization without login by codes in text messages. Default:
   * false.
   */
  readonly disableSmsAuth?: boolean | undefined;
  /** Disable email codes: Starts the sub-organization without login by mailed codes. Default: false. */
  readonly disableOtpEmailAuth?: boolean | undefined;
  /**
   * Verification token: Signed JWT that proves a verified contact; it is bound to one key and serves
   * once.
   */
  readonly verificationToken?: string | undefined;
  /** Client signature: Signature by the key of the verification token over the use of the token. */
  readonly clientSignature?: ClientSignature | undefined;
}

export interface CreateSubOrganizationResult {
  /** Sub-organization ID: UUID of the sub-organization that was created. */
  readonly subOrganizationId: string;
  /** Wallet: The wallet. */
  readonly wallet?: {
    /** Wallet ID: UUID of the wallet. */
    readonly walletId: string;
    /** Addresses: Addresses of the accounts, in the order of the request. */
    readonly addresses: readonly string[];
  } | undefined;
  /** Root user IDs: UUIDs of the root users, in the order of the request. */
  readonly rootUserIds: readonly string[];
}

export interface DeleteSubOrganizationParameters {
  /**
   * Delete without export: Allows deletion of keys that were never exported and are lost with it.
   * Default: false.
   */
  readonly deleteWithoutExport?: boolean | undefined;
}

export interface DeleteSubOrganizationResult {
  /** Sub-organization ID: UUID of the sub-organization that was deleted. */
  readonly subOrganizationUuid: string;
}

export interface RemoveOrganizationFeatureParameters {
  /** Feature: Name of the feature to remove. */
  readonly name: FeatureName;
}

export interface RemoveOrganizationFeatureResult {
  /** Features: All features that are set, after the change. */
  readonly features: readonly Feature[];
}

export interface SetOrganizationFeatureParameters {
  /** Feature: Name of the feature to set. */
  readonly name: FeatureName;
  /**
   * Value: Value of the feature; it replaces an earlier one. Send an empty string for a feature without
   * value. See [organization features](#organization-features).
   */
  readonly value: string;
}

export interface SetOrganizationFeatureResult {
  /** Features: All features that are set, after the change. */
  readonly features: readonly Feature[];
}

export interface UpdateOrganizationNameParameters {
  /** Organization name: New name of the organization: 1 to 255 characters without control characters. */
  readonly organizationName: string;
}

export interface UpdateOrganizationNameResult {
  /** Organization ID: UUID of the organization that the resource belongs to. */
  readonly organizationId: string;
  /** Organization name: Name of the organization: a label for people. */
  readonly organizationName: string;
}

export type UpdateRootQuorumParameters = RootQuorum;

export type UpdateRootQuorumResult = Readonly<Record<never, never>>;

export interface RemoveIpAllowlistParameters {
  /** Public key: API key whose list is removed, in hex; absent: the list of the whole organization. */
  readonly publicKey?: string | undefined;
}

export type RemoveIpAllowlistResult = Readonly<Record<never, never>>;

export interface SetIpAllowlistParameters {
  /** Public key: API key that the list is for, in hex; absent: the list of the whole organization. */
  readonly publicKey?: string | undefined;
  /** Enabled: True enforces the list; a list without rules then refuses every request. */
  readonly enabled?: boolean | undefined;
  /** Rules: Ranges of addresses from which requests are accepted. */
  readonly rules?: readonly {
    /** CIDR range: Range of addresses in CIDR notation, for example 192.0.2.0/24. */
    readonly cidr: string;
    /** Label: Name of the range, for people. */
    readonly label?: string | undefined;
  }[] | undefined;
  /** On evaluation error: What to do with a request whose address cannot be read. Default: DENY. */
  readonly onEvaluationError?: 'ALLOW' | 'DENY' | undefined;
}

export type SetIpAllowlistResult = Readonly<Record<never, never>>;

export interface CreateApiOnlyUsersParameters {
  /** Users: Users to create, who sign with API keys: 1 to 100. */
  readonly apiOnlyUsers: readonly {
    /** User name: Name of the user: a label for people, 1 to 255 characters. */
    readonly userName: string;
    /** Email address: Email address of the user. */
    readonly userEmail?: string | undefined;
    /** User tags: UUIDs of the tags of the user. */
    readonly userTags: readonly string[];
    /** API keys: API keys of the user; may be empty. */
    readonly apiKeys: readonly {
      /** API key name: Name of the API key: a label for people. */
      readonly apiKeyName: string;
      /** Public key: Public key in hex: 33 bytes compressed, or 32 bytes for Ed25519. */
      readonly publicKey: string;
      /**
       * Lifetime in seconds: Seconds from creation after which it expires; a decimal string. Absent: it
       * does not expire.
       */
      readonly expirationSeconds?: string | number | undefined;
    }[];
  }[];
}

export interface CreateApiOnlyUsersResult {
  /** User IDs: UUIDs of the users. */
  readonly userIds: readonly string[];
}

export interface CreateUsersParameters {
  /** Users: Users to create: 1 to 100. */
  readonly users: readonly {
    /** User name: Name of the user: a label for people, 1 to 255 characters. */
    readonly userName: string;
    /** Email address: Email address of the user. */
    readonly userEmail?: string | undefined;
    /** Phone number: Phone number of the user in E.164 format, like +15555550123. */
    readonly userPhoneNumber?: string | undefined;
    /** API keys: API keys of the user; may be empty. */
    readonly apiKeys: readonly ApiKeyParams[];
    /** Passkeys: Passkeys of the user; may be empty. */
    readonly authenticators: readonly AuthenticatorParams[];
    /** OAuth identities: Accounts of the user at identity providers; may be empty. */
    readonly oauthProviders: readonly OauthProviderParams[];
    /** User tags: UUIDs of the tags of the user. */
    readonly userTags: readonly string[];
  }[];
}

export interface CreateUsersResult {
  /** User IDs: UUIDs of the users. */
  readonly userIds: readonly string[];
}

export interface DeleteUsersParameters {
  /** User IDs: UUIDs of the users. */
  readonly userIds: readonly string[];
}

export interface DeleteUsersResult {
  /** User IDs: UUIDs of the users. */
  readonly userIds: readonly string[];
}

export interface UpdateUserParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** User name: Name of the user: a label for people, 1 to 255 characters. */
  readonly userName?: string | undefined;
  /** Email address: Email address of the user. */
  readonly userEmail?: string | undefined;
  /** User tag IDs: UUIDs of the tags that replace those of the user; absent or empty: the tags stay. */
  readonly userTagIds?: readonly string[] | undefined;
  /** Phone number: Phone number of the user in E.164 format, like +15555550123. */
  readonly userPhoneNumber?: string | undefined;
}

export interface UpdateUserResult {
  /** User ID: UUID of the user. */
  readonly userId: string;
}

export interface UpdateUserEmailParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** Email address: New email address of the user; an empty string removes it. */
  readonly userEmail: string;
  /**
   * Verification token: Signed JWT that proves a verified contact; it is bound to one key and serves
   * once.
   */
  readonly verificationToken?: string | undefined;
}

export interface UpdateUserEmailResult {
  /** User ID: UUID of the user. */
  readonly userId: string;
}

export interface UpdateUserNameParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** User name: Name of the user: a label for people, 1 to 255 characters. */
  readonly userName: string;
}

export interface UpdateUserNameResult {
  /** User ID: UUID of the user. */
  readonly userId: string;
}

export interface UpdateUserPhoneNumberParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** Phone number: Phone number of the user in E.164 format, like +15555550123. */
  readonly userPhoneNumber: string;
  /**
   * Verification token: Signed JWT that proves a verified contact; it is bound to one key and serves
   * once.
   */
  readonly verificationToken?: string | undefined;
}

export interface UpdateUserPhoneNumberResult {
  /** User ID: UUID of the user. */
  readonly userId: string;
}

export interface CreateInvitationsParameters {
  /** Invitations: Invitations to note: 1 to 100. */
  readonly invitations: readonly {
    /** User name: Name of the person who is invited. */
    readonly receiverUserName: string;
    /** Email address: Email address of the person who is invited. */
    readonly receiverUserEmail: string;
    /** User tags: UUIDs of the user tags that the person will get. */
    readonly receiverUserTags: readonly string[];
    /** Access type: Stored and shown for clients, without effect. */
    readonly accessType: 'ACCESS_TYPE_WEB' | 'ACCESS_TYPE_API' | 'ACCESS_TYPE_ALL';
    /** Sender: UUID of the user who invites, who is the one that asks. */
    readonly senderUserId: string;
  }[];
}

export interface CreateInvitationsResult {
  /** Invitation IDs: UUIDs of the invitations, in the order of the request. */
  readonly invitationIds: readonly string[];
}

export interface DeleteInvitationParameters {
  /** Invitation ID: UUID of the invitation. */
  readonly invitationId: string;
}

export interface DeleteInvitationResult {
  /** Invitation ID: UUID of the invitation. */
  readonly invitationId: string;
}

export interface CreateUserTagParameters {
  /** User tag name: Name of the new tag. */
  readonly userTagName: string;
  /** Users: UUIDs of the users that get the tag. */
  readonly userIds: readonly string[];
}

export interface CreateUserTagResult {
  /** User tag ID: UUID of the user tag. */
  readonly userTagId: string;
  /** User IDs: UUIDs of the users. */
  readonly userIds: readonly string[];
}

export interface DeleteUserTagsParameters {
  /** User tag IDs: UUIDs of user tags. */
  readonly userTagIds: readonly string[];
}

export interface DeleteUserTagsResult {
  /** User tag IDs: UUIDs of user tags. */
  readonly userTagIds: readonly string[];
  /** User IDs: UUIDs of the users. */
  readonly userIds: readonly string[];
}

export interface UpdateUserTagParameters {
  /** User tag ID: UUID of the user tag. */
  readonly userTagId: string;
  /** New name: New name of the tag; absent: the name stays. */
  readonly newUserTagName?: string | undefined;
  /** Users to add: UUIDs of the users that get the tag. */
  readonly addUserIds: readonly string[];
  /** Users to remove: UUIDs of the users that lose the tag. */
  readonly removeUserIds: readonly string[];
}

export interface UpdateUserTagResult {
  /** User tag ID: UUID of the user tag. */
  readonly userTagId: string;
}

export interface CreateApiKeysParameters {
  /** API keys: API keys of the user; may be empty. */
  readonly apiKeys: readonly ApiKeyParams[];
  /** User ID: UUID of the user. */
  readonly userId: string;
}

export interface CreateApiKeysResult {
  /** API key IDs: UUIDs of the API keys. */
  readonly apiKeyIds: readonly string[];
}

export interface DeleteApiKeysParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** API key IDs: UUIDs of the API keys. */
  readonly apiKeyIds: readonly string[];
}

export interface DeleteApiKeysResult {
  /** API key IDs: UUIDs of the API keys. */
  readonly apiKeyIds: readonly string[];
}

export interface CreateAuthenticatorsParameters {
  /** Passkeys: Passkeys of the user; may be empty. */
  readonly authenticators: readonly AuthenticatorParams[];
  /** User ID: UUID of the user. */
  readonly userId: string;
}

export interface CreateAuthenticatorsResult {
  /** Passkey IDs: UUIDs of the passkeys. */
  readonly authenticatorIds: readonly string[];
}

export interface DeleteAuthenticatorsParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** Passkey IDs: UUIDs of the passkeys. */
  readonly authenticatorIds: readonly string[];
}

export interface DeleteAuthenticatorsResult {
  /** Passkey IDs: UUIDs of the passkeys. */
  readonly authenticatorIds: readonly string[];
}

export interface CreateOauthProvidersParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** OAuth identities: Accounts of the user at identity providers; may be empty. */
  readonly oauthProviders: readonly OauthProviderParams[];
}

export interface CreateOauthProvidersResult {
  /** Identity IDs: UUIDs of the accounts at identity providers. */
  readonly providerIds: readonly string[];
}

export interface DeleteOauthProvidersParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** Identity IDs: UUIDs of the accounts at identity providers. */
  readonly providerIds: readonly string[];
}

export interface DeleteOauthProvidersResult {
  /** Identity IDs: UUIDs of the accounts at identity providers. */
  readonly providerIds: readonly string[];
}

export interface CreateOauth2CredentialParameters {
  /** Provider: Provider that speaks OAuth 2.0 without OIDC. */
  readonly provider: 'OAUTH2_PROVIDER_X' | 'OAUTH2_PROVIDER_DISCORD';
  /** Client ID: ID of the client at the provider. */
  readonly clientId: string;
  /** Encrypted client secret: Secret of the client, HPKE encrypted to the key of the service; hex. */
  readonly encryptedClientSecret: string;
}

export interface CreateOauth2CredentialResult {
  /** OAuth 2.0 client ID: UUID of the client at the provider. */
  readonly oauth2CredentialId: string;
}

export interface DeleteOauth2CredentialParameters {
  /** OAuth 2.0 client ID: UUID of the client at the provider. */
  readonly oauth2CredentialId: string;
}

export interface DeleteOauth2CredentialResult {
  /** OAuth 2.0 client ID: UUID of the client at the provider. */
  readonly oauth2CredentialId: string;
}

export interface OauthParameters {
  /** OIDC token: ID token of the identity provider: a compact JWT. */
  readonly oidcToken: string;
  /**
   * Target public key: P-256 public key of the client, to which the service encrypts its answer; hex,
   * 65 bytes uncompressed.
   */
  readonly targetPublicKey: string;
  /** API key name: Name of the session key. Default: `Oauth - ` and the time of creation. */
  readonly apiKeyName?: string | undefined;
  /** Lifetime in seconds: Lifetime of the session key in seconds. Default: 900. */
  readonly expirationSeconds?: string | number | undefined;
  /**
   * Invalidate existing: Deletes earlier keys of the same kind of login of this user; of mailed keys
   * once the new key signs. Default: false.
   */
  readonly invalidateExisting?: boolean | undefined;
}

export interface OauthResult {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** API key ID: UUID of the API key. */
  readonly apiKeyId: string;
  /**
   * Credential bundle: Private key of the session, HPKE encrypted to the target public key;
   * base58check.
   */
  readonly credentialBundle: string;
}

export interface Oauth2AuthenticateParameters {
  /** OAuth 2.0 client ID: UUID of the client at the provider. */
  readonly oauth2CredentialId: string;
  /** Authorization code: Code that the provider issued at the end of its login. */
  readonly authCode: string;
  /** Redirect URI: URI that the authorization code was issued for. */
  readonly redirectUri: string;
  /** Code verifier: PKCE verifier of the login. */
  readonly codeVerifier: string;
  /** Nonce: SHA-256 of the text of the client key, in hex; the token will contain it. */
  readonly nonce: string;
  /**
   * Bearer token target: P-256 public key that the provider token is encrypted to; absent: it is not
   * returned.
   */
  readonly bearerTokenTargetPublicKey?: string | undefined;
}

export interface Oauth2AuthenticateResult {
  /** OIDC token: ID token that the service issues for the person at the provider. */
  readonly oidcToken: string;
}

export interface OauthLoginParameters {
  /** OIDC token: ID token of the identity provider: a compact JWT. */
  readonly oidcToken: string;
  /** Public key: P-256 public key of the client that becomes the session key; hex, compressed. */
  readonly publicKey: string;
  /** Lifetime in seconds: Lifetime of the session in seconds. Default: 900. */
  readonly expirationSeconds?: string | number | undefined;
  /**
   * Invalidate existing: Deletes earlier keys of the same kind of login of this user; of mailed keys
   * once the new key signs. Default: false.
   */
  readonly invalidateExisting?: boolean | undefined;
  /**
   * Session profile ID: UUID of the session profile that limits the session; absent: an unscoped
   * session.
   */
  readonly sessionProfileId?: string | undefined;
}

export interface OauthLoginResult {
  /** Session: Signed JWT that describes the session; the key authenticates, not the JWT. */
  readonly session: string;
}

export interface UpdateOauth2CredentialParameters {
  /** OAuth 2.0 client ID: UUID of the client at the provider. */
  readonly oauth2CredentialId: string;
  /** Provider: Provider that speaks OAuth 2.0 without OIDC. */
  readonly provider: 'OAUTH2_PROVIDER_X' | 'OAUTH2_PROVIDER_DISCORD';
  /** Client ID: ID of the client at the provider. */
  readonly clientId: string;
  /** Encrypted client secret: Secret of the client, HPKE encrypted to the key of the service; hex. */
  readonly encryptedClientSecret: string;
}

export interface UpdateOauth2CredentialResult {
  /** OAuth 2.0 client ID: UUID of the client at the provider. */
  readonly oauth2CredentialId: string;
}

export type CreateReadOnlySessionParameters = Readonly<Record<never, never>>;

export interface CreateReadOnlySessionResult {
  /** Organization ID: UUID of the organization that the resource belongs to. */
  readonly organizationId: string;
  /** Organization name: Name of the organization: a label for people. */
  readonly organizationName: string;
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** User name: Name of the user that the credential belongs to. */
  readonly username: string;
  /** Session: Value of the header `X-Session`, with which the user may read for one hour. */
  readonly session: string;
  /** Session expiry: End of the session: UTC seconds since 1970, as a string. */
  readonly sessionExpiry: string;
}

export interface CreateReadWriteSessionParameters {
  /**
   * Target public key: P-256 public key of the client, to which the service encrypts its answer; hex,
   * 65 bytes uncompressed.
   */
  readonly targetPublicKey: string;
  /** User ID: UUID of the user. */
  readonly userId?: string | undefined;
  /** Email address: Email address of the user. */
  readonly email?: string | undefined;
  /**
   * API key name: Name of the session key. Default: `Read Write Session - ` and the time of creation.
   */
  readonly apiKeyName?: string | undefined;
  /** Lifetime in seconds: Lifetime of the session key in seconds. Default: 900. */
  readonly expirationSeconds?: string | number | undefined;
  /**
   * Invalidate existing: Deletes earlier keys of the same kind of login of this user; of mailed keys
   * once the new key signs. Default: false.
   */
  readonly invalidateExisting?: boolean | undefined;
}

export interface CreateReadWriteSessionResult {
  /** Organization ID: UUID of the organization that the resource belongs to. */
  readonly organizationId: string;
  /** Organization name: Name of the organization: a label for people. */
  readonly organizationName: string;
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** User name: Name of the user that the credential belongs to. */
  readonly username: string;
  /** API key ID: UUID of the API key. */
  readonly apiKeyId: string;
  /**
   * Credential bundle: Private key of the session, HPKE encrypted to the target public key;
   * base58check.
   */
  readonly credentialBundle: string;
}

export interface StampLoginParameters {
  /** Public key: P-256 public key of the client that becomes the session key; hex, compressed. */
  readonly publicKey: string;
  /** Lifetime in seconds: Lifetime of the session in seconds. Default: 900. */
  readonly expirationSeconds?: string | number | undefined;
  /**
   * Invalidate existing: Deletes earlier keys of the same kind of login of this user; of mailed keys
   * once the new key signs. Default: false.
   */
  readonly invalidateExisting?: boolean | undefined;
  /**
   * Session profile ID: UUID of the session profile that limits the session; absent: an unscoped
   * session.
   */
  readonly sessionProfileId?: string | undefined;
}

export interface StampLoginResult {
  /** Session: Signed JWT that describes the session; the key authenticates, not the JWT. */
  readonly session: string;
}

export interface CreateMfaPolicyParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** MFA policy name: Name of the MFA policy. */
  readonly mfaPolicyName: string;
  /** Condition: Condition in the policy language: the activities to which the policy applies. */
  readonly condition: string;
  /**
   * Required methods: Steps that are all required, in any order; any one of its methods satisfies a
   * step.
   */
  readonly requiredAuthenticationMethods: readonly RequiredAuthenticationMethods[];
  /** Order: Position among the MFA policies of the user: the lowest that applies decides. */
  readonly order: number;
  /** Notes: Notes for people. */
  readonly notes?: string | undefined;
}

export interface CreateMfaPolicyResult {
  /** MFA policy ID: UUID of the MFA policy. */
  readonly mfaPolicyId: string;
}

export interface DeleteMfaPolicyParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** MFA policy ID: UUID of the MFA policy. */
  readonly mfaPolicyId: string;
}

export interface DeleteMfaPolicyResult {
  /** MFA policy ID: UUID of the MFA policy. */
  readonly mfaPolicyId: string;
}

export interface UpdateMfaPolicyParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** MFA policy ID: UUID of the MFA policy. */
  readonly mfaPolicyId: string;
  /** MFA policy name: Name of the MFA policy. */
  readonly mfaPolicyName?: string | undefined;
  /** Condition: New condition in the policy language; absent: unchanged. */
  readonly condition?: string | undefined;
  /**
   * Required methods: Steps that are all required, in any order; any one of its methods satisfies a
   * step.
   */
  readonly requiredAuthenticationMethods?: readonly RequiredAuthenticationMethods[] | undefined;
  /** Order: Position among the MFA policies of the user: the lowest that applies decides. */
  readonly order?: number | undefined;
  /** Notes: Notes for people. */
  readonly notes?: string | undefined;
}

export interface UpdateMfaPolicyResult {
  /** MFA policy ID: UUID of the MFA policy. */
  readonly mfaPolicyId: string;
}

export interface CreateSessionProfileParameters {
  /** Session profile name: Name of the session profile, unique within the organization. */
  readonly sessionProfileName: string;
  /** Scope: Condition in the policy language that limits the activities of a session. */
  readonly scope: string;
  /**
   * Lifetime in seconds: Seconds from creation after which it expires; a decimal string. Absent: it
   * does not expire.
   */
  readonly expirationSeconds?: string | number | undefined;
  /** Notes: Notes for people. */
  readonly notes?: string | undefined;
}

export interface CreateSessionProfileResult {
  /**
   * Session profile ID: UUID of the session profile that limits the session; absent: an unscoped
   * session.
   */
  readonly sessionProfileId: string;
}

export interface EmailAuthParameters {
  /** Email address: Email address of the user. */
  readonly email: string;
  /**
   * Target public key: P-256 public key of the client, to which the service encrypts its answer; hex,
   * 65 bytes uncompressed.
   */
  readonly targetPublicKey: string;
  /** API key name: Name of the session key. Default: `Email Auth - ` and the time of creation. */
  readonly apiKeyName?: string | undefined;
  /** Lifetime in seconds: Lifetime of the mailed key in seconds. Default: 900. */
  readonly expirationSeconds?: string | number | undefined;
  /**
   * Invalidate existing: Deletes earlier keys of the same kind of login of this user; of mailed keys
   * once the new key signs. Default: false.
   */
  readonly invalidateExisting?: boolean | undefined;
  /** Sender address: Address that the email is sent from. */
  readonly sendFromEmailAddress?: string | undefined;
  /** Sender name: Name of the sender. Default: Notifications. */
  readonly sendFromEmailSenderName?: string | undefined;
  /** Reply-to address: Address for answers to the email. */
  readonly replyToEmailAddress?: string | undefined;
  /** Email customization: Texts of the email; absent: the defaults. */
  readonly emailCustomization: MailCustomization;
}

export interface EmailAuthResult {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** API key ID: UUID of the API key. */
  readonly apiKeyId: string;
}

export interface InitOtpParameters {
  /** Code type: Whether the code is sent by email or in a text message. */
  readonly otpType: 'OTP_TYPE_EMAIL' | 'OTP_TYPE_SMS';
  /** Contact: Email address, or phone number in E.164 format, that the code is sent to. */
  readonly contact: string;
  /** User identifier: Groups requests for rate limits, for example by the address of the end user. */
  readonly userIdentifier?: string | undefined;
  /** Code length: Characters of a code: 6 to 9. Default: 9. */
  readonly otpLength?: number | undefined;
  /**
   * Alphanumeric: Whether codes have letters and digits (Crockford base 32) rather than digits.
   * Default: true.
   */
  readonly alphanumeric?: boolean | undefined;
  /** Lifetime in seconds: Lifetime of the code in seconds: at most 600. Default: 300. */
  readonly expirationSeconds?: string | number | undefined;
  /** SMS customization: Text of the message; absent: the default. */
  readonly smsCustomization?: {
    /** Template: Text of the message, with a placeholder for the code. */
    readonly template?: string | undefined;
  } | undefined;
  /** Sender address: Address that the email is sent from. */
  readonly sendFromEmailAddress?: string | undefined;
  /** Sender name: Name of the sender. Default: Notifications. */
  readonly sendFromEmailSenderName?: string | undefined;
  /** Reply-to address: Address for answers to the email. */
  readonly replyToEmailAddress?: string | undefined;
  /** Application name: Name of the application, shown in the message. */
  readonly appName: string;
  /** Email customization: Texts of the email; absent: the defaults. */
  readonly emailCustomization?: EmailCustomization | undefined;
}

export interface InitOtpResult {
  /** Code ID: UUID of the one-time code; the client needs it to verify the code. */
  readonly otpId: string;
  /** Encryption target: Signed public key that the client encrypts the code to; JSON. */
  readonly otpEncryptionTargetBundle: string;
}

export interface InitOtpAuthParameters {
  /** Code type: Whether the code is sent by email or in a text message. */
  readonly otpType: 'OTP_TYPE_EMAIL' | 'OTP_TYPE_SMS';
  /** Contact: Email address, or phone number in E.164 format, that the code is sent to. */
  readonly contact: string;
  /** User identifier: Groups requests for rate limits, for example by the address of the end user. */
  readonly userIdentifier?: string | undefined;
  /** SMS customization: Text of the message; absent: the default. */
  readonly smsCustomization?: {
    /** Template: Text of the message, with a placeholder for the code. */
    readonly template?: string | undefined;
  } | undefined;
  /** Sender address: Address that the email is sent from. */
  readonly sendFromEmailAddress?: string | undefined;
  /** Sender name: Name of the sender. Default: Notifications. */
  readonly sendFromEmailSenderName?: string | undefined;
  /** Reply-to address: Address for answers to the email. */
  readonly replyToEmailAddress?: string | undefined;
  /** Code length: Characters of a code: 6 to 9. Default: 9. */
  readonly otpLength?: number | undefined;
  /**
   * Alphanumeric: Whether codes have letters and digits (Crockford base 32) rather than digits.
   * Default: true.
   */
  readonly alphanumeric?: boolean | undefined;
  /** Application name: Name of the application, shown in the message. */
  readonly appName: string;
  /** Email customization: Texts of the email; absent: the defaults. */
  readonly emailCustomization?: EmailCustomization | undefined;
  /** Lifetime in seconds: Lifetime of the code in seconds: at most 600. Default: 300. */
  readonly expirationSeconds?: string | number | undefined;
}

export interface InitOtpAuthResult {
  /** Code ID: UUID of the one-time code; the client needs it to verify the code. */
  readonly otpId: string;
}

export interface InitUserEmailRecoveryParameters {
  /** Email address: Email address of the user. */
  readonly email: string;
  /**
   * Target public key: P-256 public key of the client, to which the service encrypts its answer; hex,
   * 65 bytes uncompressed.
   */
  readonly targetPublicKey: string;
  /** Lifetime in seconds: Lifetime of the recovery key in seconds. Default: 900. */
  readonly expirationSeconds?: string | number | undefined;
  /** Sender address: Address that the email is sent from. */
  readonly sendFromEmailAddress?: string | undefined;
  /** Sender name: Name of the sender. Default: Notifications. */
  readonly sendFromEmailSenderName?: string | undefined;
  /** Reply-to address: Address for answers to the email. */
  readonly replyToEmailAddress?: string | undefined;
  /** Email customization: Texts of the email; absent: the defaults. */
  readonly emailCustomization: MailCustomization;
}

export interface InitUserEmailRecoveryResult {
  /** User ID: UUID of the user. */
  readonly userId: string;
}

export interface OtpAuthParameters {
  /** Code ID: UUID of the one-time code; the client needs it to verify the code. */
  readonly otpId: string;
  /** Code: One-time code that the person received. */
  readonly otpCode: string;
  /**
   * Target public key: P-256 public key of the client, to which the service encrypts its answer; hex,
   * 65 bytes uncompressed.
   */
  readonly targetPublicKey: string;
  /** API key name: Name of the session key. Default: `OTP Auth - ` and the time of creation. */
  readonly apiKeyName?: string | undefined;
  /** Lifetime in seconds: Lifetime of the session key in seconds. Default: 900. */
  readonly expirationSeconds?: string | number | undefined;
  /**
   * Invalidate existing: Deletes earlier keys of the same kind of login of this user; of mailed keys
   * once the new key signs. Default: false.
   */
  readonly invalidateExisting?: boolean | undefined;
}

export interface OtpAuthResult {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** API key ID: UUID of the API key. */
  readonly apiKeyId?: string | undefined;
  /**
   * Credential bundle: Private key of the session, HPKE encrypted to the target public key;
   * base58check.
   */
  readonly credentialBundle?: string | undefined;
}

export interface OtpLoginParameters {
  /**
   * Verification token: Signed JWT that proves a verified contact; it is bound to one key and serves
   * once.
   */
  readonly verificationToken: string;
  /** Public key: P-256 public key of the client that becomes the session key; hex, compressed. */
  readonly publicKey: string;
  /** Lifetime in seconds: Lifetime of the session in seconds. Default: 900. */
  readonly expirationSeconds?: string | number | undefined;
  /**
   * Invalidate existing: Deletes earlier keys of the same kind of login of this user; of mailed keys
   * once the new key signs. Default: false.
   */
  readonly invalidateExisting?: boolean | undefined;
  /**
   * Session profile ID: UUID of the session profile that limits the session; absent: an unscoped
   * session.
   */
  readonly sessionProfileId?: string | undefined;
  /** Client signature: Signature by the key of the verification token over the use of the token. */
  readonly clientSignature: ClientSignature;
}

export interface OtpLoginResult {
  /** Session: Signed JWT that describes the session; the key authenticates, not the JWT. */
  readonly session: string;
}

export interface RecoverUserParameters {
  /** Passkey: The passkey. */
  readonly authenticator: AuthenticatorParams;
  /** User ID: UUID of the user. */
  readonly userId: string;
}

export interface RecoverUserResult {
  /** Passkey IDs: UUIDs of the passkeys that were added. */
  readonly authenticatorId: readonly string[];
}

export interface VerifyOtpParameters {
  /** Code ID: UUID of the one-time code; the client needs it to verify the code. */
  readonly otpId: string;
  /** Encrypted code: Code and public key of the client, HPKE encrypted to the target of the code. */
  readonly encryptedOtpBundle: string;
  /**
   * Lifetime in seconds: Lifetime of the verification token in seconds: at most 86400. Default: 3600.
   */
  readonly expirationSeconds?: string | number | undefined;
}

export interface VerifyOtpResult {
  /**
   * Verification token: Signed JWT that proves a verified contact; it is bound to one key and serves
   * once.
   */
  readonly verificationToken: string;
}

export type DisableAuthProxyParameters = Readonly<Record<never, never>>;

export type DisableAuthProxyResult = Readonly<Record<never, never>>;

export type EnableAuthProxyParameters = Readonly<Record<never, never>>;

export interface EnableAuthProxyResult {
  /** User ID: UUID of the user that acts for the proxy. */
  readonly userId: string;
}

export type UpdateAuthProxyConfigParameters = AuthProxySettings;

export interface UpdateAuthProxyConfigResult {
  /** Configuration ID: UUID of the onboarding-proxy configuration. */
  readonly configId: string;
}

export type CreateWalletParameters = WalletParams;

export interface CreateWalletResult {
  /** Wallet ID: UUID of the wallet. */
  readonly walletId: string;
  /** Addresses: Addresses of the accounts, in the order of the request. */
  readonly addresses: readonly string[];
}

export interface CreateWalletAccountsParameters {
  /** Wallet ID: UUID of the wallet. */
  readonly walletId: string;
  /** Accounts: Wallet accounts; may be empty. */
  readonly accounts: readonly WalletAccountParams[];
  /** Persist: Whether the accounts are stored; false only derives their addresses. Default: true. */
  readonly persist?: boolean | undefined;
}

export interface CreateWalletAccountsResult {
  /** Addresses: Addresses of the accounts, in the order of the request. */
  readonly addresses: readonly string[];
}

export interface DeleteWalletAccountsParameters {
  /** Account IDs: UUIDs of the wallet accounts. */
  readonly walletAccountIds: readonly string[];
  /**
   * Delete without export: Allows deletion of keys that were never exported and are lost with it.
   * Default: false.
   */
  readonly deleteWithoutExport?: boolean | undefined;
}

export interface DeleteWalletAccountsResult {
  /** Account IDs: UUIDs of the wallet accounts. */
  readonly walletAccountIds: readonly string[];
}

export interface DeleteWalletsParameters {
  /** Wallet IDs: UUIDs of the wallets. */
  readonly walletIds: readonly string[];
  /**
   * Delete without export: Allows deletion of keys that were never exported and are lost with it.
   * Default: false.
   */
  readonly deleteWithoutExport?: boolean | undefined;
}

export interface DeleteWalletsResult {
  /** Wallet IDs: UUIDs of the wallets. */
  readonly walletIds: readonly string[];
}

export interface ExportWalletParameters {
  /** Wallet ID: UUID of the wallet. */
  readonly walletId: string;
  /**
   * Target public key: P-256 public key of the client, to which the service encrypts its answer; hex,
   * 65 bytes uncompressed.
   */
  readonly targetPublicKey: string;
  /** Language: Language of the words. Default: English. */
  readonly language?: MnemonicLanguage | undefined;
}

export interface ExportWalletResult {
  /** Wallet ID: UUID of the wallet. */
  readonly walletId: string;
  /**
   * Export bundle: The key, HPKE encrypted to the target public key, with the signature of the service;
   * JSON.
   */
  readonly exportBundle: string;
}

export interface ExportWalletAccountParameters {
  /** Address: Address in the notation of its chain. */
  readonly address: string;
  /**
   * Target public key: P-256 public key of the client, to which the service encrypts its answer; hex,
   * 65 bytes uncompressed.
   */
  readonly targetPublicKey: string;
}

export interface ExportWalletAccountResult {
  /** Address: Address in the notation of its chain. */
  readonly address: string;
  /**
   * Export bundle: The key, HPKE encrypted to the target public key, with the signature of the service;
   * JSON.
   */
  readonly exportBundle: string;
}

export interface ImportWalletParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** Wallet name: Name of the wallet: a label for people. */
  readonly walletName: string;
  /** Encrypted bundle: The key, HPKE encrypted to the import target; JSON. */
  readonly encryptedBundle: string;
  /** Accounts: Wallet accounts; may be empty. */
  readonly accounts: readonly WalletAccountParams[];
}

export interface ImportWalletResult {
  /** Wallet ID: UUID of the wallet. */
  readonly walletId: string;
  /** Addresses: Addresses of the accounts, in the order of the request. */
  readonly addresses: readonly string[];
}

export interface InitImportWalletParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
}

export interface InitImportWalletResult {
  /**
   * Import bundle: Signed public key that the client encrypts the import to; JSON. It serves one
   * import.
   */
  readonly importBundle: string;
}

export interface UpdateWalletParameters {
  /** Wallet ID: UUID of the wallet. */
  readonly walletId: string;
  /** Wallet name: Name of the wallet: a label for people. */
  readonly walletName?: string | undefined;
}

export interface UpdateWalletResult {
  /** Wallet ID: UUID of the wallet. */
  readonly walletId: string;
}

export interface CreatePrivateKeysParameters {
  /** Private keys: Private keys to create. */
  readonly privateKeys: readonly PrivateKeyParams[];
}

export interface CreatePrivateKeysResult {
  /** Private keys: Private keys of the organization, without the keys. */
  readonly privateKeys: readonly {
    /** Private key ID: UUID of the private key. */
    readonly privateKeyId: string;
    /** Addresses: Addresses of the key, one for each format. */
    readonly addresses: readonly PrivateKeyAddress[];
  }[];
}

export interface DeletePrivateKeysParameters {
  /** Private key IDs: UUIDs of the private keys. */
  readonly privateKeyIds: readonly string[];
  /**
   * Delete without export: Allows deletion of keys that were never exported and are lost with it.
   * Default: false.
   */
  readonly deleteWithoutExport?: boolean | undefined;
}

export interface DeletePrivateKeysResult {
  /** Private key IDs: UUIDs of the private keys. */
  readonly privateKeyIds: readonly string[];
}

export interface ExportPrivateKeyParameters {
  /** Private key ID: UUID of the private key. */
  readonly privateKeyId: string;
  /**
   * Target public key: P-256 public key of the client, to which the service encrypts its answer; hex,
   * 65 bytes uncompressed.
   */
  readonly targetPublicKey: string;
}

export interface ExportPrivateKeyResult {
  /** Private key ID: UUID of the private key. */
  readonly privateKeyId: string;
  /**
   * Export bundle: The key, HPKE encrypted to the target public key, with the signature of the service;
   * JSON.
   */
  readonly exportBundle: string;
}

export interface ImportPrivateKeyParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** Private key name: Name of the private key: a label for people. */
  readonly privateKeyName: string;
  /** Encrypted bundle: The key, HPKE encrypted to the import target; JSON. */
  readonly encryptedBundle: string;
  /** Curve: Elliptic curve of the key. */
  readonly curve: 'CURVE_SECP256K1' | 'CURVE_ED25519' | 'CURVE_P256';
  /** Address formats: Kinds of addresses to derive for the key. */
  readonly addressFormats: readonly AddressFormat[];
}

export interface ImportPrivateKeyResult {
  /** Private key ID: UUID of the private key. */
  readonly privateKeyId: string;
  /** Addresses: Addresses of the key, one for each format. */
  readonly addresses: readonly PrivateKeyAddress[];
}

export interface InitImportPrivateKeyParameters {
  /** User ID: UUID of the user. */
  readonly userId: string;
}

export interface InitImportPrivateKeyResult {
  /**
   * Import bundle: Signed public key that the client encrypts the import to; JSON. It serves one
   * import.
   */
  readonly importBundle: string;
}

export interface DeleteSecretsParameters {
  /** Secret IDs: UUIDs of the secrets. */
  readonly secretIds: readonly string[];
}

export interface DeleteSecretsResult {
  /** Secret IDs: UUIDs of the secrets. */
  readonly secretIds: readonly string[];
}

export interface ExportSecretsParameters {
  /** Secrets: Secrets: short texts that the service stores for the organization. */
  readonly secrets: readonly {
    /** Secret ID: UUID of the secret. */
    readonly secretId: string;
    /**
     * Target public key: P-256 public key that the text is or will be encrypted to; hex, 65 bytes
     * uncompressed.
     */
    readonly targetPublicKey: string;
    /** Encryption suite: Algorithms of the encryption. */
    readonly encryptionSuite: 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1';
    /** Context: Names and values that the activity stores for approvers and the audit. */
    readonly requestContext?: readonly {
      /** Name: Name of the entry. */
      readonly key: string;
      /** Value: Value of the entry. */
      readonly value?: string | undefined;
    }[] | undefined;
  }[];
}

export interface ExportSecretsResult {
  /** Encrypted texts: Texts of the secrets, each encrypted to its target. */
  readonly secretPayloads: readonly string[];
}

export interface ImportSecretsParameters {
  /** Secrets: Secrets: short texts that the service stores for the organization. */
  readonly secrets: readonly {
    /** Name: Name of the secret, unique within the organization. */
    readonly name?: string | undefined;
    /** Encrypted text: Text of the secret, encrypted to the target; at most 64 KiB. */
    readonly secretPayload: string;
    /**
     * Target public key: P-256 public key that the text is or will be encrypted to; hex, 65 bytes
     * uncompressed.
     */
    readonly targetPublicKey: string;
    /** Encryption suite: Algorithms of the encryption. */
    readonly encryptionSuite: 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1';
    /** Properties: Names and values that policies can read. */
    readonly staticProperties?: readonly {
      /** Name: Name of the property. */
      readonly key: string;
      /** Value: Value of the property. */
      readonly value?: string | undefined;
    }[] | undefined;
  }[];
}

export interface ImportSecretsResult {
  /** Secret IDs: UUIDs of the secrets. */
  readonly secretIds: readonly string[];
}

export interface InitImportSecretsParameters {
  /** Encryption suite: Algorithms of the encryption. */
  readonly encryptionSuite: 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1';
  /** Number of secrets: Number of import targets to create: 1 to 10. */
  readonly numSecrets: number;
}

export interface InitImportSecretsResult {
  /** Import targets: Signed public keys, each for one import; JSON. */
  readonly enclaveTargetMessages: readonly string[];
}

export interface CreatePrivateKeyTagParameters {
  /** Private key tag name: Name of the new tag. */
  readonly privateKeyTagName: string;
  /** Private key IDs: UUIDs of the private keys. */
  readonly privateKeyIds: readonly string[];
}

export interface CreatePrivateKeyTagResult {
  /** Private key tag ID: UUID of the private key tag. */
  readonly privateKeyTagId: string;
  /** Private key IDs: UUIDs of the private keys. */
  readonly privateKeyIds: readonly string[];
}

export interface DeletePrivateKeyTagsParameters {
  /** Private key tag IDs: UUIDs of private key tags. */
  readonly privateKeyTagIds: readonly string[];
}

export interface DeletePrivateKeyTagsResult {
  /** Private key tag IDs: UUIDs of private key tags. */
  readonly privateKeyTagIds: readonly string[];
  /** Private key IDs: UUIDs of the private keys. */
  readonly privateKeyIds: readonly string[];
}

export interface UpdatePrivateKeyTagParameters {
  /** Private key tag ID: UUID of the private key tag. */
  readonly privateKeyTagId: string;
  /** New name: New name of the tag; absent: the name stays. */
  readonly newPrivateKeyTagName?: string | undefined;
  /** Private keys to add: UUIDs of the private keys that get the tag. */
  readonly addPrivateKeyIds: readonly string[];
  /** Private keys to remove: UUIDs of the private keys that lose the tag. */
  readonly removePrivateKeyIds: readonly string[];
}

export interface UpdatePrivateKeyTagResult {
  /** Private key tag ID: UUID of the private key tag. */
  readonly privateKeyTagId: string;
}

export interface CreatePoliciesParameters {
  /** Policies: Policies of the organization. */
  readonly policies: readonly PolicyParams[];
}

export interface CreatePoliciesResult {
  /** Policy IDs: UUIDs of the policies. */
  readonly policyIds: readonly string[];
}

export type CreatePolicyParameters = PolicyParams;

export interface CreatePolicyResult {
  /** Policy ID: UUID of the policy. */
  readonly policyId: string;
}

export interface DeletePoliciesParameters {
  /** Policy IDs: UUIDs of the policies. */
  readonly policyIds: readonly string[];
}

export interface DeletePoliciesResult {
  /** Policy IDs: UUIDs of the policies. */
  readonly policyIds: readonly string[];
}

export interface DeletePolicyParameters {
  /** Policy ID: UUID of the policy. */
  readonly policyId: string;
}

export interface DeletePolicyResult {
  /** Policy ID: UUID of the policy. */
  readonly policyId: string;
}

export interface UpdatePolicyParameters {
  /** Policy ID: UUID of the policy. */
  readonly policyId: string;
  /** Policy name: Name of the policy, unique within the organization. */
  readonly policyName?: string | undefined;
  /** Effect: Whether the policy allows or denies; absent: unchanged. */
  readonly policyEffect?: 'EFFECT_ALLOW' | 'EFFECT_DENY' | undefined;
  /** Condition: Activities to which the policy applies; absent: unchanged. */
  readonly policyCondition?: string | undefined;
  /** Consensus: Whose approval the policy requires; absent: unchanged. */
  readonly policyConsensus?: string | undefined;
  /** Notes: Notes for people; absent: unchanged. */
  readonly policyNotes?: string | undefined;
  /** Time: When the policy is in force; absent: unchanged; empty: always. */
  readonly time?: string | undefined;
}

export interface UpdatePolicyResult {
  /** Policy ID: UUID of the policy. */
  readonly policyId: string;
}

export interface UpdatePolicySettingsParameters {
  /**
   * Failed deny: What a DENY policy does when a clause fails: it refuses (the default) or is skipped.
   */
  readonly failedDeny: 'FAILED_DENY_REFUSES' | 'FAILED_DENY_SKIPPED';
}

export interface UpdatePolicySettingsResult {
  /**
   * Failed deny: What a DENY policy does when a clause fails: it refuses (the default) or is skipped.
   */
  readonly failedDeny: 'FAILED_DENY_REFUSES' | 'FAILED_DENY_SKIPPED';
}

export interface CreateVelocityControlParameters {
  /** Name: Name for people. */
  readonly name: string;
  /** Data source: What is counted: exactly one of the members. */
  readonly dataSource: VelocityControlDataSource;
  /** Aggregation: How amounts are added up, and the bound. */
  readonly aggregation: VelocityControlAggregation;
  /**
   * Identifier: Name under which policies read it, as in controls.daily; unique within the
   * organization.
   */
  readonly identifier: string;
}

export interface CreateVelocityControlResult {
  /** Velocity control ID: UUID of the velocity control. */
  readonly velocityControlId: string;
}

export interface DeleteVelocityControlParameters {
  /** Velocity control ID: UUID of the velocity control. */
  readonly velocityControlId: string;
}

export interface DeleteVelocityControlResult {
  /** Velocity control ID: UUID of the velocity control. */
  readonly velocityControlId: string;
}

export interface DeleteVelocityControlsParameters {
  /** Velocity control IDs: UUIDs of velocity controls, each once. */
  readonly velocityControlIds: readonly string[];
}

export interface DeleteVelocityControlsResult {
  /** Velocity control IDs: UUIDs of velocity controls, each once. */
  readonly velocityControlIds: readonly string[];
}

export interface CreateAddressLabelParameters {
  /**
   * Label: Name under which policies read the addresses, as in address_book.treasury; unique, and never
   * changes.
   */
  readonly label: string;
  /** Addresses: Addresses with optional names, each address once in a label. */
  readonly addresses: readonly {
    /** Address: Address in the notation of its chain. */
    readonly address: string;
    /** Name: Name that people read in approvals. */
    readonly name?: string | undefined;
  }[];
}

export interface CreateAddressLabelResult {
  /** Address label ID: UUID of the address label. */
  readonly addressLabelId: string;
}

export interface DeleteAddressLabelParameters {
  /** Address label ID: UUID of the address label. */
  readonly addressLabelId: string;
}

export interface DeleteAddressLabelResult {
  /** Address label ID: UUID of the address label. */
  readonly addressLabelId: string;
}

export interface UpdateAddressLabelParameters {
  /** Address label ID: UUID of the address label. */
  readonly addressLabelId: string;
  /** Addresses to add: Addresses with optional names, each address once in a label. */
  readonly addAddresses?: readonly {
    /** Address: Address on any chain; mixed case requires the checksum of EIP-55. */
    readonly address: string;
    /** Name: Name that people read in approvals. */
    readonly name?: string | undefined;
  }[] | undefined;
  /** Addresses to remove: Addresses of the label, in any spelling. */
  readonly removeAddresses?: readonly string[] | undefined;
}

export interface UpdateAddressLabelResult {
  /** Address label ID: UUID of the address label. */
  readonly addressLabelId: string;
}

export interface CreateFreezeParameters {
  /** Type: Type of the frozen subject. */
  readonly type: FreezeType;
  /** Resource ID: UUID of the wallet, private key, user or sub-organization. Absent for other types. */
  readonly resourceId?: string | undefined;
  /** Reason: Reason in free text. */
  readonly reason?: string | undefined;
}

export interface CreateFreezeResult {
  /** Freeze ID: UUID of the freeze. */
  readonly freezeId: string;
}

export interface DeleteFreezeParameters {
  /** Freeze ID: UUID of the freeze. */
  readonly freezeId: string;
}

export interface DeleteFreezeResult {
  /** Freeze ID: UUID of the freeze. */
  readonly freezeId: string;
}

export interface CreateKeyHolderParameters {
  /** Holder name: Name of the holder. */
  readonly holderName: string;
  /** Type: Source of the secret of the holder. */
  readonly type: 'KEY_HOLDER_TYPE_PASSPHRASE' | 'KEY_HOLDER_TYPE_PASSKEY';
  /**
   * Derivation: Public parameters from which a client derives the secret of 32 bytes. For a passphrase:
   * scrypt in PHC form, `$scrypt$ln=17,r=8,p=1$SALT`.
   */
  readonly derivation: string;
  /** Encrypted secret: Secret of the holder, sealed to the key of the running enclave. */
  readonly encryptedSecret: string;
}

export interface CreateKeyHolderResult {
  /** Holder ID: UUID of a holder of the organization key. */
  readonly holderId: string;
}

export interface CreateOrganizationKeyParameters {
  /** Holder name: Name of the holder. */
  readonly holderName: string;
  /** Type: Source of the secret of the holder. */
  readonly type: 'KEY_HOLDER_TYPE_PASSPHRASE' | 'KEY_HOLDER_TYPE_PASSKEY';
  /**
   * Derivation: Public parameters from which a client derives the secret of 32 bytes. For a passphrase:
   * scrypt in PHC form, `$scrypt$ln=17,r=8,p=1$SALT`.
   */
  readonly derivation: string;
  /** Encrypted secret: Secret of the holder, sealed to the key of the running enclave. */
  readonly encryptedSecret: string;
}

export interface CreateOrganizationKeyResult {
  /** Organization key ID: UUID of the organization key. */
  readonly organizationKeyId: string;
  /** Holder ID: UUID of a holder of the organization key. */
  readonly holderId: string;
}

export interface DeleteKeyHolderParameters {
  /** Holder ID: UUID of a holder of the organization key. */
  readonly holderId: string;
}

export interface DeleteKeyHolderResult {
  /** Holder ID: UUID of a holder of the organization key. */
  readonly holderId: string;
}

export type SealOrganizationParameters = Readonly<Record<never, never>>;

export interface SealOrganizationResult {
  /** Seals: Number of times that the organization was sealed; decimal. */
  readonly sealCount: string;
}

export interface UnsealOrganizationParameters {
  /** Holder ID: UUID of a holder of the organization key. */
  readonly holderId: string;
  /** Encrypted secret: Secret of the holder, sealed to the key of the running enclave. */
  readonly encryptedSecret: string;
}

export interface UnsealOrganizationResult {
  /** Organization key ID: UUID of the organization key. */
  readonly organizationKeyId: string;
}

export interface CreateSmartContractInterfaceParameters {
  /**
   * Contract address: Ethereum address in any letter case, or base58 of the 32 bytes of a Solana
   * program. A description must name it as a deployment.
   */
  readonly smartContractAddress: string;
  /**
   * Contract interface: JSON: a Solidity ABI, an Anchor IDL with `instructions`, or a description
   * (ERC-7730).
   */
  readonly smartContractInterface: string;
  /** Type: Chain family of the interface, or the format of a description. */
  readonly type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM' | 'SMART_CONTRACT_INTERFACE_TYPE_SOLANA' | 'SMART_CONTRACT_INTERFACE_TYPE_ERC7730';
  /** Label: Name of the contract, for people. */
  readonly label: string;
  /** Notes: Notes for people. */
  readonly notes?: string | undefined;
}

export interface CreateSmartContractInterfaceResult {
  /** Contract interface ID: UUID of the contract interface. */
  readonly smartContractInterfaceId: string;
}

export interface DeleteSmartContractInterfaceParameters {
  /** Contract interface ID: UUID of the contract interface. */
  readonly smartContractInterfaceId: string;
}

export interface DeleteSmartContractInterfaceResult {
  /** Contract interface ID: UUID of the contract interface. */
  readonly smartContractInterfaceId: string;
}

export interface SignRawPayloadParameters {
  /** Sign with: Key that signs: address of a wallet account, or address or UUID of a private key. */
  readonly signWith: string;
  /** Payload: Data to sign, in the given encoding. */
  readonly payload: string;
  /** Encoding: Encoding of the payload. */
  readonly encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' | 'PAYLOAD_ENCODING_TEXT_UTF8' | 'PAYLOAD_ENCODING_EIP712' | 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION';
  /** Hash function: Hash of the payload that is signed; NO_OP if the payload is the hash. */
  readonly hashFunction: 'HASH_FUNCTION_NO_OP' | 'HASH_FUNCTION_SHA256' | 'HASH_FUNCTION_KECCAK256' | 'HASH_FUNCTION_NOT_APPLICABLE';
  /** External public key: Public key in hex of the key that signs, if another holds it. */
  readonly externalSignerPubkey?: string | undefined;
}

export interface SignRawPayloadResult {
  /** r: First half of the signature: 32 bytes in hex. */
  readonly r: string;
  /** s: Second half of the signature: 32 bytes in hex; low for ECDSA. */
  readonly s: string;
  /** v: Recovery ID of an ECDSA signature, 00 or 01; else 00. */
  readonly v: string;
}

export interface SignRawPayloadsParameters {
  /** Sign with: Key that signs: address of a wallet account, or address or UUID of a private key. */
  readonly signWith: string;
  /** Payloads: Data to sign, each in the given encoding. */
  readonly payloads: readonly string[];
  /** Encoding: Encoding of the payload. */
  readonly encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' | 'PAYLOAD_ENCODING_TEXT_UTF8' | 'PAYLOAD_ENCODING_EIP712' | 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION';
  /** Hash function: Hash of the payload that is signed; NO_OP if the payload is the hash. */
  readonly hashFunction: 'HASH_FUNCTION_NO_OP' | 'HASH_FUNCTION_SHA256' | 'HASH_FUNCTION_KECCAK256' | 'HASH_FUNCTION_NOT_APPLICABLE';
  /** External public key: Public key in hex of the key that signs, if another holds it. */
  readonly externalSignerPubkey?: string | undefined;
}

export interface SignRawPayloadsResult {
  /** Signatures: One signature for each payload, in their order. */
  readonly signatures?: readonly {
    /** r: First half of the signature: 32 bytes in hex. */
    readonly r: string;
    /** s: Second half of the signature: 32 bytes in hex; low for ECDSA. */
    readonly s: string;
    /** v: Recovery ID of an ECDSA signature, 00 or 01; else 00. */
    readonly v: string;
  }[] | undefined;
}

export interface SignTransactionParameters {
  /** Sign with: Key that signs: address of a wallet account, or address or UUID of a private key. */
  readonly signWith: string;
  /**
   * Unsigned transaction: Whole transaction to sign in hex, with or without 0x; of Bitcoin a PSBT, of
   * Tron raw_data.
   */
  readonly unsignedTransaction: string;
  /** Transaction type: TRANSACTION_TYPE_ETHEREUM, _SOLANA, _TRON, _BITCOIN or _TEMPO. */
  readonly type: string;
  /** External public key: Public key in hex of the key that signs, if another holds it. */
  readonly externalSignerPubkey?: string | undefined;
}

export interface SignTransactionResult {
  /** Signed transaction: Transaction with the signature, in lower-case hex without 0x. */
  readonly signedTransaction: string;
}

export interface AbandonTransactionParameters {
  /** Status ID: UUID to query the status of the transaction. */
  readonly sendTransactionStatusId: string;
}

export interface AbandonTransactionResult {
  /** Status ID: UUID to query the status of the transaction. */
  readonly sendTransactionStatusId: string;
}

export interface EthSendRawTransactionParameters {
  /** Signed transaction: A signed transaction of Ethereum, without blobs: hex with or without 0x. */
  readonly signedTransaction: string;
  /** Chain: CAIP-2 name of a chain that the operator configured, for example eip155:1. */
  readonly caip2: string;
}

export interface EthSendRawTransactionResult {
  /** Hash: Hash of the transaction: 0x and 64 hex digits. */
  readonly transactionHash: string;
  /** Status ID: UUID to query the status of the transaction. */
  readonly sendTransactionStatusId: string;
}

export interface EthSendTransactionParameters {
  /** From: Address that sends: of a wallet account or a private key. */
  readonly from: string;
  /** Chain: CAIP-2 name of a chain that the operator configured, for example eip155:1. */
  readonly caip2: string;
  /** Sponsor: True: an account of the parent pays the fee, within its policies and limits. */
  readonly sponsor?: boolean | undefined;
  /** Nonce: Number of the transaction. Default: the next one of the address that is free. */
  readonly nonce?: string | undefined;
  /** Gas limit: Most gas that it may use. Default: what the node estimates, and a fifth. */
  readonly gasLimit?: string | undefined;
  /** Fee: Most wei for a unit of gas. Default: twice the base fee, and the tip. */
  readonly maxFeePerGas?: string | undefined;
  /** Tip: Wei for a unit of gas above the base fee. Default: the usual tip. */
  readonly maxPriorityFeePerGas?: string | undefined;
  /**
   * Deadline: With a sponsor: seconds since 1970 after which the calls are void. Default: in an hour.
   */
  readonly deadline?: string | undefined;
  /** Gas station nonce: With a sponsor: the nonce of the calls. It must be the next one. */
  readonly gasStationNonce?: string | undefined;
  /** Calls: What is sent: exactly one call. */
  readonly calls: readonly {
    /** To: Address that is paid or called: 0x and 40 hex digits. */
    readonly to: string;
    /** Value: Amount in wei: decimal, or hex with 0x. Default: 0. */
    readonly value?: string | undefined;
    /** Data: Call data: hex with 0x. Default: none. */
    readonly data?: string | undefined;
  }[];
}

export interface EthSendTransactionResult {
  /** Status ID: UUID to query the status of the transaction. */
  readonly sendTransactionStatusId: string;
}

export interface EthUndelegate7702Parameters {
  /** From: Address that sends: of a wallet account or a private key. */
  readonly from: string;
  /** Chain: CAIP-2 name of a chain that the operator configured, for example eip155:1. */
  readonly caip2: string;
  /** Nonce: Number of the transaction. Default: the next one of the address that is free. */
  readonly nonce?: string | undefined;
  /** Gas limit: Most gas that it may use. Default: what the node estimates, and a fifth. */
  readonly gasLimit?: string | undefined;
  /** Fee: Most wei for a unit of gas. Default: twice the base fee, and the tip. */
  readonly maxFeePerGas?: string | undefined;
  /** Tip: Wei for a unit of gas above the base fee. Default: the usual tip. */
  readonly maxPriorityFeePerGas?: string | undefined;
}

export interface EthUndelegate7702Result {
  /** Status ID: UUID to query the status of the transaction. */
  readonly sendTransactionStatusId: string;
}

export interface SolSendTransactionParameters {
  /** Unsigned transaction: Whole Solana transaction to sign and send in hex, with or without 0x. */
  readonly unsignedTransaction: string;
  /** Chain: CAIP-2 name of a chain that the operator configured, for example eip155:1. */
  readonly caip2: string;
  /** Sponsor: True: an account of the parent pays the fee, within its policies and limits. */
  readonly sponsor?: boolean | undefined;
  /**
   * Recent blockhash: With a sponsor: the blockhash to sign with. Otherwise it must equal the blockhash
   * of the transaction.
   */
  readonly recentBlockhash?: string | undefined;
  /** Sign with: Addresses of the accounts that sign. All other signers have signed already. */
  readonly signWiths: readonly string[];
}

export interface SolSendTransactionResult {
  /** Status ID: UUID to query the status of the transaction. */
  readonly sendTransactionStatusId: string;
}

export interface UpsertGasUsageConfigParameters {
  /**
   * Limit: Maximum sponsored fees in a window in US dollars, for the organization and its
   * sub-organizations together.
   */
  readonly orgWindowLimitUsd: string;
  /**
   * Limit of a sub-organization: Maximum sponsored fees of each sub-organization in a window, in US
   * dollars.
   */
  readonly subOrgWindowLimitUsd: string;
  /**
   * Limit of a user: Maximum sponsored fees of each user in a window, in US dollars. Default: the limit
   * of a sub-organization.
   */
  readonly userWindowLimitUsd?: string | undefined;
  /** Window: Length of the window in minutes: 1 to 43200. */
  readonly windowDurationMinutes: string | number;
  /** Enabled: False: no transaction is sponsored. Default: true. */
  readonly enabled?: boolean | undefined;
  /** Solana: Settings of Solana. */
  readonly solanaConfig?: {
    /** Rent: Must be false: sponsors pay only fees, not rent. */
    readonly rentPrefundEnabled?: boolean | undefined;
  } | undefined;
  /** Sponsors: Accounts that pay, one for each chain. Default: the current sponsors. */
  readonly sponsors?: readonly {
    /** Chain: CAIP-2 name of a chain that the operator configured, for example eip155:1. */
    readonly caip2: string;
    /** Address: Address of an account of the organization. */
    readonly address: string;
    /**
     * Delegate: On chains of Ethereum: the contract whose code acts for senders, as the operator named
     * it.
     */
    readonly delegate?: string | undefined;
    /** Price: Price of a coin of the chain in US dollars, used to count fees. */
    readonly usdPerCoin: string;
  }[] | undefined;
}

export interface UpsertGasUsageConfigResult {
  /** Config ID: UUID of the configuration. */
  readonly gasUsageConfigId: string;
}

export interface EarnClaimRewardsParameters {
  /** Sign with: Key that signs: address of a wallet account, or address or UUID of a private key. */
  readonly signWith: string;
  /** Chain: CAIP-2 name of the chain with the rewards. */
  readonly chainCaip2?: string | undefined;
  /** Chain: Another spelling of chainCaip2. */
  readonly caip2?: string | undefined;
  /** Sponsor: True: an account of the parent pays the fee, within its policies and limits. */
  readonly sponsor?: boolean | undefined;
  /** Nonce: Number of the transaction. Default: the next one of the address that is free. */
  readonly nonce?: string | undefined;
  /** Gas station nonce: With a sponsor: the nonce of the calls. It must be the next one. */
  readonly gasStationNonce?: string | undefined;
}

export interface EarnClaimRewardsResult {
  /** Claim ID: UUID to query the status of the claim. */
  readonly claimRequestId: string;
}

export interface EarnDeployWrapperParameters {
  /** Vault: Address of the vault. */
  readonly vaultAddress: string;
  /** Chain: CAIP-2 name of the chain of the vault. */
  readonly chainCaip2?: string | undefined;
  /** Chain: Another spelling of chainCaip2. */
  readonly caip2?: string | undefined;
  /** Fee: Must be 0: the service deploys no contract that charges a fee. */
  readonly clientFeeBps: string | number;
  /** Fee wallet: Address of an account of the organization. It gets no fee. */
  readonly clientFeeWallet: string;
}

export interface EarnDeployWrapperResult {
  /** Target: Address that deposits go to: the vault itself. */
  readonly wrapperAddress: string;
  /** Splitter: Empty: nothing is deployed. */
  readonly splitterAddress: string;
  /** Request ID: UUID to query the status: that of the activity. */
  readonly deployRequestId: string;
}

export interface EarnDepositParameters {
  /** Target: Address that deposits go to: the vault itself. */
  readonly wrapperAddress: string;
  /** Sign with: Key that signs: address of a wallet account, or address or UUID of a private key. */
  readonly signWith: string;
  /** Amount: Amount of the token in its smallest unit: decimal. */
  readonly assets: string;
  /** Chain: CAIP-2 name of the chain of the vault, for example eip155:8453. */
  readonly chainCaip2?: string | undefined;
  /** Chain: Another spelling of chainCaip2. */
  readonly caip2?: string | undefined;
  /** Sponsor: True: an account of the parent pays the fee, within its policies and limits. */
  readonly sponsor?: boolean | undefined;
  /** Nonce: Number of the transaction. Default: the next one of the address that is free. */
  readonly nonce?: string | undefined;
  /** Gas station nonce: With a sponsor: the nonce of the calls. It must be the next one. */
  readonly gasStationNonce?: string | undefined;
}

export interface EarnDepositResult {
  /** Deposit ID: UUID to query the status of the deposit. */
  readonly depositRequestId: string;
}

export interface EarnSetWrapperStateParameters {
  /** Target: Address that deposits go to: the vault itself. */
  readonly wrapperAddress: string;
  /** Deposits disabled: True closes the vault to deposits; false opens it. */
  readonly depositsDisabled: boolean;
}

export interface EarnSetWrapperStateResult {
  /** Target: Address that deposits go to: the vault itself. */
  readonly wrapperAddress: string;
  /** Deposits disabled: Whether the organization or its parent refuses deposits. */
  readonly depositsDisabled: boolean;
}

export interface EarnWithdrawParameters {
  /** Target: Address that deposits go to: the vault itself. */
  readonly wrapperAddress: string;
  /** Sign with: Key that signs: address of a wallet account, or address or UUID of a private key. */
  readonly signWith: string;
  /** Chain: CAIP-2 name of the chain of the vault, for example eip155:8453. */
  readonly chainCaip2?: string | undefined;
  /** Chain: Another spelling of chainCaip2. */
  readonly caip2?: string | undefined;
  /** Sponsor: True: an account of the parent pays the fee, within its policies and limits. */
  readonly sponsor?: boolean | undefined;
  /** Nonce: Number of the transaction. Default: the next one of the address that is free. */
  readonly nonce?: string | undefined;
  /** Gas station nonce: With a sponsor: the nonce of the calls. It must be the next one. */
  readonly gasStationNonce?: string | undefined;
  /** Amount: Amount of the token in its smallest unit, or MAX for the entire position. */
  readonly amountValue: string;
}

export interface EarnWithdrawResult {
  /** Withdrawal ID: UUID to query the status of the withdrawal. */
  readonly withdrawRequestId: string;
}

export interface CreateSwapQuoteParameters {
  /** Sign with: Address that will sign the swap. */
  readonly signWith: string;
  /** Input: CAIP-19 name of the asset that is paid: the coin or a token of a chain. */
  readonly inputToken: string;
  /** Output: CAIP-19 name of the asset that is received, of the same chain. */
  readonly outputToken: string;
  /** Input amount: Amount that is paid, in the smallest unit: decimal. */
  readonly inputAmount: string;
  /**
   * Slippage: Most that the output may fall short of the quote, in basis points: 0 to 5000. Default:
   * 50.
   */
  readonly slippageBps?: string | number | undefined;
  /** Destination: The address that signs, or absent. */
  readonly destinationAddress?: string | undefined;
}

export interface CreateSwapQuoteResult {
  /** Quotes: One quote, of the pool with the largest output. */
  readonly quotes: readonly {
    /** Quote ID: UUID of the quote, by which one swap is executed. */
    readonly quoteId: string;
    /** Provider: Always UNISWAP_V3. */
    readonly provider: string;
    /** Output amount: Current output of the pool in the smallest unit: decimal. */
    readonly outputAmount: string;
    /** Least output: The swap reverts if its output is less: decimal. */
    readonly minOutputAmount: string;
    /** Expires at: Milliseconds since 1970 after which the quote is void. */
    readonly expiresAt: string;
    /** Slippage: Slippage of the quote in basis points. */
    readonly slippageBps: string;
    /** Fee: Fee of the organization in basis points. Both outputs exclude it. */
    readonly clientFeeBps: string;
  }[];
}

export interface ExecuteSwapParameters {
  /** Quote ID: UUID of the quote, by which one swap is executed. */
  readonly quoteId: string;
  /** Input: CAIP-19 name of the asset that is paid: the coin or a token of a chain. */
  readonly inputToken: string;
  /** Input amount: Amount that is paid, in the smallest unit: decimal. */
  readonly inputAmount: string;
  /** Output: CAIP-19 name of the asset that is received, of the same chain. */
  readonly outputToken: string;
  /** Quoted output: Output amount of the quote. */
  readonly quotedOutputAmount: string;
  /** Least output: The swap reverts if its output is less: decimal. */
  readonly minOutputAmount: string;
  /** Sponsor: True: an account of the parent pays the fee, within its policies and limits. */
  readonly sponsor: boolean;
  /** Nonce: Number of the first transaction. Default: the next one that is free. */
  readonly evmNonce?: string | undefined;
  /** Recent blockhash: Refused: only Solana has blockhashes. */
  readonly recentBlockhash?: string | undefined;
  /** Gas station nonce: With a sponsor: the nonce of the calls. It must be the next one. */
  readonly gasStationNonce?: string | undefined;
  /** Destination: The address that signs, or absent. */
  readonly destinationAddress?: string | undefined;
}

export interface ExecuteSwapResult {
  /** Swap ID: UUID to query the status of the swap. */
  readonly swapRequestId: string;
  /** Provider: Always UNISWAP_V3. */
  readonly provider: string;
  /** Quote ID: UUID of the quote, by which one swap is executed. */
  readonly quoteId?: string | undefined;
}

export interface UpsertSwapConfigParameters {
  /** Receiver: Ethereum address of an account of the organization. Default: unchanged. */
  readonly feeReceiverWalletAddress?: string | undefined;
  /** Fee: Share of the output in basis points: 0 to 100. Default: unchanged, at first 0. */
  readonly feeBps?: string | number | undefined;
  /** Fee of stable pairs: Refused: the service does not know which tokens have stable prices. */
  readonly stableFeeBps?: string | undefined;
}

export interface UpsertSwapConfigResult {
  /** Receiver: Account that receives the fees, in lower case. */
  readonly feeReceiverWalletAddress?: string | undefined;
  /** Fee: Share of the output in basis points. */
  readonly feeBps?: string | undefined;
}

export interface CreateTvcAppParameters {
  /** Name: Name of the application. */
  readonly name: string;
  /**
   * Quorum key: Public key of the application: two uncompressed P-256 points in hex, for encryption and
   * signatures.
   */
  readonly quorumPublicKey: string;
  /** Manifest set ID: UUID of the operators who approve manifests. */
  readonly manifestSetId?: string | undefined;
  /** Manifest set: Operators who approve manifests, as a new set. */
  readonly manifestSetParams?: TvcOperatorSetParams | undefined;
  /** Share set ID: UUID of the operators who hold shares. */
  readonly shareSetId?: string | undefined;
  /** Share set: Operators who hold shares, as a new set. */
  readonly shareSetParams?: TvcOperatorSetParams | undefined;
  /** Egress: Whether the application may open connections. Default: false. */
  readonly enableEgress?: boolean | undefined;
  /** Debug deployments: Whether deployments in debug mode are accepted. Default: false. */
  readonly enableDebugModeDeployments?: boolean | undefined;
}

export interface CreateTvcAppResult {
  /** Application ID: UUID of the application. */
  readonly appId: string;
  /** Manifest set ID: UUID of the operators who approve manifests. */
  readonly manifestSetId: string;
  /** Manifest operators: UUIDs of the operators of the manifest set. */
  readonly manifestSetOperatorIds: readonly string[];
  /** Manifest threshold: Approvals that a manifest needs. */
  readonly manifestSetThreshold: number;
  /** Share set ID: UUID of the operators who hold shares. */
  readonly shareSetId: string;
  /** Share operators: UUIDs of the operators of the share set. */
  readonly shareSetOperatorIds: readonly string[];
  /** Share threshold: Shares that restore the quorum key. */
  readonly shareSetThreshold: number;
}

export interface CreateTvcDeploymentParameters {
  /** Application ID: UUID of the application. */
  readonly appId: string;
  /** Version of the base: Version of the system that starts the program. */
  readonly qosVersion: string;
  /** Image: Address of the container image, with its digest. */
  readonly pivotContainerImageUrl: string;
  /** Program path: Path of the program in the image. */
  readonly pivotPath: string;
  /** Arguments: Arguments of the program. */
  readonly pivotArgs: readonly string[];
  /** Program digest: SHA-256 of the program in hex, with or without `sha256:`. */
  readonly expectedPivotDigest: string;
  /** Nonce: Number of the manifest; greater than that of earlier ones. */
  readonly nonce?: number | undefined;
  /** Encrypted pull secret: Secret to pull the image, encrypted. */
  readonly pivotContainerEncryptedPullSecret?: string | undefined;
  /** Debug mode: Whether the enclave runs in debug mode, without protection. Default: false. */
  readonly debugMode?: boolean | undefined;
  /** Health check: Protocol of the health check. */
  readonly healthCheckType: 'TVC_HEALTH_CHECK_TYPE_HTTP' | 'TVC_HEALTH_CHECK_TYPE_GRPC';
  /** Health check port: Port of the health check: 1 to 65535. */
  readonly healthCheckPort: number;
  /** Ingress port: Port that requests are sent to: 1 to 65535. */
  readonly publicIngressPort: number;
  /** Instances: Number of instances. */
  readonly replicas?: number | undefined;
  /** CPUs: Number of CPUs of an instance. */
  readonly instanceSizeCpus?: number | undefined;
  /** Memory: Memory of an instance in GiB. */
  readonly instanceSizeRam?: number | undefined;
}

export interface CreateTvcDeploymentResult {
  /** Deployment ID: UUID of the deployment. */
  readonly deploymentId: string;
  /** Manifest ID: UUID of the manifest. */
  readonly manifestId: string;
}

export interface CreateTvcManifestApprovalsParameters {
  /** Manifest ID: UUID of the manifest. */
  readonly manifestId: string;
  /** Approvals: Approvals by operators. */
  readonly approvals: readonly {
    /** Operator ID: UUID of the operator. */
    readonly operatorId: string;
    /** Signature: ECDSA P-256 over the digest of the manifest as a message: r and s in hex. */
    readonly signature: string;
  }[];
}

export interface CreateTvcManifestApprovalsResult {
  /** Approval IDs: UUIDs of the approvals. */
  readonly approvalIds: readonly string[];
}

export interface CreateTvcOperatorParameters {
  /** Wallet name: Name of the wallet: a label for people. */
  readonly walletName?: string | undefined;
  /** Wallet ID: UUID of the wallet. */
  readonly walletId?: string | undefined;
  /** Derivation path: BIP-32 path of the account, for example m/44'/60'/0'/0/0. */
  readonly path: string;
  /** Name: Name of the operator. */
  readonly operatorName: string;
}

export interface CreateTvcOperatorResult {
  /** Wallet ID: UUID of the wallet. */
  readonly walletId: string;
  /** Operator ID: UUID of the operator. */
  readonly operatorId: string;
  /** Encryption key: Uncompressed P-256 point in hex. */
  readonly encryptPublicKey: string;
  /** Signing key: Uncompressed P-256 point in hex. */
  readonly signPublicKey: string;
}

export interface CreateTvcQuorumKeyParameters {
  /** Threshold: Number of shares that give the key: at least 2. */
  readonly threshold: number;
  /** Encryption keys: Encryption keys of the operators who get a share. */
  readonly operatorEncryptKeys: readonly string[];
}

export interface CreateTvcQuorumKeyResult {
  /** Quorum key ID: UUID of the quorum key. */
  readonly quorumKeyId: string;
  /**
   * Quorum key: Public key of the application: two uncompressed P-256 points in hex, for encryption and
   * signatures.
   */
  readonly quorumPublicKey: string;
  /** Share IDs: UUIDs of the shares, in the order of the operators. */
  readonly shareIds: readonly string[];
}

export interface DeleteTvcAppAndDeploymentsParameters {
  /** Application ID: UUID of the application. */
  readonly appId: string;
}

export interface DeleteTvcAppAndDeploymentsResult {
  /** Application ID: UUID of the application. */
  readonly appId: string;
}

export interface DeleteTvcDeploymentParameters {
  /** Deployment ID: UUID of the deployment. */
  readonly deploymentId: string;
}

export interface DeleteTvcDeploymentResult {
  /** Deployment ID: UUID of the deployment. */
  readonly deploymentId: string;
}

export interface PostTvcQuorumKeyShareParameters {
  /** Deployment ID: UUID of the deployment. */
  readonly deploymentId: string;
  /** Key of the enclave: Key of the enclave that decrypts the share: 130 bytes in hex. */
  readonly ephemeralPublicKeyHex: string;
  /** Share: The share and the approval of the operator. */
  readonly shareApprovalBundle: {
    /** Operator ID: UUID of the operator. */
    readonly operatorId: string;
    /** Encrypted share: Envelope that the enclave decrypts, in hex. */
    readonly reEncryptedShareHex: string;
    /** Signature: Signature of the operator over the manifest. */
    readonly signature: string;
  };
}

export interface PostTvcQuorumKeyShareResult {
  /** Share ID: UUID of the share for the deployment. */
  readonly provisioningShareId: string;
}

export interface RestoreTvcDeploymentParameters {
  /** Deployment ID: UUID of the deployment. */
  readonly deploymentId: string;
}

export interface RestoreTvcDeploymentResult {
  /** Deployment ID: UUID of the deployment. */
  readonly deploymentId: string;
}

export interface SetTvcAppLiveDeploymentParameters {
  /** Deployment ID: UUID of the deployment. */
  readonly deploymentId: string;
}

export type SetTvcAppLiveDeploymentResult = Readonly<Record<never, never>>;

export interface SetTvcDeploymentStatusParameters {
  /** Deployment ID: UUID of the deployment. */
  readonly deploymentId: string;
  /** Ready instances: Number of instances that serve. */
  readonly readyReplicas: number;
  /** Cleaned up: Whether the deployment was removed from its machines. */
  readonly cleanedUp?: boolean | undefined;
}

export interface SetTvcDeploymentStatusResult {
  /** Deployment ID: UUID of the deployment. */
  readonly deploymentId: string;
}

export interface CreateWebhookEndpointParameters {
  /** URL: HTTPS URL of a public host that receives deliveries; empty or absent: clients fetch them. */
  readonly url?: string | undefined;
  /** Name: Name of the endpoint. */
  readonly name: string;
  /** Format: Body format: the event, or a chat notice. Default: the event. */
  readonly bodyFormat?: 'WEBHOOK_FORMAT_EVENT' | 'WEBHOOK_FORMAT_SLACK' | 'WEBHOOK_FORMAT_TEAMS' | 'WEBHOOK_FORMAT_TELEGRAM' | undefined;
  /** Subscriptions: Which events are delivered. */
  readonly subscriptions?: readonly WebhookSubscription[] | undefined;
}

export interface CreateWebhookEndpointResult {
  /** Endpoint ID: UUID of the webhook endpoint. */
  readonly endpointId: string;
  /** Webhook endpoint: The webhook endpoint. */
  readonly webhookEndpoint: WebhookEndpoint;
}

export interface DeleteWebhookEndpointParameters {
  /** Endpoint ID: UUID of the webhook endpoint. */
  readonly endpointId: string;
}

export interface DeleteWebhookEndpointResult {
  /** Endpoint ID: UUID of the webhook endpoint. */
  readonly endpointId: string;
}

export interface RedeliverWebhookEventsParameters {
  /** Endpoint ID: UUID of the webhook endpoint. */
  readonly endpointId: string;
  /** Event IDs: IDs of the events to deliver again. */
  readonly eventIds?: readonly string[] | undefined;
  /** First number: First event to deliver again. */
  readonly firstSequence?: string | number | undefined;
  /** Last number: Last event to deliver again. */
  readonly lastSequence?: string | number | undefined;
}

export interface RedeliverWebhookEventsResult {
  /** Endpoint ID: UUID of the webhook endpoint. */
  readonly endpointId: string;
  /** Events: Number of events that will be delivered again. */
  readonly eventCount: string;
}

export interface RotateWebhookKeyParameters {
  /** Immediately: Whether the new key signs at once. Default: false. */
  readonly immediately?: boolean | undefined;
}

export interface RotateWebhookKeyResult {
  /** Signs from: Time from which the new key signs, in ISO 8601. */
  readonly signsFrom: string;
}

export interface UpdateWebhookEndpointParameters {
  /** Endpoint ID: UUID of the webhook endpoint. */
  readonly endpointId: string;
  /** URL: HTTPS URL of a public host that receives deliveries; empty or absent: clients fetch them. */
  readonly url?: string | undefined;
  /** Name: New name of the endpoint; absent: it stays. */
  readonly name?: string | undefined;
  /** Active: Whether it is in use. Default: true. */
  readonly isActive?: boolean | undefined;
}

export interface UpdateWebhookEndpointResult {
  /** Endpoint ID: UUID of the webhook endpoint. */
  readonly endpointId: string;
  /** Webhook endpoint: The webhook endpoint. */
  readonly webhookEndpoint: WebhookEndpoint;
}

export type WhoamiBody = Readonly<Record<never, never>>;

export interface WhoamiResponse {
  /** Organization ID: UUID of the organization that the resource belongs to. */
  readonly organizationId: string;
  /** Organization name: Name of the organization: a label for people. */
  readonly organizationName: string;
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** User name: Name of the user that the credential belongs to. */
  readonly username: string;
}

export interface ExplainActivityBody {
  /** Activity ID: UUID of the activity. */
  readonly activityId: string;
}

export interface ExplainActivityResponse {
  /** Activity ID: UUID of the activity. */
  readonly activityId: string;
  /** Status: State of the activity. */
  readonly status: ActivityStatus;
  /** Votes: Every vote, oldest first, including replaced ones. */
  readonly votes: readonly {
    /** Vote ID: UUID of the vote that was evaluated. */
    readonly voteId: string;
    /** User ID: UUID of the user. */
    readonly userId: string;
    /** User name: Name of the user: a label for people, 1 to 255 characters. */
    readonly userName?: string | undefined;
    /** Selection: Whether the vote approves or rejects. */
    readonly selection: 'VOTE_SELECTION_APPROVED' | 'VOTE_SELECTION_REJECTED';
    /** Created at: Time of the vote. */
    readonly createdAt: Timestamp;
    /** Replaced: Present if the user voted again later. */
    readonly replaced?: boolean | undefined;
    /** Counts: Whether the approval counts now; only while the activity waits. */
    readonly counts?: boolean | undefined;
    /**
     * Counts until: Time at which the approval is a day old and stops counting; only while the activity
     * waits.
     */
    readonly countsUntil?: Timestamp | undefined;
    /**
     * Decision: The recorded decision on this vote; names and effects of policies are the current ones.
     */
    readonly decision?: {
      /** Outcome: Outcome of the vote: allowed, waits, refused or rejected. */
      readonly outcome: 'ALLOW' | 'WAIT' | 'REFUSE' | 'REJECT';
      /** Reason: Stable code of the reason. */
      readonly reason: string;
      /** Message: The reason in one sentence. */
      readonly message: string;
      /** Voter IDs: UUIDs of the users whose approvals counted in the decision. */
      readonly voterIds: readonly string[];
      /**
       * Decided by parent: Present if the parent organization decided, whose policies are not listed.
       */
      readonly decidedByParent?: boolean | undefined;
      /** Policies: At most 100 policies; policies that applied, waited or failed come first. */
      readonly policies: readonly {
        /** Policy ID: UUID of the policy. */
        readonly policyId: string;
        /** Policy name: Name of the policy, unique within the organization. */
        readonly policyName?: string | undefined;
        /** Effect: Whether the policy allows or denies. */
        readonly effect?: 'EFFECT_ALLOW' | 'EFFECT_DENY' | undefined;
        /**
         * State: Whether the policy is unchanged since the decision, was or may have been edited, or is
         * deleted.
         */
        readonly state: 'AS_DECIDED' | 'EDITED_SINCE' | 'DELETED_SINCE';
        /** Outcome: Outcome of the policy. */
        readonly outcome: Outcome;
        /** Clauses: The clauses of the policy, as evaluated in the decision. */
        readonly clauses: readonly EvaluatedClause[];
      }[];
      /** Truncated: Present if there are further policies. */
      readonly truncated?: boolean | undefined;
    } | undefined;
  }[];
  /** Failure: Why the activity failed; absent if it did not. */
  readonly failure?: Failure | undefined;
  /** Now: Current state of the activity; only while it waits. */
  readonly now?: {
    /**
     * Decision: The decision on the valid approvals, computed for this answer from the current
     * policies, users and resources, without execution.
     */
    readonly decision?: {
      /** Outcome: Outcome of the vote: allowed, waits, refused or rejected. */
      readonly outcome: 'ALLOW' | 'WAIT' | 'REFUSE' | 'REJECT';
      /** Reason: Stable code of the reason. */
      readonly reason: string;
      /** Message: The reason in one sentence. */
      readonly message: string;
      /** Authenticators: Missing methods of users. */
      readonly authenticators?: readonly MfaStatus[] | undefined;
      /** Policies: At most 100 policies; policies that applied, waited or failed come first. */
      readonly policies: readonly EvaluatedPolicy[];
    } | undefined;
    /** Failure: Why the activity can no longer be executed: it can only be rejected. */
    readonly failure?: Failure | undefined;
    /** Voters: Users who may approve or reject now. */
    readonly voters: readonly {
      /** User ID: UUID of the user. */
      readonly userId: string;
      /** User name: Name of the user: a label for people, 1 to 255 characters. */
      readonly userName: string;
      /** Can approve: Whether the user may approve the activity now. */
      readonly canApprove: boolean;
      /** Can reject: Whether the user may reject the activity now. */
      readonly canReject: boolean;
      /**
       * Needed after: Approvals still needed after an approval of this user; 0 if that approval
       * completes the activity. Absent if unknown.
       */
      readonly neededAfter?: number | undefined;
    }[];
    /** Approvals: Counted and needed approvals; absent if the rule is not a plain count of users. */
    readonly approvals?: {
      /** Given: Number of approvals that count now. */
      readonly given: number;
      /** Needed: Number of approvals that the rule needs. */
      readonly needed: number;
    } | undefined;
    /**
     * Several needed: Present if no count is reported, and only further approvals of several users
     * complete the activity.
     */
    readonly severalNeeded?: boolean | undefined;
    /** Truncated: Present if not all users were examined. */
    readonly truncated?: boolean | undefined;
  } | undefined;
}

export interface GetActivityBody {
  /** Activity ID: UUID of the activity. */
  readonly activityId: string;
}

export interface GetActivityResponse {
  /** Activity: The activity. */
  readonly activity: Activity;
}

export interface GetPolicyEvaluationsBody {
  /** Activity ID: UUID of the activity. */
  readonly activityId: string;
}

export interface GetPolicyEvaluationsResponse {
  /** Evaluations: Outcomes of policies: one evaluation for each vote. */
  readonly policyEvaluations: readonly {
    /** Evaluation ID: UUID of the evaluation. */
    readonly id: string;
    /** Activity ID: UUID of the activity. */
    readonly activityId: string;
    /** Organization ID: UUID of the organization that the resource belongs to. */
    readonly organizationId: string;
    /** Vote ID: UUID of the vote that was evaluated. */
    readonly voteId: string;
    /** Outcomes: One outcome for each policy. */
    readonly policyEvaluations: readonly {
      /** Policy ID: UUID of the policy. */
      readonly policyId: string;
      /** Outcome: Outcome of the policy at this vote. */
      readonly outcome: Outcome;
    }[];
    /** Created at: Time of creation. */
    readonly createdAt: Timestamp;
  }[];
}

export interface ListActivitiesBody {
  /** Statuses: Returns only activities in these states; absent: all. */
  readonly filterByStatus?: readonly ActivityStatus[] | undefined;
  /** Types: Returns only activities of these types; absent: all. */
  readonly filterByType?: readonly string[] | undefined;
  /** User: Returns only activities that this user submitted or voted on: a UUID. */
  readonly filterByUser?: string | undefined;
  /**
   * Resource: Returns only activities whose parameters or result name this: an id or an address; of a
   * wallet also the addresses of its first 1,000 accounts.
   */
  readonly filterByResource?: string | undefined;
  /** Time: Returns only activities that were submitted in this time. */
  readonly filterByTime?: {
    /** Since: From this time on: milliseconds since 1970. */
    readonly sinceMs?: string | number | undefined;
    /** Until: Before this time: milliseconds since 1970. */
    readonly untilMs?: string | number | undefined;
  } | undefined;
  /**
   * Known activities: Activities that the caller has; the answer omits them unless their status has
   * changed.
   */
  readonly known?: readonly {
    /** Activity ID: UUID of the activity. */
    readonly activityId: string;
    /** Status: State in which the caller knows the activity. */
    readonly status: ActivityStatus;
  }[] | undefined;
  /** Page: Which part of the list to return. */
  readonly paginationOptions?: PaginationOptions | undefined;
}

export interface ListActivitiesResponse {
  /** Activities: Activities of the organization, newest first. */
  readonly activities: readonly Activity[];
  /** Truncated: Whether the page ends before its limit; continue from `nextCursor` or the last row. */
  readonly truncated?: boolean | undefined;
  /** Next cursor: Id to continue from instead of the last row, if the page ended before its limit. */
  readonly nextCursor?: string | undefined;
  /**
   * Archived segments: Archive segments with older activities, newest first, at most 10; on the last
   * page of the list.
   */
  readonly archivedSegments?: readonly {
    /** Segment: Number of the file in the archive, six digits or more. */
    readonly segment: string;
    /** First activity ID: UUID of the oldest activity of the organization in the segment. */
    readonly firstActivityId: string;
    /** Last activity ID: UUID of the newest activity of the organization in the segment. */
    readonly lastActivityId: string;
    /** Activity count: Decimal number of activities of the organization in the segment. */
    readonly activityCount: string;
  }[] | undefined;
}

export interface GetAttestationBody {
  /** Enclave type: Part of the service that is meant; one enclave is all of them. */
  readonly enclaveType: 'keywright' | 'signer' | 'ump' | 'notarizer' | 'evm-parser';
}

export interface GetAttestationResponse {
  /** Hardware document: Empty: no hardware vouches for this enclave. */
  readonly attestationDocument: string;
  /**
   * Software statement: Statement of the enclave about its program, with its signature. It is no
   * hardware attestation. Not part of the common interface.
   */
  readonly softwareStatement: SoftwareStatement;
}

export interface GetBootProofBody {
  /** Ephemeral key: Public key of the run of the enclave; hex. */
  readonly ephemeralKey: string;
}

export interface GetBootProofResponse {
  /** Boot proof: What a run of the enclave was started from. */
  readonly bootProof: BootProof;
}

export interface GetLatestBootProofBody {
  /** Application name: Name of the enclave application. */
  readonly appName?: string | undefined;
}

export interface GetLatestBootProofResponse {
  /** Boot proof: What a run of the enclave was started from. */
  readonly bootProof: BootProof;
}

export interface GetReceiptBody {
  /** Activity ID: UUID of the activity. */
  readonly activityId: string;
}

export interface GetReceiptResponse {
  /**
   * Receipt: Entry of the activity in the log, with its proof. A file that keywright verify receipt
   * checks without a network. Not part of the common interface.
   */
  readonly receipt: {
    /** Format: Form of the receipt. */
    readonly receiptFormat: string;
    /** Entry: Text that the log commits to. */
    readonly entry: string;
    /** Salt: Salt of the entry; base64. */
    readonly salt: string;
    /** Record: Sealed activity, with the signed text of each vote. */
    readonly record?: string | undefined;
    /** Proof: Proof that a checkpoint of the log has the entry, in the format tlog-proof. */
    readonly proof: string;
    /** Boot entry: Boot statement of the run that appended the entry, as the log has it. */
    readonly bootEntry?: string | undefined;
    /** Place of the boot entry: Proof that the checkpoint of `proof` has the boot entry. */
    readonly bootPlace?: string | undefined;
    /** Proof of the run: Proof of the entry in the tree that the run signed; tlog-proof. */
    readonly runProof?: string | undefined;
    /** Policy sets: Sets of the policies that decided. The record has their digests. */
    readonly policySets?: readonly string[] | undefined;
    /** Policy texts: Policies of the sets that have not changed since; JSON. */
    readonly policyTexts?: readonly string[] | undefined;
  };
}

export interface ListAppProofsBody {
  /** Activity ID: UUID of the activity. */
  readonly activityId: string;
}

export interface ListAppProofsResponse {
  /** App proofs: Proofs of the outcome of the activity, by the enclave. */
  readonly appProofs: readonly AppProof[];
}

export interface ListLogEntriesBody {
  /** Cursor: Cursor from the previous page. */
  readonly cursor?: string | undefined;
}

export interface ListLogEntriesResponse {
  /** Entries: Entries of the organization in the log, oldest first. */
  readonly entries: readonly {
    /** Index: Index in the log. */
    readonly index: number;
    /** Entry: Text that the log commits to. */
    readonly entry: string;
    /** Salt: Salt of the entry; base64. */
    readonly salt: string;
  }[];
  /** Next cursor: Cursor of the next page. Absent on the last page. */
  readonly nextCursor?: string | undefined;
  /** End: Proof of the last entry; only on the last page. */
  readonly end?: {
    /** State in the map: State of the organization in the map of the log, as text. */
    readonly mapState: string;
    /** Pages: Pages of the map from its root to the organization; base64. */
    readonly pages: readonly string[];
    /** Entry of the map: Text of the last entry of the log, which contains the root of the map. */
    readonly mapEntry: string;
    /** Proof: Proof that a checkpoint of the log has the entry, in the format tlog-proof. */
    readonly proof: string;
  } | undefined;
}

export type GetOrganizationBody = Readonly<Record<never, never>>;

export interface GetOrganizationResponse {
  /** Organization: The organization as it is now. */
  readonly organizationData: {
    /** Organization ID: UUID of the organization that the resource belongs to. */
    readonly organizationId: string;
    /** Name: Name of the organization: a label for people. */
    readonly name: string;
    /** Users: Users with their credentials. */
    readonly users: readonly User[];
    /** Policies: Policies of the organization. */
    readonly policies: readonly Policy[];
    /** Private keys: Private keys of the organization, without the keys. */
    readonly privateKeys: readonly PrivateKey[];
    /** Invitations: Whom the organization invites; an invitation opens nothing. */
    readonly invitations: readonly {
      /** Invitation ID: UUID of the invitation. */
      readonly invitationId: string;
      /** User name: Name of the person who is invited. */
      readonly receiverUserName: string;
      /** Email address: Email address of the person who is invited. */
      readonly receiverEmail: string;
      /** User tags: UUIDs of the user tags that the person will get. */
      readonly receiverUserTags: readonly string[];
      /** Access type: Stored and shown for clients, without effect. */
      readonly accessType: 'ACCESS_TYPE_WEB' | 'ACCESS_TYPE_API' | 'ACCESS_TYPE_ALL';
      /** Status: ACCEPTED once a user of the organization has shown to hold the email address. */
      readonly status: 'INVITATION_STATUS_CREATED' | 'INVITATION_STATUS_ACCEPTED';
      /** Created at: Time of creation. */
      readonly createdAt: Timestamp;
      /** Updated at: Time of the last change. */
      readonly updatedAt: Timestamp;
      /** Sender: UUID of the user who invites, who is the one that asks. */
      readonly senderUserId: string;
    }[];
    /** Tags: All tags of the organization, of users and of private keys. */
    readonly tags: readonly Tag[];
    /** Root quorum: The users who act as root together, and their threshold. */
    readonly rootQuorum: RootQuorum;
    /** Features: All features that are set, after the change. */
    readonly features: readonly Feature[];
    /** Wallets: All wallets of the organization. */
    readonly wallets: readonly Wallet[];
    /** Contract interfaces: Contract interfaces of the organization, without their texts. */
    readonly smartContractInterfaceReferences: readonly {
      /** Contract interface ID: UUID of the contract interface. */
      readonly smartContractInterfaceId: string;
      /**
       * Contract address: Ethereum address in any letter case, or base58 of the 32 bytes of a Solana
       * program. A description must name it as a deployment.
       */
      readonly smartContractAddress: string;
      /** Digest: SHA-256 of the text of the contract interface; hex. */
      readonly digest: string;
    }[];
  };
}

export type GetOrganizationConfigsBody = Readonly<Record<never, never>>;

export interface GetOrganizationConfigsResponse {
  /** Settings: Features and root quorum of the organization. */
  readonly configs: {
    /** Features: All features that are set, after the change. */
    readonly features: readonly Feature[];
    /** Root quorum: The users who act as root together, and their threshold. */
    readonly quorum: RootQuorum;
  };
}

export interface ListSuborgsBody {
  /** Filter type: Kind of value by which sub-organizations are found. */
  readonly filterType?: 'CREDENTIAL_ID' | 'NAME' | 'USERNAME' | 'EMAIL' | 'PHONE_NUMBER' | 'OIDC_TOKEN' | 'WALLET_ACCOUNT_ADDRESS' | 'PUBLIC_KEY' | undefined;
  /** Filter value: Value that the sub-organizations must have, compared exactly. */
  readonly filterValue?: string | undefined;
  /** Page: Which part of the list to return. */
  readonly paginationOptions?: PaginationOptions | undefined;
}

export interface ListSuborgsResponse {
  /** Organization IDs: UUIDs of the sub-organizations, oldest first. */
  readonly organizationIds: readonly string[];
  /**
   * Unverified organization IDs: The listed sub-organizations that were found by a contact that their
   * sign-up only stated.
   */
  readonly unverifiedOrganizationIds?: readonly string[] | undefined;
}

export interface ListVerifiedSuborgsBody {
  /** Filter type: Kind of value by which sub-organizations are found. */
  readonly filterType?: 'EMAIL' | 'PHONE_NUMBER' | undefined;
  /** Filter value: Value that the sub-organizations must have, compared exactly. */
  readonly filterValue?: string | undefined;
  /** Page: Which part of the list to return. */
  readonly paginationOptions?: PaginationOptions | undefined;
}

export interface ListVerifiedSuborgsResponse {
  /** Organization IDs: UUIDs of the sub-organizations, oldest first. */
  readonly organizationIds: readonly string[];
  /** Truncated: Whether the page ends before its limit; continue from `nextCursor` or the last row. */
  readonly truncated?: boolean | undefined;
  /** Next cursor: Id to continue from instead of the last row, if the page ended before its limit. */
  readonly nextCursor?: string | undefined;
}

export interface GetIpAllowlistBody {
  /** Public key: API key whose list is read, in hex; absent: the list of the whole organization. */
  readonly publicKey?: string | undefined;
}

export interface GetIpAllowlistResponse {
  /** IP allowlist: The list of the organization, or of the public key that was named. */
  readonly allowlist: {
    /** Organization ID: UUID of the organization that the resource belongs to. */
    readonly organizationId: string;
    /** Rules: Ranges of addresses from which requests are accepted. */
    readonly rules: readonly {
      /** CIDR range: Range of addresses in CIDR notation, for example 192.0.2.0/24. */
      readonly cidr: string;
      /** Label: Name of the range, for people. */
      readonly label?: string | undefined;
      /** Created at: Time at which the rule was added. */
      readonly createdAt: string;
    }[];
    /** Public key: API key that the list is for, in hex; absent: the whole organization. */
    readonly publicKey?: string | undefined;
    /** Enabled: True enforces the list; a list without rules then refuses every request. */
    readonly enabled?: boolean | undefined;
    /** On evaluation error: What to do with a request whose address cannot be read. Default: DENY. */
    readonly onEvaluationError: 'ALLOW' | 'DENY';
  };
}

export interface GetUserBody {
  /** User ID: UUID of the user. */
  readonly userId: string;
}

export interface GetUserResponse {
  /** User: The user, with all credentials. */
  readonly user: User;
}

export type ListUsersBody = Readonly<Record<never, never>>;

export interface ListUsersResponse {
  /** Users: Users with their credentials. */
  readonly users: readonly User[];
}

export type ListUserTagsBody = Readonly<Record<never, never>>;

export interface ListUserTagsResponse {
  /** User tags: All user tags of the organization. */
  readonly userTags: readonly Tag[];
}

export interface GetApiKeyBody {
  /** API key ID: UUID of the API key. */
  readonly apiKeyId: string;
}

export interface GetApiKeyResponse {
  /** API key: The API key. */
  readonly apiKey: ApiKey;
}

export interface GetApiKeysBody {
  /** User ID: UUID of the user. */
  readonly userId?: string | undefined;
}

export interface GetApiKeysResponse {
  /** API keys: API keys of the user; may be empty. */
  readonly apiKeys: readonly ApiKey[];
}

export interface GetAuthenticatorBody {
  /** Passkey ID: UUID of the passkey. */
  readonly authenticatorId: string;
}

export interface GetAuthenticatorResponse {
  /** Passkey: The passkey. */
  readonly authenticator: Authenticator;
}

export interface GetAuthenticatorsBody {
  /** User ID: UUID of the user. */
  readonly userId: string;
}

export interface GetAuthenticatorsResponse {
  /** Passkeys: All passkeys of the user. */
  readonly authenticators: readonly Authenticator[];
}

export interface GetOauthProvidersBody {
  /** User ID: UUID of the user. */
  readonly userId?: string | undefined;
}

export interface GetOauthProvidersResponse {
  /** OAuth identities: Accounts at identity providers: of the user, or of all users by default. */
  readonly oauthProviders: readonly OauthProvider[];
}

export interface GetOauth2CredentialBody {
  /** OAuth 2.0 client ID: UUID of the client at the provider. */
  readonly oauth2CredentialId: string;
}

export interface GetOauth2CredentialResponse {
  /** OAuth 2.0 client: Client of the organization at the provider. */
  readonly oauth2Credential: Oauth2Credential;
}

export type ListOauth2CredentialsBody = Readonly<Record<never, never>>;

export interface ListOauth2CredentialsResponse {
  /** OAuth 2.0 clients: Clients of the organization at providers. */
  readonly oauth2Credentials: readonly Oauth2Credential[];
}

export interface GetMfaPoliciesBody {
  /** User ID: UUID of the user. */
  readonly userId: string;
}

export interface GetMfaPoliciesResponse {
  /** MFA policies: MFA policies of the user, in their order. */
  readonly mfaPolicies: readonly MfaPolicy[];
}

export interface GetMfaPolicyBody {
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** MFA policy ID: UUID of the MFA policy. */
  readonly mfaPolicyId: string;
}

export interface GetMfaPolicyResponse {
  /** MFA policy: The MFA policy. */
  readonly mfaPolicy: MfaPolicy;
}

export interface GetMfaStatusBody {
  /** Activity ID: UUID of the activity. */
  readonly activityId: string;
  /** User ID: UUID of the user. */
  readonly userId?: string | undefined;
}

export interface GetMfaStatusResponse {
  /** MFA statuses: Satisfied and missing methods of users for the activity. */
  readonly mfaStatuses: readonly MfaStatus[];
}

export interface GetSessionProfileBody {
  /**
   * Session profile ID: UUID of the session profile that limits the session; absent: an unscoped
   * session.
   */
  readonly sessionProfileId: string;
}

export interface GetSessionProfileResponse {
  /** Session profile: The session profile. */
  readonly sessionProfile: SessionProfile;
}

export type GetSessionProfilesBody = Readonly<Record<never, never>>;

export interface GetSessionProfilesResponse {
  /**
   * Session profiles: All session profiles of the organization; of a sub-organization those of its
   * parent.
   */
  readonly sessionProfiles: readonly SessionProfile[];
}

export interface ListEmailEventsBody {
  /** Email address: Recipient of the mails, in any letter case. */
  readonly email: string;
  /** Event type: Returns only events of this type; absent: all. */
  readonly eventType?: 'Send' | 'DeliveryDelay' | 'Bounce' | 'Delivery' | 'Complaint' | undefined;
  /** Page: Which part of the list to return. */
  readonly paginationOptions?: PaginationOptions | undefined;
}

export interface ListEmailEventsResponse {
  /** Events: Outcomes of the mails, newest first. */
  readonly emailEvents: readonly {
    /** Event ID: UUID of the event. */
    readonly id: string;
    /** Organization ID: UUID of the organization that the resource belongs to. */
    readonly organizationId: string;
    /** Message ID: UUID of the mail; its Message-ID header begins with it. */
    readonly messageId: string;
    /**
     * Event type: Send: the mail server accepted the mail. DeliveryDelay: another attempt follows.
     * Bounce: it was not sent.
     */
    readonly eventType: string;
    /** Sender address: Address that the mail was sent from. */
    readonly fromAddress: string;
    /** Address: Recipient of the mail. */
    readonly toAddress: string;
    /** Sender tenant: Empty: the mail server has no tenants. */
    readonly senderTenant: string;
    /** Time: Time of the event: milliseconds since 1970. */
    readonly timestamp: string;
    /** Created at: The same: milliseconds since 1970. */
    readonly createdAt: string;
    /** Details: Why a mail was delayed or not sent; empty texts if there is no reason. */
    readonly details: {
      /**
       * Bounce type: Permanent: no attempt would succeed. Transient: later attempts may. Undetermined:
       * the service gave up the mail.
       */
      readonly bounceType: string;
      /** Bounce subtype: General or Undetermined. */
      readonly bounceSubType: string;
      /** Diagnostic: Code of the mail client with the status of the server, without its text. */
      readonly diagnosticCode: string;
      /** Response: Empty: the service does not store it. */
      readonly deliverySmtpResponse: string;
      /**
       * Delay type: General: the server refused for now. TransientCommunicationFailure: it was not
       * reached.
       */
      readonly deliveryDelayType: string;
      /** Complaint: Empty: the service receives no complaints. */
      readonly complaintFeedbackType: string;
    };
  }[];
}

export type GetAuthProxyConfigBody = Readonly<Record<never, never>>;

export interface GetAuthProxyConfigResponse {
  /** Configuration ID: UUID of the onboarding-proxy configuration. */
  readonly configId: string;
  /** User ID: UUID of the user. */
  readonly userId: string;
  /** Policy ID: UUID of the policy. */
  readonly policyId: string;
  /** Active: Whether the onboarding proxy is switched on. */
  readonly isActive: boolean;
  /** Settings: Settings of the onboarding proxy. */
  readonly settings: AuthProxySettings;
  /** Created at: Time of creation. */
  readonly createdAt: Timestamp;
  /** Updated at: Time of the last change. */
  readonly updatedAt: Timestamp;
}

export interface GetWalletBody {
  /** Wallet ID: UUID of the wallet. */
  readonly walletId: string;
}

export interface GetWalletResponse {
  /** Wallet: The wallet. */
  readonly wallet: Wallet;
}

export interface GetWalletAccountBody {
  /** Wallet ID: UUID of the wallet. */
  readonly walletId: string;
  /** Address: Address in the notation of its chain. */
  readonly address?: string | undefined;
  /** Derivation path: BIP-32 path of the account, for example m/44'/60'/0'/0/0. */
  readonly path?: string | undefined;
}

export interface GetWalletAccountResponse {
  /** Account: The wallet account. */
  readonly account: WalletAccount;
}

export interface ListWalletAccountsBody {
  /** Wallet ID: UUID of the wallet. */
  readonly walletId?: string | undefined;
  /** Include wallet details: Whether each account contains its wallet. Default: false. */
  readonly includeWalletDetails?: boolean | undefined;
  /** Page: Which part of the list to return. */
  readonly paginationOptions?: PaginationOptions | undefined;
}

export interface ListWalletAccountsResponse {
  /** Accounts: Wallet accounts; may be empty. */
  readonly accounts: readonly WalletAccount[];
}

export type ListWalletsBody = Readonly<Record<never, never>>;

export interface ListWalletsResponse {
  /** Wallets: All wallets of the organization. */
  readonly wallets: readonly Wallet[];
}

export type GetServiceHealthBody = Readonly<Record<never, never>>;

export interface GetServiceHealthResponse {
  /** Chains: Chains that the operator configured. */
  readonly chains: readonly {
    /** Chain: CAIP-2 name of a chain that the operator configured, for example eip155:1. */
    readonly caip2: string;
    /** State of the node: Whether a node of the chain answers within three seconds. */
    readonly nodeState: 'ANSWERS' | 'SILENT';
  }[];
  /**
   * Last backup: Time of the last backup of this node. Absent for other callers than the root quorum of
   * an organization without a parent.
   */
  readonly lastBackupAt?: Timestamp | undefined;
}

export interface GetNoncesBody {
  /** Address: Address in the notation of its chain. */
  readonly address: string;
  /** Chain: CAIP-2 name of a chain that the operator configured, for example eip155:1. */
  readonly caip2: string;
  /** Nonce: Whether to return the nonce of the account. Default: false. */
  readonly nonce?: boolean | undefined;
  /**
   * Gas station nonce: Whether to return the nonce of the account at the gas station. Default: false.
   */
  readonly gasStationNonce?: boolean | undefined;
}

export interface GetNoncesResponse {
  /** Nonce: Next nonce of the account, as a decimal string. */
  readonly nonce?: string | undefined;
  /**
   * Gas station nonce: Whether to return the nonce of the account at the gas station. Default: false.
   */
  readonly gasStationNonce?: string | undefined;
}

export interface GetWalletAddressBalancesBody {
  /** Address: Address in the notation of its chain. */
  readonly address: string;
  /** Chain: CAIP-2 name of a chain that the operator configured, for example eip155:1. */
  readonly caip2: string;
}

export interface GetWalletAddressBalancesResponse {
  /** Balances: Balances of the address, one for each asset. */
  readonly balances: readonly {
    /** Asset: CAIP-19 name of the asset. */
    readonly caip19: string;
    /** Symbol: Symbol of the asset, for example ETH. */
    readonly symbol: string;
    /** Name: Name of the asset. */
    readonly name: string;
    /** Decimals: Decimal places of the asset. */
    readonly decimals: number;
    /** Balance: Balance in the smallest unit of the asset, as a decimal string. */
    readonly balance: string;
    /** Display: Balance for people. */
    readonly display: DisplayedAmount;
    /** Token program: Always empty: the service does not report the program of a Solana token. */
    readonly tokenProgram: string;
  }[];
}

export interface ListSupportedAssetsBody {
  /** Chain: CAIP-2 name of a chain that the operator configured, for example eip155:1. */
  readonly caip2: string;
}

export interface ListSupportedAssetsResponse {
  /** Assets: Assets of the chain that the operator configured. */
  readonly assets: readonly {
    /** Asset: CAIP-19 name of the asset. */
    readonly caip19: string;
    /** Symbol: Symbol of the asset, for example ETH. */
    readonly symbol: string;
    /** Name: Name of the asset. */
    readonly name: string;
    /** Decimals: Decimal places of the asset. */
    readonly decimals: number;
    /** Logo URL: Empty: the service has no logos. */
    readonly logoUrl: string;
    /** Protocols of vaults: Protocols behind the configured vaults that take the token. */
    readonly earnProviders: readonly ('EARN_PROVIDER_UNSPECIFIED' | 'EARN_PROVIDER_MORPHO' | 'EARN_PROVIDER_AAVE' | 'EARN_PROVIDER_KAMINO')[];
  }[];
}

export interface ListEthTransactionHistoryBody {
  /** Address: Address of a wallet account. */
  readonly address: string;
  /** Chain: CAIP-2 name of a chain that the operator configured, for example eip155:1. */
  readonly caip2: string;
  /** Page: Which part of the list to return. */
  readonly paginationOptions?: PaginationOptions | undefined;
}

export interface ListEthTransactionHistoryResponse {
  /** Transactions: Transactions of the address, newest first. */
  readonly transactions: readonly {
    /** Hash: Hash of the transaction: 0x and 64 hex digits. */
    readonly transactionHash: string;
    /** From: Address that sent the transaction. */
    readonly from: string;
    /** To: Address that was paid or called; absent if the transaction created a contract. */
    readonly to?: string | undefined;
    /** Block: Block that the transaction is in. */
    readonly block: {
      /** Number: Number of the block, on Solana its slot: decimal. */
      readonly number: string;
      /** Hash: Hash of the block. */
      readonly hash: string;
      /** Time: Time of the block in ISO 8601. */
      readonly timestamp: string;
    };
    /** Status: CONFIRMED: in a block that may still be replaced. FINALIZED: in a final block. */
    readonly status: 'CONFIRMED' | 'FINALIZED';
    /** Origin: TURNKEY: the organization sent it through this service. EXTERNAL: all others. */
    readonly origin: string;
    /** Execution failed: True if only the fee was paid; otherwise absent. */
    readonly executionFailed?: boolean | undefined;
    /** Fee: Fee that the sender or fee payer paid. */
    readonly fee: {
      /** Amount: Fee in the smallest unit of the coin: decimal. */
      readonly amount: string;
      /** Asset: CAIP-19 name of the coin; empty if the chain has none. */
      readonly caip19: string;
    };
    /** Transfers: Transfers to and from the address, one for each asset and direction. */
    readonly transfers: readonly HistoryTransfer[];
    /** Sending: Details of a transaction that the organization sent. */
    readonly turnkey?: {
      /** Sponsored: True if a sponsor paid the fee. */
      readonly sponsored: boolean;
      /** Fingerprint: Fingerprint of the activity that sent it. */
      readonly activityFingerprint?: string | undefined;
      /** Sent at: Time when it was signed to be sent, in ISO 8601. */
      readonly submittedAt?: string | undefined;
    } | undefined;
  }[];
  /** Page: Where the page lies in the list. */
  readonly pageInfo: PageInfo;
}

export interface ListSolTransactionHistoryBody {
  /** Address: Address of a wallet account. */
  readonly address: string;
  /** Chain: CAIP-2 name of a chain that the operator configured, for example eip155:1. */
  readonly caip2: string;
  /** Page: Which part of the list to return. */
  readonly paginationOptions?: PaginationOptions | undefined;
}

export interface ListSolTransactionHistoryResponse {
  /** Transactions: Transactions of the address, newest first. */
  readonly transactions: readonly {
    /** Signature: First signature of the transaction, its name: base58. */
    readonly signature: string;
    /** Fee payer: Address that paid the fee: the first signer. */
    readonly feePayer: string;
    /** Signers: Addresses that signed, in the order of the transaction. */
    readonly signers: readonly {
      /** Address: Address of the signer. */
      readonly address: string;
      /** Writable: Whether the transaction could change the account. */
      readonly writable: boolean;
    }[];
    /** Block: Block that the transaction is in. */
    readonly block: {
      /** Number: Number of the block, on Solana its slot: decimal. */
      readonly number: string;
      /** Hash: Hash of the block. */
      readonly hash: string;
      /** Time: Time of the block in ISO 8601. */
      readonly timestamp: string;
    };
    /** Status: CONFIRMED: in a block that may still be replaced. FINALIZED: in a final block. */
    readonly status: 'CONFIRMED' | 'FINALIZED';
    /** Origin: TURNKEY: the organization sent it through this service. EXTERNAL: all others. */
    readonly origin: string;
    /** Execution failed: True if only the fee was paid; otherwise absent. */
    readonly executionFailed?: boolean | undefined;
    /** Fee: Fee that the sender or fee payer paid. */
    readonly fee: {
      /** Amount: Fee in the smallest unit of the coin: decimal. */
      readonly amount: string;
      /** Asset: CAIP-19 name of the coin; empty if the chain has none. */
      readonly caip19: string;
    };
    /** Transfers: Transfers to and from the address, one for each asset and direction. */
    readonly transfers: readonly HistoryTransfer[];
    /** Sending: Details of a transaction that the organization sent. */
    readonly turnkey?: {
      /** Sponsored: True if a sponsor paid the fee. */
      readonly sponsored: boolean;
      /** Fingerprint: Fingerprint of the activity that sent it. */
      readonly activityFingerprint?: string | undefined;
      /** Sent at: Time when it was signed to be sent, in ISO 8601. */
      readonly submittedAt?: string | undefined;
    } | undefined;
  }[];
  /** Page: Where the page lies in the list. */
  readonly pageInfo: PageInfo;
}

export interface GetPrivateKeyBody {
  /** Private key ID: UUID of the private key. */
  readonly privateKeyId: string;
}

export interface GetPrivateKeyResponse {
  /** Private key: Record of the private key, without the key. */
  readonly privateKey: PrivateKey;
}

export type ListPrivateKeysBody = Readonly<Record<never, never>>;

export interface ListPrivateKeysResponse {
  /** Private keys: Private keys of the organization, without the keys. */
  readonly privateKeys: readonly PrivateKey[];
}

export interface ListSecretsBody {
  /** Page: Which part of the list to return. */
  readonly paginationOptions?: PaginationOptions | undefined;
}

export interface ListSecretsResponse {
  /** Secrets: Secrets: short texts that the service stores for the organization. */
  readonly secrets: readonly {
    /** Secret ID: UUID of the secret. */
    readonly secretId: string;
    /** Name: Name of the secret, unique within the organization. */
    readonly name?: string | undefined;
    /** Properties: Names and values that policies can read. */
    readonly staticProperties: readonly {
      /** Name: Name of the property. */
      readonly key: string;
      /** Value: Value of the property. */
      readonly value: string;
    }[];
    /** Created at: Time of creation: milliseconds since 1970, as a string. */
    readonly createdAtUnixMs: string;
  }[];
}

export type ListPrivateKeyTagsBody = Readonly<Record<never, never>>;

export interface ListPrivateKeyTagsResponse {
  /** Private key tags: All private key tags of the organization. */
  readonly privateKeyTags: readonly Tag[];
}

export type GetActivePoliciesBody = Readonly<Record<never, never>>;

export interface GetActivePoliciesResponse {
  /** Statuses: One status for each policy of the organization, oldest first. */
  readonly statuses: readonly {
    /** Organization ID: UUID of the organization that the resource belongs to. */
    readonly organizationId: string;
    /** Policy ID: UUID of the policy. */
    readonly policyId: string;
    /** Active: Whether the policy is in force now. */
    readonly active: boolean;
    /** Time: The `time` clause of the policy; absent: the policy is always in force. */
    readonly timeExpr?: string | undefined;
    /** Error: Why the `time` clause has no value; a DENY then still refuses. */
    readonly error?: string | undefined;
  }[];
  /** Evaluated at: Time by the clock of the service: milliseconds since 1970, a decimal string. */
  readonly evaluatedAtMs: string;
}

export interface GetPolicyBody {
  /** Policy ID: UUID of the policy. */
  readonly policyId: string;
}

export interface GetPolicyResponse {
  /** Policy: The policy. */
  readonly policy: Policy;
}

export type GetPolicySettingsBody = Readonly<Record<never, never>>;

export interface GetPolicySettingsResponse {
  /** Policy settings: How policies of the organization are evaluated. */
  readonly policySettings: {
    /**
     * Failed deny: What a DENY policy does when a clause fails: it refuses (the default) or is skipped.
     */
    readonly failedDeny: 'FAILED_DENY_REFUSES' | 'FAILED_DENY_SKIPPED';
  };
}

export type GetPolicyWarningsBody = Readonly<Record<never, never>>;

export interface GetPolicyWarningsResponse {
  /** Warnings: Probable mistakes in policies, for their authors. */
  readonly warnings: readonly {
    /** Policy ID: UUID of the policy. */
    readonly policyId: string;
    /** Policy name: Name of the policy, unique within the organization. */
    readonly policyName: string;
    /** Code: Stable code of the warning. */
    readonly code: string;
    /** Clause: Clause with the probable mistake. */
    readonly clause: 'condition' | 'consensus' | 'time';
    /** Position: Offset in the clause, in bytes of its UTF-8, from 0. */
    readonly position: number;
    /** Message: The probable mistake, and its correction. */
    readonly message: string;
  }[];
}

export type ListPoliciesBody = Readonly<Record<never, never>>;

export interface ListPoliciesResponse {
  /** Policies: Policies of the organization. */
  readonly policies: readonly Policy[];
}

export interface SimulatePoliciesBody {
  /**
   * Changes: Changes of the current policies, applied in order; each has one of `create`, `update`,
   * `delete`.
   */
  readonly changes: readonly {
    /** Create: A policy to create. */
    readonly create?: PolicyParams | undefined;
    /** Update: Changes of a policy. */
    readonly update?: {
      /** Policy ID: UUID of the policy. */
      readonly policyId: string;
      /** Policy name: Name of the policy, unique within the organization. */
      readonly policyName?: string | undefined;
      /** Effect: Whether the policy allows or denies; absent: unchanged. */
      readonly policyEffect?: 'EFFECT_ALLOW' | 'EFFECT_DENY' | undefined;
      /** Condition: Activities to which the policy applies; absent: unchanged. */
      readonly policyCondition?: string | undefined;
      /** Consensus: Whose approval the policy requires; absent: unchanged. */
      readonly policyConsensus?: string | undefined;
      /** Notes: Notes for people; absent: unchanged. */
      readonly policyNotes?: string | undefined;
      /** Time: When the policy is in force; absent: unchanged; empty: always. */
      readonly time?: string | undefined;
    } | undefined;
    /** Delete: A policy to delete. */
    readonly delete?: {
      /** Policy ID: UUID of the policy. */
      readonly policyId: string;
    } | undefined;
  }[];
  /** Only flips: Returns only decisions whose outcome would change; absent: all. */
  readonly onlyFlips?: boolean | undefined;
  /** Statuses: Returns only activities in these states; absent: all. */
  readonly filterByStatus?: readonly ActivityStatus[] | undefined;
  /** Types: Returns only activities of these types; absent: all. */
  readonly filterByType?: readonly string[] | undefined;
  /** User: Returns only activities that this user submitted or voted on: a UUID. */
  readonly filterByUser?: string | undefined;
  /**
   * Resource: Returns only activities whose parameters or result name this: an id or an address; of a
   * wallet also the addresses of its first 1,000 accounts.
   */
  readonly filterByResource?: string | undefined;
  /** Time: Returns only activities that were submitted in this time. */
  readonly filterByTime?: {
    /** Since: From this time on: milliseconds since 1970. */
    readonly sinceMs?: string | number | undefined;
    /** Until: Before this time: milliseconds since 1970. */
    readonly untilMs?: string | number | undefined;
  } | undefined;
  /** After: Cursor of the page: the `nextCursor` of the page before. */
  readonly after?: string | undefined;
  /** Limit: Activities to decide on: 1 to 100. Default: 10. */
  readonly limit?: string | number | undefined;
}

export interface SimulatePoliciesResponse {
  /** Decisions: One decision for each activity, newest first. */
  readonly decisions: readonly {
    /** Activity ID: UUID of the activity. */
    readonly activityId: string;
    /** Type: Activity type that was submitted. */
    readonly type: string;
    /** Was: Recorded outcome of the votes. */
    readonly was?: 'ALLOW' | 'WAIT' | 'REFUSE' | 'REJECT' | undefined;
    /**
     * Would be: Outcome of the same votes under the changed policies, with the current root quorum,
     * settings and further voters; absent if unknown.
     */
    readonly wouldBe?: 'ALLOW' | 'WAIT' | 'REFUSE' | 'REJECT' | undefined;
    /** Flips: Whether the outcome would change. */
    readonly flips: boolean;
    /** Reason: Stable code of the reason of the new outcome. */
    readonly reason?: string | undefined;
    /** Message: The reason, or the obstacle, in one sentence. */
    readonly message?: string | undefined;
    /** Obstacle: Why the activity cannot be decided again. */
    readonly obstacle?: 'NOT_RECORDED' | 'BY_PARENT' | 'VOTE_REPLACED' | 'VOTER_UNKNOWN' | 'QUORUM_CHANGED' | 'AUTHENTICATORS_UNKNOWN' | 'REQUEST_GONE' | 'FACTS_GONE' | 'FACTS_CHANGED' | 'FACTS_ELSEWHERE' | 'LIMITS_NOT_KEPT' | undefined;
    /**
     * Policies: At most 20 policies that applied, waited or failed; a created one has an id only for
     * this answer.
     */
    readonly policies: readonly EvaluatedPolicy[];
  }[];
  /** Decided: Activities of the page that were decided again. */
  readonly decided: number;
  /** Flipped: Activities of the page whose outcome would change. */
  readonly flipped: number;
  /** Undecided: Activities of the page that have an obstacle. */
  readonly undecided: number;
  /** Next cursor: Id to continue from instead of the last row, if the page ended before its limit. */
  readonly nextCursor?: string | undefined;
}

export interface GetVelocityControlBody {
  /** Velocity control ID: UUID of the velocity control. */
  readonly velocityControlId: string;
}

export interface GetVelocityControlResponse {
  /** Velocity control: The velocity control. */
  readonly velocityControl: VelocityControl;
}

export interface ListVelocityControlsBody {
  /** Page: Which part of the list to return. */
  readonly paginationOptions?: PaginationOptions | undefined;
}

export interface ListVelocityControlsResponse {
  /** Velocity controls: Velocity controls of the organization, oldest first. */
  readonly velocityControls: readonly VelocityControl[];
  /** Page: Where the page lies in the list. */
  readonly pageInfo: PageInfo;
}

export type ListVelocityUsageBody = Readonly<Record<never, never>>;

export interface ListVelocityUsageResponse {
  /** Usages: Counted amounts, by control. */
  readonly usages: readonly {
    /** Velocity control ID: UUID of the velocity control. */
    readonly velocityControlId: string;
    /** Group ID: UUID of the user, wallet or private key; empty: the organization. */
    readonly groupId: string;
    /** Used: Amount that counts now, as a decimal string. */
    readonly used: string;
    /** Threshold: Threshold of the control, as a decimal string. */
    readonly threshold: string;
  }[];
}

export type ListAddressLabelsBody = Readonly<Record<never, never>>;

export interface ListAddressLabelsResponse {
  /** Address labels: Labels of the address book, oldest first. */
  readonly addressLabels: readonly {
    /** Address label ID: UUID of the address label. */
    readonly addressLabelId: string;
    /** Label: Name under which policies read the addresses. */
    readonly label: string;
    /** Addresses: Addresses with optional names, each address once in a label. */
    readonly addresses: readonly {
      /** Address: Address in the notation of its chain. */
      readonly address: string;
      /** Name: Name that people read in approvals. */
      readonly name?: string | undefined;
    }[];
    /** Created at: Time of creation. */
    readonly createdAt: Timestamp;
    /** Updated at: Time of the last change. */
    readonly updatedAt: Timestamp;
  }[];
}

export interface ListFreezesBody {
  /** Page: Which part of the list to return. */
  readonly paginationOptions?: PaginationOptions | undefined;
}

export interface ListFreezesResponse {
  /** Freezes: Freezes of the organization, oldest first. */
  readonly freezes: readonly {
    /** Freeze ID: UUID of the freeze. */
    readonly freezeId: string;
    /** Type: Type of the frozen subject. */
    readonly type: FreezeType;
    /**
     * Resource ID: UUID of the wallet, private key, user or sub-organization. Absent for other types.
     */
    readonly resourceId?: string | undefined;
    /** Reason: Reason in free text. */
    readonly reason?: string | undefined;
    /** User ID: UUID of the user who submitted the freeze. */
    readonly userId: string;
    /** Created at: Time of creation. */
    readonly createdAt: Timestamp;
  }[];
}

export type GetOrganizationKeyBody = Readonly<Record<never, never>>;

export interface GetOrganizationKeyResponse {
  /**
   * Organization key: The organization's own key, used in addition to the root key. Absent if there is
   * no such key.
   */
  readonly organizationKey?: {
    /** Organization key ID: UUID of the organization key. */
    readonly organizationKeyId: string;
    /** Seals: Number of times that the organization was sealed; decimal. */
    readonly sealCount: string;
    /** Holders: Holders of the key, oldest first. Each of them can unseal the organization. */
    readonly holders: readonly {
      /** Holder ID: UUID of a holder of the organization key. */
      readonly holderId: string;
      /** Holder name: Name of the holder. */
      readonly holderName: string;
      /** Type: Source of the secret of the holder. */
      readonly type: 'KEY_HOLDER_TYPE_PASSPHRASE' | 'KEY_HOLDER_TYPE_PASSKEY';
      /**
       * Derivation: Public parameters from which a client derives the secret of 32 bytes. For a
       * passphrase: scrypt in PHC form, `$scrypt$ln=17,r=8,p=1$SALT`.
       */
      readonly derivation: string;
      /** Created at: Time of creation. */
      readonly createdAt: Timestamp;
    }[];
    /** Created at: Time of creation. */
    readonly createdAt: Timestamp;
  } | undefined;
  /**
   * Sealed: True if the answering enclave cannot use the wallets and private keys of the organization.
   */
  readonly isSealed: boolean;
}

export interface GetSmartContractInterfaceBody {
  /** Contract interface ID: UUID of the contract interface. */
  readonly smartContractInterfaceId: string;
}

export interface GetSmartContractInterfaceResponse {
  /**
   * Contract interface: JSON: a Solidity ABI, an Anchor IDL with `instructions`, or a description
   * (ERC-7730).
   */
  readonly smartContractInterface: SmartContractInterface;
}

export type ListSmartContractInterfacesBody = Readonly<Record<never, never>>;

export interface ListSmartContractInterfacesResponse {
  /** Contract interfaces: All contract interfaces of the organization. */
  readonly smartContractInterfaces: readonly SmartContractInterface[];
}

export type GetGasUsageBody = Readonly<Record<never, never>>;

export interface GetGasUsageResponse {
  /** Window: Length of the window in minutes: 1 to 43200. */
  readonly windowDurationMinutes: number;
  /** Limit: Maximum sponsored fees in a window, in US dollars. */
  readonly windowLimitUsd: string;
  /** Usage: US dollars of sponsored fees in the window until now. */
  readonly usageUsd: string;
}

export interface GetSendTransactionStatusBody {
  /** Status ID: UUID to query the status of the transaction. */
  readonly sendTransactionStatusId: string;
}

export interface GetSendTransactionStatusResponse {
  /**
   * Status: INITIALIZED: signed and stored. BROADCASTING: a node has it. INCLUDED: in a block. FAILED:
   * it can never land.
   */
  readonly txStatus: 'INITIALIZED' | 'BROADCASTING' | 'INCLUDED' | 'FAILED';
  /** Ethereum: The state of a transaction of Ethereum. */
  readonly eth?: {
    /** Hash: Hash of the transaction: 0x and 64 hex digits. */
    readonly txHash: string;
  } | undefined;
  /** Solana: The state of a transaction of Solana. */
  readonly solana?: {
    /** Signature: First signature of the transaction, its name: base58. */
    readonly signature: string;
  } | undefined;
  /** Error: Reason of the failure, or outcome of the execution. */
  readonly txError?: string | undefined;
  /** Error: The same with its parts. */
  readonly error?: {
    /** Message: Reason of the failure, or outcome of the execution. */
    readonly message: string;
    /** Reverts: Calls that reverted, the outermost first. */
    readonly revertChain?: readonly {
      /** Contract: Address of the contract that refused. */
      readonly address: string;
      /**
       * Error type: Whether it is an error of Solidity (native), of an interface (custom) or neither
       * (unknown).
       */
      readonly errorType: 'native' | 'custom' | 'unknown';
      /** Message: The refusal as a sentence. */
      readonly displayMessage: string;
      /** Native error: What Solidity itself refuses with. */
      readonly native?: {
        /** Native type: Which of the errors of Solidity it is. */
        readonly nativeType: 'error_string' | 'panic' | 'execution_reverted';
        /** Message: Text that the contract returned. */
        readonly message: string;
        /** Panic code: Code of a panic: hex with 0x. */
        readonly panicCode?: string | undefined;
      } | undefined;
      /** Unknown error: What the contract returned. */
      readonly unknown?: {
        /** Selector: First four bytes of what it returned: hex with 0x. */
        readonly selector: string;
        /** Data: What it returned: hex with 0x, cut off when long. */
        readonly data: string;
      } | undefined;
    }[] | undefined;
    /** Ethereum: What contracts refused with. */
    readonly eth?: {
      /** Reverts: Calls that reverted, the outermost first. */
      readonly revertChain: readonly {
        /** Contract: Address of the contract that refused. */
        readonly address: string;
        /**
         * Error type: Whether it is an error of Solidity (native), of an interface (custom) or neither
         * (unknown).
         */
        readonly errorType: 'native' | 'custom' | 'unknown';
        /** Message: The refusal as a sentence. */
        readonly displayMessage: string;
        /** Native error: What Solidity itself refuses with. */
        readonly native?: {
          /** Native type: Which of the errors of Solidity it is. */
          readonly nativeType: 'error_string' | 'panic' | 'execution_reverted';
          /** Message: Text that the contract returned. */
          readonly message: string;
          /** Panic code: Code of a panic: hex with 0x. */
          readonly panicCode?: string | undefined;
        } | undefined;
        /** Unknown error: What the contract returned. */
        readonly unknown?: {
          /** Selector: First four bytes of what it returned: hex with 0x. */
          readonly selector: string;
          /** Data: What it returned: hex with 0x, cut off when long. */
          readonly data: string;
        } | undefined;
      }[];
    } | undefined;
    /** Solana: How a transaction of Solana failed. */
    readonly solana?: {
      /** Source: Where it failed: execution, in a block. */
      readonly source: string;
      /** Transaction error: Error that the node reports, as JSON. */
      readonly transactionErrorJson?: string | undefined;
      /** Logs: What programs logged, cut off when long. */
      readonly logs?: readonly string[] | undefined;
      /** Units consumed: Compute units that it used: decimal. */
      readonly unitsConsumed?: string | undefined;
      /** Inner instructions: What programs called, as JSON; absent when long. */
      readonly innerInstructionsJson?: string | undefined;
    } | undefined;
  } | undefined;
}

export interface GetEarnClaimRewardsStatusBody {
  /** Claim ID: UUID to query the status of the claim. */
  readonly claimRequestId: string;
}

export interface GetEarnClaimRewardsStatusResponse {
  /**
   * Status: PENDING: not in a block yet. COMPLETED: in a block. FAILED: it failed, or can never land.
   */
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  /** Hash: Hash of the transaction with the claim: 0x and 64 hex digits. */
  readonly claimTxHash: string;
  /** Error: Why it failed. */
  readonly error?: string | undefined;
}

export interface GetEarnDeployStatusBody {
  /** Request ID: UUID of the request. */
  readonly deployRequestId: string;
}

export interface GetEarnDeployStatusResponse {
  /** Status: Always COMPLETED. */
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  /** Hash: Absent: nothing is deployed. */
  readonly deployTxHash?: string | undefined;
}

export interface GetEarnDepositStatusBody {
  /** Deposit ID: UUID to query the status of the deposit. */
  readonly depositRequestId: string;
}

export interface GetEarnDepositStatusResponse {
  /**
   * Status: PENDING: not in a block yet. COMPLETED: in a block. FAILED: it failed, or can never land.
   */
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  /** Hash: Hash of the transaction with the deposit: 0x and 64 hex digits. */
  readonly depositTxHash: string;
  /** Error: Why it failed. */
  readonly error?: string | undefined;
}

export interface GetEarnWithdrawStatusBody {
  /** Withdrawal ID: UUID to query the status of the withdrawal. */
  readonly withdrawRequestId: string;
}

export interface GetEarnWithdrawStatusResponse {
  /**
   * Status: PENDING: not in a block yet. COMPLETED: in a block. FAILED: it failed, or can never land.
   */
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  /** Hash: Hash of the transaction with the withdrawal: 0x and 64 hex digits. */
  readonly withdrawTxHash: string;
  /** Error: Why it failed. */
  readonly error?: string | undefined;
}

export interface ListEarnEnabledVaultsBody {
  /** Protocol: Protocol behind the vaults. Default: any. */
  readonly provider?: 'EARN_PROVIDER_UNSPECIFIED' | 'EARN_PROVIDER_MORPHO' | 'EARN_PROVIDER_AAVE' | 'EARN_PROVIDER_KAMINO' | undefined;
  /** Token: CAIP-19 name of the token that the vaults take. Default: any. */
  readonly caip19?: string | undefined;
  /** With markets: Has no effect: the markets of a vault are not known. */
  readonly includeExposure?: boolean | undefined;
}

export interface ListEarnEnabledVaultsResponse {
  /** Vaults: Vaults that the operator configured. */
  readonly enabledVaults: readonly {
    /** Vault: Address of the vault. */
    readonly vaultAddress: string;
    /** Protocol: Protocol behind the vault; EARN_PROVIDER_UNSPECIFIED: not named. */
    readonly provider: 'EARN_PROVIDER_UNSPECIFIED' | 'EARN_PROVIDER_MORPHO' | 'EARN_PROVIDER_AAVE' | 'EARN_PROVIDER_KAMINO';
    /** Asset: CAIP-19 name of the asset. */
    readonly caip19: string;
    /** Display: Balance for people. */
    readonly display: DisplayedAmount;
    /** Name: Name of the vault, as the operator wrote it. */
    readonly name: string;
    /** Curator: Who manages the vault, as the operator wrote it; empty: not named. */
    readonly curator: string;
    /** Yield: Empty: the service knows no yield of a vault. */
    readonly apyPct: string;
    /** Liquidity: Empty: the vault does not report it. */
    readonly liquidity: string;
    /** Further liquidity: Empty: the vault does not report it. */
    readonly forceDeallocatableLiquidity: string;
    /** Target: Address that deposits go to: the vault itself. */
    readonly wrapperAddress: string;
    /** Total: Tokens that the vault manages, in the smallest unit: decimal. */
    readonly totalDeposited: string;
    /** Fee: Always 0: no wrapper charges a fee. */
    readonly clientFeeBps: string;
    /** Deposits disabled: Whether the organization or its parent refuses deposits. */
    readonly depositsDisabled: boolean;
    /** Deployment: Always COMPLETED: a configured vault needs no deployment. */
    readonly deployStatus: string;
    /** Deployment ID: Empty: a configured vault needs no deployment. */
    readonly deployRequestId: string;
    /** Deployment error: Empty: a configured vault needs no deployment. */
    readonly deployError: string;
    /** Net yield: Empty: the service knows no yield of a vault. */
    readonly netApyPct: string;
  }[];
}

export interface ListEarnPositionsBody {
  /** Address: Address of Ethereum whose positions are listed. */
  readonly walletAddress: string;
}

export interface ListEarnPositionsResponse {
  /** Positions: Vaults in which the address has shares. */
  readonly positions: readonly {
    /** Vault: Address of the vault. */
    readonly vaultAddress: string;
    /** Target: Address that deposits go to: the vault itself. */
    readonly wrapperAddress: string;
    /** Protocol: Protocol behind the vault; EARN_PROVIDER_UNSPECIFIED: not named. */
    readonly provider: 'EARN_PROVIDER_UNSPECIFIED' | 'EARN_PROVIDER_MORPHO' | 'EARN_PROVIDER_AAVE' | 'EARN_PROVIDER_KAMINO';
    /** Asset: CAIP-19 name of the asset. */
    readonly caip19: string;
    /** Value: Tokens that the position is worth, in the smallest unit: decimal. */
    readonly currentValue: string;
    /** Deposited: Empty: the service stores no sums of a position. */
    readonly totalDeposited: string;
    /** Withdrawn: Empty: the service stores no sums of a position. */
    readonly totalWithdrawn: string;
    /** Display: Value for people. */
    readonly display: {
      /** US dollars: Empty: the service knows no prices. */
      readonly currentValueUsd: string;
      /** Amount: Value in whole units of the token, as a decimal string. */
      readonly currentValueCrypto: string;
      /** Deposited: Empty: the service knows no prices. */
      readonly totalDepositedUsd: string;
      /** Deposited: Empty: the service stores no sums of a position. */
      readonly totalDepositedCrypto: string;
      /** Withdrawn: Empty: the service knows no prices. */
      readonly totalWithdrawnUsd: string;
      /** Withdrawn: Empty: the service stores no sums of a position. */
      readonly totalWithdrawnCrypto: string;
    };
    /** Deposits disabled: Whether the organization or its parent refuses deposits. */
    readonly depositsDisabled: boolean;
  }[];
}

export interface ListEarnRewardsBody {
  /** Address: Address of Ethereum whose rewards are listed. */
  readonly walletAddress: string;
  /** Chain: CAIP-2 name of one chain. Default: all with rewards. */
  readonly caip2?: string | undefined;
}

export interface ListEarnRewardsResponse {
  /** Rewards: At most 16 of each chain: by chain, then by token. */
  readonly rewards: readonly {
    /** Chain: CAIP-2 name of the chain of the reward. */
    readonly caip2: string;
    /** Token: CAIP-19 name of the token of the reward. */
    readonly caip19: string;
    /** Symbol: Symbol of the token from the operator, otherwise from the source. */
    readonly symbol: string;
    /** Decimals: Decimal places of the token. */
    readonly decimals: number;
    /** Claimable: Amount that can be claimed now, in the smallest unit: decimal. */
    readonly claimable: string;
    /** Claimed: Amount that was claimed so far, from the contract: decimal. */
    readonly claimed: string;
    /** Pending: Amount that cannot be claimed yet, from the source: decimal. */
    readonly pending: string;
    /** Display: The amounts for people. */
    readonly display: {
      /** US dollars: Empty: the service knows no prices. */
      readonly claimableUsd: string;
      /** Claimable: Claimable amount in whole units of the token. */
      readonly claimableCrypto: string;
      /** US dollars: Empty: the service knows no prices. */
      readonly claimedUsd: string;
      /** Claimed: Claimed amount in whole units of the token. */
      readonly claimedCrypto: string;
      /** US dollars: Empty: the service knows no prices. */
      readonly pendingUsd: string;
      /** Pending: Pending amount in whole units of the token. */
      readonly pendingCrypto: string;
    };
  }[];
}

export interface ListEarnVaultsBody {
  /** Protocol: Protocol behind the vaults. Default: any. */
  readonly provider?: 'EARN_PROVIDER_UNSPECIFIED' | 'EARN_PROVIDER_MORPHO' | 'EARN_PROVIDER_AAVE' | 'EARN_PROVIDER_KAMINO' | undefined;
  /** Token: CAIP-19 name of the token that the vaults take. */
  readonly caip19: string;
  /** Page: Which part of the list to return. */
  readonly paginationOptions?: PaginationOptions | undefined;
}

export interface ListEarnVaultsResponse {
  /** Vaults: Vaults that the operator configured. */
  readonly vaults: readonly {
    /** Vault: Address of the vault. */
    readonly vaultAddress: string;
    /** Protocol: Protocol behind the vault; EARN_PROVIDER_UNSPECIFIED: not named. */
    readonly provider: 'EARN_PROVIDER_UNSPECIFIED' | 'EARN_PROVIDER_MORPHO' | 'EARN_PROVIDER_AAVE' | 'EARN_PROVIDER_KAMINO';
    /** Asset: CAIP-19 name of the asset. */
    readonly caip19: string;
    /** Display: Balance for people. */
    readonly display: DisplayedAmount;
    /** Name: Name of the vault, as the operator wrote it. */
    readonly name: string;
    /** Curator: Who manages the vault, as the operator wrote it; empty: not named. */
    readonly curator: string;
    /** Yield: Empty: the service knows no yield of a vault. */
    readonly apyPct: string;
    /** Liquidity: Empty: the vault does not report it. */
    readonly liquidity: string;
    /** Further liquidity: Empty: the vault does not report it. */
    readonly forceDeallocatableLiquidity: string;
    /** Total: Tokens that the vault manages, in the smallest unit: decimal. */
    readonly tvl: string;
    /** Enabled: Always true: every configured vault accepts deposits. */
    readonly enabled: boolean;
  }[];
  /** Page: Where the page lies in the list. */
  readonly pageInfo: PageInfo;
}

export interface GetSwapStatusBody {
  /** Swap ID: UUID to query the status of the swap. */
  readonly swapRequestId: string;
}

export interface GetSwapStatusResponse {
  /**
   * Status: PENDING: not in a block yet. COMPLETED: in a block. FAILED: it failed, or can never land.
   */
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  /** Kind: Always SAME_CHAIN. */
  readonly swapKind: string;
  /** Provider: Always UNISWAP_V3. */
  readonly provider: string;
  /** Input: CAIP-19 name of the asset that is paid: the coin or a token of a chain. */
  readonly inputToken: string;
  /** Output: CAIP-19 name of the asset that is received, of the same chain. */
  readonly outputToken: string;
  /** Input amount: Amount that is paid, in the smallest unit: decimal. */
  readonly inputAmount: string;
  /** Hash: Hash of the transaction with the swap: 0x and 64 hex digits. */
  readonly originTxHash: string;
  /** Updated at: Milliseconds since 1970 of the last change of the status. */
  readonly updatedAt: string;
  /** Error: Why it failed. */
  readonly error?: {
    /** Reason: Always ORIGIN_TRANSACTION_FAILED. */
    readonly reason: string;
    /** Message: Reason of the failure, or outcome of the execution. */
    readonly message: string;
    /** Transaction error: The failure of the transaction, with its parts. */
    readonly originTxError?: {
      /** Message: Reason of the failure, or outcome of the execution. */
      readonly message: string;
      /** Reverts: Calls that reverted, the outermost first. */
      readonly revertChain?: readonly {
        /** Contract: Address of the contract that refused. */
        readonly address: string;
        /**
         * Error type: Whether it is an error of Solidity (native), of an interface (custom) or neither
         * (unknown).
         */
        readonly errorType: 'native' | 'custom' | 'unknown';
        /** Message: The refusal as a sentence. */
        readonly displayMessage: string;
        /** Native error: What Solidity itself refuses with. */
        readonly native?: {
          /** Native type: Which of the errors of Solidity it is. */
          readonly nativeType: 'error_string' | 'panic' | 'execution_reverted';
          /** Message: Text that the contract returned. */
          readonly message: string;
          /** Panic code: Code of a panic: hex with 0x. */
          readonly panicCode?: string | undefined;
        } | undefined;
        /** Unknown error: What the contract returned. */
        readonly unknown?: {
          /** Selector: First four bytes of what it returned: hex with 0x. */
          readonly selector: string;
          /** Data: What it returned: hex with 0x, cut off when long. */
          readonly data: string;
        } | undefined;
      }[] | undefined;
      /** Ethereum: What contracts refused with. */
      readonly eth?: {
        /** Reverts: Calls that reverted, the outermost first. */
        readonly revertChain: readonly {
          /** Contract: Address of the contract that refused. */
          readonly address: string;
          /**
           * Error type: Whether it is an error of Solidity (native), of an interface (custom) or
           * neither (unknown).
           */
          readonly errorType: 'native' | 'custom' | 'unknown';
          /** Message: The refusal as a sentence. */
          readonly displayMessage: string;
          /** Native error: What Solidity itself refuses with. */
          readonly native?: {
            /** Native type: Which of the errors of Solidity it is. */
            readonly nativeType: 'error_string' | 'panic' | 'execution_reverted';
            /** Message: Text that the contract returned. */
            readonly message: string;
            /** Panic code: Code of a panic: hex with 0x. */
            readonly panicCode?: string | undefined;
          } | undefined;
          /** Unknown error: What the contract returned. */
          readonly unknown?: {
            /** Selector: First four bytes of what it returned: hex with 0x. */
            readonly selector: string;
            /** Data: What it returned: hex with 0x, cut off when long. */
            readonly data: string;
          } | undefined;
        }[];
      } | undefined;
      /** Solana: How a transaction of Solana failed. */
      readonly solana?: {
        /** Source: Where it failed: execution, in a block. */
        readonly source: string;
        /** Transaction error: Error that the node reports, as JSON. */
        readonly transactionErrorJson?: string | undefined;
        /** Logs: What programs logged, cut off when long. */
        readonly logs?: readonly string[] | undefined;
        /** Units consumed: Compute units that it used: decimal. */
        readonly unitsConsumed?: string | undefined;
        /** Inner instructions: What programs called, as JSON; absent when long. */
        readonly innerInstructionsJson?: string | undefined;
      } | undefined;
    } | undefined;
  } | undefined;
}

export interface GetAppStatusBody {
  /** Application ID: UUID of the application. */
  readonly appId: string;
}

export interface GetAppStatusResponse {
  /** Status: State of the application. */
  readonly appStatus: {
    /** Application ID: UUID of the application. */
    readonly appId: string;
    /** Deployments: Deployments with the state of their instances. */
    readonly deployments: readonly {
      /** Deployment ID: UUID of the deployment. */
      readonly deploymentId: string;
      /** Ready instances: Number of instances that serve. */
      readonly readyReplicas: number;
      /** Desired instances: Number of instances that should serve. */
      readonly desiredReplicas: number;
      /** Updated at: Time of the last report of the state. */
      readonly lastUpdatedTime: Timestamp;
    }[];
    /** Targeted deployment: UUID of the deployment that should serve. */
    readonly targetedDeploymentId: string;
  };
}

export interface GetTvcAppBody {
  /** Application ID: UUID of the application. */
  readonly tvcAppId: string;
}

export interface GetTvcAppResponse {
  /** Application: The application. */
  readonly tvcApp: TvcApp;
}

export interface GetTvcDeploymentBody {
  /** Deployment ID: UUID of the deployment. */
  readonly deploymentId: string;
}

export interface GetTvcDeploymentResponse {
  /** Deployment: The deployment. */
  readonly tvcDeployment: TvcDeployment;
  /** Shares: The newest share of each operator for the deployment. */
  readonly provisioningShares: readonly {
    /** Share ID: UUID of the share for the deployment. */
    readonly provisioningShareId: string;
    /** Operator ID: UUID of the operator. */
    readonly operatorId: string;
    /** Key of the enclave: Key of the enclave that decrypts the share: 130 bytes in hex. */
    readonly ephemeralPublicKeyHex: string;
    /** Encrypted share: Envelope that the enclave decrypts, in hex. */
    readonly reEncryptedShareHex: string;
    /** Signature: Signature of the operator over the manifest. */
    readonly signature: string;
    /** Created at: Time of creation. */
    readonly createdAt: Timestamp;
  }[];
}

export type GetTvcQosVersionsBody = Readonly<Record<never, never>>;

export interface GetTvcQosVersionsResponse {
  /** Available versions: Versions of the base system that can be named. */
  readonly availableVersions: readonly string[];
  /** Latest version: Newest version of the base system. */
  readonly latestVersion: string;
}

export interface ListTvcAppDeploymentsBody {
  /** Application ID: UUID of the application. */
  readonly appId: string;
}

export interface ListTvcAppDeploymentsResponse {
  /** Deployments: All deployments of the application. */
  readonly tvcDeployments: readonly TvcDeployment[];
}

export type ListTvcAppsBody = Readonly<Record<never, never>>;

export interface ListTvcAppsResponse {
  /** Applications: All applications of the organization. */
  readonly tvcApps: readonly TvcApp[];
}

export type ListTvcOperatorsBody = Readonly<Record<never, never>>;

export interface ListTvcOperatorsResponse {
  /** Operators: All operators of the organization. */
  readonly tvcOperators: readonly TvcOperator[];
}

export type ListTvcQuorumKeysBody = Readonly<Record<never, never>>;

export interface ListTvcQuorumKeysResponse {
  /** Quorum keys: All quorum keys of the organization. */
  readonly tvcQuorumKeys: readonly {
    /** Quorum key ID: UUID of the quorum key. */
    readonly id: string;
    /** Public key: Encryption and signing key: 130 bytes in hex. */
    readonly publicKey: string;
    /** Threshold: Number of shares that give the key. */
    readonly threshold: number;
    /** Operator IDs: UUIDs of the operators with a share. */
    readonly operatorIds: readonly string[];
    /** Shares: Each share, encrypted to its operator. */
    readonly shares: readonly {
      /** Share ID: UUID of the share. */
      readonly shareId: string;
      /** Operator ID: UUID of the operator. */
      readonly operatorId: string;
      /** Encrypted share: Envelope that the operator decrypts, in hex. */
      readonly encryptedShare: string;
    }[];
    /** Created at: Time of creation. */
    readonly createdAt: Timestamp;
    /** Updated at: Time of the last change. */
    readonly updatedAt: Timestamp;
  }[];
}

export interface ValidateTvcImageBody {
  /** Image: Address of the container image, with its digest. */
  readonly pivotContainerImageUrl: string;
  /** Encrypted pull secret: Secret to pull the image, encrypted. */
  readonly pivotContainerEncryptedPullSecret?: string | undefined;
}

export interface ValidateTvcImageResponse {
  /** Image digest: Digest in the address of the image. */
  readonly resolvedImageDigest?: string | undefined;
}

export interface ListWebhookDeliveriesBody {
  /** Endpoint ID: UUID of the webhook endpoint. */
  readonly endpointId: string;
  /** After number: Returns events with greater numbers. Default: 0. */
  readonly afterSequence?: string | number | undefined;
  /** Limit: Deliveries on the page: 1 to 100. Default: 10. */
  readonly limit?: string | number | undefined;
  /** With bodies: Whether each delivery carries its body. Default: false. */
  readonly withBodies?: boolean | undefined;
  /**
   * With headers: Whether each delivery carries its body and its headers with a signature. Default:
   * false.
   */
  readonly withHeaders?: boolean | undefined;
}

export interface ListWebhookDeliveriesResponse {
  /** Last number: Number of the newest event of the endpoint. */
  readonly lastSequence: string;
  /** Truncated: Whether the page ends before its limit; continue from `nextCursor` or the last row. */
  readonly truncated?: boolean | undefined;
  /** Deliveries: Events of the endpoint, in the order of their numbers. */
  readonly deliveries: readonly {
    /** Number: Number of the event at its endpoint: 1, 2, 3 without gaps. */
    readonly sequence: string;
    /** Event ID: ID of the event, the same at every attempt. */
    readonly eventId: string;
    /** Event type: Kind of the event, for example ACTIVITY_UPDATES. */
    readonly eventType: string;
    /** Organization ID: UUID of the organization whose activity or balance the event reports. */
    readonly organizationId: string;
    /** Activity ID: UUID of the activity. */
    readonly activityId?: string | undefined;
    /** State: Whether the event waits, was delivered, or was given up. */
    readonly state: string;
    /** Created at: Time of creation. */
    readonly createdAt: Timestamp;
    /** Next attempt at: Time of the next attempt; absent if none follows. */
    readonly nextAttemptAt?: Timestamp | undefined;
    /** Attempts: Attempts to deliver, oldest first. */
    readonly attempts: readonly {
      /** Attempt: Number of the attempt, from 1. */
      readonly attempt: number;
      /** Time: Time of the attempt. */
      readonly at: Timestamp;
      /** Duration: Milliseconds that the attempt took. */
      readonly durationMs: number;
      /** Outcome: Outcome of the attempt. */
      readonly outcome: string;
      /** HTTP status: Status that the receiver answered with; absent without answer. */
      readonly status?: number | undefined;
    }[];
    /** Body: Body of the delivery, exactly as it is sent. */
    readonly body?: string | undefined;
    /** Headers: Headers of the delivery, with the signature of its body. */
    readonly headers?: readonly NamedValue[] | undefined;
  }[];
}

export type ListWebhookEndpointsBody = Readonly<Record<never, never>>;

export interface ListWebhookEndpointsResponse {
  /** Webhook endpoints: All webhook endpoints of the organization. */
  readonly webhookEndpoints: readonly WebhookEndpoint[];
}
