// Expressions of published policies, with the scopes that make them true, false or fail.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ClauseName,
  compileClause,
  ExpressionError,
} from '../../../../src/core/policy/language/clause.ts';
import {
  caselessText,
  type FactValue,
  type Scope,
} from '../../../../src/core/policy/language/values.ts';

const A = '0x08d2b0a37F869FF76BACB5Bab3278E26ab7067B7';
const B = '0x40f08856A7e7F9a8a2b5F0a9AfDf0f3Ec8A1ced0';
const C = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const W = '0198c1a2-7b3c-7def-8123-000000000001';
const K = '0198c1a2-7b3c-7def-8123-000000000002';
const U = '0198c1a2-7b3c-7def-8123-00000000000a';
const V = '0198c1a2-7b3c-7def-8123-00000000000b';
const TAG = '0198c1a2-7b3c-7def-8123-0000000000c1';
const TAG_2 = '0198c1a2-7b3c-7def-8123-0000000000c2';
const S = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const S_2 = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const WORD = '0'.repeat(24) + A.slice(2).toLowerCase();

type Row = {
  readonly row: number;
  readonly text: string;
  /** A scope in which the expression is true, and one in which it is false. */
  readonly holds?: Scope;
  readonly not?: Scope;
  /** A scope in which it fails, and the failure. */
  readonly fails?: readonly [Scope, string];
  /** The reason and the position of the refusal. */
  readonly refused?: readonly [RegExp, number];
};

const activity = (facts: { [name: string]: FactValue }, params: Scope = {}): Scope => ({
  activity: {
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    kind: 'SIGN_TRANSACTION',
    resource: 'PRIVATE_KEY',
    action: 'SIGN',
    ...facts,
    params,
  },
});
const signing = activity({});
const creating = (resource: string) =>
  activity({ resource, action: 'CREATE', kind: 'X', type: 'X' });
