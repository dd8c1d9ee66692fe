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
import type { SignInLink } from './records/sign_in_link.ts';
import type { Voter } from './records/user_view.ts';
import type { VelocityControl, VelocityCounter } from './records/velocity_controls.ts';
import type { ActivitySnapshot, WebhookEndpoint, WebhookKey } from './records/webhooks.ts';

/** An organization without its other records. */
export type OrganizationHead = MarketSettings & {
  readonly name: string;
  readonly rootQuorum: RootQuorum;
  readonly features: readonly Feature[];
  /** Default: `FAILED_DENY_REFUSES`. */
  readonly failedDeny?: FailedDenyMode;
  /** Name of the current policy set, see `policySetRowId`. Absent before the first policy. */
  readonly policySetId?: string;
  /** The organization's own key. It seals wallets and private keys in addition to the root key. Optional. */
  readonly organizationKey?: OrganizationKey;
  /** Identifies the onboarding-proxy configuration; only parents have one. */
  readonly authProxyConfigId?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Set once the organization is deleted: nothing but this head and its activities remain. */
  readonly deletedAtMs?: number;
};

/** The effect of a DENY policy that mentions the current activity while one of its clauses fails. */
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
  /** Set if a stranger typed the contact at a sign-up. It has no effect until it is verified. */
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
  /** In hex as registered: 33-byte compressed point, or 32 bytes for Ed25519. Compared in any letter case. */
  readonly publicKey: string;
  readonly type: CredentialType;
  /** Lifetime of the key from its creation. Default: it does not expire. */
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
  /** SHA-256 of the relying party's ID, base64url, which assertions repeat. */
  readonly rpIdHash: string;
};

/** An account of a user at an identity provider. */
export type OauthProvider = CredentialRow & {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
};

/** Limits of a kind of session. Immutable. */
export type SessionProfile = Row & {
  readonly name: string;
  /** Expression of the policy language: the operations that such a session may call. */
  readonly scope: string;
  readonly expirationSeconds?: number;
  readonly notes?: string;
};

/** The organization's client at a provider with OAuth 2.0 only. */
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

