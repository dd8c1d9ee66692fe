// Requests of people: for each operation of the service, parameters that make sense in the
// organization as it is, and now and then ones that made sense earlier.

import { base58 } from '@scure/base';
import { Transaction } from 'ethers';
import { hex, utf8 } from '../../src/core/base/bytes.ts';
import { activityStatuses } from '../../src/core/base/enums.ts';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { keyAgreement } from '../../src/core/crypto/key_agreement.ts';
import { mnemonicOfEntropy } from '../../src/core/derivation/mnemonic.ts';
import {
  failedDenyModes,
  type RecordKind,
  type Records,
} from '../../src/core/organization/model.ts';
import {
  describedApp,
  describedDeployment,
  describedSet,
  signAs,
} from '../operations/deployments/deployment_requests.ts';
import { describedCode, describedCredential } from '../operations/oauth/oauth_requests.ts';
import { encryptionSuite, wantedSecret } from '../operations/secrets/secret_requests.ts';
import { foreignTransaction } from '../operations/sending/send_requests.ts';
import { describedSolanaSend } from '../operations/sending/solana_requests.ts';
import { describedControl } from '../operations/velocity_controls/velocity_control_requests.ts';
import { clientKey, sealedTo, targetPublicKey } from '../operations/wallets/transfer_requests.ts';
import { createSoftwareAuthenticator } from '../support/software_authenticator.ts';
import type { Choice } from './choice.ts';
import { codeRequests, knownContact, newContact } from './code_requests.ts';
import { countedTypes } from './counted.ts';
import { heldKeys } from './held_keys.ts';
import { accountOf, tokenOf } from './identities.ts';
import { keyPairs, rootKeyPair } from './key_pairs.ts';
import type { TrueState } from './truth.ts';

export type World = {
  readonly choice: Choice;
  /** The organization that is asked. */
  readonly state: TrueState;
  /** Who asks, as far as the organization knows. */
  readonly callerId: string | undefined;
  /** All its versions, oldest first. */
  readonly history: readonly TrueState[];
  /** Ids of its activities, newest first. */
  readonly activityIds: () => readonly string[];
  /** A number that no other request has. */
  readonly serial: number;
};

type Generate = (world: World) => object;

