// Every name an expression may read, and its type.

import { table } from '../../base/table.ts';

type StructRow = {
  /** A member that is not there means that the activity has no such namespace. */
  readonly holdsNamespaces?: true;
  /** Type of members with names that an organization chooses; the facts list them. */
  readonly chosenMembers?: string;
  /** A scalar, the name of another struct, `list<…>` or `map<…>` of these. */
  readonly fields: { readonly [field: string]: string };
};

/** One row per struct, one line per member. */
export const structs = table<StructRow>()({
  // The names that each clause can read.
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
      hash_function: 'string',
      encoding: 'string',
      type: 'string',
      user_id: 'string',
      user_ids: 'list<string>',
      api_key_ids: 'list<string>',
      target_public_key: 'string',
      wallet_id: 'string',
      otp_length: 'int',
      session_profile_id: 'string',
      endpoint_id: 'string',
      sign_with: 'string',
      signatures: 'list<SparkSignatureRequest>',
      transfer: 'SparkTransfer',
      claim: 'SparkClaim',
      lightning_receive: 'SparkLightningReceive',
    },
  },

  Wallet: { fields: { id: 'string', imported: 'bool', exported: 'bool', label: 'string' } },
  // All but the address are there on the export of one account.
  WalletAccount: {
    fields: {
      address: 'string',
      path_indexes: 'list<int>',
      path_hardened: 'list<bool>',
      wallet_id: 'string',
      curve: 'string',
      address_format: 'string',
    },
  },
  PrivateKey: {
    fields: {
      id: 'string',
      tags: 'list<string>',
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
  User: { fields: { id: 'string', tags: 'list<string>', email: 'string', alias: 'string' } },
  Credential: {
    fields: {
      id: 'string',
      user_id: 'string',
      type: 'string',
      credential_id: 'string',
      public_key: 'string',
    },
  },

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
      from: 'string',
      to: 'string',
      data: 'string',
      value: 'int',
      gas: 'int',
      gas_price: 'int',
      nonce: 'int',
      chain_id: 'int',
      max_fee_per_gas: 'int',
      max_priority_fee_per_gas: 'int',
      max_fee_per_blob_gas: 'int',
      type: 'string',
      function_name: 'string',
      function_signature: 'string',
      contract_call_args: 'map<dynamic>',
      access_list: 'list<AccessListEntry>',
      blob_versioned_hashes: 'list<string>',
      authorization_list: 'list<SignedAuthorization>',
    },
  },
  AccessListEntry: { fields: { address: 'string', storage_keys: 'list<string>' } },
  SignedAuthorization: {
    fields: { chain_id: 'int', address: 'string', nonce: 'int', authority: 'string' },
  },
  Eip712TypedData: {
    fields: { primary_type: 'string', domain: 'Eip712Domain', message: 'map<dynamic>' },
  },
  Eip712Domain: {
    fields: { name: 'string', version: 'string', verifying_contract: 'string', chain_id: 'uint' },
  },
  Eip7702Authorization: { fields: { address: 'string', chain_id: 'int', nonce: 'int' } },

  Solana: { holdsNamespaces: true, fields: { tx: 'SolanaTransaction' } },
  SolanaTransaction: {
    fields: {
      version: 'string',
      account_keys: 'list<string>',
      static_account_keys: 'list<string>',
      program_keys: 'list<string>',
      instructions: 'list<SolanaInstruction>',
      transfers: 'list<SolanaTransfer>',
      spl_transfers: 'list<SplTransfer>',
      recent_blockhash: 'string',
      address_table_lookups: 'list<AddressTableLookup>',
      address_table_lookup_references: 'list<AddressTableReference>',
      priority_fee_lamports: 'int',
      compute_unit_limit: 'int',
      loaded_accounts_data_size_limit: 'int',
      heap_size: 'int',
    },
  },
  SolanaInstruction: {
    fields: {
      program_key: 'string',
      accounts: 'list<SolanaAccount>',
      instruction_data_hex: 'string',
      address_table_lookups: 'list<InstructionTableLookup>',
      parsed_instruction_data: 'ParsedInstruction',
    },
  },
  SolanaAccount: { fields: { account_key: 'string', signer: 'bool', writable: 'bool' } },
  SolanaTransfer: { fields: { from: 'string', to: 'string', amount: 'int' } },
  SplTransfer: {
    fields: {
      from: 'string',
      to: 'string',
      owner: 'string',
      signers: 'list<string>',
      amount: 'int',
      token_mint: 'string',
    },
  },
  AddressTableLookup: {
    fields: {
      address_table_key: 'string',
      writable_indexes: 'list<int>',
      readonly_indexes: 'list<int>',
    },
  },
  AddressTableReference: {
    fields: { address_table_key: 'string', index: 'int', writable: 'bool' },
  },
  // One account of a table, in the forms of both rows above.
  InstructionTableLookup: {
    fields: {
      address_table_key: 'string',
      index: 'int',
      writable: 'bool',
      writable_indexes: 'list<int>',
      readonly_indexes: 'list<int>',
    },
  },
  ParsedInstruction: {
    fields: {
      instruction_name: 'string',
      discriminator: 'string',
      named_accounts: 'map<string>',
      program_call_args: 'map<dynamic>',
    },
  },

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
      type: 'string',
      permission_id: 'int',
      owner_address: 'string',
      to_address: 'string',
      amount: 'int',
      contract_address: 'string',
      data: 'string',
      call_value: 'int',
      call_token_value: 'int',
      token_id: 'int',
      resource: 'string',
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
      type: 'string',
      id: 'int',
      permission_name: 'string',
      threshold: 'int',
      parent_id: 'int',
      operations: 'string',
      keys: 'list<TronKey>',
    },
  },
  TronKey: { fields: { address: 'string', weight: 'int' } },

  Bitcoin: { holdsNamespaces: true, fields: { tx: 'BitcoinTransaction' } },
  BitcoinTransaction: {
    fields: {
      version: 'string',
      inputs: 'list<BitcoinInput>',
      outputs: 'list<BitcoinOutput>',
      locktime: 'BitcoinLocktime',
      fee: 'int',
    },
  },
  BitcoinInput: { fields: { tx_id: 'string', vout: 'int', sequence: 'int' } },
  BitcoinOutput: {
    fields: { value: 'int', script_pubkey: 'string', address: 'string', address_type: 'string' },
  },
  BitcoinLocktime: { fields: { amount: 'int', type: 'string' } },

  Tempo: { holdsNamespaces: true, fields: { tx: 'TempoTransaction' } },
  TempoTransaction: {
    fields: {
      chain_id: 'int',
      nonce: 'int',
      gas_limit: 'int',
      max_fee_per_gas: 'int',
      max_priority_fee_per_gas: 'int',
      valid_before: 'int',
      valid_after: 'int',
      from: 'string',
      fee_token: 'string',
      calls: 'list<TempoCall>',
    },
  },
  TempoCall: { fields: { to: 'string', input: 'string', function_signature: 'string' } },

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
});

export type StructName = keyof typeof structs;

/** Other spellings of a member: struct → spelling → the member whose fact is read. */
export const aliases: {
  readonly [struct in StructName]?: { readonly [spelling: string]: string };
} = {
  SolanaTransaction: {
    top_level_program_keys: 'program_keys',
    top_level_instructions: 'instructions',
  },
  ParsedInstruction: { named_account: 'named_accounts' },
};
