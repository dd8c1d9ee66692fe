import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChains } from '../../../src/core/balances/chains.ts';

const rpcUrl = 'http://127.0.0.1:8545/secret';
const coin = { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 };
const token = { address: `0x${'A'.repeat(40)}`, symbol: 'USDC', name: 'USD Coin', decimals: 6 };

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const station = {
  address: `0x${'A1'.repeat(20)}`,
  codeHash: `0x${'B2'.repeat(32)}`,
  delegate: `0x${'C3'.repeat(20)}`,
  delegateCodeHash: `0x${'D4'.repeat(32)}`,
};

const read = (setting: unknown) => readChains(JSON.stringify(setting));

test('known chains need only a URL; all other settings are optional', () => {
  const other = { rpcUrl, coin, confirmations: 3, fromBlock: 7, pollMs: 50, tokens: [token] };
  const answer = read({ 'eip155:1': { rpcUrl }, 'eip155:31337': other });
  assert('chains' in answer);
  const [known, given] = answer.chains;
  assert.deepEqual(known, {
    caip2: 'eip155:1',
    family: 'eip155',
    rpcUrls: [rpcUrl],
    confirmations: 32,
    lag: 0,
    fromBlock: undefined,
    pollMs: 2_000,
    coin: { symbol: 'ETH', name: 'Ether', decimals: 18, caip19: 'eip155:1/slip44:60' },
    tokens: [],
    gasStation: undefined,
    vaults: [],
    swaps: undefined,
    rewards: undefined,
  });
  const contract = token.address.toLowerCase();
  assert.deepEqual(
    [given?.confirmations, given?.fromBlock, given?.pollMs, given?.tokens],
    [
      ...[3, 7, 50],
      [
        {
          symbol: 'USDC',
          name: 'USD Coin',
          decimals: 6,
          contract,
          caip19: `eip155:31337/erc20:${contract}`,
        },
      ],
    ],
  );
});

test('Solana chains have one coin, and tokens by their mints', () => {
  const answer = read({ [solana]: { rpcUrl, tokens: [{ ...token, address: mint }] } });
  assert('chains' in answer);
  const [chain] = answer.chains;
  const { decimals, symbol, name } = token;
  assert.deepEqual(chain, {
    caip2: solana,
    family: 'solana',
    rpcUrls: [rpcUrl],
    confirmations: 32,
    lag: 256,
    fromBlock: undefined,
    pollMs: 2_000,
    coin: { symbol: 'SOL', name: 'Solana', decimals: 9, caip19: `${solana}/slip44:501` },
    tokens: [{ symbol, name, decimals, caip19: `${solana}/token:${mint}`, contract: mint }],
    gasStation: undefined,
    vaults: [],
    swaps: undefined,
    rewards: undefined,
  });
});

test('an unknown chain is refused without its secrets', () => {
  const own = (members: object) => ({
    'eip155:31337': { rpcUrl, coin, confirmations: 1, ...members },
  });
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [[], /object/],
    [{ 'solana:mainnet': { rpcUrl } }, /CAIP-2/],
    [{ [solana]: { rpcUrl, tokens: [token] } }, /contract or mint/],
    [{ [solana]: { rpcUrl, tokens: [{ ...token, address: mint.slice(4) }] } }, /mint/],
    [{ ethereum: { rpcUrl } }, /CAIP-2/],
    [{ 'eip155:1': {} }, /rpcUrl/],
    [{ 'eip155:1': { rpcUrl: 'ws://node' } }, /rpcUrl/],
    [{ 'eip155:1': { rpcUrl: [] } }, /1 to 5 different ones/],
    [{ 'eip155:1': { rpcUrl: [rpcUrl, rpcUrl] } }, /1 to 5 different ones/],
    [{ 'eip155:1': { rpcUrl: [1, 2, 3, 4, 5, 6].map((i) => `${rpcUrl}${i}`) } }, /1 to 5/],
    [{ 'eip155:1': { rpcUrl: [rpcUrl, 'ws://node'] } }, /https or http/],
    [{ 'eip155:1': { rpcUrl: [rpcUrl, 7] } }, /https or http/],
    [{ 'eip155:1': { rpcUrl: 'https://user:secret@node' } }, /rpcUrl/],
    [{ 'eip155:1': { rpcUrl, secret: 1 } }, /no other members/],
    [{ 'eip155:31337': { rpcUrl } }, /`coin` is needed/],
    [{ 'eip155:31337': { rpcUrl, coin } }, /`confirmations` is needed/],
    [own({ confirmations: 0 }), /confirmations/],
    [own({ fromBlock: 0 }), /fromBlock/],
    [own({ pollMs: 1.5 }), /pollMs/],
    [own({ coin: { ...coin, slip44: undefined } }), /slip44/],
    [own({ coin: { ...coin, symbol: 'é' } }), /symbol/],
    [own({ tokens: {} }), /tokens/],
    [own({ tokens: [{ ...token, address: '0x1' }] }), /address/],
    [own({ tokens: [{ ...token, decimals: 256 }] }), /decimals/],
    [own({ tokens: [token, { ...token, address: token.address.toLowerCase() }] }), /twice/],
    [own({ gasStation: { ...station, codeHash: '0x00' } }), /`codeHash`: 32 bytes/],
    [own({ gasStation: { ...station, address: 'secret' } }), /`address`: 20 bytes/],
    [own({ gasStation: { ...station, secret: 1 } }), /no other members/],
    [{ [solana]: { rpcUrl, gasStation: station } }, /for chains of Ethereum/],
  ];
  for (const [setting, sentence] of wrong) {
    const answer = read(setting);
    assert('fault' in answer, JSON.stringify(setting));
    assert.match(answer.fault, sentence);
    assert.doesNotMatch(answer.fault, /secret/);
  }
  const answer = readChains('{secret');
  assert('fault' in answer && !answer.fault.includes('secret'));
});