const ethereum = (tx: { [name: string]: FactValue }): Scope => ({ ...signing, eth: { tx } });
const typedData = (facts: { [name: string]: FactValue }): Scope => ({
  ...activity({ type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', kind: 'SIGN_RAW_PAYLOAD' }),
  eth: { eip_712: facts },
});
const solana = (tx: { [name: string]: FactValue }): Scope => ({ ...signing, solana: { tx } });
const map = (facts: { [name: string]: FactValue }) => new Map(Object.entries(facts));
const user = (id: string, ...tags: string[]) => ({ id, tags, email: '', alias: '' });
const credential = (type: string, public_key: string) => ({ id: K, user_id: U, type, public_key });
const votes = (...approvers: FactValue[]): Scope => ({ approvers, credentials: [] });
const at = (text: string): Scope => ({ time: { now: BigInt(Date.parse(text)) * 1_000_000n } });

const consensus: readonly Row[] = [
  {
    row: 1,
    text: `approvers.any(user, user.id == '${U}')`,
    holds: votes(user(V), user(U)),
    not: votes(user(V)),
  },
  {
    row: 2,
    text: `approvers.any(user, user.tags.contains('${TAG}'))`,
    holds: votes(user(U, TAG_2, TAG)),
    not: votes(user(U, TAG_2)),
  },
  {
    row: 3,
    text: `approvers.filter(user, user.tags.contains('${TAG}')).count() >= 2`,
    holds: votes(user(U, TAG), user(V, TAG)),
    not: votes(user(U, TAG), user(V)),
  },
  { row: 4, text: 'approvers.count() >= 2', holds: votes(user(U), user(V)), not: votes(user(U)) },
  {
    row: 5,
    text: `approvers.any(u, u.id == '${U}') && approvers.any(u, u.id == '${V}')`,
    holds: votes(user(U), user(V)),
    not: votes(user(U)),
  },
  {
    row: 6,
    text: `approvers.any(user, user.tags.contains('${TAG}') || user.tags.contains('${TAG_2}')) && (approvers.filter(user, user.tags.contains('${TAG}')).count() >= 1 && approvers.filter(user, user.tags.contains('${TAG_2}')).count() >= 2)`,
    holds: votes(user(U, TAG, TAG_2), user(V, TAG_2)),
    not: votes(user(U, TAG), user(V, TAG_2)),
  },
  {
    row: 7,
    text: `credentials.any(credential, credential.type == 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR')`,
    holds: { credentials: [credential('CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR', '02')] },
    not: { credentials: [credential('CREDENTIAL_TYPE_API_KEY_P256', '02')] },
  },
  {
    row: 8,
    text: `credentials.any(credential, credential.public_key == '02ab')`,
    holds: { credentials: [credential('CREDENTIAL_TYPE_API_KEY_P256', '02ab')] },
    not: { credentials: [credential('CREDENTIAL_TYPE_API_KEY_P256', '02AB')] },
  },
  {
    row: 9,
    text: `approvers.filter(user, user.tags.contains('${TAG}')).count() > 1`,
    holds: votes(user(U, TAG), user(V, TAG)),
    not: votes(user(U, TAG)),
  },
  {
    row: 10,
    text: 'approvers.any(user, user.id == <USER_ID>)',
    refused: [/expected an expression, found `<`/, 31],
  },
  {
    row: 11,
    text: `approvers.any(user, user.tags.contains('<USER_TAG_ID'))`,
    holds: votes(user(U, '<USER_TAG_ID')),
    not: votes(user(U, TAG)),
  },
];

const condition: readonly Row[] = [
  {
    row: 12,
    text: `activity.resource == 'WALLET' && activity.action == 'CREATE'`,
    holds: creating('WALLET'),
    not: signing,
  },
  {
    row: 13,
    text: `activity.resource == 'POLICY' && (activity.action == 'CREATE' || activity.action == 'UPDATE' || activity.action == 'DELETE')`,
    holds: creating('POLICY'),
    not: creating('WALLET'),
  },
  {
    row: 14,
    text: `activity.action == 'DELETE'`,
    holds: activity({ action: 'DELETE' }),
    not: signing,
  },
  {
    row: 15,
    text: `activity.resource in ['AUTH', 'OTP'] && activity.action in ['CREATE','VERIFY']`,
    holds: creating('OTP'),
    not: creating('USER'),
  },
  {
    row: 16,
    text: `activity.kind == 'SIGN_TRANSACTION'`,
    holds: signing,
    not: creating('USER'),
  },
  {
    row: 17,
    text: `activity.type == 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2'`,
    holds: activity({ type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2' }),
    not: signing,
  },
  {
    row: 18,
    text: `activity.type in ['ACTIVITY_TYPE_SIGN_TRANSACTION_V2', 'ACTIVITY_TYPE_ETH_SEND_TRANSACTION'] && wallet.id == '${W}'`,
    holds: { ...signing, wallet: { id: W } },
    not: { ...signing, wallet: { id: K } },
    fails: [signing, 'namespace_absent'],
  },
  {
    row: 19,
    text: `activity.kind in ['INIT_OTP','VERIFY_OTP','OTP_LOGIN','CREATE_SUB_ORGANIZATION']`,
    holds: activity({ kind: 'OTP_LOGIN' }),
    not: signing,
  },
  {
    row: 20,
    text: `activity.resource in ['USER', 'POLICY', 'ORGANIZATION']`,
    holds: creating('USER'),
    not: signing,
  },
  { row: 21, text: 'true', holds: {} },
  {
    row: 22,
    text: `activity.type == 'ACTIVITY_TYPE_DELETE_USERS' && activity.params.user_ids.count() == 1 && '${U}' in activity.params.user_ids`,
    holds: activity({ type: 'ACTIVITY_TYPE_DELETE_USERS' }, { user_ids: [U] }),
    not: activity({ type: 'ACTIVITY_TYPE_DELETE_USERS' }, { user_ids: [U, V] }),
  },
  {
    row: 23,
    text: `activity.type == 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' && activity.params.hash_function == 'HASH_FUNCTION_NO_OP' && activity.params.encoding != 'PAYLOAD_ENCODING_EIP712'`,
    holds: activity(
      { type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' },
      { hash_function: 'HASH_FUNCTION_NO_OP', encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' },
    ),
    not: activity(
      { type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' },
      { hash_function: 'HASH_FUNCTION_NO_OP', encoding: 'PAYLOAD_ENCODING_EIP712' },
    ),
    fails: [signing, 'namespace_absent'],
  },
  {
    row: 24,
    text: `activity.type == 'ACTIVITY_TYPE_CREATE_API_KEYS_V2' && activity.params.user_id == '${U}'`,
    holds: activity({ type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2' }, { user_id: U }),
    not: activity({ type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2' }, { user_id: V }),
  },
  {
    row: 25,
    text: `activity.resource == 'AUTH' && activity.params.session_profile_id == '11111111-1111-1111-1111-111111111111'`,
    holds: activity(
      { resource: 'AUTH' },
      { session_profile_id: '11111111-1111-1111-1111-111111111111' },
    ),
    not: activity({ resource: 'AUTH' }, { session_profile_id: '' }),
  },
  {
    row: 26,
    text: `activity.resource == 'MFA_POLICY' && activity.action == 'DELETE'`,
    holds: activity({ resource: 'MFA_POLICY', action: 'DELETE' }),
    not: signing,
  },
  {
    row: 27,
    text: `activity.action == 'SIGN' && wallet.id == '${W}'`,
    holds: { ...signing, wallet: { id: W } },
    not: { ...signing, wallet: { id: V } },
  },
  {
    row: 28,
    text: `activity.action == 'SIGN' && wallet_account.address == '${A}'`,
    holds: { ...signing, wallet_account: { address: A } },
    not: { ...signing, wallet_account: { address: A.toLowerCase() } },
  },
  {
    row: 29,
    text: `activity.action == 'SIGN' && private_key.id == '${K}'`,
    holds: { ...signing, private_key: { id: K } },
    not: { ...signing, private_key: { id: W } },
  },
  {
    row: 30,
    text: `activity.action == 'SIGN' && private_key.tags.contains('tempo-enabled')`,
    holds: { ...signing, private_key: { tags: ['tempo-enabled'] } },
    not: { ...signing, private_key: { tags: [] } },
  },
  {
    row: 31,
    text: `activity.action == 'SIGN' && wallet.label == 'tempo-production'`,
    holds: { ...signing, wallet: { label: 'tempo-production' } },
    not: { ...signing, wallet: { label: 'Tempo-production' } },
  },
  {
    row: 32,
    text: `wallet.id == '${W}' || private_key.id == '${K}'`,
    fails: [{ ...signing, wallet: { id: W } }, 'namespace_absent'],
  },
  {
    row: 33,
    text: `activity.action == 'EXPORT' && wallet_account.address == '${A}'`,
    holds: { ...activity({ action: 'EXPORT' }), wallet_account: { address: A } },
    not: { ...signing, wallet_account: { address: A } },
  },
  {
    row: 34,
    text: `activity.kind == 'EXPORT_WALLET_ACCOUNT' && wallet_account.path_indexes.count() == 4 && wallet_account.path_indexes[0] == 8797555 && wallet_account.path_indexes[2] == 3 && wallet_account.path_hardened.all(h, h == true)`,
    holds: {
      ...activity({ kind: 'EXPORT_WALLET_ACCOUNT' }),
      wallet_account: { path_indexes: [8797555n, 0n, 3n, 1n], path_hardened: [true, true] },
    },
    not: {
      ...activity({ kind: 'EXPORT_WALLET_ACCOUNT' }),
      wallet_account: { path_indexes: [8797555n, 0n, 3n, 1n], path_hardened: [true, false] },
    },
  },
  {
    row: 35,
    text: `wallet_account.path == 'm/44'`,
    refused: [/field does not exist: path/, 15],
  },
  {
    row: 36,
    text: `secret.static_properties['kind'] == 'creditCard' && activity.type == 'ACTIVITY_TYPE_EXPORT_SECRETS'`,
    holds: {
      ...activity({ type: 'ACTIVITY_TYPE_EXPORT_SECRETS' }),
      secret: { static_properties: map({ kind: 'creditCard' }) },
    },
    not: { ...signing, secret: { static_properties: map({ kind: 'creditCard' }) } },
    fails: [{ ...signing, secret: { static_properties: map({}) } }, 'key_missing'],
  },
  {
    row: 37,
    text: `eth.tx.to == '${A}'`,
    holds: ethereum({ to: caselessText(A.toLowerCase()) }),
    not: ethereum({ to: caselessText(B) }),
    fails: [signing, 'namespace_absent'],
  },
  {
    row: 38,
    text: `eth.tx.to in ['${A}', '${B}']`,
    holds: ethereum({ to: caselessText(B.toLowerCase()) }),
    not: ethereum({ to: caselessText(C) }),
  },
  {
    row: 39,
    text: 'eth.tx.chain_id == 11155111',
    holds: ethereum({ chain_id: 11155111n }),
    not: ethereum({ chain_id: 1n }),
  },
  {
    row: 40,
    text: `eth.tx.chain_id == '8453'`,
    refused: [/type mismatch at 19: expected int, found string/, 19],
  },
  {
    row: 41,
    text: 'eth.tx.nonce <= 3',
    holds: ethereum({ nonce: 3n }),
    not: ethereum({ nonce: 4n }),
  },
  {
    row: 42,
    text: 'eth.tx.value > 500000000000000000',
    holds: ethereum({ value: 500000000000000001n }),
    not: ethereum({ value: 500000000000000000n }),
  },
  {
    row: 43,
    text: `eth.tx.to == '${C}' && eth.tx.data[0..10] == '0xa9059cbb'`,
    holds: ethereum({ to: caselessText(C), data: `0xa9059cbb${WORD}` }),
    not: ethereum({ to: caselessText(C), data: `0xA9059CBB${WORD}` }),
    fails: [ethereum({ to: caselessText(C), data: '0x' }), 'index_out_of_range'],
  },
  {
    row: 44,
    text: `eth.tx.to == '${C}' && eth.tx.data[10..74] == '${WORD}'`,
    holds: ethereum({ to: caselessText(C), data: `0xa9059cbb${WORD}` }),
    not: ethereum({ to: caselessText(C), data: `0xa9059cbb${'0'.repeat(64)}` }),
  },
  {
    row: 45,
    text: `eth.tx.data[0..10] in ['0x095ea7b3', '0x617ba037']`,
    holds: ethereum({ data: '0x617ba0370000' }),
    not: ethereum({ data: '0xa9059cbb0000' }),
  },
  {
    row: 46,
    text: `eth.tx.to == '' && wallet.id == '${W}'`,
    holds: { ...ethereum({ to: '' }), wallet: { id: W } },
    not: { ...ethereum({ to: caselessText(A) }), wallet: { id: W } },
  },
  {
    row: 47,
    text: `eth.tx.to == '${C}' && eth.tx.function_name == 'transfer'`,
    holds: ethereum({ to: caselessText(C), function_name: 'transfer' }),
    not: ethereum({ to: caselessText(C), function_name: '' }),
  },
  {
    row: 48,
    text: `eth.tx.function_name == 'transfer' && eth.tx.function_signature == '0xa9059cbb'`,
    holds: ethereum({ function_name: 'transfer', function_signature: '0xa9059cbb' }),
    not: ethereum({ function_name: 'transfer', function_signature: '' }),
  },
  {
    row: 49,
    text: `eth.tx.contract_call_args['wad'] < 1000000000000000000 && eth.tx.contract_call_args['dst'] == '0x08d2b0a37F869FF76BACB5Bab3278E26ab7067B7'`,
    holds: ethereum({ contract_call_args: map({ wad: 5n, dst: caselessText(A.toLowerCase()) }) }),
    not: ethereum({ contract_call_args: map({ wad: 10n ** 18n, dst: caselessText(A) }) }),
    fails: [
      ethereum({ contract_call_args: map({ wad: 2n ** 128n, dst: caselessText(A) }) }),
      'number_out_of_range',
    ],
  },
  {
    row: 50,
    text: `eth.tx.function_name == 'executeBatch' && eth.tx.contract_call_args['calls'].count() <= 2 && eth.tx.contract_call_args['calls'].all(call, call[0] == '${C}' && call[1] == 0)`,
    holds: ethereum({
      function_name: 'executeBatch',
      contract_call_args: map({ calls: [[caselessText(C.toLowerCase()), 0n, '0x']] }),
    }),
    not: ethereum({
      function_name: 'executeBatch',
      contract_call_args: map({ calls: [[caselessText(C), 1n, '0x']] }),
    }),
    fails: [ethereum({ function_name: 'executeBatch' }), 'member_missing'],
  },
  {
    row: 51,
    text: `eth.tx.contract_call_args['calls'].all(call, call['target'] == '${C}')`,
    fails: [
      ethereum({ contract_call_args: map({ calls: [[caselessText(C), 0n]] }) }),
      'type_mismatch',
    ],
  },
  {
    row: 52,
    text: `eth.tx.function_name == 'disperse' && eth.tx.contract_call_args['recipients'].all(addr, addr in ['${A}', '${B}'])`,
    holds: ethereum({
      function_name: 'disperse',
      contract_call_args: map({ recipients: [caselessText(A), caselessText(B.toLowerCase())] }),
    }),
    not: ethereum({
      function_name: 'disperse',
      contract_call_args: map({ recipients: [caselessText(A), caselessText(C)] }),
    }),
  },
  {
    row: 53,
    text: `eth.eip_712.domain.name == 'USD Coin' && eth.eip_712.primary_type == 'Permit' && activity.type == 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'`,
    holds: typedData({ domain: { name: 'USD Coin' }, primary_type: 'Permit' }),
    not: typedData({ domain: { name: '' }, primary_type: 'Permit' }),
  },
  {
    row: 54,
    text: `eth.eip_712.primary_type == 'PermitBatch' && eth.eip_712.message['permitted'][0]['token'] == '${C}'`,
    holds: typedData({
      primary_type: 'PermitBatch',
      message: map({ permitted: [map({ token: caselessText(C.toLowerCase()) })] }),
    }),
    not: typedData({
      primary_type: 'PermitBatch',
      message: map({ permitted: [map({ token: caselessText(A) })] }),
    }),
    fails: [
      typedData({ primary_type: 'PermitBatch', message: map({ permitted: [] }) }),
      'index_out_of_range',
    ],
  },
  {
    row: 55,
    text: `eth.eip_712.message['permitted'].any(p, p['token'] == '${A}' && p['amount'] < 100000000)`,
    holds: typedData({
      message: map({ permitted: [map({ token: caselessText(A), amount: 99999999n })] }),
    }),
    not: typedData({
      message: map({ permitted: [map({ token: caselessText(A), amount: 100000000n })] }),
    }),
    fails: [
      typedData({
        message: map({ permitted: [map({ token: caselessText(A), amount: '99999999' })] }),
      }),
      'type_mismatch',
    ],
  },
  {
    row: 56,
    text: `eth.eip_712.domain.version == '' && eth.eip_712.domain.chain_id == 1`,
    holds: typedData({ domain: { version: '', chain_id: 1n } }),
    not: typedData({ domain: { version: '', chain_id: 2n ** 200n } }),
  },
  {
    row: 57,
    text: `eth.eip_7702_authorization.address == '${A}' && eth.eip_7702_authorization.chain_id == '1'`,
    refused: [/expected int, found string/, 125],
  },
  {
    row: 57,
    text: `eth.eip_7702_authorization.address == '${A}' && eth.eip_7702_authorization.chain_id == 1`,
    holds: { ...signing, eth: { eip_7702_authorization: { address: A, chain_id: 1n } } },
    not: { ...signing, eth: { eip_7702_authorization: { address: A, chain_id: 0n } } },
  },
  {
    row: 58,
    text: 'eth.tx.gasPrice <= 30000000000',
    refused: [/field does not exist: gasPrice/, 7],
  },
  {
    row: 59,
    text: `solana.tx.transfers.count == 1 && solana.tx.transfers[0].to == '${S}'`,
    refused: [/expected `count\(\)`/, 20],
  },
  {
    row: 60,
    text: `solana.tx.transfers.count() == 1 && solana.tx.transfers[0].to == '${S}'`,
    holds: solana({ transfers: [{ from: S_2, to: S, amount: 1n }] }),
    not: solana({ transfers: [{ from: S_2, to: S_2, amount: 1n }] }),
    fails: [solana({ transfers: [] }), 'index_out_of_range'],
  },
  {
    row: 61,
    text: `solana.tx.transfers.all(transfer, transfer.from == '${S}')`,
    holds: solana({ transfers: [] }),
    not: solana({ transfers: [{ from: S_2, to: S, amount: 1n }] }),
  },
  {
    row: 62,
    text: `solana.tx.program_keys.all(p, p == '11111111111111111111111111111111')`,
    holds: solana({ program_keys: ['11111111111111111111111111111111'] }),
    not: solana({ program_keys: ['11111111111111111111111111111111', S] }),
  },
  {
    row: 63,
    text: `solana.tx.transfers.any(t, t.to == 'ADDRESS_TABLE_LOOKUP') || solana.tx.spl_transfers.any(t, t.to == 'ADDRESS_TABLE_LOOKUP')`,
    holds: solana({ transfers: [], spl_transfers: [{ to: 'ADDRESS_TABLE_LOOKUP' }] }),
    not: solana({ transfers: [{ to: S }], spl_transfers: [] }),
  },
  {
    row: 64,
    text: 'solana.tx.address_table_lookups.count() > 0',
    holds: solana({ address_table_lookups: [{ address_table_key: S }] }),
    not: solana({ address_table_lookups: [] }),
  },
  {
    row: 65,
    text: `solana.tx.instructions[0].instruction_data_hex == '0200'`,
    holds: solana({ instructions: [{ instruction_data_hex: '0200' }] }),
    not: solana({ instructions: [{ instruction_data_hex: '03' }] }),
  },
  {
    row: 66,
    text: `solana.tx.instructions[0].accounts[0].account_key == '${S}'`,
    holds: solana({ instructions: [{ accounts: [{ account_key: S }] }] }),
    not: solana({ instructions: [{ accounts: [{ account_key: S_2 }] }] }),
  },
  {
    row: 67,
    text: `solana.tx.instructions.count() == solana.tx.spl_transfers.count() && solana.tx.spl_transfers.all(transfer, transfer.token_mint == '${S}')`,
    holds: solana({ instructions: [{}], spl_transfers: [{ token_mint: S }] }),
    not: solana({ instructions: [{}, {}], spl_transfers: [{ token_mint: S }] }),
  },
  {
    row: 68,
    text: `solana.tx.instructions.count() == 1 && solana.tx.spl_transfers.count() == 1 && solana.tx.spl_transfers.all(transfer, transfer.signers.any(s, s == '${S}'))`,
    holds: solana({ instructions: [{}], spl_transfers: [{ signers: [S_2, S] }] }),
    not: solana({ instructions: [{}], spl_transfers: [{ signers: [S_2] }] }),
  },
  {
    row: 69,
    text: `solana.tx.instructions.any(i, i.program_key == '${S}' && i.parsed_instruction_data.instruction_name == 'route' && i.parsed_instruction_data.program_call_args['in_amount'] == 995500000)`,
    holds: solana({
      instructions: [
        {
          program_key: S,
          parsed_instruction_data: {
            instruction_name: 'route',
            program_call_args: map({ in_amount: 995500000n }),
          },
        },
      ],
    }),
    not: solana({
      instructions: [
        {
          program_key: S,
          parsed_instruction_data: {
            instruction_name: 'route',
            program_call_args: map({ in_amount: 1n }),
          },
        },
      ],
    }),
    fails: [solana({ instructions: [{ program_key: S_2 }] }), 'member_missing'],
  },
  {
    row: 70,
    text: `solana.tx.address_table_lookup_references.all(r, r.address_table_key == '${S}' && ((r.index == 3 && r.writable) || (r.index == 4 && !r.writable)))`,
    holds: solana({
      address_table_lookup_references: [{ address_table_key: S, index: 4n, writable: false }],
    }),
    not: solana({
      address_table_lookup_references: [{ address_table_key: S, index: 3n, writable: false }],
    }),
  },
  {
    row: 71,
    text: 'bitcoin.tx.outputs.all(o, o.value < 200000)',
    holds: { bitcoin: { tx: { outputs: [{ value: 199999n }] } } },
    not: { bitcoin: { tx: { outputs: [{ value: 1n }, { value: 200000n }] } } },
  },
  {
    row: 72,
    text: 'bitcoin.tx.outputs.all(o, o.address == <ADDR>)',
    refused: [/expected an expression, found `<`/, 39],
  },
  {
    row: 73,
    text: `bitcoin.tx.outputs.count() == 2 && bitcoin.tx.outputs.all(o, o.address in ['bc1a','bc1b'])`,
    holds: { bitcoin: { tx: { outputs: [{ address: 'bc1a' }, { address: 'bc1b' }] } } },
    not: { bitcoin: { tx: { outputs: [{ address: 'bc1a' }, { address: 'bc1c' }] } } },
  },
  {
    row: 74,
    text: 'bitcoin.tx.fee <= 10000',
    holds: { bitcoin: { tx: { fee: 10000n } } },
    not: { bitcoin: { tx: { fee: 10001n } } },
  },
  {
    row: 75,
    text: `bitcoin.tx.inputs.all(i, i.tx_id == 'ab' && i.vout == 0)`,
    holds: { bitcoin: { tx: { inputs: [{ tx_id: 'ab', vout: 0n }] } } },
    not: { bitcoin: { tx: { inputs: [{ tx_id: 'ab', vout: 1n }] } } },
  },
  {
    row: 76,
    text: `tron.tx.contract[0].contract_address == 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf' && tron.tx.contract[0].data[0..8] == 'a9059cbb'`,
    holds: {
      tron: {
        tx: {
          contract: [
            { contract_address: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf', data: 'a9059cbb00' },
          ],
        },
      },
    },
    not: {
      tron: {
        tx: {
          contract: [
            { contract_address: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf', data: '095ea7b300' },
          ],
        },
      },
    },
    fails: [{ tron: { tx: { contract: [{ to_address: 'T' }] } } }, 'member_missing'],
  },
  {
    row: 77,
    text: `tron.tx.contract[0].type == 'TransferContract'`,
    holds: { tron: { tx: { contract: [{ type: 'TransferContract' }] } } },
    not: { tron: { tx: { contract: [{ type: 'TriggerSmartContract' }] } } },
  },
  {
    row: 78,
    text: 'tron.tx.contract[0].amount < 10000000',
    holds: { tron: { tx: { contract: [{ amount: 9999999n }] } } },
    not: { tron: { tx: { contract: [{ amount: 10000000n }] } } },
  },
  {
    row: 79,
    text: `tempo.tx.calls.all(call, call.to == '${A}') && private_key.id == '${K}'`,
    holds: { tempo: { tx: { calls: [{ to: caselessText(A) }] } }, private_key: { id: K } },
    not: { tempo: { tx: { calls: [{ to: caselessText(B) }] } }, private_key: { id: K } },
  },
  {
    row: 80,
    text: `tempo.tx.calls.count() == 1 && tempo.tx.calls[0].input[34..74] == '${A.slice(2)}'`,
    holds: { tempo: { tx: { calls: [{ input: caselessText(`0xa9059cbb${WORD}`) }] } } },
    not: { tempo: { tx: { calls: [{ input: caselessText(`0x${'0'.repeat(72)}`) }] } } },
  },
  {
    row: 81,
    text: `activity.action == 'SIGN' && activity.params.type == 'TRANSACTION_TYPE_TEMPO'`,
    holds: activity({}, { type: 'TRANSACTION_TYPE_TEMPO' }),
    not: activity({}, { type: 'TRANSACTION_TYPE_ETHEREUM' }),
    fails: [activity({}, { encoding: 'PAYLOAD_ENCODING_EIP712' }), 'namespace_absent'],
  },
  {
    row: 82,
    text: `activity.type == 'ACTIVITY_TYPE_SPARK_PREPARE_TRANSFER' && activity.params.sign_with == '${A}' && activity.params.transfer.receiver_public_key in ['02aa', '02bb']`,
    holds: activity(
      { type: 'ACTIVITY_TYPE_SPARK_PREPARE_TRANSFER' },
      { sign_with: A, transfer: { receiver_public_key: '02bb' } },
    ),
    not: activity(
      { type: 'ACTIVITY_TYPE_SPARK_PREPARE_TRANSFER' },
      { sign_with: A, transfer: { receiver_public_key: '02cc' } },
    ),
  },
  {
    row: 83,
    text: `activity.params.sign_with == '${A}' && activity.params.signatures.all(sig, sig.derivation.type == 'static_deposit' && sig.derivation.static_deposit.index == 0)`,
    holds: activity(
      {},
      {
        sign_with: A,
        signatures: [{ derivation: { type: 'static_deposit', static_deposit: { index: 0n } } }],
      },
    ),
    not: activity(
      {},
      {
        sign_with: A,
        signatures: [{ derivation: { type: 'identity', static_deposit: { index: 0n } } }],
      },
    ),
  },
  {
    row: 84,
    text: `activity.params.sign_with == '${A}' && activity.params.lightning_receive.operator_recipients.all(r, (r.operator_id == 'o1' && r.encryption_public_key == 'e1') || (r.operator_id == 'o2' && r.encryption_public_key == 'e2'))`,
    holds: activity(
      {},
      {
        sign_with: A,
        lightning_receive: {
          operator_recipients: [{ operator_id: 'o2', encryption_public_key: 'e2' }],
        },
      },
    ),
    not: activity(
      {},
      {
        sign_with: A,
        lightning_receive: {
          operator_recipients: [{ operator_id: 'o2', encryption_public_key: 'e1' }],
        },
      },
    ),
  },
  {
    row: 90,
    text: `CaseInsensitiveString(wallet_account.address) == CaseInsensitiveString('${B.toUpperCase()}')`,
    holds: { wallet_account: { address: B } },
    not: { wallet_account: { address: A } },
  },
];

const time: readonly Row[] = [
  {
    row: 85,
    text: `time.now >= Timestamp('2026-03-01T00:00:00Z') && time.now < Timestamp('2026-04-01T00:00:00Z')`,
    holds: at('2026-03-01T00:00:00Z'),
    not: at('2026-04-01T00:00:00Z'),
  },
  {
    row: 86,
    text: `CronSpan('0 9 * * 1-5', '8h', 'America/New_York')`,
    holds: at('2026-03-04T14:00:00Z'),
    not: at('2026-03-04T22:00:00Z'),
  },
  {
    row: 87,
    text: `CronSpan('0 22 * * *', '8h', 'America/New_York')`,
    holds: at('2026-01-10T10:59:59Z'),
    not: at('2026-01-10T11:00:00Z'),
  },
  {
    row: 88,
    text: `CronSpan('0 9 * * 1-5', '8h', 'America/New_York') && time.now < Timestamp('2026-01-01T00:00:00Z')`,
    holds: at('2025-12-31T15:00:00Z'),
    not: at('2026-01-02T15:00:00Z'),
  },
  {
    row: 89,
    text: `!CronSpan('0 2 * * 0', '1h', 'UTC')`,
    holds: at('2026-03-01T01:59:59Z'),
    not: at('2026-03-01T02:00:00Z'),
    fails: [{}, 'namespace_absent'],
  },
];

const tables: { readonly [clause in ClauseName]: readonly Row[] } = { condition, consensus, time };

for (const clause of ['consensus', 'condition', 'time'] as const) {
  for (const { row, text, holds, not, fails, refused } of tables[clause]) {
    test(`example ${row}: ${text.slice(0, 90)}`, () => {
      if (refused !== undefined) {
        const [message, position] = refused;
        assert.throws(
          () => compileClause(clause, text),
          (error) => {
            assert.ok(error instanceof ExpressionError);
            assert.match(error.message, message);
            assert.equal(error.position, position);
            return true;
          },
        );
        return;
      }
      const { evaluate } = compileClause(clause, text);
      if (holds !== undefined) assert.deepEqual(evaluate(holds), { value: true });
      if (not !== undefined) assert.deepEqual(evaluate(not), { value: false });
      if (fails !== undefined) {
        const [scope, code] = fails;
        const outcome = evaluate(scope);
        assert.equal('failure' in outcome && outcome.failure.code, code);
      }
    });
  }
}

test('every row of the table is there', () => {
  const rows = new Set([...consensus, ...condition, ...time].map(({ row }) => row));
  assert.deepEqual(
    Array.from({ length: 90 }, (_, i) => i + 1).filter((row) => !rows.has(row)),
    [],
  );
});
