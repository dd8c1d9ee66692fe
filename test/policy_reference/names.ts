// Every name of the policy language and its type, as compact text: `field field: type; …` per struct.
// A type is a word: bool, int, uint, string, timestamp, dynamic, a struct, `list of T`, `map of T`.
// `caseless` is a string whose fact is compared without regard to case, `spelled` one whose fact equals
// each of several spellings.

const written: Readonly<Record<string, string>> = {
  condition:
    'activity: Activity; eth: Eth; solana: Solana; tron: Tron; bitcoin: Bitcoin; tempo: Tempo;' +
    'wallet: Wallet; wallets: list of Wallet; wallet_account: WalletAccount;' +
    'private_key: PrivateKey; secret: Secret',
  consensus: 'approvers: list of User; credentials: list of Credential',
  time: 'time: Clock',
  Clock: 'now: timestamp',

  Activity: 'type kind resource action: string; params: Params',
  Params:
    'hash_function encoding type user_id target_public_key wallet_id session_profile_id: string;' +
    'endpoint_id sign_with: string; user_ids api_key_ids: list of string; otp_length: int;' +
    'signatures: list of SparkRequest; transfer: SparkTransfer; claim: SparkClaim;' +
    'lightning_receive: SparkLightning; api_keys: list of NewApiKey',
  NewApiKey: 'expiration_seconds: int',
  Wallet: 'id label: string; imported exported: bool',
  WalletAccount:
    'address wallet_id curve address_format: string; path_indexes: list of int;' +
    'path_hardened: list of bool',
  PrivateKey: 'id label: string; tags: list of string; imported exported: bool',
  Secret: 'static_properties: map of string',
  User: 'id email alias: string; tags: list of string',
  Credential: 'id user_id type credential_id public_key: string',

  Eth: 'tx: EthTx; eip_712: Eip712; eip_7702_authorization: Eip7702',
  EthTx:
    'from to: caseless; data type function_name function_signature: string;' +
    'value gas gas_price nonce chain_id max_fee_per_gas max_priority_fee_per_gas: int;' +
    'max_fee_per_blob_gas: int; contract_call_args: map of dynamic;' +
    'access_list: list of AccessEntry; blob_versioned_hashes: list of string;' +
    'authorization_list: list of EthAuthorization',
  AccessEntry: 'address: caseless; storage_keys: list of string',
  EthAuthorization: 'chain_id nonce: int; address authority: caseless',
  Eip712: 'primary_type: string; domain: Eip712Domain; message: map of dynamic',
  Eip712Domain: 'name version: string; verifying_contract: caseless; chain_id: uint',
  Eip7702: 'address: caseless; chain_id nonce: int',

  Solana: 'tx: SolanaTx',
  SolanaTx:
    'version: string;' +
    'account_keys program_keys static_account_keys top_level_program_keys: list of string;' +
    'instructions top_level_instructions: list of Instruction; transfers: list of SolTransfer;' +
    'spl_transfers: list of SplTransfer; recent_blockhash: string;' +
    'address_table_lookups: list of Lookup; address_table_lookup_references: list of Reference;' +
    'priority_fee_lamports compute_unit_limit: int;' +
    'loaded_accounts_data_size_limit heap_size: int',
  Instruction:
    'program_key instruction_data_hex: string; accounts: list of Account;' +
    'address_table_lookups: list of InstructionLookup; parsed_instruction_data: Parsed',
  Account: 'account_key: string; signer writable: bool',
  SolTransfer: 'from to: string; amount: int',
  SplTransfer: 'from to owner token_mint: string; signers: list of string; amount: int',
  Lookup: 'address_table_key: string; writable_indexes readonly_indexes: list of int',
  Reference: 'address_table_key: string; index: int; writable: bool',
  InstructionLookup:
    'address_table_key: string; index: int; writable: bool;' +
    'writable_indexes readonly_indexes: list of int',
  Parsed:
    'instruction_name discriminator: string; named_accounts named_account: map of string;' +
    'program_call_args: map of dynamic',

  Tron: 'tx: TronTx',
  TronTx:
    'ref_block_bytes ref_block_hash data: string; expiration timestamp fee_limit: int;' +
    'contract: list of TronContract',
  TronContract:
    'type owner_address to_address contract_address data resource receiver_address: string;' +
    'permission_id amount call_value call_token_value token_id balance lock_period: int;' +
    'frozen_balance unfreeze_balance: int; lock: bool; owner witness: TronPermission;' +
    'actives: list of TronPermission',
  TronPermission:
    'type permission_name operations: string; id threshold parent_id: int; keys: list of TronKey',
  TronKey: 'address: string; weight: int',

  Bitcoin: 'tx: BitcoinTx',
  BitcoinTx:
    'version: string; inputs: list of BitcoinInput; outputs: list of BitcoinOutput;' +
    'locktime: Locktime; fee: int',
  BitcoinInput: 'tx_id: string; vout sequence: int',
  BitcoinOutput: 'value: int; script_pubkey: string; address: spelled; address_type: caseless',
  Locktime: 'amount: int; type: string',

  Tempo: 'tx: TempoTx',
  TempoTx:
    'chain_id nonce gas_limit max_fee_per_gas max_priority_fee_per_gas valid_before: int;' +
    'valid_after: int; from fee_token: caseless; calls: list of TempoCall',
  TempoCall: 'to input: caseless; function_signature: string',

  SparkRequest:
    'derivation: SparkDerivation; message verifying_key adaptor_public_key: string;' +
    'operator_commitments: list of SparkCommitment',
  SparkDerivation: 'type: string; signing_leaf: SparkLeafId; static_deposit: SparkDeposit',
  SparkLeafId: 'leaf_id: string',
  SparkDeposit: 'index: int',
  SparkCommitment: 'id hiding binding: string',
  SparkRecipient: 'operator_id encryption_public_key: string',
  SparkTransfer:
    'transfer_id receiver_public_key: string; leaves: list of SparkLeaf; threshold: int;' +
    'operator_recipients: list of SparkRecipient',
  SparkLeaf:
    'leaf_id refund_signature direct_refund_signature: string;' +
    'direct_from_cpfp_refund_signature: string;' +
    'old_leaf_derivation new_leaf_derivation: SparkDerivation',
  SparkClaim:
    'leaves: list of SparkClaimLeaf; threshold: int; operator_recipients: list of SparkRecipient;' +
    'transfer_id sender_identity_public_key: string',
  SparkClaimLeaf: 'leaf_id ciphertext sender_signature: string',
  SparkLightning: 'threshold: int; operator_recipients: list of SparkRecipient',
};