test('a chain may have several nodes', () => {
  const urls = ['http://one.test', 'https://two.test/key', 'http://three.test:1'];
  const answer = read({ 'eip155:1': { rpcUrl: urls } });
  assert('chains' in answer);
  assert.deepEqual(answer.chains[0]?.rpcUrls, urls);
});

test('the contracts of a gas station are named by address and code hash', () => {
  const answer = read({ 'eip155:1': { rpcUrl, gasStation: station } });
  assert('chains' in answer);
  const inLowerCase = Object.entries(station).map(([name, value]) => [name, value.toLowerCase()]);
  assert.deepEqual(answer.chains[0]?.gasStation, Object.fromEntries(inLowerCase));
});

test('vaults take a listed token, and swaps and rewards name their contracts', () => {
  const address = `0x${'aB'.repeat(20)}`;
  const lower = address.toLowerCase();
  const vault = { address, asset: token.address, name: 'Vault' };
  const swaps = { router: address, quoter: address, wrappedCoin: address };
  const tokens = [token];
  const rewards = { distributor: address, source: 'https://rewards.example/' };
  const answer = read({ 'eip155:1': { rpcUrl, tokens, vaults: [vault], swaps, rewards } });
  assert('chains' in answer);
  assert.deepEqual(answer.chains[0]?.vaults, [
    {
      address: lower,
      caip19: `eip155:1/erc20:${token.address.toLowerCase()}`,
      name: 'Vault',
      curator: '',
      provider: 'EARN_PROVIDER_UNSPECIFIED',
      depositGas: 600_000,
    },
  ]);
  assert.deepEqual(answer.chains[0]?.swaps, {
    router: lower,
    quoter: lower,
    wrappedCoin: lower,
    feeTiers: [100, 500, 3_000, 10_000],
    swapGas: 500_000,
  });
  assert.deepEqual(answer.chains[0]?.rewards, {
    distributor: lower,
    source: 'https://rewards.example',
  });
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ vaults: {} }, /`vaults` is a list of at most 50/],
    [{ vaults: [vault, { ...vault, address: lower }] }, /listed twice/],
    [{ vaults: [{ ...vault, address: '0x1' }] }, /`address` of a contract/],
    [{ vaults: [{ ...vault, asset: address }] }, /`asset` that `tokens` lists/],
    [{ vaults: [{ ...vault, name: '' }] }, /`name`/],
    [{ vaults: [{ ...vault, provider: 'OTHER' }] }, /MORPHO, AAVE or KAMINO/],
    [{ vaults: [{ ...vault, depositGas: 1 }] }, /`depositGas` is an integer/],
    [{ swaps: { ...swaps, quoter: undefined } }, /`quoter` of a contract/],
    [{ swaps: { ...swaps, feeTiers: [0] } }, /`feeTiers` is a list of 1 to 8/],
    [{ swaps: { ...swaps, secret: 1 } }, /no other members/],
    [{ rewards: { ...rewards, distributor: '0x1' } }, /`distributor` of a contract/],
    [{ rewards: { ...rewards, source: 'ftp://rewards.example' } }, /`source`: an https or http/],
    [{ rewards: { ...rewards, source: 'https://user@rewards.example' } }, /`source`/],
    [{ rewards: { ...rewards, source: 'https://rewards.example/?key=1' } }, /`source`/],
  ];
  for (const [members, sentence] of wrong) {
    const refused = read({ 'eip155:1': { rpcUrl, tokens, ...members } });
    assert('fault' in refused, JSON.stringify(members));
    assert.match(refused.fault, sentence);
  }
  for (const members of [{ swaps }, { vaults: [vault] }, { rewards }]) {
    const refused = read({ [solana]: { rpcUrl, ...members } });
    assert('fault' in refused && /for chains of Ethereum/.test(refused.fault));
  }
});
