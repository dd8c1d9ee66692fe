// Names of the policy language for Spark requests.

import type { StructRows } from './row.ts';

/** One row per struct, one line per member. */
export const sparkNames = {
  SparkSignatureRequest: {
    fields: {
      derivation: 'SparkKeyDerivation',
      message: 'string',
      verifying_key: 'string',
      operator_commitments: 'list<SparkOperatorCommitment>',
      adaptor_public_key: 'string',
    },
  },
  SparkKeyDerivation: {
    fields: {
      type: 'string',
      signing_leaf: 'SparkSigningLeaf',
      static_deposit: 'SparkStaticDeposit',
    },
  },
  SparkSigningLeaf: { fields: { leaf_id: 'string' } },
  SparkStaticDeposit: { fields: { index: 'int' } },
  SparkOperatorCommitment: { fields: { id: 'string', hiding: 'string', binding: 'string' } },
  SparkOperatorRecipient: { fields: { operator_id: 'string', encryption_public_key: 'string' } },
  SparkTransfer: {
    fields: {
      transfer_id: 'string',
      leaves: 'list<SparkTransferLeaf>',
      threshold: 'int',
      operator_recipients: 'list<SparkOperatorRecipient>',
      receiver_public_key: 'string',
    },
  },
  SparkTransferLeaf: {
    fields: {
      leaf_id: 'string',
      old_leaf_derivation: 'SparkKeyDerivation',
      new_leaf_derivation: 'SparkKeyDerivation',
      refund_signature: 'string',
      direct_refund_signature: 'string',
      direct_from_cpfp_refund_signature: 'string',
    },
  },
  SparkClaim: {
    fields: {
      leaves: 'list<SparkClaimLeaf>',
      threshold: 'int',
      operator_recipients: 'list<SparkOperatorRecipient>',
      transfer_id: 'string',
      sender_identity_public_key: 'string',
    },
  },
  SparkClaimLeaf: {
    fields: { leaf_id: 'string', ciphertext: 'string', sender_signature: 'string' },
  },
  SparkLightningReceive: {
    fields: { threshold: 'int', operator_recipients: 'list<SparkOperatorRecipient>' },
  },
} as const satisfies StructRows;
