// The watched chains in the operator's setting.

import { isSolanaAddress } from '../base/solana_address.ts';
import { namesOf, table } from '../base/table.ts';
import {
  type Rewards,
  rewardsOf,
  type SwapContracts,
  swapsOf,
  type Vault,
  vaultsOf,
} from './market_contracts.ts';
import {
  type Bounds,
  ChainsFault,
  evmContractOf,
  integerOf,
  membersOf,
  wrong,
} from './setting_values.ts';

/** The asset that a transfer moves. */
export type Asset = {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** CAIP-19, as in `eip155:1/slip44:60`. */
  readonly caip19: string;
};

/** A token, identified by its contract in lower case or by its mint. */
type Token = Asset & { readonly contract: string };

export type Chain = {
  /** CAIP-2, as in `eip155:1`. */
  readonly caip2: string;
  /** The first part of the name; selects the JSON-RPC methods. */
  readonly family: ChainFamily;
  /** JSON-RPC addresses of its nodes, at least one; each may contain a key of the operator. */
  readonly rpcUrls: readonly string[];
  /** Number of blocks after a block that make it final. */
  readonly confirmations: number;
  /** Maximum number of blocks reported beyond the oldest block that the node does not call final. */
  readonly lag: number;
  /** The first block to report. Default: the blocks that are not final at the first start. */
  readonly fromBlock: number | undefined;
  readonly pollMs: number;
  /** Undefined for a chain without a coin. */
  readonly coin: Asset | undefined;
  readonly tokens: readonly Token[];
  /** The contracts for sponsored transactions. Optional. */
  readonly gasStation: GasStation | undefined;
  /** The vaults for yields. */
  readonly vaults: readonly Vault[];
  readonly swaps: SwapContracts | undefined;
  /** The distributor of rewards. Optional. */
  readonly rewards: Rewards | undefined;
};

/** Contracts for sponsored transactions. Addresses and hashes in lower-case hex with `0x`. */
export type GasStation = {
  /** Receives the sponsored transactions. */
  readonly address: string;
  /** Keccak-256 of the code at that address. */
  readonly codeHash: string;
  /** The contract whose code acts for senders. */
  readonly delegate: string;
  readonly delegateCodeHash: string;
};

type KnownCoin = Omit<Asset, 'caip19'> & { readonly slip44: number };
type KnownChain = { readonly confirmations: number; readonly coin: KnownCoin | undefined };

const ether: KnownCoin = { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 };
const pol: KnownCoin = {
  symbol: 'POL',
  name: 'Polygon Ecosystem Token',
  decimals: 18,
  slip44: 966,
};
const bnb: KnownCoin = { symbol: 'BNB', name: 'BNB', decimals: 18, slip44: 714 };

const sol: KnownCoin = { symbol: 'SOL', name: 'Solana', decimals: 9, slip44: 501 };

type Family = {
  /** Form of CAIP-2 names. */
  readonly pattern: RegExp;
  /** Known facts about the chain. */
  readonly known?: KnownChain;
  readonly lag: number;
  /** CAIP-19 namespace of its tokens. */
  readonly token: string;
  /** Normalizes addresses of tokens; undefined for an invalid address. */
  readonly contractOf: (address: string) => string | undefined;
};

const families = table<Family>()({
  eip155: {
    pattern: /^eip155:[1-9][0-9]{0,15}$/,
    lag: 0,
    token: 'erc20',
    contractOf: evmContractOf,
  },
  solana: {
    // The beginning of the hash of its first block.
    pattern: /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/,
    known: { confirmations: 32, coin: sol },
    lag: 256,
    token: 'token',
    contractOf: (address) => (isSolanaAddress(address) ? address : undefined),
  },
});

export type ChainFamily = keyof typeof families;

