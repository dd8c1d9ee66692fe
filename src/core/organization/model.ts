// The records of the service, as plain readonly values. Times are milliseconds since 1970, ids UUIDv7.

import type { AddressFormatName } from '../address/index.ts';
import type {
  ActivityStatus,
  CredentialType,
  CurveName,
  FeatureName,
  MnemonicLanguage,
  Oauth2Provider,
  PolicyEffect,
  TagType,
  Transport,
} from '../base/enums.ts';
import type { AddressLabel } from './records/address_label.ts';
import type { ArchivedActivities } from './records/archive.ts';
import type { AuthProxySettings } from './records/auth_proxy.ts';
import type { ChainTransaction } from './records/chain_transactions.ts';
import type {
  TvcApp,
  TvcDeployment,
  TvcOperator,
  TvcOperatorSet,
  TvcQuorumKey,
} from './records/deployments.ts';
import type { EmailEvent } from './records/email_events.ts';
import type { Freeze } from './records/freeze.ts';
import type { GasUsage, GasUsageConfig } from './records/gas_usage.ts';
import type { Invitation } from './records/invitations.ts';
import type { MarketSettings } from './records/market_settings.ts';
import type { MfaPolicy } from './records/mfa_policy.ts';
import type { OtpCode } from './records/one_time_codes.ts';
import type { OrganizationKey } from './records/organization_key.ts';
import type { BootStatement } from './records/proofs.ts';
import type { Row } from './records/row.ts';
import type { Send, Sender, SentNonce } from './records/sends.ts';
import type { Voter } from './records/user_view.ts';
import type { VelocityControl, VelocityCounter } from './records/velocity_controls.ts';
import type { ActivitySnapshot, WebhookEndpoint, WebhookKey } from './records/webhooks.ts';
import type { SignInLink } from './sign_in_link.ts';

/** The organization itself: everything about it that is not a record of its own. */
export type OrganizationHead = MarketSettings & {
  readonly name: string;
  readonly rootQuorum: RootQuorum;
  readonly features: readonly Feature[];
  /** Absent: `FAILED_DENY_REFUSES`. */
  readonly failedDeny?: FailedDenyMode;
  /** Name of the current policy set, see `policySetRowId`. Absent before the first policy. */
  readonly policySetId?: string;
  /** The organization's own key, if any. It seals wallets and private keys below the seal of the root key. */
  readonly organizationKey?: OrganizationKey;
  /** Identifies the onboarding-proxy configuration; only parents have one. */
  readonly authProxyConfigId?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Set once the organization is deleted: nothing but this head and its activities remain. */
  readonly deletedAtMs?: number;
};

/** The effect of a DENY policy when one of its clauses fails although it mentions the current activity. */
export const failedDenyModes = ['FAILED_DENY_REFUSES', 'FAILED_DENY_SKIPPED'] as const;
export type FailedDenyMode = (typeof failedDenyModes)[number];

export type RootQuorum = { readonly threshold: number; readonly userIds: readonly string[] };

export type Feature = { readonly name: FeatureName; readonly value?: string };

export type User = Row & {
  readonly name: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  /** Set if a token proved that the user holds the contact. */
  readonly emailVerified?: true;
  readonly phoneNumberVerified?: true;
  /** Set where a stranger typed the contact at a sign-up: it counts for nothing until it is shown. */
  readonly emailClaimed?: true;
  readonly phoneNumberClaimed?: true;
  readonly tagIds: readonly string[];
};

type CredentialRow = Row & {
  readonly userId: string;
  readonly name: string;
  readonly leads?: SignInLink;
};

export type ApiKey = CredentialRow & {
  /** Hex as registered: 33-byte compressed point, or 32 bytes for Ed25519; compared in any case. */
  readonly publicKey: string;
  readonly type: CredentialType;
  /** Life of the key from its creation; absent: it does not expire. */
  readonly expirationSeconds?: number;
  /** Set for a login with a session profile: the scope of the key. */
  readonly sessionProfile?: { readonly id: string; readonly scope: string };
  /** Set for a mailed key until it signs, since its requester may not be its user. */
  readonly isUnused?: true;
  /** ID of the user who requested the mailed key; present with `isUnused`. */
  readonly askedBy?: string;
  /** Present with `isUnused`: the first signature revokes earlier keys of its user and type. */
  readonly endsEarlier?: true;
};

/** A passkey. */
export type Authenticator = CredentialRow & {
  /** The raw id, base64url. */
  readonly credentialId: string;
  /** COSE_Key, base64url. */
  readonly publicKey: string;
  /** 16 bytes, base64url. */
  readonly aaguid: string;
  /** Format of the attestation statement, as the device named it. */
  readonly attestationType: string;
  readonly model: string;
  readonly transports: readonly Transport[];
  /** SHA-256 of the relying party's id, base64url: assertions carry the same. */
  readonly rpIdHash: string;
};

/** An account of a user at an identity provider. */
export type OauthProvider = CredentialRow & {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
};

