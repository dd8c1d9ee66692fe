// Names of the policy language for Tron transactions.

import type { StructRows } from './row.ts';

/** One row per struct, one line per member. */
export const tronNames = {
  Tron: { holdsNamespaces: true, fields: { tx: 'TronTransaction' } },
  TronTransaction: {
    fields: {
      ref_block_bytes: 'string',
      ref_block_hash: 'string',
      expiration: 'int',
      timestamp: 'int',
      data: 'string',
      fee_limit: 'int',
      contract: 'list<TronContract>',
    },
  },
  TronContract: {
    fields: {
      type: {
        type: 'string',
        oneOf: [
          'TransferContract',
          'TriggerSmartContract',
          'DelegateResourceContract',
          'UnDelegateResourceContract',
          'FreezeBalanceV2Contract',
          'UnfreezeBalanceV2Contract',
          'AccountPermissionUpdateContract',
        ],
      },
      permission_id: 'int',
      owner_address: 'string',
      to_address: 'string',
      amount: 'int',
      contract_address: 'string',
      data: { type: 'string', form: 'lowerHex', holdsWholeData: true },
      call_value: 'int',
      call_token_value: 'int',
      token_id: 'int',
      resource: { type: 'string', oneOf: ['ENERGY', 'BANDWIDTH'] },
      balance: 'int',
      receiver_address: 'string',
      lock: 'bool',
      lock_period: 'int',
      frozen_balance: 'int',
      unfreeze_balance: 'int',
      owner: 'TronPermission',
      witness: 'TronPermission',
      actives: 'list<TronPermission>',
    },
  },
  TronPermission: {
    fields: {
      type: { type: 'string', oneOf: ['Owner', 'Witness', 'Active'] },
      id: 'int',
      permission_name: 'string',
      threshold: 'int',
      parent_id: 'int',
      operations: 'string',
      keys: 'list<TronKey>',
    },
  },
  TronKey: { fields: { address: 'string', weight: 'int' } },
} as const satisfies StructRows;
