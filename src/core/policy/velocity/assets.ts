// Assets by their CAIP-19 names in canonical form, and the transfers that move them.

import { createBase58check } from '@scure/base';
import { isSolanaAddress } from '../../base/solana_address.ts';
import { namesOf, table } from '../../base/table.ts';
import { sha256 } from '../../crypto/hashes.ts';

/** An asset of one chain. */
type CountedAsset = {
  /** CAIP-2 namespace of the chain: `eip155`. */
  readonly namespace: string;
  /** CAIP-2 name, as in `eip155:1`. */
  readonly chain: string;
  /** The normalized token; empty for the chain's coin. */
  readonly token: string;
};

/** A transfer in a transaction. */
export type AssetTransfer = {
  /** CAIP-2 name, or only its namespace if the transaction does not name its chain. */
  readonly chain: string;
  /** Empty for the coin; undefined if the transaction does not name the token. */
  readonly token: string | undefined;
  readonly from: string;
  readonly to: string;
  /** In the smallest unit. */
  readonly amount: bigint;
  /** True if the amount may be higher than stated. */
  readonly isAtLeast?: true;
};

type Namespace = {
  /** Returns the normalized CAIP-2 reference; undefined if it is invalid. */
  readonly referenceOf: (text: string) => string | undefined;
  /** Returns true if this SLIP-44 number means the chain's coin. */
  readonly isCoin: (slip44: string) => boolean;
  /** Namespaces of tokens, each with its normalization, which returns undefined for an invalid token. */
  readonly tokens: Readonly<Record<string, (text: string) => string | undefined>>;
  /** An example for messages. */
  readonly example: string;
};

const base58check = createBase58check(sha256);

const namespaces = table<Namespace>()({
  eip155: {
    referenceOf: (text) => (/^[1-9][0-9]{0,15}$/.test(text) ? text : undefined),
    // A chain has one coin, whose number varies: 60, 714, 966.
    isCoin: () => true,
    tokens: {
      erc20: (text) => (/^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : undefined),
    },
    example: 'eip155:1/slip44:60 or eip155:1/erc20:0x…',
  },
  solana: {
    referenceOf: clusterOf,
    isCoin: (slip44) => slip44 === '501',
    tokens: { token: (text) => (isSolanaAddress(text) ? text : undefined) },
    example: 'solana:mainnet/slip44:501 or solana:mainnet/token:…',
  },
  bip122: {
    referenceOf: (text) => (/^[0-9a-f]{32}$/.test(text) ? text : undefined),
    // Coins of test networks share the number 1.
    isCoin: (slip44) => slip44 === '0' || slip44 === '1',
    tokens: {},
    example: 'bip122:000000000019d6689c085ae165831e93/slip44:0',
  },
  tron: {
    referenceOf: (text) => (/^0x[0-9a-f]{8}$/.test(text) ? text : undefined),
    isCoin: (slip44) => slip44 === '195',
    tokens: { trc20: (text) => (isTronAddress(text) ? text : undefined) },
    example: 'tron:0x2b6653dc/slip44:195 or tron:0x2b6653dc/trc20:T…',
  },
});

/** Short names of clusters, and the beginning of the hash of their first block, which names them too. */
const clusterNames: ReadonlyMap<string, string> = new Map([
  ['mainnet', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['devnet', 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
]);

/** Examples of the names that `assetOf` accepts, for messages. */
export const assetExamples: readonly string[] = namesOf(namespaces).map(
  (name) => namespaces[name].example,
);

/** Contracts whose token is the coin of their chain: Celo, Metis, Moonbeam, Moonriver and Moonbase Alpha. */
const coinContracts: ReadonlyMap<string, string> = new Map([
  ['eip155:42220', '0x471ece3750da237f93b8e339c536989b8978a438'],
  ['eip155:1088', '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000'],
  ...[1284, 1285, 1287].map(
    (chain) => [`eip155:${chain}`, '0x0000000000000000000000000000000000000802'] as const,
  ),
]);

/** Returns the asset of a CAIP-19 name; undefined for a name that cannot be counted. */
export function assetOf(caip19: string): CountedAsset | undefined {
  const [, name = '', reference = '', kind = '', id = ''] =
    /^([a-z0-9]+):([-_a-zA-Z0-9]+)\/([a-z0-9]+):([a-zA-Z0-9]+)$/.exec(caip19) ?? [];
  const namespace = namesOf(namespaces).find((each) => each === name);
  if (namespace === undefined) return undefined;
  const { referenceOf, isCoin, tokens } = namespaces[namespace];
  const chainReference = referenceOf(reference);
  if (chainReference === undefined) return undefined;
  const chain = `${namespace}:${chainReference}`;
  if (kind === 'slip44') {
    const isNumber = /^(0|[1-9][0-9]{0,9})$/.test(id);
    return isNumber && isCoin(id) ? { namespace, chain, token: '' } : undefined;
  }
  const token = Object.hasOwn(tokens, kind) ? tokens[kind]?.(id) : undefined;
  if (token === undefined) return undefined;
  return { namespace, chain, token: token === coinContracts.get(chain) ? '' : token };
}

/**
 * Returns true if a transfer is of this asset. A transaction without a chain matches every chain of its
 * namespace, and a token without a name matches every token.
 */
export function isOfAsset(
  { namespace, chain, token }: CountedAsset,
  transfer: Pick<AssetTransfer, 'chain' | 'token'>,
): boolean {
  if (transfer.chain !== chain && transfer.chain !== namespace) return false;
  const coin = coinContracts.get(chain);
  if (transfer.token === undefined) return token !== '' || coin !== undefined;
  const spelled = namespace === 'eip155' ? transfer.token.toLowerCase() : transfer.token;
  return (spelled === coin ? '' : spelled) === token;
}

/** Returns the first 32 characters of the hash of the first block, also from the whole hash. */
function clusterOf(text: string): string | undefined {
  const isHash = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text);
  return clusterNames.get(text) ?? (isHash ? text.slice(0, 32) : undefined);
}

function isTronAddress(text: string): boolean {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return false;
  try {
    const bytes = base58check.decode(text);
    return bytes.length === 21 && bytes[0] === 0x41;
  } catch {
    // The decoder throws for a wrong checksum.
    return false;
  }
}
