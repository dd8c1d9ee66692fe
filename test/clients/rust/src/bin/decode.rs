//! Decodes the answers on standard input with the types of the Rust crate, as its client does; writes to
//! standard output those that it cannot decode, with the reason. `test/clients/decoding.ts` describes both.

use std::error::Error;
use std::io;

use serde_json::{Value, json};
use turnkey_client::generated::*;

/// The types in which the client reads the answers of queries; activities have one type.
macro_rules! answers {
    ($($operation:literal => $type:ty,)*) => {
        fn decode(kind: &str, operation: &str, body: &str) -> Option<String> {
            if kind == "submit" {
                return failure::<ActivityResponse>(body);
            }
            match operation {
                $($operation => failure::<$type>(body),)*
                _ => Some("the client has no such query".to_string()),
            }
        }
    };
}

answers! {
    "get_active_policies" => GetActivePoliciesResponse,
    "get_activity" => ActivityResponse,
    "get_api_key" => GetApiKeyResponse,
    "get_api_keys" => GetApiKeysResponse,
    "get_app_status" => GetAppStatusResponse,
    "get_authenticator" => GetAuthenticatorResponse,
    "get_authenticators" => GetAuthenticatorsResponse,
    "get_boot_proof" => BootProofResponse,
    "get_earn_deploy_status" => GetEarnDeployStatusResponse,
    "get_earn_deposit_status" => GetEarnDepositStatusResponse,
    "get_earn_withdraw_status" => GetEarnWithdrawStatusResponse,
    "get_gas_usage" => GetGasUsageResponse,
    "get_ip_allowlist" => GetIpAllowlistResponse,
    "get_latest_boot_proof" => BootProofResponse,
    "get_mfa_policies" => GetMfaPoliciesResponse,
    "get_mfa_policy" => GetMfaPolicyResponse,
    "get_mfa_status" => GetMfaStatusResponse,
    "get_nonces" => GetNoncesResponse,
    "get_oauth2_credential" => GetOauth2CredentialResponse,
    "get_oauth_providers" => GetOauthProvidersResponse,
    "get_organization_configs" => GetOrganizationConfigsResponse,
    "get_policy" => GetPolicyResponse,
    "get_policy_evaluations" => GetPolicyEvaluationsResponse,
    "get_private_key" => GetPrivateKeyResponse,
    "get_send_transaction_status" => GetSendTransactionStatusResponse,
    "get_session_profile" => GetSessionProfileResponse,
    "get_session_profiles" => GetSessionProfilesResponse,
    "get_smart_contract_interface" => GetSmartContractInterfaceResponse,
    "get_swap_status" => GetSwapStatusResponse,
    "get_tvc_app" => GetTvcAppResponse,
    "get_tvc_deployment" => GetTvcDeploymentResponse,
    "get_tvc_qos_versions" => GetTvcQosVersionsResponse,
    "get_user" => GetUserResponse,
    "get_wallet" => GetWalletResponse,
    "get_wallet_account" => GetWalletAccountResponse,
    "get_wallet_address_balances" => GetWalletAddressBalancesResponse,
    "list_activities" => GetActivitiesResponse,
    "list_app_proofs" => GetAppProofsResponse,
    "list_earn_enabled_vaults" => ListEarnEnabledVaultsResponse,
    "list_earn_positions" => ListEarnPositionsResponse,
    "list_earn_vaults" => ListEarnVaultsResponse,
    "list_email_events" => ListEmailEventsResponse,
    "list_eth_transaction_history" => ListEthTransactionHistoryResponse,
    "list_oauth2_credentials" => ListOauth2CredentialsResponse,
    "list_policies" => GetPoliciesResponse,
    "list_private_key_tags" => ListPrivateKeyTagsResponse,
    "list_private_keys" => GetPrivateKeysResponse,
    "list_secrets" => ListSecretsResponse,
    "list_smart_contract_interfaces" => GetSmartContractInterfacesResponse,
    "list_sol_transaction_history" => ListSolTransactionHistoryResponse,
    "list_suborgs" => GetSubOrgIdsResponse,
    "list_supported_assets" => ListSupportedAssetsResponse,
    "list_tvc_app_deployments" => GetTvcAppDeploymentsResponse,
    "list_tvc_apps" => GetTvcAppsResponse,
    "list_tvc_operators" => GetTvcOperatorsResponse,
    "list_user_tags" => ListUserTagsResponse,
    "list_users" => GetUsersResponse,
    "list_verified_suborgs" => GetVerifiedSubOrgIdsResponse,
    "list_wallet_accounts" => GetWalletAccountsResponse,
    "list_wallets" => GetWalletsResponse,
    "list_webhook_endpoints" => ListWebhookEndpointsResponse,
    "validate_tvc_image" => ValidateTvcImageResponse,
    "whoami" => GetWhoamiResponse,
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let answers: Vec<Value> = serde_json::from_reader(io::stdin())?;
    let text = |answer: &Value, name: &str| answer[name].as_str().unwrap_or_default().to_string();
    let failures: Vec<Value> = answers
        .iter()
        .filter_map(|answer| {
            let operation = text(answer, "operation");
            let body = answer["body"].to_string();
            decode(&text(answer, "kind"), &operation, &body)
                .map(|reason| json!({ "operation": operation, "reason": reason }))
        })
        .collect();
    println!("{}", Value::from(failures));
    Ok(())
}

fn failure<T: serde::de::DeserializeOwned>(body: &str) -> Option<String> {
    // A list of everything that would have been expected is of no use.
    serde_json::from_str::<T>(body)
        .err()
        .map(|error| error.to_string().chars().take(100).collect())
}
