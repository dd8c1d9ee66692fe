// Names of the policy language for Ethereum transactions and signed payloads.

import type { StructRows } from './row.ts';

/** One row per struct, one line per member. */
export const ethereumNames = {
  Ethereum: {
    holdsNamespaces: true,
    fields: {
      tx: 'EthereumTransaction',
      eip_712: 'Eip712TypedData',
      eip_7702_authorization: 'Eip7702Authorization',
    },
  },
  EthereumTransaction: {
    fields: {
      from: { type: 'string', isCaseless: true },
      to: { type: 'string', isCaseless: true },
      data: { type: 'string', form: 'lowerHex', holdsWholeData: true },
      value: 'int',
      gas: 'int',
      gas_price: 'int',
      nonce: 'int',
      chain_id: 'int',
      max_fee_per_gas: 'int',
      max_priority_fee_per_gas: 'int',
      max_fee_per_blob_gas: 'int',
      type: { type: 'string', oneOf: ['LEGACY', 'TYPE_1', 'TYPE_2', 'TYPE_3', 'TYPE_4'] },
      function_name: { type: 'string', emptyIfAbsent: true },
      function_signature: { type: 'string', emptyIfAbsent: true, form: 'lowerHex' },
      contract_call_args: 'map<dynamic>',
      access_list: { type: 'list<AccessListEntry>', emptyIfAbsent: true },
      blob_versioned_hashes: { type: 'list<string>', emptyIfAbsent: true },
      authorization_list: { type: 'list<SignedAuthorization>', emptyIfAbsent: true },
    },
  },
  AccessListEntry: {
    fields: { address: { type: 'string', isCaseless: true }, storage_keys: 'list<string>' },
  },
  SignedAuthorization: {
    fields: {
      chain_id: 'int',
      address: { type: 'string', isCaseless: true },
      nonce: 'int',
      authority: { type: 'string', isCaseless: true },
    },
  },
  Eip712TypedData: {
    fields: { primary_type: 'string', domain: 'Eip712Domain', message: 'map<dynamic>' },
  },
  Eip712Domain: {
    fields: {
      name: { type: 'string', emptyIfAbsent: true },
      version: { type: 'string', emptyIfAbsent: true },
      verifying_contract: { type: 'string', isCaseless: true, emptyIfAbsent: true },
      chain_id: 'uint',
    },
  },
  Eip7702Authorization: {
    fields: { address: { type: 'string', isCaseless: true }, chain_id: 'int', nonce: 'int' },
  },
} as const satisfies StructRows;