/** Limits of a kind of session: never changed, never deleted. */
export type SessionProfile = Row & {
  readonly name: string;
  /** Expression of the policy language: the operations that such a session may call. */
  readonly scope: string;
  readonly expirationSeconds?: number;
  readonly notes?: string;
};

/** The service's own account at a provider that speaks OAuth 2.0 only. */
export type Oauth2Credential = Row & {
  readonly provider: Oauth2Provider;
  readonly clientId: string;
  /** The value as sent, encrypted to the service: hex. */
  readonly encryptedClientSecret: string;
};

export type IpRule = {
  readonly cidr: string;
  readonly label?: string;
  readonly createdAtMs: number;
};

/** Addresses from which requests are accepted, for the organization or for one API key. */
export type IpAllowlist = Row & {
  /** Lower-case hex; absent: for every key of the organization. */
  readonly publicKey?: string;
  readonly enabled: boolean;
  readonly rules: readonly IpRule[];
  readonly onEvaluationError: 'ALLOW' | 'DENY';
};

/** Configuration of the onboarding proxy; browsers name its ID. */
export type AuthProxyConfig = Row & {
  /** The user of the proxy. */
  readonly userId: string;
  readonly policyId: string;
  /** The key of that user, wrapped by the keyring: base64url. */
  readonly secret: string;
  /** Public key of the proxy's API key: compressed, hex. */
  readonly publicKey: string;
  readonly settings: AuthProxySettings;
};

/** A key that a user may seal one import to; it is gone once that is done. */
export type ImportTarget = Row & {
  readonly userId: string;
  readonly purpose: 'wallet' | 'private_key' | 'secret';
  /** The private key, held by the keyring: base64url. */
  readonly secret: string;
  /** Public key for imports of secrets, which name it: 65 bytes, hex. */
  readonly publicKey?: string;
  readonly expiresAtMs: number;
};

/** The facts about a secret text: the text is a record of its own. */
export type Secret = Row & {
  readonly name?: string;
  /** The members that policies read, in the order in which they were sent. */
  readonly staticProperties: readonly StaticProperty[];
};

export type StaticProperty = { readonly key: string; readonly value: string };

/** The text of a secret, under the id of that, wrapped by the keyring: base64url. */
export type SecretText = Row & { readonly secret: string };

/** The use of a verification token. */
export type TokenUsage =
  | 'login'
  | 'sign_up'
  | 'contact_change'
  /** The token stamped an activity or a vote. */
  | 'stamp'
  /** Used in the organization of its own sign-up; the first login there may use the same token. */
  | 'own_sign_up';

/** A verification token that was used, under its own id: remembered until it expires. */
export type UsedToken = Row & {
  readonly usage: TokenUsage;
  readonly expiresAtMs: number;
  /** The waiting activity that the token stamped or voted on; it may still exchange the token. */
  readonly waitingActivityId?: string;
};

export type Tag = Row & { readonly name: string; readonly type: TagType };

export type Wallet = Row & {
  readonly name: string;
  /** Seed and entropy, of an imported one seed and sentence, wrapped by the keyring: base64url. */
  readonly secret: string;
  /** Language of an imported sentence; absent for generated, English sentences. */
  readonly language?: MnemonicLanguage;
  readonly exported: boolean;
  readonly imported: boolean;
  /** Accounts whose key was exported alone; of an exported wallet all count. */
  readonly exportedAccountIds?: readonly string[];
  /** Accounts that were deleted: an old row of one, put back, is refused. */
  readonly deletedAccountIds: readonly string[];
};

export type PrivateKey = Row & {
  readonly name: string;
  readonly curve: CurveName;
  /** Hex: 33-byte compressed point, or 32 bytes for Ed25519. */
  readonly publicKey: string;
  readonly addresses: readonly Address[];
  readonly tagIds: readonly string[];
  /** The 32-byte key, wrapped by the keyring: base64url. Empty if the key is held elsewhere. */
  readonly secret: string;
  /** The kind of the holder of a key outside of this service. */
  readonly heldBy?: string;
  readonly exported: boolean;
  readonly imported: boolean;
};

export type Address = { readonly format: AddressFormatName; readonly address: string };

export type Policy = Row & {
  readonly name: string;
  readonly effect: PolicyEffect;
  /** Expressions, as written. Absent: it holds. */
  readonly condition?: string;
  readonly consensus?: string;
  readonly time?: string;
  readonly notes: string;
};

/** The policies of an organization between two changes of them: stored evaluations refer to it. */
export type PolicySet = Row & {
  /** In the order of `list('policy')`. */
  readonly policyIds: readonly string[];
  /** Absent in sets that were stored before receipts showed policies, like `digests`. */
  readonly nonce?: string;
  /** SHA-256 of the text of each policy, base64url. */
  readonly digests?: readonly string[];
};

/**
 * An activity that still takes votes. The organization names the current version of its row, so that an older
 * row, with fewer votes or not yet decided, cannot be put back.
 */
