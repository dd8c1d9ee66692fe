// Names of the policy language for every request: the activity, the signing key, votes and the clock.

import {
  credentialTypes,
  curveNames,
  hashFunctions,
  payloadEncodings,
  transactionTypes,
} from '../../base/enums.ts';
import type { StructRows } from './row.ts';

/** One row per struct, one line per member. */
export const requestsNames = {
  // Names that each clause can read.
  Condition: {
    holdsNamespaces: true,
    fields: {
      activity: 'Activity',
      eth: 'Ethereum',
      solana: 'Solana',
      tron: 'Tron',
      bitcoin: 'Bitcoin',
      tempo: 'Tempo',
      wallet: 'Wallet',
      wallets: 'list<Wallet>',
      wallet_account: 'WalletAccount',
      private_key: 'PrivateKey',
      secret: 'Secret',
      controls: 'Controls',
      address_book: 'AddressBook',
    },
  },
  Consensus: {
    holdsNamespaces: true,
    fields: { approvers: 'list<User>', credentials: 'list<Credential>' },
  },
  Time: { holdsNamespaces: true, fields: { time: 'Clock' } },
  Clock: { fields: { now: 'timestamp' } },
  Activity: {
    fields: {
      type: 'string',
      kind: 'string',
      resource: 'string',
      action: 'string',
      params: 'ActivityParams',
    },
  },
  // All request members that policies may read, over all activities.
  ActivityParams: {
    holdsNamespaces: true,
    fields: {
      hash_function: { type: 'string', oneOf: hashFunctions },
      encoding: { type: 'string', oneOf: payloadEncodings },
      type: { type: 'string', oneOf: transactionTypes },
      user_id: { type: 'string', form: 'identifier' },
      user_ids: { type: 'list<string>', form: 'identifier' },
      api_key_ids: { type: 'list<string>', form: 'identifier' },
      api_keys: 'list<NewApiKey>',
      target_public_key: { type: 'string', form: 'targetKey' },
      wallet_id: { type: 'string', form: 'identifier' },
      otp_length: 'int',
      session_profile_id: 'string',
      endpoint_id: { type: 'string', form: 'identifier' },
      sign_with: 'string',
      signatures: 'list<SparkSignatureRequest>',
      transfer: 'SparkTransfer',
      claim: 'SparkClaim',
      lightning_receive: 'SparkLightningReceive',
    },
  },
  // A key that does not expire has the largest lifetime.
  NewApiKey: { fields: { expiration_seconds: 'int' } },
  Wallet: {
    fields: {
      id: { type: 'string', form: 'identifier' },
      imported: 'bool',
      exported: 'bool',
      label: 'string',
    },
  },
  // Only the export of a single account has members other than the address.
  WalletAccount: {
    fields: {
      address: { type: 'string', form: 'address' },
      path_indexes: 'list<int>',
      path_hardened: 'list<bool>',
      wallet_id: { type: 'string', form: 'identifier' },
      curve: { type: 'string', oneOf: curveNames },
      address_format: 'string',
    },
  },
  PrivateKey: {
    fields: {
      id: { type: 'string', form: 'identifier' },
      tags: { type: 'list<string>', form: 'identifier' },
      imported: 'bool',
      exported: 'bool',
      label: 'string',
    },
  },
  Secret: { fields: { static_properties: 'map<string>' } },
  // Velocity controls by their identifiers.
  Controls: { chosenMembers: 'bool', fields: {} },
  // Addresses by label.
  AddressBook: { chosenMembers: 'list<string>', fields: {} },
  // Votes. Tags are tag ids.
  User: {
    fields: {
      id: { type: 'string', form: 'identifier' },
      tags: { type: 'list<string>', form: 'identifier' },
      email: 'string',
      alias: 'string',
    },
  },
  Credential: {
    fields: {
      id: { type: 'string', form: 'identifier' },
      user_id: { type: 'string', form: 'identifier' },
      type: { type: 'string', oneOf: credentialTypes },
      credential_id: 'string',
      public_key: { type: 'string', form: 'lowerHex' },
    },
  },
} as const satisfies StructRows;