/** Chains with a known coin and finality, which the setting may omit. */
const knownChains = table<KnownChain>()({
  'eip155:1': { confirmations: 32, coin: ether },
  'eip155:11155111': { confirmations: 12, coin: ether },
  'eip155:8453': { confirmations: 10, coin: ether },
  'eip155:84532': { confirmations: 5, coin: ether },
  'eip155:137': { confirmations: 30, coin: pol },
  'eip155:80002': { confirmations: 12, coin: pol },
  'eip155:42161': { confirmations: 10, coin: ether },
  'eip155:421614': { confirmations: 5, coin: ether },
  'eip155:4217': { confirmations: 10, coin: undefined },
  'eip155:42431': { confirmations: 5, coin: undefined },
  'eip155:56': { confirmations: 15, coin: bnb },
  'eip155:97': { confirmations: 15, coin: bnb },
});

const maximumChains = 32;
const maximumTokens = 200;
const maximumNodes = 5;
const maximumConfirmations = 1_000;
const maximumBlock = 2 ** 40 - 1;
const defaultPollMs = 2_000;

/**
 * Returns the assets whose balances are reported: the coin of a chain, if it has one, and then its
 * tokens.
 */
export function assetsOf({ coin, tokens }: Pick<Chain, 'coin' | 'tokens'>): readonly Asset[] {
  return [...(coin === undefined ? [] : [coin]), ...tokens].map(publicAsset);
}

/** Returns the public members of an asset. */
export function publicAsset({ symbol, name, decimals, caip19 }: Asset): Asset {
  return { symbol, name, decimals, caip19 };
}

/** Parses the setting (JSON); returns its chains, or the problem. */
export function readChains(
  text: string,
): { readonly chains: readonly Chain[] } | { readonly fault: string } {
  try {
    const given = membersOf(jsonOf(text), 'the setting');
    const entries = Object.entries(given);
    if (entries.length > maximumChains) wrong(`at most ${maximumChains} chains`);
    return { chains: entries.map(([caip2, value]) => chainOf(caip2, value)) };
  } catch (error) {
    if (error instanceof ChainsFault) return { fault: error.message };
    throw error;
  }
}

const chainMembers = [
  'rpcUrl',
  'confirmations',
  'fromBlock',
  'pollMs',
  'coin',
  'tokens',
  'gasStation',
  'vaults',
  'swaps',
  'rewards',
];

function chainOf(caip2: string, value: unknown): Chain {
  const family = namesOf(families).find((name) => families[name].pattern.test(caip2));
  if (family === undefined) {
    return wrong('each chain is named as in `eip155:1` or `solana:5eykt4Us…` (CAIP-2)');
  }
  const given = membersOf(value, caip2, chainMembers);
  const known: KnownChain | undefined = Object.hasOwn(knownChains, caip2)
    ? knownChains[caip2 as keyof typeof knownChains]
    : families[family].known;
  const { rpcUrl, coin, tokens = [] } = given;
  const rpcUrls = nodeUrlsOf(caip2, rpcUrl);
  if (coin === undefined && known === undefined) wrong(`${caip2}: \`coin\` is needed`);
  if (!Array.isArray(tokens) || tokens.length > maximumTokens) {
    wrong(`${caip2}: \`tokens\` is a list of at most ${maximumTokens}`);
  }
  const number = (name: string, bounds: Bounds) => integerOf(given[name], bounds, caip2, name);
  const confirmations = number('confirmations', { minimum: 1, maximum: maximumConfirmations });
  const read = tokens.map((token: unknown) => tokenOf(caip2, family, token));
  if (new Set(read.map(({ contract }) => contract)).size < read.length) {
    wrong(`${caip2}: a token is listed twice`);
  }
  return {
    caip2,
    family,
    rpcUrls,
    confirmations:
      confirmations ?? known?.confirmations ?? wrong(`${caip2}: \`confirmations\` is needed`),
    lag: families[family].lag,
    fromBlock: number('fromBlock', { minimum: 1, maximum: maximumBlock }),
    pollMs: number('pollMs', { minimum: 10, maximum: 600_000 }) ?? defaultPollMs,
    coin: coin === undefined ? coinOf(caip2, known?.coin) : coinOf(caip2, givenCoin(caip2, coin)),
    tokens: read,
    gasStation: gasStationOf(caip2, family, given['gasStation']),
    vaults: vaultsOf(caip2, given['vaults'], read),
    swaps: swapsOf(caip2, given['swaps']),
    rewards: rewardsOf(caip2, given['rewards']),
  };
}