/** Parameters of each activity, by the name of the operation. */
export const activityRequests: Readonly<Record<string, { weight: number; parameters: Generate }>> =
  {
    ...codeRequests,
    create_sub_organization: {
      weight: 1,
      parameters: (world) => ({
        subOrganizationName: `Child ${world.serial}`,
        rootUsers: upTo(2, world, (i) => ({
          ...newUser(world, i),
          ...(i === 0 ? { userEmail: knownContact } : {}),
        })),
        rootQuorumThreshold: 1,
        ...(world.choice.chance(0.7)
          ? { wallet: { walletName: `Wallet ${world.serial}`, accounts: newAccounts(world) } }
          : {}),
      }),
    },
    delete_sub_organization: { weight: 0.8, parameters: () => ({ deleteWithoutExport: true }) },
    update_organization_name: {
      weight: 2,
      parameters: ({ serial }) => ({ organizationName: `Organization ${serial}` }),
    },
    update_root_quorum: {
      weight: 2,
      parameters: (world) => ({
        threshold: world.choice.chance(0.03) ? 2 : 1,
        userIds: idsOf(world, 'user', 3),
      }),
    },
    set_organization_feature: {
      weight: 1,
      parameters: ({ choice, serial }) =>
        choice.pick([
          { name: 'FEATURE_NAME_EMAIL_AUTH', value: '' },
          { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' },
          { name: 'FEATURE_NAME_EMAIL_RECOVERY', value: '' },
          { name: 'FEATURE_NAME_WEBHOOK', value: `https://hooks.example/${serial}` },
        ]),
    },
    remove_organization_feature: {
      weight: 1,
      parameters: ({ choice, state }) => ({
        name: choice.pick([
          'FEATURE_NAME_WEBHOOK',
          ...state.head.features.map((feature) => feature.name),
        ]),
      }),
    },

    create_users: {
      weight: 3,
      parameters: (world) => ({
        users: upTo(2, world, (i) => ({
          ...newUser(world, i),
          userTags: world.choice.chance(0.2) ? userTagIds(world) : [],
        })),
      }),
    },
    create_api_only_users: {
      weight: 0.5,
      parameters: (world) => ({
        apiOnlyUsers: upTo(2, world, (i) => newApiOnlyUser(world, i)),
      }),
    },
    create_invitations: {
      weight: 1,
      parameters: (world) => ({
        invitations: upTo(2, world, (i) => ({
          receiverUserName: `Guest ${world.serial} ${i}`,
          receiverUserEmail: `guest${world.serial}@example.com`,
          receiverUserTags: userTagIds(world),
          accessType: 'ACCESS_TYPE_WEB',
          senderUserId: importer(world).userId,
        })),
      }),
    },
    delete_invitation: {
      weight: 1,
      parameters: (world) => ({ invitationId: idOf(world, 'invitation') }),
    },
    delete_users: { weight: 2, parameters: (world) => ({ userIds: idsOf(world, 'user', 1) }) },
    update_user: {
      weight: 1,
      parameters: (world) => ({
        userId: idOf(world, 'user'),
        userName: `User ${world.serial}`,
        userTagIds: userTagIds(world),
      }),
    },
    update_user_email: {
      weight: 0.5,
      parameters: (world) => ({
        userId: idOf(world, 'user'),
        userEmail: world.choice.chance(0.5) ? '' : `user${world.serial}@example.com`,
      }),
    },
    update_user_name: {
      weight: 1,
      parameters: (world) => ({
        userId: idOf(world, 'user'),
        userName: `User ${world.serial}`,
      }),
    },
    update_user_phone_number: {
      weight: 0.5,
      parameters: (world) => ({
        userId: idOf(world, 'user'),
        userPhoneNumber: world.choice.chance(0.5) ? '' : '+14155552671',
      }),
    },

    create_api_keys: {
      weight: 4,
      parameters: (world) => ({
        apiKeys: upTo(2, world, () => newApiKey(world, world.choice.chance(0.6))),
        userId: idOf(world, 'user'),
      }),
    },
    delete_api_keys: {
      weight: 4,
      parameters: (world) => {
        const [key] = world.choice.some(rowsOf(world, 'api_key'), 1);
        return key === undefined
          ? { userId: idOf(world, 'user'), apiKeyIds: [unknownId] }
          : { userId: key.userId, apiKeyIds: [key.id] };
      },
    },

    create_authenticators: {
      weight: 2,
      parameters: (world) => ({
        authenticators: upTo(2, world, () => newPasskey(world)),
        userId: idOf(world, 'user'),
      }),
    },
    delete_authenticators: {
      weight: 1.5,
      parameters: (world) => {
        const [passkey] = world.choice.some(rowsOf(world, 'authenticator'), 1);
        return passkey === undefined
          ? { userId: idOf(world, 'user'), authenticatorIds: [unknownId] }
          : { userId: passkey.userId, authenticatorIds: [passkey.id] };
      },
    },

    create_oauth_providers: {
      weight: 2,
      parameters: (world) => ({
        userId: idOf(world, 'user'),
        oauthProviders: upTo(2, world, () => newAccount(world)),
      }),
    },
    delete_oauth_providers: {
      weight: 1.5,
      parameters: (world) => {
        const [provider] = world.choice.some(rowsOf(world, 'oauth_provider'), 1);
        return provider === undefined
          ? { userId: idOf(world, 'user'), providerIds: [unknownId] }
          : { userId: provider.userId, providerIds: [provider.id] };
      },
    },

    oauth: {
      weight: 2,
      parameters: (world) => {
        const targetPublicKey = newSessionKey(world);
        return { oidcToken: tokenOf(accountIn(world), targetPublicKey), targetPublicKey };
      },
    },
    oauth_login: {
      weight: 2,
      parameters: (world) => {
        const publicKey = newSessionKey(world);
        const elsewhere = world.choice.chance(0.05) ? newSessionKey(world) : publicKey;
        return {
          oidcToken: tokenOf(accountIn(world), elsewhere),
          publicKey,
          ...(world.choice.chance(0.3) ? { invalidateExisting: true } : {}),
          ...sessionProfileId(world),
        };
      },
    },
    oauth2_authenticate: {
      weight: 1.5,
      parameters: (world) => describedCode(idOf(world, 'oauth2_credential')),
    },
    create_oauth2_credential: {
      weight: 1.5,
      parameters: ({ choice }) => describedCredential({ clientId: `client ${choice.below(8)}` }),
    },
    update_oauth2_credential: {
      weight: 1,
      parameters: (world) => ({
        oauth2CredentialId: idOf(world, 'oauth2_credential'),
        ...describedCredential({ clientId: `client ${world.choice.below(8)}` }),
      }),
    },
    delete_oauth2_credential: {
      weight: 0.7,
      parameters: (world) => ({ oauth2CredentialId: idOf(world, 'oauth2_credential') }),
    },

    stamp_login: {
      weight: 2,
      parameters: (world) => ({
        publicKey: newSessionKey(world),
        ...(world.choice.chance(0.3) ? { invalidateExisting: true } : {}),
        ...sessionProfileId(world),
      }),
    },
    create_read_only_session: { weight: 0.5, parameters: () => ({}) },
    create_read_write_session: {
      weight: 1,
      parameters: (world) => ({
        targetPublicKey: newSessionKey(world),
        ...(world.choice.chance(0.4) ? { userId: idOf(world, 'user') } : {}),
        ...(world.choice.chance(0.3) ? { invalidateExisting: true } : {}),
      }),
    },
    set_ip_allowlist: {
      weight: 1.5,
      parameters: (world) => ({
        ...(world.choice.chance(0.5)
          ? { publicKey: publicKeyOf(world) }
          : { enabled: world.choice.chance(0.7) }),
        // All come from one address, which is never shut out.
        rules: ['127.0.0.0/24', ...world.choice.some(['192.0.2.0/24', '::1', '127.0.0.1'], 2)].map(
          (cidr) => ({ cidr }),
        ),
      }),
    },
    remove_ip_allowlist: {
      weight: 2.5,
      parameters: (world) => (world.choice.chance(0.5) ? {} : { publicKey: publicKeyOf(world) }),
    },
    create_mfa_policy: {
      weight: 2.5,
      parameters: (world) => ({
        userId: idOf(world, 'user'),
        mfaPolicyName: `Factors ${world.serial}`,
        condition: world.choice.pick([neverDemanded, walletsDemanded]),
        requiredAuthenticationMethods: [
          { any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' }] },
          { any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' }] },
        ],
        order: world.choice.below(3),
      }),
    },
    update_mfa_policy: {
      weight: 2.5,
      parameters: (world) => ({
        ...mfaPolicyIds(world),
        mfaPolicyName: `Factors ${world.serial}`,
        ...(world.choice.chance(0.5) ? { order: world.choice.below(3) } : {}),
      }),
    },
    delete_mfa_policy: { weight: 2, parameters: mfaPolicyIds },
    create_session_profile: {
      weight: 0.5,
      parameters: ({ choice, serial }) => ({
        sessionProfileName: `Profile ${serial}`,
        scope: choice.pick([createScope, 'true']),
      }),
    },

    enable_auth_proxy: { weight: 1, parameters: () => ({}) },
    disable_auth_proxy: { weight: 1.5, parameters: () => ({}) },
    update_auth_proxy_config: {
      weight: 1,
      parameters: ({ choice }) => ({ captchaEnabled: choice.chance(0.5), otpLength: 6 }),
    },

    create_user_tag: {
      weight: 1,
      parameters: (world) => ({
        userTagName: `Tag ${world.serial}`,
        userIds: idsOf(world, 'user', 2),
      }),
    },
    update_user_tag: {
      weight: 1,
      parameters: (world) => ({
        userTagId: userTagIds(world)[0] ?? unknownId,
        newUserTagName: `Tag ${world.serial}`,
        ...split(idsOf(world, 'user', 2), 'addUserIds', 'removeUserIds'),
      }),
    },
    delete_user_tags: {
      weight: 1,
      parameters: (world) => ({ userTagIds: orUnknown(userTagIds(world)) }),
    },
    create_private_key_tag: {
      weight: 1,
      parameters: (world) => ({
        privateKeyTagName: `Tag ${world.serial}`,
        privateKeyIds: idsOf(world, 'private_key', 2),
      }),
    },
    update_private_key_tag: {
      weight: 1,
      parameters: (world) => ({
        privateKeyTagId: tagIds(world, 'TAG_TYPE_PRIVATE_KEY')[0] ?? unknownId,
        ...split(idsOf(world, 'private_key', 2), 'addPrivateKeyIds', 'removePrivateKeyIds'),
      }),
    },
    delete_private_key_tags: {
      weight: 1,
      parameters: (world) => ({
        privateKeyTagIds: orUnknown(tagIds(world, 'TAG_TYPE_PRIVATE_KEY')),
      }),
    },

    create_private_keys: {
      weight: 1,
      parameters: (world) => ({
        privateKeys: upTo(2, world, (i) => ({
          privateKeyName: `Key ${world.serial} ${i}`,
          ...world.choice.pick(keyKinds),
          privateKeyTags: [],
        })),
      }),
    },
    delete_private_keys: {
      weight: 1,
      parameters: (world) => ({
        privateKeyIds: idsOf(world, 'private_key', 1),
        deleteWithoutExport: true,
      }),
    },

    export_private_key: {
      weight: 1.5,
      parameters: (world) => ({ privateKeyId: idOf(world, 'private_key'), targetPublicKey }),
    },
    init_import_private_key: { weight: 2.5, parameters: importer },
    import_private_key: {
      weight: 5,
      parameters: (world) => ({
        ...importer(world),
        privateKeyName: `Key ${world.serial}`,
        encryptedBundle: sealedImport(world, 'private_key', sha256(utf8(String(world.serial)))),
        ...world.choice.pick(keyKinds),
      }),
    },

    init_import_secrets: {
      weight: 4,
      parameters: ({ choice }) => ({ encryptionSuite, numSecrets: 1 + choice.below(3) }),
    },
    import_secrets: { weight: 8, parameters: newSecrets },
    export_secrets: {
      weight: 5,
      parameters: (world) => ({ secrets: idsOf(world, 'secret', 2).map(wantedSecret) }),
    },
    delete_secrets: {
      weight: 4,
      parameters: (world) => ({ secretIds: idsOf(world, 'secret', 1) }),
    },

    create_wallet: {
      weight: 1,
      parameters: (world) => ({
        walletName: `Wallet ${world.serial}`,
        accounts: newAccounts(world),
      }),
    },
    update_wallet: {
      weight: 1,
      parameters: (world) => ({
        walletId: idOf(world, 'wallet'),
        walletName: `Wallet ${world.serial}`,
      }),
    },
    delete_wallets: {
      weight: 1,
      parameters: (world) => ({
        walletIds: idsOf(world, 'wallet', 1),
        deleteWithoutExport: true,
      }),
    },
    export_wallet: {
      weight: 1.5,
      parameters: (world) => ({ walletId: idOf(world, 'wallet'), targetPublicKey }),
    },
    export_wallet_account: {
      weight: 1.5,
      parameters: (world) => ({
        address: world.choice.some(rowsOf(world, 'wallet_account'), 1)[0]?.address ?? unknownId,
        targetPublicKey,
      }),
    },
    init_import_wallet: { weight: 2.5, parameters: importer },
    import_wallet: {
      weight: 5,
      parameters: (world) => ({
        ...importer(world),
        walletName: `Wallet ${world.serial}`,
        encryptedBundle: sealedImport(
          world,
          'wallet',
          mnemonicOfEntropy(sha256(utf8(String(world.serial)))),
        ),
        accounts: newAccounts(world),
      }),
    },
    create_wallet_accounts: {
      weight: 2,
      parameters: (world) => ({
        walletId: idOf(world, 'wallet'),
        accounts: newAccounts(world).slice(0, 1),
        ...(world.choice.chance(0.1) ? { persist: false } : {}),
      }),
    },
    delete_wallet_accounts: {
      weight: 2,
      parameters: (world) => ({
        walletAccountIds: idsOf(world, 'wallet_account', 1),
        deleteWithoutExport: true,
      }),
    },

    create_policy: { weight: 1.5, parameters: (world) => newPolicy(world, 0) },
    create_policies: {
      weight: 1,
      parameters: (world) => ({ policies: upTo(2, world, (i) => newPolicy(world, i)) }),
    },
    update_policy: {
      weight: 1,
      parameters: (world) => ({
        policyId: idOf(world, 'policy'),
        policyName: `Policy ${world.serial}`,
      }),
    },
    delete_policy: {
      weight: 1,
      parameters: (world) => ({ policyId: idOf(world, 'policy') }),
    },
    delete_policies: {
      weight: 1,
      parameters: (world) => ({ policyIds: idsOf(world, 'policy', 2) }),
    },
    update_policy_settings: {
      weight: 1,
      parameters: ({ choice }) => ({ failedDeny: choice.pick(failedDenyModes) }),
    },

    create_webhook_endpoint: {
      weight: 1.6,
      parameters: ({ choice, serial }) => ({
        url: `https://hooks.example/${serial}`,
        name: `Hook ${serial}`,
        subscriptions: [
          {
            eventType: 'ACTIVITY_UPDATES',
            isActive: choice.chance(0.9),
            ...(choice.chance(0.7)
              ? {}
              : { filtersJson: JSON.stringify({ statuses: [choice.pick(activityStatuses)] }) }),
          },
        ],
      }),
    },
    update_webhook_endpoint: {
      weight: 1,
      parameters: (world) => ({
        endpointId: idOf(world, 'webhook_endpoint'),
        isActive: world.choice.chance(0.7),
      }),
    },
    delete_webhook_endpoint: {
      weight: 0.8,
      parameters: (world) => ({ endpointId: idOf(world, 'webhook_endpoint') }),
    },
    redeliver_webhook_events: {
      weight: 1.2,
      parameters: (world) => ({
        endpointId: idOf(world, 'webhook_endpoint'),
        firstSequence: '1',
        lastSequence: String(1 + world.choice.below(5)),
      }),
    },
    rotate_webhook_key: {
      weight: 0.5,
      parameters: ({ choice }) => (choice.chance(0.5) ? { immediately: true } : {}),
    },

    create_velocity_control: {
      weight: 0.8,
      parameters: ({ choice, serial }) =>
        describedControl({
          identifier: `limit_${choice.below(8)}`,
          name: `Limit ${serial}`,
          dataSource: {
            activityExecution: {
              filter: { activity: countedTypes.map((activityType) => ({ activityType })) },
            },
          },
        }),
    },
    delete_velocity_control: {
      weight: 0.8,
      parameters: (world) => ({ velocityControlId: idOf(world, 'velocity_control') }),
    },

    create_smart_contract_interface: {
      weight: 1.2,
      parameters: ({ choice, serial }) => ({
        smartContractAddress: `0x${String(choice.below(8)).padStart(40, '0')}`,
        smartContractInterface: `[{ "name": "call${serial}", "inputs": [] }]`,
        type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
        label: `Contract ${serial}`,
      }),
    },
    delete_smart_contract_interface: {
      weight: 1.2,
      parameters: (world) => ({ smartContractInterfaceId: idOf(world, 'contract_interface') }),
    },

    create_tvc_operator: {
      weight: 0.5,
      parameters: (world) => ({
        ...(world.choice.chance(0.4)
          ? { walletName: `Wallet ${world.serial}` }
          : { walletId: idOf(world, 'wallet') }),
        path: `m/${world.choice.below(6)}`,
        operatorName: `Operator ${world.serial}`,
      }),
    },
    create_tvc_app: {
      weight: 1.5,
      parameters: (world) => {
        const { manifestSetParams, ...app } = describedApp({
          name: `Application ${world.serial}`,
          manifestSetParams: describedSet(['Ada', 'Bob', 'Eve'], 1 + world.choice.below(2)),
        });
        const [set] = world.choice.some(rowsOf(world, 'tvc_operator_set'), 1);
        return set !== undefined && world.choice.chance(0.3)
          ? { ...app, manifestSetId: set.id }
          : { ...app, manifestSetParams };
      },
    },
    delete_tvc_app_and_deployments: {
      weight: 0.5,
      parameters: (world) => ({ appId: idOf(world, 'tvc_app') }),
    },
    create_tvc_deployment: {
      weight: 2,
      parameters: (world) => describedDeployment(idOf(world, 'tvc_app')),
    },
    create_tvc_manifest_approvals: { weight: 3, parameters: newApprovals },
    set_tvc_app_live_deployment: {
      weight: 3,
      parameters: (world) => ({
        deploymentId: deploymentId(world, ({ approvals }) => approvals.length > 0),
      }),
    },
    delete_tvc_deployment: {
      weight: 2.5,
      parameters: (world) => ({ deploymentId: deploymentId(world, (row) => !row.isDeleted) }),
    },
    restore_tvc_deployment: {
      weight: 5,
      parameters: (world) => ({ deploymentId: deploymentId(world, (row) => row.isDeleted) }),
    },
    set_tvc_deployment_status: {
      weight: 3,
      parameters: (world) => ({
        deploymentId: deploymentId(world, () => true),
        readyReplicas: world.choice.below(3),
        ...(world.choice.chance(0.1) ? { cleanedUp: true } : {}),
      }),
    },

    sign_raw_payload: {
      weight: 8,
      parameters: (world) => {
        const { signWith, hashFunction } = signer(world);
        return { signWith, payload: `Payload ${world.serial}`, encoding, hashFunction };
      },
    },
    eth_send_transaction: {
      weight: 1,
      parameters: (world) => ({
        from: ethereumAddress(world),
        caip2,
        calls: [{ to: `0x${'12'.repeat(20)}`, value: String(world.serial) }],
      }),
    },
    eth_undelegate_7702: {
      weight: 0.5,
      parameters: (world) => ({ from: ethereumAddress(world), caip2 }),
    },
    eth_send_raw_transaction: {
      weight: 0.5,
      parameters: (world) => ({
        signedTransaction: foreignTransactions[world.choice.below(foreignTransactions.length)],
        caip2,
      }),
    },
    abandon_transaction: {
      weight: 0.5,
      parameters: (world) => ({ sendTransactionStatusId: idOf(world, 'send') }),
    },
    sol_send_transaction: {
      weight: 1,
      parameters: (world) => describedSolanaSend(solanaSigners(world)),
    },
    sign_transaction: {
      weight: 2,
      parameters: (world) => ({
        signWith: ethereumSigner(world),
        type: 'TRANSACTION_TYPE_ETHEREUM',
        unsignedTransaction: Transaction.from({
          type: 2,
          chainId: 1 + world.choice.below(3),
          nonce: world.serial,
          gasLimit: 21_000,
          maxFeePerGas: 10,
          maxPriorityFeePerGas: 1,
          to: `0x${'12'.repeat(20)}`,
          value: world.choice.below(1_000),
        }).unsignedSerialized.slice(2),
      }),
    },
    sign_raw_payloads: {
      weight: 2,
      parameters: (world) => {
        const { signWith, hashFunction } = signer(world);
        const payloads = upTo(2, world, (i) => `Payload ${world.serial} ${i}`);
        return { signWith, payloads, encoding, hashFunction };
      },
    },
  };

/** Parameters of votes: on what waits, and now and then on what has waited. */
export const voteRequests: Readonly<
  Record<string, (world: World) => { readonly fingerprint: string }>
> = {
  approve_activity: (world) => ({ fingerprint: fingerprintOf(world) }),
  reject_activity: (world) => ({ fingerprint: fingerprintOf(world) }),
};

/** Requests that two users suffice for, where there is a policy with this condition. */
export const votedOperations: readonly string[] = [
  'create_wallet',
  'create_user_tag',
  'update_user_name',
  'sign_raw_payload',
];
export const votedCondition = votedOperations
  .map((name) => `activity.kind == '${name.toUpperCase()}'`)
  .join(' || ');

/** Conditions of MFA policies: two API keys are demanded for wallets, or never. */
export const walletsDemanded = "activity.resource == 'WALLET'";
const neverDemanded = 'false';

/** The scope of sessions that may only make things. */
export const createScope = "activity.action == 'CREATE'";

/** Bodies of queries, by the name of the operation. */
export const queryRequests: Readonly<Record<string, Generate>> = {
  whoami: () => ({}),
  list_activities: () => ({ paginationOptions: { limit: String(pageLimit) } }),
  get_activity: (world) => ({ activityId: activityId(world) }),
  get_policy_evaluations: (world) => ({ activityId: activityId(world) }),
  simulate_policies: () => ({ changes: [], limit: String(pageLimit) }),
  explain_activity: (world) => ({ activityId: activityId(world) }),
  get_mfa_status: (world) => ({ activityId: activityId(world) }),
  list_app_proofs: (world) => ({ activityId: activityId(world) }),
  get_latest_boot_proof: () => ({}),
  get_attestation: () => ({ enclaveType: 'signer' }),
  get_boot_proof: (world) => {
    const [statement] = world.choice.some(rowsOf(world, 'boot_statement'), 1);
    return { ephemeralKey: statement?.ephemeralPublicKeyHex ?? '04'.repeat(130) };
  },
  get_organization: () => ({}),
  get_organization_configs: () => ({}),
  get_ip_allowlist: (world) => (world.choice.chance(0.5) ? {} : { publicKey: publicKeyOf(world) }),
  list_suborgs: () => ({ paginationOptions: { limit: String(pageLimit) } }),
  list_verified_suborgs: () => ({ filterType: 'EMAIL', filterValue: knownContact }),
  list_users: () => ({}),
  get_user: (world) => ({ userId: idOf(world, 'user') }),
  list_user_tags: () => ({}),
  get_api_keys: () => ({}),
  get_api_key: (world) => ({ apiKeyId: idOf(world, 'api_key') }),
  get_session_profiles: () => ({}),
  get_session_profile: (world) => ({ sessionProfileId: idOf(world, 'session_profile') }),
  get_mfa_policies: (world) => ({ userId: idOf(world, 'user') }),
  get_mfa_policy: mfaPolicyIds,
  get_auth_proxy_config: () => ({}),
  get_oauth_providers: () => ({}),
  list_oauth2_credentials: () => ({}),
  get_oauth2_credential: (world) => ({ oauth2CredentialId: idOf(world, 'oauth2_credential') }),
  get_authenticators: (world) => ({ userId: idOf(world, 'user') }),
  get_authenticator: (world) => ({ authenticatorId: idOf(world, 'authenticator') }),
  list_wallets: () => ({}),
  get_wallet: (world) => ({ walletId: idOf(world, 'wallet') }),
  list_wallet_accounts: () => ({ paginationOptions: { limit: String(pageLimit) } }),
  get_wallet_account: (world) => ({
    walletId: idOf(world, 'wallet'),
    address: signer(world).signWith,
  }),
  get_wallet_address_balances: (world) => ({ address: signer(world).signWith, caip2 }),
  list_supported_assets: () => ({ caip2 }),
  get_nonces: ({ serial }) => ({
    address: `0x${String(serial).padStart(40, '0')}`,
    caip2,
    nonce: true,
  }),
  list_eth_transaction_history: (world) => ({ address: signer(world).signWith, caip2 }),
  list_sol_transaction_history: (world) => ({
    address: signer(world).signWith,
    caip2: 'solana:mainnet',
  }),
  get_send_transaction_status: (world) => ({ sendTransactionStatusId: idOf(world, 'send') }),
  list_email_events: () => ({ email: 'nobody@example.com' }),
  list_private_keys: () => ({}),
  get_private_key: (world) => ({ privateKeyId: idOf(world, 'private_key') }),
  list_private_key_tags: () => ({}),
  list_secrets: () => ({ paginationOptions: { limit: String(pageLimit) } }),
  list_velocity_controls: () => ({}),
  get_velocity_control: (world) => ({ velocityControlId: idOf(world, 'velocity_control') }),
  list_policies: () => ({}),
  get_active_policies: () => ({}),
  get_policy: (world) => ({ policyId: idOf(world, 'policy') }),
  get_policy_settings: () => ({}),
  get_policy_warnings: () => ({}),
  list_webhook_endpoints: () => ({}),
  list_webhook_deliveries: (world) => ({
    endpointId: idOf(world, 'webhook_endpoint'),
    withBodies: true,
    limit: String(pageLimit),
  }),
  list_smart_contract_interfaces: () => ({}),
  get_smart_contract_interface: (world) => ({
    smartContractInterfaceId: idOf(world, 'contract_interface'),
  }),
  list_tvc_apps: () => ({}),
  list_tvc_operators: () => ({}),
  get_tvc_app: (world) => ({ tvcAppId: idOf(world, 'tvc_app') }),
  list_tvc_app_deployments: (world) => ({ appId: idOf(world, 'tvc_app') }),
  get_tvc_deployment: (world) => ({ deploymentId: deploymentId(world, () => true) }),
  get_app_status: (world) => ({ appId: idOf(world, 'tvc_app') }),
  get_tvc_qos_versions: () => ({}),
  validate_tvc_image: () => ({ pivotContainerImageUrl: 'program' }),
};

/** A chain that the deployment has. */
const caip2 = 'eip155:1';

/** Rows of a page: as many as a query may ask for. */
export const pageLimit = 100;

const passkeys = Array.from({ length: 40 }, (_, i) =>
  createSoftwareAuthenticator({ seed: `simulation ${i}` }),
);

/** An id that nothing has. */
export const unknownId = '01900000-0000-7000-8000-000000000000';

const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8';

const keyKinds = [
  { curve: 'CURVE_SECP256K1', addressFormats: ['ADDRESS_FORMAT_ETHEREUM'] },
  { curve: 'CURVE_P256', addressFormats: ['ADDRESS_FORMAT_COMPRESSED'] },
  { curve: 'CURVE_ED25519', addressFormats: ['ADDRESS_FORMAT_SOLANA'] },
];

/** The rows of a kind; now and then those of an earlier time. */
export function rowsOf<Kind extends RecordKind>(world: World, kind: Kind): Records[Kind][] {
  const { choice, history, state } = world;
  const of = choice.chance(0.06) ? choice.pick(history) : state;
  return [...of.rows[kind].values()];
}

function idsOf(world: World, kind: RecordKind, count: number): string[] {
  const rows = world.choice.some<{ readonly id: string }>(rowsOf(world, kind), count);
  return orUnknown(rows.map((row) => row.id));
}

export const idOf = (world: World, kind: RecordKind): string =>
  idsOf(world, kind, 1)[0] ?? unknownId;

function activityId({ choice, activityIds }: World): string {
  return choice.some(activityIds(), 1)[0] ?? unknownId;
}

/** A key of a session: of P-256, and mostly nobody's yet. */
function newSessionKey({ choice }: World): string {
  const pairs = keyPairs.filter(({ curve }) => curve === 'API_KEY_CURVE_P256');
  return choice.pick(pairs).publicKey;
}

function publicKeyOf(world: World): string {
  const listed = rowsOf(world, 'ip_allowlist').flatMap(({ publicKey }) => publicKey ?? []);
  const keys = rowsOf(world, 'api_key').map(({ publicKey }) => publicKey);
  const [key] = world.choice.some(listed.length > 0 && world.choice.chance(0.6) ? listed : keys, 1);
  return key ?? rootKeyPair.publicKey;
}

function mfaPolicyIds(world: World) {
  const [policy] = world.choice.some(rowsOf(world, 'mfa_policy'), 1);
  return { userId: policy?.userId ?? unknownId, mfaPolicyId: policy?.id ?? unknownId };
}

function sessionProfileId(world: World): object {
  const [profile] = world.choice.some(rowsOf(world, 'session_profile'), 1);
  if (profile === undefined || world.choice.chance(0.5)) return {};
  return { sessionProfileId: profile.id };
}

const orUnknown = (ids: readonly string[]): string[] => (ids.length === 0 ? [unknownId] : [...ids]);

function tagIds(world: World, type: Records['tag']['type']): string[] {
  const ids = rowsOf(world, 'tag').flatMap((tag) => (tag.type === type ? [tag.id] : []));
  return world.choice.some(ids, 1);
}

const userTagIds = (world: World): string[] => tagIds(world, 'TAG_TYPE_USER');

/** The first id under one name, the others under another. */
function split(ids: readonly string[], first: string, others: string): object {
  return { [first]: ids.slice(0, 1), [others]: ids.slice(1) };
}

function upTo<Item>(count: number, { choice }: World, make: (i: number) => Item): Item[] {
  return Array.from({ length: 1 + choice.below(count) }, (_, i) => make(i));
}

/** A policy for which two users suffice; or one that decides nothing, the root quorum does. */
const newPolicy = ({ choice, serial }: World, number: number) => ({
  policyName: `Policy ${serial} ${number}`,
  effect: 'EFFECT_ALLOW',
  ...(choice.chance(0.5)
    ? { condition: votedCondition, consensus: 'approvers.count() >= 2' }
    : { condition: 'false' }),
  notes: '',
});

/** A deployment of this kind; now and then any of them. */
function deploymentId(world: World, isWanted: (row: Records['tvc_deployment']) => boolean): string {
  const rows = rowsOf(world, 'tvc_deployment');
  const wanted = world.choice.chance(0.2) ? rows : rows.filter(isWanted);
  return world.choice.some(wanted, 1)[0]?.id ?? unknownId;
}

/** Signatures of members of a manifest set whose keys are known here, one of them seldom good. */
function newApprovals(world: World): object {
  const { choice, state } = world;
  const rows = rowsOf(world, 'tvc_deployment').filter(
    (row) => choice.chance(0.3) || !row.isDeleted,
  );
  const [deployment] = choice.some(rows, 1);
  const {
    manifestId = unknownId,
    manifestDigest = '',
    appId = '',
    approvals = [],
  } = deployment ?? {};
  const setId = state.rows.tvc_app.get(appId)?.manifestSetId ?? '';
  const members = (state.rows.tvc_operator_set.get(setId)?.operatorIds ?? []).filter(
    (id) => choice.chance(0.1) || !approvals.some(({ operatorId }) => operatorId === id),
  );
  const digest = Uint8Array.from(Buffer.from(manifestDigest, 'hex'));
  const made = choice.some(members, 1 + choice.below(2)).map((operatorId) => {
    const name = state.rows.tvc_operator.get(operatorId)?.name ?? '';
    return { operatorId, signature: signAs(choice.chance(0.05) ? 'nobody' : name, digest) };
  });
  const nothing = [{ operatorId: unknownId, signature: '00' }];
  return { manifestId, approvals: made.length === 0 ? nothing : made };
}

function fingerprintOf(world: World): string {
  const { choice } = world;
  const known = choice.chance(0.1) ? world.history.slice(-20) : [world.state];
  const rows = known.flatMap(({ rows: { open_activity } }) => [...open_activity.values()]);
  return choice.some(rows, 1)[0]?.fingerprint ?? `sha256:${'0'.repeat(64)}`;
}

function newUser(world: World, number: number) {
  return {
    userName: `User ${world.serial} ${number}`,
    ...(number === 0 ? newContact(world) : {}),
    apiKeys: [
      newApiKey(world, false),
      ...(world.choice.chance(0.3) ? [newApiKey(world, true)] : []),
    ],
    authenticators: world.choice.chance(0.2) ? [newPasskey(world)] : [],
    oauthProviders: world.choice.chance(0.2) ? [newAccount(world)] : [],
  };
}

function newApiOnlyUser(world: World, number: number) {
  // Their keys are of P-256: one of another curve would be taken for another key of the same digits.
  const { curveType, ...apiKey } = newApiKey(world, false);
  const isP256 = curveType === 'API_KEY_CURVE_P256';
  const [pair] = keyPairs.filter(({ curve }) => curve === 'API_KEY_CURVE_P256');
  const publicKey = isP256 ? apiKey.publicKey : (pair?.publicKey ?? apiKey.publicKey);
  const key = { ...apiKey, publicKey };
  return { userName: `Machine ${world.serial} ${number}`, userTags: [], apiKeys: [key] };
}

/** An account at the identity provider, which may be somebody's already. */
function newAccount({ choice, serial }: World) {
  const oidcToken = tokenOf(accountOf(choice.below(1000)), 'no key');
  return { providerName: `Account ${serial}`, oidcToken };
}

/** An account that somebody has here, most of the time. */
function accountIn(world: World): string {
  const [provider] = world.choice.some(rowsOf(world, 'oauth_provider'), 1);
  return provider?.subject ?? accountOf(world.choice.below(1000));
}

/** A passkey; one in a few dozen has been registered somewhere before. */
export const newPasskey = ({ choice, serial }: World) => ({
  authenticatorName: `Passkey ${serial}`,
  ...(choice.pick(passkeys)?.register() ?? {}),
});

/** A key that the organization has not registered, most of the time. */
function newApiKey(world: World, isExpiring: boolean) {
  const { choice, state, serial } = world;
  const known = new Set([...state.rows.api_key.values()].map((key) => key.publicKey));
  const free = keyPairs.filter((pair) => !known.has(pair.publicKey));
  const pair = choice.pick(free.length === 0 || choice.chance(0.03) ? keyPairs : free);
  return {
    apiKeyName: `Key ${serial}`,
    publicKey: pair.publicKey,
    curveType: pair.curve,
    ...(isExpiring ? { expirationSeconds: String(choice.pick([1, 30, 60, 3600])) } : {}),
  };
}

/** Imports name the one who asks; hardly anybody tries another. */
function importer(world: World) {
  return {
    userId: world.choice.chance(0.9) ? (world.callerId ?? unknownId) : idOf(world, 'user'),
  };
}

/** Something sealed to a target of the one who asks; now and then to one of another time or user. */
function sealedImport(
  world: World,
  purpose: Records['import_target']['purpose'],
  plaintext: Uint8Array,
): string {
  const targets = rowsOf(world, 'import_target').filter(
    (row) =>
      world.choice.chance(0.05) || (row.purpose === purpose && row.userId === world.callerId),
  );
  const [target] = world.choice.some(targets, 1);
  if (target === undefined) return sealedTo(keyAgreement(clientKey).publicKey, plaintext);
  const publicKey = heldKeys(world.state.id).useHeldKey(
    'import_target',
    target,
    (key) => keyAgreement(key).publicKey,
  );
  return sealedTo(publicKey, plaintext);
}

/** Texts sealed to targets of the organization; now and then to one that is of no text. */
function newSecrets(world: World) {
  const targets = rowsOf(world, 'import_target').filter(
    (row) => world.choice.chance(0.03) || row.purpose === 'secret',
  );
  const chosen = world.choice.some(targets, 1 + world.choice.below(2));
  const other = hex(keyAgreement(clientKey).publicKey);
  const keys = chosen.length === 0 ? [other] : chosen.map(({ publicKey }) => publicKey ?? other);
  const secrets = keys.map((publicKey, i) => ({
    ...(world.choice.chance(0.5) ? { name: `Secret ${world.choice.below(12)}` } : {}),
    secretPayload: sealedTo(Uint8Array.fromHex(publicKey), utf8(secretTextOf(publicKey))),
    targetPublicKey: publicKey,
    encryptionSuite,
    staticProperties: [{ key: 'number', value: `${world.serial} ${i}` }],
  }));
  return { secrets };
}

/** The text that is sealed to a target, so that the judge knows it. */
export const secretTextOf = (targetPublicKey: string): string => `Text for ${targetPublicKey}`;

function newAccounts({ choice }: World) {
  const ethereum = { curve: 'CURVE_SECP256K1', addressFormat: 'ADDRESS_FORMAT_ETHEREUM' };
  const solana = { curve: 'CURVE_ED25519', addressFormat: 'ADDRESS_FORMAT_SOLANA' };
  const paths = choice.some(
    [0, 1, 2, 3, 4, 5].flatMap((number) => [
      { ...ethereum, path: `m/44'/60'/0'/0/${number}` },
      { ...solana, path: `m/44'/501'/${number}'/0'` },
    ]),
    1 + choice.below(3),
  );
  return paths.map((account) => ({ ...account, pathFormat: 'PATH_FORMAT_BIP32' }));
}

/** An address of Ethereum, or a private key that has one. */
function ethereumSigner(world: World): string {
  const keys = rowsOf(world, 'private_key').filter(({ addresses }) => addresses.some(isOfEthereum));
  const names = [...ethereumAddresses(world), ...keys.map(({ id }) => id)];
  return world.choice.some(names, 1)[0] ?? unknownId;
}

/** Of an account or a private key. */
function ethereumAddress(world: World): string {
  return world.choice.some(ethereumAddresses(world), 1)[0] ?? `0x${'00'.repeat(20)}`;
}

function ethereumAddresses(world: World): readonly string[] {
  const accounts = rowsOf(world, 'wallet_account').filter(({ addressFormat }) =>
    isOfEthereum({ format: addressFormat }),
  );
  const keys = rowsOf(world, 'private_key').flatMap(({ addresses }) =>
    addresses.filter(isOfEthereum),
  );
  return [...accounts, ...keys].map(({ address }) => address);
}

/** Transactions that others signed: of two addresses, and two that replace each other. */
const foreignTransactions = [
  foreignTransaction(),
  foreignTransaction({ maxFeePerGas: 200, maxPriorityFeePerGas: 20 }),
  foreignTransaction({ nonce: 1 }),
  foreignTransaction({ type: 0 }, `0x${'0b'.repeat(32)}`),
];

const isOfEthereum = ({ format }: { readonly format: string }) =>
  format === 'ADDRESS_FORMAT_ETHEREUM';

/** Up to two addresses of Solana. */
function solanaSigners(world: World): readonly string[] {
  const isOfSolana = ({ format }: { readonly format: string }) =>
    format === 'ADDRESS_FORMAT_SOLANA';
  const addresses = [
    ...rowsOf(world, 'wallet_account')
      .filter(({ addressFormat }) => isOfSolana({ format: addressFormat }))
      .map(({ address }) => address),
    ...rowsOf(world, 'private_key').flatMap((key) =>
      key.addresses.filter(isOfSolana).map(({ address }) => address),
    ),
  ];
  const found = world.choice.some(addresses, 1 + world.choice.below(2));
  return found.length === 0 ? [strangerOfSolana] : found;
}

const strangerOfSolana = base58.encode(new Uint8Array(32).fill(8));

function signer(world: World): { readonly signWith: string; readonly hashFunction: string } {
  const keys = [
    ...rowsOf(world, 'wallet_account').map(({ address, curve }) => ({ signWith: address, curve })),
    ...rowsOf(world, 'private_key').map(({ id, addresses, curve }) => ({
      signWith: world.choice.chance(0.5) ? id : (addresses[0]?.address ?? id),
      curve,
    })),
  ];
  const [key] = world.choice.some(keys, 1);
  const hashFunction =
    key?.curve === 'CURVE_ED25519' ? 'HASH_FUNCTION_NOT_APPLICABLE' : 'HASH_FUNCTION_SHA256';
  return { signWith: key?.signWith ?? unknownId, hashFunction };
}