export type OpenActivity = Row & {
  readonly activityVersion: number;
  /** The status in which the activity waits. */
  readonly status: ActivityStatus;
  /** Fingerprint of the activity: `sha256:` and hex. Voters name it. */
  readonly fingerprint: string;
  /** Absent in rows that were written before users had a share of the waiting activities. */
  readonly submitterId?: string;
};

/** Records that an activity took votes, found by its fingerprint; it stays after the decision. */
type VotedActivity = Row & { readonly fingerprint: string };

export const contractInterfaceTypes = [
  'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
  'SMART_CONTRACT_INTERFACE_TYPE_SOLANA',
  'SMART_CONTRACT_INTERFACE_TYPE_ERC7730',
] as const;
export type ContractInterfaceType = (typeof contractInterfaceTypes)[number];

/** The facts about a smart contract: its text is a record of its own. */
export type ContractInterface = Row & {
  readonly type: ContractInterfaceType;
  /** The text as sent; Ethereum addresses may have any letter case. */
  readonly address: string;
  readonly label: string;
  readonly notes: string;
  /** SHA-256 of the text in UTF-8, hex: vouches for the record that holds it. */
  readonly digest: string;
  /** UTF-16 units of text, label and notes as JSON strings. */
  readonly jsonUnits: number;
};

/** The ABI, IDL or description of a contract interface, under the id of that. */
export type ContractInterfaceText = Row & { readonly text: string };

export type WalletAccount = Row & {
  readonly walletId: string;
  readonly curve: CurveName;
  readonly pathFormat: 'PATH_FORMAT_BIP32';
  /** The text as sent by the client. On Ed25519 every segment counts as hardened in any spelling. */
  readonly path: string;
  readonly addressFormat: AddressFormatName;
  readonly address: string;
  /** Hex: 33-byte compressed point, or 32 bytes for Ed25519. */
  readonly publicKey: string;
  readonly name?: string;
};

/** Small state: loaded whole with its organization, complete or refused. */
export type SmallRecords = {
  user: User;
  api_key: ApiKey;
  authenticator: Authenticator;
  oauth_provider: OauthProvider;
  tag: Tag;
  wallet: Wallet;
  private_key: PrivateKey;
  policy: Policy;
  contract_interface: ContractInterface;
  open_activity: OpenActivity;
  session_profile: SessionProfile;
  mfa_policy: MfaPolicy;
  oauth2_credential: Oauth2Credential;
  ip_allowlist: IpAllowlist;
  used_token: UsedToken;
  import_target: ImportTarget;
  secret: Secret;
  invitation: Invitation;
  otp_code: OtpCode;
  auth_proxy_config: AuthProxyConfig;
  tvc_operator: TvcOperator;
  tvc_operator_set: TvcOperatorSet;
  tvc_quorum_key: TvcQuorumKey;
  tvc_app: TvcApp;
  tvc_deployment: TvcDeployment;
  webhook_endpoint: WebhookEndpoint;
  webhook_key: WebhookKey;
  boot_statement: BootStatement;
  velocity_control: VelocityControl;
  velocity_counter: VelocityCounter;
  gas_usage_config: GasUsageConfig;
  gas_usage: GasUsage;
  sender: Sender;
  freeze: Freeze;
  address_label: AddressLabel;
};
export type SmallKind = keyof SmallRecords;
export const smallKinds: readonly SmallKind[] = [
  'user',
  'api_key',
  'authenticator',
  'oauth_provider',
  'tag',
  'wallet',
  'private_key',
  'policy',
  'contract_interface',
  'open_activity',
  'session_profile',
  'mfa_policy',
  'oauth2_credential',
  'ip_allowlist',
  'used_token',
  'import_target',
  'secret',
  'invitation',
  'otp_code',
  'auth_proxy_config',
  'tvc_operator',
  'tvc_operator_set',
  'tvc_quorum_key',
  'tvc_app',
  'tvc_deployment',
  'webhook_endpoint',
  'webhook_key',
  'boot_statement',
  'velocity_control',
  'velocity_counter',
  'gas_usage_config',
  'gas_usage',
  'sender',
  'freeze',
  'address_label',
];

/** Returns true if a kind from outside is one of small state. */
export const isSmallKind = (kind: string): kind is SmallKind =>
  (smallKinds as readonly string[]).includes(kind);

/** Unbounded kinds: found by look-up or page, each sealed on its own. */
export type LargeRecords = {
  wallet_account: WalletAccount;
  voted_activity: VotedActivity;
  policy_set: PolicySet;
  contract_interface_text: ContractInterfaceText;
  secret_text: SecretText;
  activity_snapshot: ActivitySnapshot;
  voter: Voter;
  archived_activities: ArchivedActivities;
  send: Send;
  sent_nonce: SentNonce;
  email_event: EmailEvent;
  chain_transaction: ChainTransaction;
};
export type LargeKind = keyof LargeRecords;

export type Records = SmallRecords & LargeRecords;
export type RecordKind = keyof Records;