/** Returns the URLs of a single address or a list without duplicates. */
function nodeUrlsOf(caip2: string, value: unknown): readonly string[] {
  const urls: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isBounded = urls.length >= 1 && urls.length <= maximumNodes;
  if (!isBounded || new Set(urls).size < urls.length) {
    wrong(`${caip2}: \`rpcUrl\` is one address, or a list of 1 to ${maximumNodes} different ones`);
  }
  if (!urls.every(isNodeUrl)) {
    wrong(`${caip2}: \`rpcUrl\` is the https or http address of its JSON-RPC, without a user name`);
  }
  return urls;
}

function isNodeUrl(text: unknown): text is string {
  const url = typeof text === 'string' ? URL.parse(text) : undefined;
  const isOfWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isOfWeb && url?.username === '' && url.password === '';
}

function givenCoin(caip2: string, value: unknown): KnownCoin {
  const where = `${caip2}: \`coin\``;
  const given = membersOf(value, where, [...assetMembers, 'slip44']);
  const slip44 = integerOf(given['slip44'], { minimum: 0, maximum: 2 ** 31 - 1 }, where, 'slip44');
  return { ...assetOf(given, where), slip44: slip44 ?? wrong(`${where}: \`slip44\` is needed`) };
}

function coinOf(caip2: string, coin: KnownCoin | undefined): Asset | undefined {
  if (coin === undefined) return undefined;
  const { slip44, ...asset } = coin;
  return { ...asset, caip19: `${caip2}/slip44:${slip44}` };
}

function tokenOf(caip2: string, family: ChainFamily, value: unknown): Token {
  const where = `${caip2}: each of \`tokens\``;
  const given = membersOf(value, where, [...assetMembers, 'address']);
  const { address } = given;
  const { token, contractOf } = families[family];
  const contract = typeof address === 'string' ? contractOf(address) : undefined;
  if (contract === undefined) wrong(`${where} has the \`address\` of its contract or mint`);
  return { ...assetOf(given, where), caip19: `${caip2}/${token}:${contract}`, contract };
}

function gasStationOf(caip2: string, family: ChainFamily, value: unknown): GasStation | undefined {
  if (value === undefined) return undefined;
  const where = `${caip2}: \`gasStation\``;
  if (family !== 'eip155') wrong(`${where} is for chains of Ethereum`);
  const given = membersOf(value, where, ['address', 'codeHash', 'delegate', 'delegateCodeHash']);
  const text = (member: string, bytes: number): string => {
    const found = given[member];
    const isHex = typeof found === 'string' && /^0x(?:[0-9a-fA-F]{2})+$/.test(found);
    const isOfLength = isHex && found.length === 2 + 2 * bytes;
    return isOfLength ? found.toLowerCase() : wrong(`${where} has \`${member}\`: ${bytes} bytes`);
  };
  return {
    address: text('address', 20),
    codeHash: text('codeHash', 32),
    delegate: text('delegate', 20),
    delegateCodeHash: text('delegateCodeHash', 32),
  };
}

const assetMembers = ['symbol', 'name', 'decimals'];

function assetOf(given: Readonly<Record<string, unknown>>, where: string): Omit<Asset, 'caip19'> {
  const text = (member: string): string => {
    const value = given[member];
    const isText = typeof value === 'string' && /^[ -~]{1,64}$/.test(value);
    return isText ? value : wrong(`${where} has a \`${member}\` of 1 to 64 ASCII characters`);
  };
  const decimals = integerOf(given['decimals'], { minimum: 0, maximum: 255 }, where, 'decimals');
  return {
    symbol: text('symbol'),
    name: text('name'),
    decimals: decimals ?? wrong(`${where}: \`decimals\` is needed`),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return wrong('the setting is JSON');
  }
}
