// The maximum that leaves an account by a transaction, with its fee.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../../src/core/base/bytes.ts';
import type {
  Effect,
  WarningCode,
} from '../../../src/core/organization/records/transaction_explanation.ts';
import type { ExplainedTransaction } from '../../../src/core/transactions/explain_signed.ts';
import { explainRequest } from '../../../src/core/transactions/headline/explain_request.ts';
import { headlineOf } from '../../../src/core/transactions/headline/headline.ts';
import { leavingTotal } from '../../../src/core/transactions/headline/leaving_total.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
} from '../../support/transaction_vectors.ts';

const signer = '0x1111111111111111111111111111111111111111';
const dead = '0x000000000000000000000000000000000000dEaD';
const usdc = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
const oneGwei = '1000000000';

/** Returns a request to send from the signer: by default 1 ETH, with a fee of at most 0.0021 ETH. */
const requested = (changes: object = {}): ExplainedTransaction => {
  const intent = {
    from: signer,
    caip2: 'eip155:11155111',
    to: dead,
    value: '1000000000000000000',
    gasLimit: '2100000',
    maxFeePerGas: oneGwei,
    ...changes,
  };
  const explained = explainRequest('ACTIVITY_TYPE_ETH_SEND_TRANSACTION', intent, undefined);
  return explained ?? assert.fail('the request is readable');
};

/** ERC-20 `transfer` of 25 USDC. */
const transferCall = `0xa9059cbb${dead.slice(2).toLowerCase().padStart(64, '0')}${(25_000_000).toString(16).padStart(64, '0')}`;

test('the total of a coin includes the maximum fee', () => {
  assert.deepEqual(leavingTotal(requested(), signer), {
    amounts: ['1.0021 ETH'],
    hasAllFees: true,
  });
});

test('the fee of a token transfer is a separate amount', () => {
  const explained = requested({ to: usdc, value: '0', data: transferCall });
  assert.deepEqual(leavingTotal(explained, signer)?.amounts, ['25 USDC', '0.0021 ETH']);
});

test('an open fee counts as the maximum that the service fills in, and a sponsored fee does not count', () => {
  const open = requested({ gasLimit: undefined, maxFeePerGas: undefined });
  assert.deepEqual(leavingTotal(open, signer)?.amounts, ['1.25 ETH']);
  assert.deepEqual(leavingTotal(requested({ sponsor: true }), signer)?.amounts, ['1 ETH']);
});

test('a chain with its own fees has no complete total', () => {
  assert.equal(leavingTotal(requested({ caip2: 'eip155:8453' }), signer)?.hasAllFees, false);
  assert.equal(leavingTotal(requested({ caip2: 'eip155:1' }), signer)?.hasAllFees, true);
});

test('calls, allowances, unknown assets and payments of others have no total', () => {
  const call = requested({ to: dead, data: '0x12345678' });
  assert.equal(leavingTotal(call, signer), undefined, 'a call');
  const token = requested({ to: dead, value: '0', data: transferCall });
  assert.equal(leavingTotal(token, signer), undefined, 'a token without known decimals');
  const approve = `0x095ea7b3${transferCall.slice(10)}`;
  const allowance = requested({ to: usdc, value: '0', data: approve });
  assert.equal(leavingTotal(allowance, signer), undefined, 'an allowance');
  assert.equal(leavingTotal(requested(), dead), undefined, 'a payment of another account');
  const unknownChain = requested({ caip2: 'eip155:999' });
  assert.equal(leavingTotal(unknownChain, signer), undefined, 'a coin without known decimals');
  assert.equal(leavingTotal(requested({ value: '0' }), signer), undefined, 'no amount');
});

