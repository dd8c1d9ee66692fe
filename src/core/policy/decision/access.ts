// The access that an operation declares: who may call it, and which facts of a request policies may read.

import type { PrivateKey, Secret, User, Wallet, WalletAccount } from '../../organization/model.ts';
import type { TypedData } from '../../payload/eip712.ts';
import type { Authorization } from '../../payload/eip7702.ts';
import type { VisibleTransfer } from '../../transactions/described.ts';
import type { FactStruct } from '../language/values.ts';

export const resources = [
  'ADDRESS_LABEL',
  'AUTH',
  'CONFIG',
  'AUTH_PROXY',
  'CREDENTIAL',
  'FREEZE',
  'MFA_POLICY',
  'ORGANIZATION',
  'ORGANIZATION_KEY',
  'OTP',
  'POLICY',
  'PRIVATE_KEY',
  'RECOVERY',
  'SECRET',
  'INVITATION',
  'SESSION_PROFILE',
  'SMART_CONTRACT_INTERFACE',
  'SPONSORSHIP',
  'SWAP_QUOTE',
  'TRANSACTION',
  'TVC_APP',
  'TVC_DEPLOYMENT',
  'TVC_OPERATOR',
  'TVC_QUORUM_KEY',
  'USER',
  'WALLET',
  'WEBHOOK_ENDPOINT',
] as const;
export const actions = [
  'CREATE',
  'UPDATE',
  'DELETE',
  'SIGN',
  'EXPORT',
  'IMPORT',
  'VERIFY',
  'SEAL',
  'UNSEAL',
] as const;

/** `activity.resource` and `activity.action` of the policy language. */
export type Subject = {
  readonly resource: (typeof resources)[number];
  readonly action: (typeof actions)[number];
};

/** A member of `activity.params`. */
export type ParamValue = string | bigint | readonly string[] | readonly FactStruct[];

/** The facts of a request that policies may read, in addition to the activity itself. */
export type Facts = {
  /** `activity.params`: only the members that the policy language exposes, in snake case. */
  readonly params?: { readonly [name: string]: ParamValue };
  /** The named wallets of a request that may name several. */
  readonly wallets?: readonly Wallet[];
  /** The wallet, account or private key that the request uses. */
  readonly wallet?: Wallet;
  readonly walletAccount?: WalletAccount;
  readonly privateKey?: PrivateKey;
  /** IDs of additional wallets and private keys of the request. Policies do not read them. */
  readonly unreadKeyIds?: readonly string[];
  /**
   * The signed parts if the encoding defines them, or each exported secret. Each part is decided separately:
   * a policy allows the request when it allows every part, and denies it when it denies one.
   */
  readonly parts?: readonly Part[];
};

export type Part = {
  readonly typedData?: TypedData | undefined;
  readonly authorization?: Authorization | undefined;
  readonly secret?: Secret | undefined;
  /** Members of `activity.params` that differ between parts. */
  readonly params?: Facts['params'];
  /** The namespace of a signed transaction: `{ eth: { tx } }`. */
  readonly transaction?: FactStruct | undefined;
  /** The key that signs this part, if the request uses several keys. */
  readonly signer?: Pick<Facts, 'wallet' | 'walletAccount' | 'privateKey'> | undefined;
  /** The interfaces by which the transaction was read: each contract with the digest of its text. */
  readonly interfaces?: readonly string[] | undefined;
  /** Returns the digest of the signed content, which includes values that the service fills in. */
  readonly signedDigest?: (() => string) | undefined;
  /**
   * The visible transfers, which velocity controls count; `chain` is a CAIP-2 name or its namespace. A
   * transfer on another chain, where typed data is valid too, names this chain itself.
   */
  readonly moves?:
    | {
        readonly chain: string;
        readonly transfers: () => readonly (VisibleTransfer & { readonly chain?: string })[];
      }
    | undefined;
};

export type Access<P> =
  | {
      readonly rule: 'policy';
      /** Returns the user whose credentials the request manages. That user needs no policy. */
      readonly ownUserId?: (parameters: P, submitter: User) => string;
      /** Set if only the root quorum may manage other users' credentials; no policy can grant it. */
      readonly othersNeedRootQuorum?: true;
    }
  /** Only the root quorum; no policy can grant it. */
  | { readonly rule: 'root_quorum' };

/** The root quorum decides first, then policies. Users may also manage their own credentials. */
export const policyOrOwnUser = <P>(ownUserId: (parameters: P, submitter: User) => string) => ({
  rule: 'policy' as const,
  ownUserId,
});

/** Users may manage their own credentials; only the root quorum may manage others. */
export const ownUserOrRootQuorum = <P>(ownUserId: (parameters: P, submitter: User) => string) => ({
  ...policyOrOwnUser(ownUserId),
  othersNeedRootQuorum: true as const,
});

/** Only the root quorum may approve. */
export const rootQuorumOnly = (): { rule: 'root_quorum' } => ({ rule: 'root_quorum' });