/** Alternative names: the fact is stored under the second name. */
export const otherSpellings: ReadonlyMap<string, string> = new Map([
  ['top_level_program_keys', 'program_keys'],
  ['top_level_instructions', 'instructions'],
  ['named_account', 'named_accounts'],
]);

/** Structs in which an absent member means that the activity has no such namespace. */
export const namespaceHolders: ReadonlySet<string> = new Set(
  'condition consensus time Params Eth Solana Tron Bitcoin Tempo'.split(' '),
);

/** Struct → member → type, including `caseless` and `spelled`: the types of facts. */
export const members: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(written).map(([struct, text]) => [struct, membersIn(text)]),
);

/** Returns the type of a member in the language; undefined if there is none. */
export function memberType(struct: string, member: string): string | undefined {
  return members
    .get(struct)
    ?.get(member)
    ?.replace(/caseless|spelled/, 'string');
}

/** Returns `T` of `list of T` or `map of T`; undefined for other types. */
export function elementOf(type: string, container: 'list' | 'map'): string | undefined {
  const start = `${container} of `;
  return type.startsWith(start) ? type.slice(start.length) : undefined;
}

function membersIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const group of text.split(';')) {
    const [names = '', type = ''] = group.split(':');
    for (const name of names.trim().split(' ')) found.set(name, type.trim());
  }
  return found;
}
