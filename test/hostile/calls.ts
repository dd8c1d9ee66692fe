// One valid set of parameters for every operation, as a function of whose ids it names. An operation
// that is added to the service is added here: a test fails as long as it is missing.

import { activityOperations, voteOperations } from '../../src/operations/index.ts';
import { describedPasskey } from '../operations/authenticators/authenticator_requests.ts';
import {
  describedApp,
  describedDeployment,
} from '../operations/deployments/deployment_requests.ts';
import { describedCode, describedCredential } from '../operations/oauth/oauth_requests.ts';
import { describedLogin, describedOtp } from '../operations/one_time_codes/otp_requests.ts';
import { encryptionSuite, wantedSecret } from '../operations/secrets/secret_requests.ts';
import { foreignTransaction } from '../operations/sending/send_requests.ts';
import { describedSolanaSend } from '../operations/sending/solana_requests.ts';
import { describedContract } from '../operations/smart_contract_interfaces/smart_contract_interface_requests.ts';
import { describedControl } from '../operations/velocity_controls/velocity_control_requests.ts';
import { targetPublicKey } from '../operations/wallets/transfer_requests.ts';
import { describedEndpoint } from '../operations/webhooks/webhook_requests.ts';
import { startMs, testKey } from '../support/harness.ts';
import { policyOf, privateKeyOf, type Tenant, tenantAccount, tenantIssuer } from './tenants.ts';

export type Call = {
  readonly parameters: (of: Tenant) => object;
  /** The ids only select: one of another organization selects nothing and is no error. */
  readonly onlySelects?: true;
  /** Where the call is accepted: in a child unless told otherwise. */
  readonly by?: 'parent' | 'unrelated';
};

const label = 'New name';
const payload = {
  payload: '00'.repeat(32),
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: 'HASH_FUNCTION_NO_OP',
};
/** A transfer on Ethereum by EIP-1559. */
const transaction = {
  type: 'TRANSACTION_TYPE_ETHEREUM',
  unsignedTransaction:
    '02f0010784773594008506fc23ac00825208943fbd991fbcee758776ff50db984d7c124b62a94e880de0b6b3a764000080c0',
};
const { payload: one, ...payloadForm } = payload;
const newApiKey = (name: string) => ({
  apiKeyName: label,
  publicKey: testKey(name).publicKey,
  curveType: 'API_KEY_CURVE_P256',
});
/** Of an account that nobody has yet. */
const newAccount = tenantIssuer.token({ now: () => startMs }, { sub: 'new' });
const sessionKey = () => ({ publicKey: testKey('new session').publicKey });
const describedMail = ({ userEmail: email }: Tenant) => ({
  email,
  targetPublicKey,
  emailCustomization: { appName: 'Example' },
});
const nothing: readonly Call[] = [{ parameters: () => ({}) }];