/** Addresses from which requests are accepted, for an organization or a single API key. */
export type IpAllowlist = Row & {
  /** In lower-case hex. Default: every key of the organization. */
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

/** A key to which a user may seal one import; deleted after the import. */
export type ImportTarget = Row & {
  readonly userId: string;
  readonly purpose: 'wallet' | 'private_key' | 'secret';
  /** The private key, held by the keyring: base64url. */
  readonly secret: string;
  /** The public key, only for secrets, whose imports name it: 65 bytes, hex. */
  readonly publicKey?: string;
  readonly expiresAtMs: number;
};

/** The members of a secret text; the text is a separate record. */
export type Secret = Row & {
  readonly name?: string;
  /** Members that policies read, in the order of the request. */
  readonly staticProperties: readonly StaticProperty[];
};

export type StaticProperty = { readonly key: string; readonly value: string };

/** The text of a secret with the same ID, wrapped by the keyring: base64url. */
export type SecretText = Row & { readonly secret: string };

/** Uses of a verification token. */
export type TokenUsage =
  | 'login'
  | 'sign_up'
  | 'contact_change'
  /** The token stamped an activity or a vote. */
  | 'stamp'
  /** Used in the organization of its own sign-up, whose first login may use it again. */
  | 'own_sign_up';

/** A used verification token, stored under its own ID until it expires. */
export type UsedToken = Row & {
  readonly usage: TokenUsage;
  readonly expiresAtMs: number;
  /** The waiting activity that the token stamped or voted on, which may use the token once more. */
  readonly waitingActivityId?: string;
};

export type Tag = Row & { readonly name: string; readonly type: TagType };

export type Wallet = Row & {
  readonly name: string;
  /** Seed and entropy, or an imported seed and sentence, wrapped by the keyring: base64url. */
  readonly secret: string;
  /** Language of an imported sentence. Default: English. */
  readonly language?: MnemonicLanguage;
  readonly exported: boolean;
  readonly imported: boolean;
  /** Accounts that were exported individually. All accounts of an exported wallet count as exported. */
  readonly exportedAccountIds?: readonly string[];
  /** IDs of deleted accounts. An old row of such an account is refused if it reappears. */
  readonly deletedAccountIds: readonly string[];
};

export type PrivateKey = Row & {
  readonly name: string;
  readonly curve: CurveName;
  /** Hex: 33-byte compressed point, or 32 bytes for Ed25519. */
  readonly publicKey: string;
  readonly addresses: readonly Address[];
  readonly tagIds: readonly string[];
  /** The 32-byte key, wrapped by the keyring: base64url. Empty for an external key. */
  readonly secret: string;
  /** The kind of the holder of an external key. */
  readonly heldBy?: string;
  readonly exported: boolean;
  readonly imported: boolean;
};

export type Address = { readonly format: AddressFormatName; readonly address: string };

export type Policy = Row & {
  readonly name: string;
  readonly effect: PolicyEffect;
  /** Expressions as written. Default: true. */
  readonly condition?: string;
  readonly consensus?: string;
  readonly time?: string;
  readonly notes: string;
};

/** The policies of an organization between two policy changes. Stored evaluations refer to it. */
export type PolicySet = Row & {
  /** In the order of `list('policy')`. */
  readonly policyIds: readonly string[];
  /** Undefined, like `digests`, in sets from before receipts contained policies. */
  readonly nonce?: string;
  /** SHA-256 of the text of each policy, base64url. */
  readonly digests?: readonly string[];
};

/**
 * An activity that still accepts votes. The organization stores the current version of its row, so that an
 * older row, with fewer votes or undecided, is refused if it reappears.
 */
export type OpenActivity = Row & {
  readonly activityVersion: number;
  /** The status in which the activity waits. */
  readonly status: ActivityStatus;
  /** Fingerprint of the activity, which voters send: `sha256:` and hex. */
  readonly fingerprint: string;
  /** Undefined in rows from before the limit of waiting activities per user. */
  readonly submitterId?: string;
};

/** Records that an activity accepted votes, by its fingerprint. Stored even after the decision. */
type VotedActivity = Row & { readonly fingerprint: string };

export const contractInterfaceTypes = [
  'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
  'SMART_CONTRACT_INTERFACE_TYPE_SOLANA',
  'SMART_CONTRACT_INTERFACE_TYPE_ERC7730',
] as const;
export type ContractInterfaceType = (typeof contractInterfaceTypes)[number];

/** The members of a contract interface; its text is a separate record. */
export type ContractInterface = Row & {
  readonly type: ContractInterfaceType;
  /** The text as sent; Ethereum addresses may have any letter case. */
  readonly address: string;
  readonly label: string;
  readonly notes: string;
  /** SHA-256 of the text in UTF-8, hex; authenticates the record with the text. */
  readonly digest: string;
  /** UTF-16 units of text, label and notes as JSON strings. */
  readonly jsonUnits: number;
};

/** The ABI, IDL or description of the contract interface with the same ID. */
export type ContractInterfaceText = Row & { readonly text: string };

export type WalletAccount = Row & {
  readonly walletId: string;
  readonly curve: CurveName;
  readonly pathFormat: 'PATH_FORMAT_BIP32';
  /** The text as sent. On Ed25519, all segments count as hardened. */
  readonly path: string;
  readonly addressFormat: AddressFormatName;
  readonly address: string;
  /** Hex: 33-byte compressed point, or 32 bytes for Ed25519. */
  readonly publicKey: string;
  readonly name?: string;
};

/** Kinds of records in small state, which is always loaded completely with its organization. */
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

/** Kinds without a bound on their number. They are found by index or page, and sealed individually. */
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
