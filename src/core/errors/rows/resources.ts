// Errors about resources that a request names.

import type { ErrorRow } from './row.ts';

export const resourceErrors = {
  organization_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'ORGANIZATION_NOT_FOUND',
    sentence: 'no organization found with the given ID organizationId={organizationId}',
  },
  proxy_config_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'no auth proxy configuration found with the given ID configId={configId}',
  },
  organization_id_malformed: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INVALID_ORGANIZATION_ID',
    sentence: 'malformed organization ID provided: `{got}` is not a UUID',
  },
  resource_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'unable to find {resource} {id} in organization {organizationId}: not found',
  },
  activity_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'unable to find activity {activityId} in organization {organizationId}: not found',
  },
  activity_archived: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'unable to find activity {activityId} in organization {organizationId}: not found, activities of that time were moved to the archive segment {segment}',
  },
  organization_key_missing: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'organization {organizationId} has no key of its own',
  },
  organization_key_exists: {
    grpc: 'ALREADY_EXISTS',
    clientCode: 'REQUEST_INVALID',
    sentence: 'organization {organizationId} already has a key of its own',
  },
  last_key_holder: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'key holder {holderId} is the last one, and without it the wallets would be lost: add another holder first',
  },
  receipt_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'the log does not have activity {activityId} yet: an activity is in the log a second after it changed, and activities of before the log never are',
  },
  boot_proof_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'unable to find a boot proof of this key: no enclave that is still remembered signed app proofs with it',
  },
  enclave_app_unknown: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'no such app: expected `{expected}`',
  },
  activity_fingerprint_unknown: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'No activity found with fingerprint. Consensus activities must target an existing activity by fingerprint: {fingerprint}',
  },
  activity_decided: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence: 'the activity was decided before this vote: its status is {status}',
  },
  activity_without_submitter: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'the user who submitted the activity is no longer in the organization: it can only be rejected',
  },
  signing_resource_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'Could not find any resource to sign with. Addresses are case sensitive. cannot find private key for `{signWith}` in organization {organizationId}: expected the address of a wallet account or private key there, or the id of a private key',
  },
  wallet_account_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'Could not find wallet account with {by}: {value}',
  },
  deployment_refused: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence: 'cannot change {what}: {reason}',
  },
  already_exists: {
    grpc: 'ALREADY_EXISTS',
    clientCode: 'REQUEST_INVALID',
    sentence: '{resource} already exists: {what}',
  },
  oauth_provider_exists: {
    grpc: 'ALREADY_EXISTS',
    clientCode: 'OAUTH_PROVIDER_ALREADY_EXISTS',
    sentence:
      'OAuth provider `{name}` already exists: a user of the organization has one with the same `iss`, `aud` and `sub`',
  },
  oauth2_credential_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'OAUTH2_CREDENTIAL_NOT_FOUND',
    sentence:
      'unable to find OAuth 2.0 credential {id} in organization {organizationId}: not found',
  },
  oauth2_code_refused: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'the OAuth 2.0 provider refused: {reason}',
  },
  deployment_request_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'deployment `{deployRequestId}` was not requested by organization {organizationId}',
  },
  send_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'transaction `{sendTransactionStatusId}` was not sent by this organization',
  },
  sends_exceeded: {
    grpc: 'RESOURCE_EXHAUSTED',
    clientCode: 'RATE_LIMIT_EXCEEDED',
    sentence:
      'address `{address}` already has {maximum} transactions on chain `{caip2}` that are not final; wait for one',
  },
  organization_sends_exceeded: {
    grpc: 'RESOURCE_EXHAUSTED',
    clientCode: 'RATE_LIMIT_EXCEEDED',
    sentence:
      'the organization, or one user of it, has too many transactions that are not final, or too long ones ({maximum}, {kib} KiB); wait for one',
  },
  sponsored_by_parent: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'sub-organization {organizationId} configures no sponsor: its parent {parentId} sponsors it',
  },
  sponsor_not_configured: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'organization {organizationId} sponsors no transactions on chain `{caip2}`: its root names a sponsor with `upsert_gas_usage_config`',
  },
  sponsor_refused: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence:
      'the policies of organization {organizationId} do not allow its sponsor `{address}` to pay for this transaction',
  },
  sponsor_limit_exceeded: {
    grpc: 'RESOURCE_EXHAUSTED',
    clientCode: 'RATE_LIMIT_EXCEEDED',
    sentence:
      'sponsored fees of {scope} would exceed {limit} USD in {minutes} minutes; {used} USD are used',
  },
  gas_station_changed: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'address `{address}` on chain `{caip2}` has other code than the operator named: nothing is sponsored',
  },
  earn_not_configured: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence: 'the operator configured no vaults: they are named by `vaults` in `KEYWRIGHT_CHAINS`',
  },
  deposits_disabled: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'the organization or its parent closed vault `{address}` on chain `{caip2}` to deposits: `earn_set_wrapper_state` opens it',
  },
  rewards_not_configured: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'the operator configured no rewards of this chain: they are named by `rewards` in `KEYWRIGHT_CHAINS`',
  },
  swaps_not_configured: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence: 'the operator configured no swaps: they are named by `swaps` in `KEYWRIGHT_CHAINS`',
  },
  swap_fee_of_parent: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'sub-organization {organizationId} sets no fee of swaps: its parent {parentId} sets it',
  },
  swap_unavailable: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence: 'no pool on chain `{caip2}` swaps this amount',
  },
  swap_quote_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'quote `{quoteId}` was not made by organization {organizationId}',
  },
  swap_quote_expired: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence: 'quote `{quoteId}` has expired: create another one',
  },
  swap_quote_used: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'SWAP_QUOTE_ALREADY_USED',
    sentence: 'quote `{quoteId}` was executed already: create another one',
  },
  vault_unreadable: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence: 'address `{address}` on chain `{caip2}` does not answer as a vault (ERC-4626)',
  },
  transaction_would_revert: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INVALID_TRANSACTION',
    sentence: 'the transaction was not signed, since it would fail: {reason}',
  },
  velocity_control_in_use: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'the velocity control `{identifier}` is read by the policy {policyId}: change or delete that first',
  },
  address_label_in_use: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'the address label `{label}` is read by the policy {policyId}: change or delete that policy first',
  },
  label_not_unique: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: '{resource} label must be unique: `{label}` already exists in this organization',
  },
  policy_expression_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'invalid policy {clause}: Expression cannot be evaluated: {reason}',
  },
  limit_exceeded: {
    grpc: 'RESOURCE_EXHAUSTED',
    clientCode: 'REQUEST_INVALID',
    sentence: '{owner} has exceeded maximum {resource}: the limit is {limit}',
  },
  otp_limit_reached: {
    grpc: 'RESOURCE_EXHAUSTED',
    clientCode: 'MAX_OTP_INITIATED',
    sentence: 'Max number of OTPs have been initiated: {reason}',
  },
  // One sentence for every reason: a caller must not learn which codes exist.
  otp_code_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'Invalid OTP code: it is wrong, expired, locked or used',
  },
  email_sending_disabled: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'EMAIL_SENDING_DISABLED',
    sentence: 'the service cannot send e-mails: no mail server is configured',
  },
  sms_sending_disabled: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_INVALID',
    sentence: 'the service cannot send text messages: no provider is configured',
  },
  sms_number_not_allowed: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'text messages to this number are not allowed: KEYWRIGHT_SMS_PREFIXES lists the allowed prefixes',
  },
  message_customization_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: '{reason}',
  },
  email_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INVALID_EMAIL',
    sentence: 'invalid email address: `{field}`: {reason}',
  },
  user_without_credential: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'user missing valid credential: {reason}',
  },
  quorum_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: '{reason}',
  },
  key_held_elsewhere: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence: 'private key {privateKeyId} is held by {heldBy}, outside of this service: {what}',
  },
  not_exported: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence:
      '{resource} has not been exported: {id}; export it first or set `deleteWithoutExport` to true',
  },
  wallet_account_not_exported: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'WALLET_ACCOUNT_NOT_EXPORTED',
    sentence:
      'wallet account has not been exported: {id}; export it first or set `deleteWithoutExport` to true',
  },
  feature_unavailable: {
    grpc: 'UNIMPLEMENTED',
    clientCode: 'REQUEST_INVALID',
    sentence: '{what} is not available in this version',
  },
} as const satisfies Record<string, ErrorRow>;