/** By the last segment of the path. */
export const activityCalls: Readonly<Record<string, readonly Call[]>> = {
  // wallets
  create_wallet: [{ parameters: () => ({ walletName: label, accounts: [tenantAccount()] }) }],
  create_wallet_accounts: [true, false].map((persist) => ({
    parameters: ({ walletId }) => ({ walletId, accounts: [tenantAccount(1)], persist }),
  })),
  delete_wallet_accounts: [
    {
      parameters: ({ walletAccountId }) => ({
        walletAccountIds: [walletAccountId],
        deleteWithoutExport: true,
      }),
    },
  ],
  delete_wallets: [
    { parameters: ({ walletId }) => ({ walletIds: [walletId], deleteWithoutExport: true }) },
  ],
  export_wallet: [{ parameters: ({ walletId }) => ({ walletId, targetPublicKey }) }],
  export_wallet_account: [{ parameters: ({ address }) => ({ address, targetPublicKey }) }],
  init_import_wallet: [{ parameters: ({ rootUserId: userId }) => ({ userId }) }],
  import_wallet: [
    {
      parameters: ({ rootUserId: userId, sealedWallet: encryptedBundle }) => ({
        userId,
        walletName: label,
        encryptedBundle,
        accounts: [tenantAccount()],
      }),
    },
  ],
  update_wallet: [{ parameters: ({ walletId }) => ({ walletId, walletName: label }) }],
  // private keys
  create_private_keys: [
    {
      parameters: ({ privateKeyTagId }) => ({
        privateKeys: [privateKeyOf(label, [privateKeyTagId])],
      }),
    },
  ],
  delete_private_keys: [
    {
      parameters: ({ privateKeyId }) => ({
        privateKeyIds: [privateKeyId],
        deleteWithoutExport: true,
      }),
    },
  ],
  export_private_key: [{ parameters: ({ privateKeyId }) => ({ privateKeyId, targetPublicKey }) }],
  init_import_private_key: [{ parameters: ({ rootUserId: userId }) => ({ userId }) }],
  import_private_key: [
    {
      parameters: ({ rootUserId: userId, sealedPrivateKey: encryptedBundle }) => ({
        userId,
        privateKeyName: label,
        encryptedBundle,
        curve: 'CURVE_SECP256K1',
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      }),
    },
  ],
  // secrets
  init_import_secrets: [{ parameters: () => ({ encryptionSuite, numSecrets: 2 }) }],
  import_secrets: [{ parameters: ({ sealedSecret }) => ({ secrets: [JSON.parse(sealedSecret)] }) }],
  export_secrets: [{ parameters: ({ secretId }) => ({ secrets: [wantedSecret(secretId)] }) }],
  delete_secrets: [{ parameters: ({ secretId }) => ({ secretIds: [secretId] }) }],
  create_private_key_tag: [
    {
      parameters: ({ privateKeyId }) => ({
        privateKeyTagName: label,
        privateKeyIds: [privateKeyId],
      }),
    },
  ],
  update_private_key_tag: [
    {
      parameters: ({ privateKeyTagId, privateKeyId }) => ({
        privateKeyTagId,
        newPrivateKeyTagName: label,
        addPrivateKeyIds: [privateKeyId],
        removePrivateKeyIds: [],
      }),
    },
    {
      parameters: ({ privateKeyTagId, privateKeyId }) => ({
        privateKeyTagId,
        addPrivateKeyIds: [],
        removePrivateKeyIds: [privateKeyId],
      }),
    },
  ],
  delete_private_key_tags: [
    { parameters: ({ privateKeyTagId }) => ({ privateKeyTagIds: [privateKeyTagId] }) },
  ],
  // policies
  create_policy: [{ parameters: () => policyOf(label) }],
  create_policies: [{ parameters: () => ({ policies: [policyOf(label)] }) }],
  update_policy: [{ parameters: ({ policyId }) => ({ policyId, policyName: label }) }],
  delete_policy: [{ parameters: ({ policyId }) => ({ policyId }) }],
  delete_policies: [{ parameters: ({ policyId }) => ({ policyIds: [policyId] }) }],
  create_velocity_control: [
    { parameters: () => describedControl({ name: label, identifier: 'other' }) },
  ],
  delete_velocity_control: [{ parameters: ({ velocityControlId }) => ({ velocityControlId }) }],
  update_policy_settings: [{ parameters: () => ({ failedDeny: 'FAILED_DENY_SKIPPED' }) }],
  // webhooks
  create_webhook_endpoint: [{ parameters: () => describedEndpoint({ name: label }) }],
  update_webhook_endpoint: [
    { parameters: ({ webhookEndpointId: endpointId }) => ({ endpointId, name: label }) },
    { parameters: ({ webhookEndpointId: endpointId }) => ({ endpointId, isActive: false }) },
  ],
  delete_webhook_endpoint: [
    { parameters: ({ webhookEndpointId: endpointId }) => ({ endpointId }) },
  ],
  redeliver_webhook_events: [
    {
      parameters: ({ webhookEndpointId: endpointId }) => ({
        endpointId,
        firstSequence: '1',
        lastSequence: '1',
      }),
    },
  ],
  rotate_webhook_key: [{ by: 'parent', parameters: () => ({ immediately: true }) }],
  // smart contract interfaces
  create_smart_contract_interface: [
    { parameters: () => describedContract({ smartContractAddress: `0x${'1'.repeat(40)}` }) },
  ],
  delete_smart_contract_interface: [
    { parameters: ({ smartContractInterfaceId }) => ({ smartContractInterfaceId }) },
  ],
  // applications and deployments
  create_tvc_operator: [
    { parameters: () => ({ walletName: label, path: 'm/1', operatorName: label }) },
    { parameters: ({ walletId }) => ({ walletId, path: 'm/1', operatorName: label }) },
  ],
  create_tvc_app: [
    { parameters: () => describedApp({ name: label }) },
    {
      parameters: ({ operatorSetId: manifestSetId }) => ({
        ...describedApp({ name: label }),
        manifestSetParams: null,
        manifestSetId,
      }),
    },
    {
      parameters: ({ operatorId }) => ({
        ...describedApp({ name: label }),
        manifestSetParams: { name: label, existingOperatorIds: [operatorId], threshold: 1 },
      }),
    },
  ],
  delete_tvc_app_and_deployments: [{ parameters: ({ tvcAppId: appId }) => ({ appId }) }],
  create_tvc_deployment: [{ parameters: ({ tvcAppId }) => describedDeployment(tvcAppId) }],
  create_tvc_manifest_approvals: [
    {
      parameters: ({ manifestId, operatorId, approvalSignature: signature }) => ({
        manifestId,
        approvals: [{ operatorId, signature }],
      }),
    },
  ],
  set_tvc_app_live_deployment: [
    { parameters: ({ liveDeploymentId: deploymentId }) => ({ deploymentId }) },
  ],
  delete_tvc_deployment: [
    { parameters: ({ openDeploymentId: deploymentId }) => ({ deploymentId }) },
  ],
  restore_tvc_deployment: [
    { parameters: ({ deletedDeploymentId: deploymentId }) => ({ deploymentId }) },
  ],
  set_tvc_deployment_status: [
    { parameters: ({ liveDeploymentId: deploymentId }) => ({ deploymentId, readyReplicas: 1 }) },
  ],
  // signing: by each of the names that a key has
  sign_raw_payload: signers((signWith) => ({ signWith, ...payload })),
  sign_raw_payloads: signers((signWith) => ({ signWith, payloads: [one], ...payloadForm })),
  sign_transaction: signers((signWith) => ({ signWith, ...transaction })),
  eth_send_transaction: [
    {
      parameters: ({ address: from }) => ({
        from,
        caip2: 'eip155:1',
        calls: [{ to: `0x${'12'.repeat(20)}`, value: '1' }],
      }),
    },
  ],
  eth_undelegate_7702: [{ parameters: ({ address: from }) => ({ from, caip2: 'eip155:1' }) }],
  eth_send_raw_transaction: [
    { parameters: () => ({ signedTransaction: foreignTransaction(), caip2: 'eip155:1' }) },
  ],
  abandon_transaction: [
    { parameters: ({ sendTransactionStatusId }) => ({ sendTransactionStatusId }) },
  ],
  sol_send_transaction: [
    { parameters: ({ solanaAddress }) => describedSolanaSend([solanaAddress]) },
  ],
  // the organization
  update_organization_name: [{ parameters: () => ({ organizationName: label }) }],
  update_root_quorum: [
    { parameters: ({ rootUserId }) => ({ threshold: 1, userIds: [rootUserId] }) },
  ],
  set_organization_feature: [
    { parameters: () => ({ name: 'FEATURE_NAME_WEBHOOK', value: 'https://hooks.example' }) },
  ],
  set_ip_allowlist: [
    { by: 'parent', parameters: () => ({ rules: [{ cidr: '127.0.0.0/24', label }] }) },
    {
      by: 'parent',
      parameters: ({ userPublicKey: publicKey }) => ({ publicKey, rules: [{ cidr: '::1' }] }),
    },
  ],
  remove_ip_allowlist: [
    { by: 'parent', parameters: ({ userPublicKey: publicKey }) => ({ publicKey }) },
  ],
  remove_organization_feature: [{ parameters: () => ({ name: 'FEATURE_NAME_EMAIL_AUTH' }) }],
  create_sub_organization: [
    {
      by: 'parent',
      parameters: () => ({
        subOrganizationName: label,
        rootQuorumThreshold: 1,
        rootUsers: [
          {
            userName: label,
            apiKeys: [newApiKey('new root')],
            authenticators: [],
            oauthProviders: [],
          },
        ],
        wallet: { walletName: label, accounts: [tenantAccount()] },
      }),
    },
  ],
  delete_sub_organization: [{ parameters: () => ({ deleteWithoutExport: true }) }],
  // users and their credentials
  create_users: [
    {
      parameters: ({ userTagId }) => ({
        users: [
          {
            userName: label,
            apiKeys: [newApiKey('new user')],
            authenticators: [],
            oauthProviders: [],
            userTags: [userTagId],
          },
        ],
      }),
    },
  ],
  create_api_only_users: [
    {
      parameters: ({ userTagId }) => ({
        apiOnlyUsers: [
          {
            userName: label,
            apiKeys: [{ apiKeyName: label, publicKey: newApiKey('API-only user').publicKey }],
            userTags: [userTagId],
          },
        ],
      }),
    },
  ],
  create_invitations: [
    {
      parameters: ({ rootUserId, userTagId }) => ({
        invitations: [
          {
            receiverUserName: label,
            receiverUserEmail: 'guest@example.com',
            receiverUserTags: [userTagId],
            accessType: 'ACCESS_TYPE_ALL',
            senderUserId: rootUserId,
          },
        ],
      }),
    },
  ],
  delete_invitation: [{ parameters: ({ invitationId }) => ({ invitationId }) }],
  delete_users: [{ parameters: ({ userId }) => ({ userIds: [userId] }) }],
  update_user: [
    {
      parameters: ({ userId, userTagId }) => ({
        userId,
        userName: label,
        userTagIds: [userTagId],
      }),
    },
  ],
  update_user_name: [{ parameters: ({ userId }) => ({ userId, userName: label }) }],
  update_user_email: [{ parameters: ({ userId }) => ({ userId, userEmail: 'new@example.com' }) }],
  update_user_phone_number: [
    { parameters: ({ userId }) => ({ userId, userPhoneNumber: '+15555550123' }) },
  ],
  create_api_keys: [
    { parameters: ({ userId }) => ({ userId, apiKeys: [newApiKey('another key')] }) },
  ],
  delete_api_keys: [{ parameters: ({ userId, apiKeyId }) => ({ userId, apiKeyIds: [apiKeyId] }) }],
  create_authenticators: [
    {
      parameters: ({ userId }) => ({
        userId,
        authenticators: [describedPasskey('another passkey')],
      }),
    },
  ],
  delete_authenticators: [
    {
      parameters: ({ userId, authenticatorId }) => ({
        userId,
        authenticatorIds: [authenticatorId],
      }),
    },
  ],
  create_oauth_providers: [
    {
      parameters: ({ userId }) => ({
        userId,
        oauthProviders: [{ providerName: label, oidcToken: newAccount }],
      }),
    },
  ],
  delete_oauth_providers: [
    {
      parameters: ({ userId, oauthProviderId }) => ({ userId, providerIds: [oauthProviderId] }),
    },
  ],
  // sign-ins at identity providers
  oauth: [
    {
      parameters: ({ oidcToken, sessionPublicKey: targetPublicKey }) => ({
        oidcToken,
        targetPublicKey,
      }),
    },
  ],
  oauth_login: [
    {
      parameters: ({ oidcToken, sessionPublicKey: publicKey }) => ({ oidcToken, publicKey }),
    },
  ],
  oauth2_authenticate: [{ parameters: ({ oauth2CredentialId: id }) => describedCode(id) }],
  create_oauth2_credential: [{ parameters: () => describedCredential() }],
  update_oauth2_credential: [
    { parameters: ({ oauth2CredentialId }) => ({ oauth2CredentialId, ...describedCredential() }) },
  ],
  delete_oauth2_credential: [{ parameters: ({ oauth2CredentialId }) => ({ oauth2CredentialId }) }],
  // sessions
  stamp_login: [{ parameters: sessionKey }],
  create_read_only_session: nothing,
  create_read_write_session: [true, false].map((isNamed) => ({
    parameters: ({ userId }) => ({
      targetPublicKey: testKey('target').publicKey,
      ...(isNamed ? { userId } : {}),
    }),
  })),
  create_mfa_policy: [{ parameters: newMfaPolicy }],
  update_mfa_policy: [
    { parameters: ({ userId, mfaPolicyId }) => ({ userId, mfaPolicyId, mfaPolicyName: label }) },
  ],
  delete_mfa_policy: [{ parameters: ({ userId, mfaPolicyId }) => ({ userId, mfaPolicyId }) }],
  create_session_profile: [
    {
      by: 'parent',
      parameters: () => ({ sessionProfileName: label, scope: 'true', expirationSeconds: '60' }),
    },
  ],
  recover_user: [
    {
      parameters: ({ userId }) => ({ userId, authenticator: describedPasskey('recovered') }),
    },
  ],
  // one-time codes and e-mails
  init_otp: [{ parameters: () => describedOtp() }],
  verify_otp: [
    { parameters: ({ otpId, sealedCode }) => ({ otpId, encryptedOtpBundle: sealedCode }) },
  ],
  otp_login: [{ parameters: ({ verificationToken }) => describedLogin(verificationToken) }],
  // To whom it goes is told to nobody: not even that there is no such user.
  init_otp_auth: [{ parameters: () => describedOtp() }],
  otp_auth: [
    {
      parameters: ({ authOtpId: otpId, authCode: otpCode }) => ({
        otpId,
        otpCode,
        targetPublicKey,
      }),
    },
  ],
  email_auth: [{ parameters: describedMail }],
  init_user_email_recovery: [{ parameters: describedMail }],
  // onboarding
  enable_auth_proxy: [{ by: 'unrelated', parameters: () => ({}) }],
  disable_auth_proxy: [{ by: 'parent', parameters: () => ({}) }],
  update_auth_proxy_config: [
    { by: 'parent', parameters: () => ({ allowedOrigins: ['https://wallet.example'] }) },
  ],
  create_user_tag: [{ parameters: ({ userId }) => ({ userTagName: label, userIds: [userId] }) }],
  update_user_tag: [
    {
      parameters: ({ userTagId, userId }) => ({
        userTagId,
        newUserTagName: label,
        addUserIds: [userId],
        removeUserIds: [],
      }),
    },
    {
      parameters: ({ userTagId, userId }) => ({
        userTagId,
        addUserIds: [],
        removeUserIds: [userId],
      }),
    },
  ],
  delete_user_tags: [{ parameters: ({ userTagId }) => ({ userTagIds: [userTagId] }) }],
};

