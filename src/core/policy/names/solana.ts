// Names of the policy language for Solana transactions.

import type { StructRows } from './row.ts';

/** One row per struct, one line per member. */
export const solanaNames = {
  Solana: { holdsNamespaces: true, fields: { tx: 'SolanaTransaction' } },
  SolanaTransaction: {
    fields: {
      version: 'string',
      account_keys: 'list<string>',
      static_account_keys: 'list<string>',
      program_keys: { type: 'list<string>', alias: 'top_level_program_keys' },
      instructions: { type: 'list<SolanaInstruction>', alias: 'top_level_instructions' },
      transfers: {
        type: 'list<SolanaTransfer>',
        absentBecause: 'an instruction of the system program is not known, and may be a transfer',
      },
      spl_transfers: {
        type: 'list<SplTransfer>',
        absentBecause:
          'an instruction of a token program is not known, and may be a transfer, or hides its amount',
      },
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
      instruction_data_hex: { type: 'string', form: 'lowerHex', holdsWholeData: true },
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
  // A table account, in the forms of both rows above.
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
      named_accounts: { type: 'map<string>', alias: 'named_account' },
      program_call_args: 'map<dynamic>',
    },
  },
} as const satisfies StructRows;
