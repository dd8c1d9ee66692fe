// Errors about resources that a request names.

import { rowsOf } from './row.ts';

export const resourceErrors = {
  ...rowsOf('NOT_FOUND', 'ORGANIZATION_NOT_FOUND', {
    organization_not_found:
      'no organization found with the given ID organizationId={organizationId}',
  }),
  ...rowsOf('NOT_FOUND', 'REQUEST_INVALID', {
    proxy_config_not_found:
      'no auth proxy configuration found with the given ID configId={configId}',
    resource_not_found:
      'unable to find {resource} {id} in organization {organizationId}: not found',
    activity_not_found:
      'unable to find activity {activityId} in organization {organizationId}: not found',
    activity_archived:
      'unable to find activity {activityId} in organization {organizationId}: not found; activities of that time were moved to the archive segment {segment}',
    organization_key_missing: 'organization {organizationId} has no key of its own',
    receipt_not_found:
      'the log does not have activity {activityId}: it adds activities a second after they change, and never adds older ones than itself',
    boot_proof_not_found:
      'unable to find a boot proof of this key: no stored run of the enclave signed app proofs with it',
    enclave_app_unknown: 'no such app: expected `{expected}`',
    activity_fingerprint_unknown:
      'No activity found with fingerprint. Consensus activities must target an existing activity by fingerprint: {fingerprint}',
    signing_resource_not_found:
      'Could not find any resource to sign with. Addresses are case sensitive. cannot find private key for `{signWith}` in organization {organizationId}: expected the address of a wallet account or private key there, or the id of a private key',
    wallet_account_not_found: 'Could not find wallet account with {by}: {value}',
    deployment_request_not_found:
      'deployment `{deployRequestId}` was not requested by organization {organizationId}',
    send_not_found: 'transaction `{sendTransactionStatusId}` was not sent by this organization',
    swap_quote_not_found: 'quote `{quoteId}` was not made by organization {organizationId}',
  }),
  ...rowsOf('INVALID_ARGUMENT', 'INVALID_ORGANIZATION_ID', {
    organization_id_malformed: 'malformed organization ID provided: `{got}` is not a UUID',
  }),
  ...rowsOf('ALREADY_EXISTS', 'REQUEST_INVALID', {
    organization_key_exists: 'organization {organizationId} already has a key of its own',
    already_exists: '{resource} already exists: {what}',
  }),
  ...rowsOf('FAILED_PRECONDITION', 'REQUEST_INVALID', {
    last_key_holder:
      'key holder {holderId} is the last one, and without it the wallets would be lost: add another holder first',
    activity_decided: 'the activity was decided before this vote: its status is {status}',
    activity_without_submitter:
      'the user who submitted the activity is no longer in the organization: it can only be rejected',
    deployment_refused: 'cannot change {what}: {reason}',
    sponsored_by_parent:
      'sub-organization {organizationId} cannot configure a sponsor: its parent {parentId} sponsors it',
    sponsor_not_configured:
      'organization {organizationId} sponsors no transactions on chain `{caip2}`: its root sets a sponsor with `upsert_gas_usage_config`',
    gas_station_changed:
      'address `{address}` on chain `{caip2}` does not have the code that the operator configured: nothing is sponsored',
    earn_not_configured:
      'the operator configured no vaults: `vaults` in `KEYWRIGHT_CHAINS` lists them',
    deposits_disabled:
      'the organization or its parent closed vault `{address}` on chain `{caip2}` to deposits: `earn_set_wrapper_state` opens it',
    rewards_not_configured:
      'the operator configured no rewards of this chain: `rewards` in `KEYWRIGHT_CHAINS` lists them',
    swaps_not_configured:
      'the operator configured no swaps: `swaps` in `KEYWRIGHT_CHAINS` lists them',
    swap_fee_of_parent:
      'sub-organization {organizationId} cannot set the fee of swaps: its parent {parentId} sets it',
    swap_unavailable: 'no pool on chain `{caip2}` swaps this amount',
    swap_quote_expired: 'quote `{quoteId}` has expired: create another one',
    vault_unreadable:
      'address `{address}` on chain `{caip2}` does not respond like a vault (ERC-4626)',
    velocity_control_in_use:
      'the velocity control `{identifier}` is read by the policy {policyId}: change or delete that policy first',
    address_label_in_use:
      'the address label `{label}` is read by the policy {policyId}: change or delete that policy first',
    key_held_elsewhere:
      'private key {privateKeyId} is held by {heldBy}, outside of this service: {what}',
  }),
  ...rowsOf('ALREADY_EXISTS', 'OAUTH_PROVIDER_ALREADY_EXISTS', {
    oauth_provider_exists:
      'OAuth provider `{name}` already exists: a user of the organization has one with the same `iss`, `aud` and `sub`',
  }),
  ...rowsOf('NOT_FOUND', 'OAUTH2_CREDENTIAL_NOT_FOUND', {
    oauth2_credential_not_found:
      'unable to find OAuth 2.0 credential {id} in organization {organizationId}: not found',
  }),
  ...rowsOf('INVALID_ARGUMENT', 'REQUEST_INVALID', {
    oauth2_code_refused: 'the OAuth 2.0 provider refused: {reason}',
    wallet_account_elsewhere:
      'wallet account not part of your organization: {id} is not in organization {organizationId}',
    label_not_unique:
      '{resource} label must be unique: `{label}` already exists in this organization',
    policy_expression_invalid: 'invalid policy {clause}: Expression cannot be evaluated: {reason}',
    // The same sentence for every reason, because a caller must not learn which codes exist.
    otp_code_invalid: 'Invalid OTP code: it is wrong, expired, locked or used',
    message_customization_invalid: '{reason}',
    user_without_credential: 'user missing valid credential: {reason}',
    quorum_invalid: '{reason}',
    not_exported:
      '{resource} has not been exported: {id}; export it first or set `deleteWithoutExport` to true',
  }),
  ...rowsOf('RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED', {
    sends_exceeded:
      'address `{address}` already has {maximum} transactions on chain `{caip2}` that are not final; wait for one',
    organization_sends_exceeded:
      'the organization, or one user of it, has too many or too large transactions that are not final ({maximum}, {kib} KiB); wait for one',
    sponsor_limit_exceeded:
      'sponsored fees of {scope} would exceed {limit} USD in {minutes} minutes; {used} USD are used',
  }),
  ...rowsOf('PERMISSION_DENIED', 'REQUEST_NOT_AUTHORIZED', {
    sponsor_refused:
      'the policies of organization {organizationId} do not allow its sponsor `{address}` to pay for this transaction',
  }),
  ...rowsOf('FAILED_PRECONDITION', 'SWAP_QUOTE_ALREADY_USED', {
    swap_quote_used: 'quote `{quoteId}` was executed already: create another one',
  }),
  ...rowsOf('INVALID_ARGUMENT', 'INVALID_TRANSACTION', {
    transaction_would_revert: 'the transaction was not signed, since it would fail: {reason}',
  }),
  ...rowsOf('RESOURCE_EXHAUSTED', 'REQUEST_INVALID', {
    limit_exceeded: '{owner} has exceeded maximum {resource}: the limit is {limit}',
  }),
  ...rowsOf('RESOURCE_EXHAUSTED', 'MAX_OTP_INITIATED', {
    otp_limit_reached: 'Max number of OTPs have been initiated: {reason}',
  }),
  ...rowsOf('PERMISSION_DENIED', 'EMAIL_SENDING_DISABLED', {
    email_sending_disabled: 'the service cannot send e-mails: no mail server is configured',
  }),
  ...rowsOf('PERMISSION_DENIED', 'REQUEST_INVALID', {
    sms_sending_disabled: 'the service cannot send text messages: no provider is configured',
    sms_number_not_allowed:
      'text messages to this number are not allowed: KEYWRIGHT_SMS_PREFIXES lists the allowed prefixes',
  }),
  ...rowsOf('INVALID_ARGUMENT', 'INVALID_EMAIL', {
    email_invalid: 'invalid email address: `{field}`: {reason}',
  }),
  ...rowsOf('INVALID_ARGUMENT', 'WALLET_ACCOUNT_NOT_EXPORTED', {
    wallet_account_not_exported:
      'wallet account has not been exported: {id}; export it first or set `deleteWithoutExport` to true',
  }),
  ...rowsOf('UNIMPLEMENTED', 'REQUEST_INVALID', {
    feature_unavailable: '{what} is not available in this version',
  }),
};