const pending: readonly Call[] = [
  { parameters: ({ pendingFingerprint }) => ({ fingerprint: pendingFingerprint }) },
];

/** Everything that is submitted: activities, and votes on one that waits. */
export const submitCalls: Readonly<Record<string, readonly Call[]>> = {
  ...activityCalls,
  approve_activity: pending,
  reject_activity: pending,
};

/** The newest type of everything that is submitted, by the name of the operation. */
export const submitTypes: ReadonlyMap<string, string> = new Map([
  ...Object.entries(activityOperations).map(([name, { wire }]) => [name, wire.type] as const),
  ...Object.entries(voteOperations).map(([name, { type }]) => [name, type] as const),
]);

/** By the last segment of the path; besides `organizationId`. */
export const queryCalls: Readonly<Record<string, readonly Call[]>> = {
  // proofs
  list_app_proofs: [{ parameters: ({ activityId }) => ({ activityId }) }],
  get_latest_boot_proof: nothing,
  get_attestation: [{ parameters: () => ({ enclaveType: 'signer' }) }],
  get_boot_proof: [{ parameters: ({ ephemeralKey }) => ({ ephemeralKey }) }],
  whoami: nothing,
  get_activity: [
    { parameters: ({ activityId }) => ({ activityId }) },
    { parameters: ({ pendingActivityId }) => ({ activityId: pendingActivityId }) },
  ],
  get_policy_evaluations: [{ parameters: ({ activityId }) => ({ activityId }) }],
  simulate_policies: [{ parameters: () => ({ changes: [], limit: '100' }) }],
  explain_activity: [
    { parameters: ({ activityId }) => ({ activityId }) },
    { parameters: ({ pendingActivityId }) => ({ activityId: pendingActivityId }) },
  ],
  list_activities: [
    { parameters: () => ({ paginationOptions: { limit: '100' } }) },
    { parameters: after('activityId'), onlySelects: true },
  ],
  // the organization
  get_organization: nothing,
  get_organization_configs: nothing,
  get_ip_allowlist: [
    { parameters: () => ({}) },
    { parameters: ({ userPublicKey: publicKey }) => ({ publicKey }), onlySelects: true },
  ],
  list_webhook_endpoints: nothing,
  list_webhook_deliveries: [
    { parameters: ({ webhookEndpointId: endpointId }) => ({ endpointId, withBodies: true }) },
  ],
  list_email_events: [{ parameters: ({ userEmail: email }) => ({ email }), onlySelects: true }],
  list_suborgs: [
    { parameters: () => ({}) },
    { parameters: after('organizationId'), onlySelects: true },
    ...(
      [
        ['NAME', 'organizationName'],
        ['PUBLIC_KEY', 'userPublicKey'],
        ['WALLET_ACCOUNT_ADDRESS', 'address'],
      ] as const
    ).map(
      ([filterType, value]): Call => ({
        parameters: (of) => ({ filterType, filterValue: of[value] }),
        onlySelects: true,
      }),
    ),
  ],
  list_verified_suborgs: [
    {
      parameters: ({ userEmail }) => ({ filterType: 'EMAIL', filterValue: userEmail }),
      onlySelects: true,
    },
  ],
  // wallets
  get_wallet: [{ parameters: ({ walletId }) => ({ walletId }) }],
  get_wallet_account: [
    { parameters: ({ walletId, address }) => ({ walletId, address }) },
    { parameters: ({ walletId }) => ({ walletId, path: tenantAccount().path }) },
  ],
  list_wallets: nothing,
  // balances
  get_wallet_address_balances: [{ parameters: ({ address }) => ({ address, caip2: 'eip155:1' }) }],
  list_eth_transaction_history: [{ parameters: ({ address }) => ({ address, caip2: 'eip155:1' }) }],
  list_sol_transaction_history: [
    { parameters: ({ solanaAddress: address }) => ({ address, caip2: 'solana:mainnet' }) },
  ],
  list_supported_assets: [{ parameters: () => ({ caip2: 'eip155:1' }) }],
  // The facts of a chain that everybody sees.
  get_nonces: [
    {
      parameters: ({ address }) => ({ address, caip2: 'eip155:1', nonce: true }),
      onlySelects: true,
    },
  ],
  get_send_transaction_status: [
    { parameters: ({ sendTransactionStatusId }) => ({ sendTransactionStatusId }) },
  ],
  list_wallet_accounts: [
    { parameters: ({ walletId }) => ({ walletId, includeWalletDetails: true }) },
    { parameters: after('walletAccountId'), onlySelects: true },
  ],
  // private keys
  get_private_key: [{ parameters: ({ privateKeyId }) => ({ privateKeyId }) }],
  list_private_keys: nothing,
  list_private_key_tags: nothing,
  // secrets
  list_secrets: [{ parameters: () => ({}) }, { parameters: after('secretId'), onlySelects: true }],
  // policies
  get_policy: [{ parameters: ({ policyId }) => ({ policyId }) }],
  get_policy_settings: nothing,
  get_policy_warnings: nothing,
  list_policies: nothing,
  get_active_policies: nothing,
  get_velocity_control: [{ parameters: ({ velocityControlId }) => ({ velocityControlId }) }],
  list_velocity_controls: [
    { parameters: () => ({}) },
    { parameters: after('velocityControlId'), onlySelects: true },
  ],
  // smart contract interfaces
  get_smart_contract_interface: [
    { parameters: ({ smartContractInterfaceId }) => ({ smartContractInterfaceId }) },
  ],
  list_smart_contract_interfaces: nothing,
  // applications and deployments
  get_tvc_app: [{ parameters: ({ tvcAppId }) => ({ tvcAppId }) }],
  list_tvc_apps: nothing,
  list_tvc_operators: nothing,
  get_tvc_deployment: [{ parameters: ({ liveDeploymentId: deploymentId }) => ({ deploymentId }) }],
  list_tvc_app_deployments: [{ parameters: ({ tvcAppId: appId }) => ({ appId }) }],
  get_app_status: [{ parameters: ({ tvcAppId: appId }) => ({ appId }) }],
  get_tvc_qos_versions: nothing,
  validate_tvc_image: [{ parameters: () => ({ pivotContainerImageUrl: 'program' }) }],
  // users and their credentials
  get_user: [{ parameters: ({ userId }) => ({ userId }) }],
  list_users: nothing,
  list_user_tags: nothing,
  get_authenticator: [{ parameters: ({ authenticatorId }) => ({ authenticatorId }) }],
  get_authenticators: [{ parameters: ({ userId }) => ({ userId }) }],
  get_oauth_providers: [{ parameters: () => ({}) }, { parameters: ({ userId }) => ({ userId }) }],
  get_mfa_policy: [{ parameters: ({ userId, mfaPolicyId }) => ({ userId, mfaPolicyId }) }],
  get_mfa_policies: [{ parameters: ({ userId }) => ({ userId }) }],
  get_mfa_status: [
    { parameters: ({ pendingActivityId: activityId, userId }) => ({ activityId, userId }) },
  ],
  get_oauth2_credential: [{ parameters: ({ oauth2CredentialId }) => ({ oauth2CredentialId }) }],
  list_oauth2_credentials: nothing,
  get_session_profile: [
    {
      by: 'parent',
      parameters: ({ sessionProfileId }) => ({ sessionProfileId }),
    },
  ],
  get_session_profiles: nothing,
  get_auth_proxy_config: [{ by: 'parent', parameters: () => ({}) }],
  get_api_key: [{ parameters: ({ apiKeyId }) => ({ apiKeyId }) }],
  get_api_keys: [{ parameters: () => ({}) }, { parameters: ({ userId }) => ({ userId }) }],
};

function newMfaPolicy({ userId }: Tenant) {
  return {
    userId,
    mfaPolicyName: label,
    condition: 'true',
    requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] }],
    order: 1,
  };
}

function signers(parameters: (signWith: string) => object): readonly Call[] {
  return (['address', 'privateKeyId', 'privateKeyAddress'] as const).map((name) => ({
    parameters: (of) => parameters(of[name]),
  }));
}

function after(
  cursor: 'activityId' | 'organizationId' | 'secretId' | 'velocityControlId' | 'walletAccountId',
) {
  return (of: Tenant) => ({ paginationOptions: { limit: '100', after: of[cursor] } });
}
