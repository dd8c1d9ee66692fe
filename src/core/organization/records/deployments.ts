// The records of applications, their deployments and their operators.

import type { Row } from './row.ts';

/** Approver of manifests, or holder of a share of a quorum key. Immutable. */
export type TvcOperator = Row & {
  readonly name: string;
  /** 130 bytes in hex: two uncompressed P-256 points, the encryption key and the signing key. */
  readonly publicKey: string;
  readonly keySource: (typeof operatorKeySources)[number];
};

/** External keys, or accounts of a wallet. */
export const operatorKeySources = ['EXTERNAL_KEY', 'ORG_WALLET_ACCOUNT'] as const;

/** Operators of whom a threshold must act together. Immutable. */
export type TvcOperatorSet = Row & {
  readonly name: string;
  readonly operatorIds: readonly string[];
  readonly threshold: number;
};

/** A quorum key. Its private part exists only in shares encrypted to operators. Immutable. */
export type TvcQuorumKey = Row & {
  /** In the format of an operator's key. */
  readonly publicKey: string;
  readonly threshold: number;
  readonly shares: readonly TvcQuorumKeyShare[];
};

type TvcQuorumKeyShare = {
  readonly id: string;
  readonly operatorId: string;
  /** The envelope in hex, encrypted to the operator. */
  readonly encryptedShare: string;
};

/** An application that runs in enclaves: the members that all its deployments have in common. */
export type TvcApp = Row & {
  readonly name: string;
  /** In the form of an operator's key. */
  readonly quorumPublicKey: string;
  readonly manifestSetId: string;
  readonly shareSetId: string;
  readonly enableEgress: boolean;
  readonly enableDebugModeDeployments: boolean;
  readonly liveDeploymentId?: string;
  /** Lower nonces may belong to removed deployments. */
  readonly lowestNonce?: number;
  /** Deletion includes the deployments, and is final. */
  readonly isDeleted: boolean;
};

export const healthCheckTypes = [
  'TVC_HEALTH_CHECK_TYPE_HTTP',
  'TVC_HEALTH_CHECK_TYPE_GRPC',
] as const;

/** One version of an application. Its manifest follows from it, its application and the operators. */
export type TvcDeployment = Row & {
  readonly appId: string;
  readonly manifestId: string;
  /** SHA-256 of the manifest that operators sign, hex; verifies a rebuilt manifest. */
  readonly manifestDigest: string;
  readonly nonce: number;
  readonly qosVersion: string;
  readonly imageUrl: string;
  readonly hasPullSecret: boolean;
  readonly path: string;
  readonly args: readonly string[];
  /** SHA-256 of the program, hex. */
  readonly pivotDigest: string;
  readonly debugMode: boolean;
  readonly healthCheckType: (typeof healthCheckTypes)[number];
  readonly healthCheckPort: number;
  readonly publicIngressPort: number;
  readonly replicas: number;
  /** The requested number; memory in GiB. */
  readonly instanceSizeCpus?: number;
  readonly instanceSizeRam?: number;
  /** At most one of each member of the manifest set, oldest first. */
  readonly approvals: readonly TvcApproval[];
  /** The newest share of each operator, encrypted to an enclave of the deployment. Optional. */
  readonly provisioningShares?: readonly TvcProvisioningShare[];
  /** A deleted deployment can be restored until it is cleaned up. */
  readonly isDeleted: boolean;
  /** The last report of the runner. */
  readonly report?: TvcReport;
  /** Size of the deployment in an answer, with all approvals. */
  readonly jsonBytes: number;
};

export type TvcApproval = {
  readonly id: string;
  readonly operatorId: string;
  /** r and s in hex, 64 bytes. */
  readonly signature: string;
  readonly createdAtMs: number;
};

export type TvcProvisioningShare = {
  readonly id: string;
  readonly operatorId: string;
  /** The key of the enclave that decrypts the share, in the format of an operator's key. */
  readonly ephemeralPublicKey: string;
  /** The envelope in hex. */
  readonly encryptedShare: string;
  /** Signature of the operator over the manifest: r and s in hex, 64 bytes. */
  readonly signature: string;
  readonly createdAtMs: number;
};

type TvcReport = {
  readonly readyReplicas: number;
  readonly isCleanedUp: boolean;
  readonly atMs: number;
};
