import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { assetOf, isOfAsset } from '../../../../src/core/policy/velocity/assets.ts';

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const otherNetwork = createBase58check(sha256).encode(Uint8Array.of(0x42, ...new Uint8Array(20)));

test('assetOf: reads coins and tokens of each namespace', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['eip155:1/slip44:60', 'eip155:1', ''],
    ['eip155:137/slip44:966', 'eip155:137', ''],
    [`eip155:8453/erc20:${usdc}`, 'eip155:8453', usdc.toLowerCase()],
    ['solana:mainnet/slip44:501', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', ''],
    [
      'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d/slip44:501',
      'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      '',
    ],
    [`solana:devnet/token:${mint}`, 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', mint],
    [
      'bip122:000000000019d6689c085ae165831e93/slip44:0',
      'bip122:000000000019d6689c085ae165831e93',
      '',
    ],
    ['tron:0x2b6653dc/slip44:195', 'tron:0x2b6653dc', ''],
    [`tron:0x2b6653dc/trc20:${usdt}`, 'tron:0x2b6653dc', usdt],
  ];
  for (const [caip19, chain, token] of rows) {
    assert.deepEqual(assetOf(caip19), { namespace: chain.split(':')[0], chain, token }, caip19);
  }
});

test('assetOf: refuses unknown assets, and assets that cannot be counted', () => {
  const refused = [
    '',
    'eip155:1',
    'eip155:0/slip44:60',
    'eip155:01/slip44:60',
    'eip155:0x1/slip44:60',
    'EIP155:1/slip44:60',
    'eip155:1/slip44:060',
    'eip155:1/slip44:60 ',
    'eip155:1/slip44:60/1',
    'eip155:1/erc721:0x0000000000000000000000000000000000000000',
    `eip155:1/erc20:${usdc.slice(0, -1)}`,
    `eip155:1/erc20:${usdc}00`,
    `eip155:1/token:${mint}`,
    'eip155:1/constructor:x',
    'solana:mainnet/slip44:60',
    'solana:Mainnet/slip44:501',
    `solana:mainnet/erc20:${usdc}`,
    `solana:mainnet/token:${mint.slice(0, -2)}`,
    'solana:mainnet/token:0OIl',
    'bip122:000000000019D6689c085ae165831e93/slip44:0',
    'bip122:000000000019d6689c085ae165831e93/slip44:2',
    'tron:mainnet/slip44:195',
    `tron:0x2b6653dc/trc20:${usdt.slice(0, -1)}k`,
    'tron:0x2b6653dc/trc20:T',
    // Twenty-one bytes with another network prefix, whose text begins with the same letter.
    `tron:0x2b6653dc/trc20:${otherNetwork}`,
    'constructor:1/slip44:60',
    'cosmos:cosmoshub-4/slip44:118',
  ];
  for (const caip19 of refused) assert.equal(assetOf(caip19), undefined, caip19);
});

test('isOfAsset: matches chain and token, or fewer facts if the transaction has fewer', () => {
  const ether = assetOf('eip155:1/slip44:60');
  const token = assetOf(`eip155:1/erc20:${usdc}`);
  const coin = assetOf('solana:mainnet/slip44:501');
  const minted = assetOf(`solana:mainnet/token:${mint}`);
  assert(ether && token && coin && minted);
  const rows: readonly (readonly [typeof ether, string, string | undefined, boolean])[] = [
    [ether, 'eip155:1', '', true],
    [ether, 'eip155:5', '', false],
    [ether, 'eip155', '', true],
    [ether, 'eip155:1', usdc, false],
    [ether, 'solana', '', false],
    [ether, 'eip155:1', undefined, false],
    [token, 'eip155:1', undefined, true],
    [token, 'eip155:1', usdc, true],
    [token, 'eip155:1', usdc.toLowerCase(), true],
    [token, 'eip155:1', '', false],
    [token, 'eip155:10', usdc, false],
    [token, 'eip155', usdc, true],
    [coin, 'solana', '', true],
    [coin, 'solana', undefined, false],
    [coin, 'solana', mint, false],
    [minted, 'solana', mint, true],
    [minted, 'solana', mint.toLowerCase(), false],
    // A Solana token transfer may omit the mint.
    [minted, 'solana', undefined, true],
  ];
  for (const [asset, chain, named, expected] of rows) {
    assert.equal(isOfAsset(asset, { chain, token: named }), expected, `${chain} ${named}`);
  }
});

test('isOfAsset: a coin with a token contract is one asset by both names', () => {
  const coins = [
    ['42220', '0x471EcE3750Da237f93B8E339c536989b8978a438'],
    ['1088', '0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000'],
    ['1284', '0x0000000000000000000000000000000000000802'],
    ['1285', '0x0000000000000000000000000000000000000802'],
    ['1287', '0x0000000000000000000000000000000000000802'],
  ] as const;
  for (const [chain, contract] of coins) {
    const names = [`eip155:${chain}/slip44:60`, `eip155:${chain}/erc20:${contract}`];
    for (const asset of names.map(assetOf)) {
      assert(asset !== undefined);
      for (const named of ['', contract, contract.toLowerCase(), undefined]) {
        for (const on of [`eip155:${chain}`, 'eip155']) {
          assert(isOfAsset(asset, { chain: on, token: named }), `${chain} ${named}`);
        }
      }
      assert(!isOfAsset(asset, { chain: `eip155:${chain}`, token: usdc }));
    }
  }
  // The same contract of another chain is a token.
  const ether = assetOf('eip155:1/slip44:60');
  assert(ether !== undefined);
  assert(!isOfAsset(ether, { chain: 'eip155:1', token: coins[0][1] }));
});