test('each further effect and each further warning removes the total', () => {
  const plain = requested();
  const kinds: readonly Effect['kind'][] = [
    'APPROVAL',
    'CALL',
    'CONTRACT_CREATION',
    'DELEGATION',
    'PERMISSION_CHANGE',
    'MESSAGE',
  ];
  for (const kind of kinds) {
    const effects = [...plain.effects, { kind, text: '' }];
    assert.equal(leavingTotal({ ...plain, effects }, signer), undefined, kind);
  }
  const staked: Effect = { kind: 'RESOURCE_CHANGE', text: '', amount: '1', asset: 'ETH' };
  const effects = [...plain.effects, staked];
  assert.equal(leavingTotal({ ...plain, effects }, signer), undefined, 'a stake');
  const codes: readonly WarningCode[] = ['UNVERIFIED_AMOUNT', 'NO_CHAIN_ID', 'UNKNOWN_CONTRACT'];
  for (const code of codes) {
    const warnings = [{ code, text: '' }];
    assert.equal(leavingTotal({ ...plain, warnings }, signer), undefined, code);
  }
  const warnings = [{ code: 'HIGH_FEE', text: '' }] as const;
  assert.notEqual(leavingTotal({ ...plain, warnings }, signer), undefined);
  const { fee: _, ...free } = plain;
  assert.equal(leavingTotal(free, signer), undefined, 'no fee');
});

test('change returns to the account, and another account may pay the fee', () => {
  const explained: ExplainedTransaction = {
    summary: '',
    effects: [
      { kind: 'TRANSFER', text: '', from: 'a', to: 'b', amount: '100000000', asset: 'BTC' },
      { kind: 'TRANSFER', text: '', from: 'a', to: 'a', amount: '500000000', asset: 'BTC' },
      { kind: 'TRANSFER', text: '', amount: '1', asset: 'BTC' },
    ],
    fee: { maximum: '1000', asset: 'BTC', text: '' },
    warnings: [],
    chain: 'bip122',
  };
  assert.deepEqual(leavingTotal(explained, 'a')?.amounts, ['1.00001001 BTC']);
  const fee = { maximum: '5000', asset: 'BTC', payer: 'c', text: '' };
  assert.deepEqual(leavingTotal({ ...explained, fee }, 'a')?.amounts, ['1.00000001 BTC']);
});

/** Explains the first transaction of these vectors with a headline, for an account of another format. */
function headlineWith(file: string, intent: object, type: string, format?: string) {
  for (const vector of readVectors<TransactionVector>(file)) {
    const account = accountOf(vector);
    const { address, publicKey } = account;
    const asked = { ...intent, unsignedTransaction: vector.unsignedTransaction };
    const explained = explainRequest(type, asked, {
      address,
      addressFormat: account.format,
      publicKey: hex(publicKey),
    });
    if (explained === undefined || (format !== undefined && account.format !== format)) continue;
    const found = headlineOf(explained, { ...explained, signer: address });
    if (found !== undefined) return found;
  }
  return assert.fail(`no headline in ${file}`);
}

test('a test network is named if the signed bytes name it', () => {
  const networkOf = (caip2: string) => {
    const explained = requested({ caip2 });
    return headlineOf(explained, { ...explained, signer })?.network;
  };
  for (const id of [97, 17_000, 80_002, 84_532, 421_614, 560_048, 11_155_111, 11_155_420]) {
    assert.equal(networkOf(`eip155:${id}`), 'test', String(id));
  }
  for (const id of [1, 10, 56, 137, 8_453, 42_161, 999]) {
    assert.equal(networkOf(`eip155:${id}`), undefined, String(id));
  }
});

test('a test network that only the request names is not presented as proven', () => {
  const send = 'ACTIVITY_TYPE_SOL_SEND_TRANSACTION_V2';
  const devnet = headlineWith('solana', { caip2: 'solana:devnet', signWiths: [] }, send);
  assert.deepEqual([devnet.chain, devnet.network], ['Solana Devnet', 'requested']);
  const mainnet = headlineWith('solana', { caip2: 'solana:mainnet', signWiths: [] }, send);
  assert.deepEqual([mainnet.chain, mainnet.network], ['Solana', undefined]);
  const sign = 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2';
  const bitcoin = { type: 'TRANSACTION_TYPE_BITCOIN' };
  const testnet = 'ADDRESS_FORMAT_BITCOIN_TESTNET_P2WPKH';
  const found = headlineWith('bitcoin', bitcoin, sign, testnet);
  assert.deepEqual([found.chain, found.network], ['Bitcoin Testnet', 'requested']);
  const main = headlineWith('bitcoin', bitcoin, sign, 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH');
  assert.deepEqual([main.chain, main.network], ['Bitcoin', undefined]);
});
