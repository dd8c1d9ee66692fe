// The contracts for yields and swaps, as the setting of a chain names them.

import { evmContractOf, integerOf, membersOf, wrong } from './setting_values.ts';

/** Contracts of Uniswap v3 that the operator configured. Addresses in lower-case hex with `0x`. */
export type SwapContracts = {
  /** SwapRouter02. */
  readonly router: string;
  /** QuoterV2. */
  readonly quoter: string;
  /** The contract that wraps the coin of the chain (WETH9). */
  readonly wrappedCoin: string;
  /** Fee tiers of the pools to quote, in millionths. */
  readonly feeTiers: readonly number[];
  /** Gas limit of a swap that follows its approval, which nodes cannot estimate. */
  readonly swapGas: number;
};

/** A distributor of rewards (Merkl) that the operator configured. */
export type Rewards = {
  /** The contract that pays rewards out: lower-case hex with `0x`. */
  readonly distributor: string;
  /** Base URL of the service that publishes amounts with their Merkle proofs. */
  readonly source: string;
};

/** A vault (ERC-4626) that the operator configured. */
export type Vault = {
  /** Lower-case hex with `0x`. */
  readonly address: string;
  /** CAIP-19 of the deposited token, one of `tokens`. */
  readonly caip19: string;
  readonly name: string;
  readonly curator: string;
  /** The protocol of the vault, one of `vaultProviders`. */
  readonly provider: string;
  /** Gas limit of a deposit that follows its approval, which nodes cannot estimate. */
  readonly depositGas: number;
};

/** Protocols that public clients name. */
export const vaultProviders = [
  'EARN_PROVIDER_UNSPECIFIED',
  'EARN_PROVIDER_MORPHO',
  'EARN_PROVIDER_AAVE',
  'EARN_PROVIDER_KAMINO',
] as const;

const maximumVaults = 50;
const swapGas = { usual: 500_000, least: 100_000, most: 10_000_000 };
const usualFeeTiers = [100, 500, 3_000, 10_000];
const depositGas = { usual: 600_000, least: 100_000, most: 10_000_000 };

/** A token of the chain. */
type Listed = { readonly contract: string; readonly caip19: string };

export function vaultsOf(
  caip2: string,
  value: unknown,
  tokens: readonly Listed[],
): readonly Vault[] {
  if (value === undefined) return [];
  requireEthereum(caip2, `${caip2}: \`vaults\``);
  if (!Array.isArray(value) || value.length > maximumVaults) {
    wrong(`${caip2}: \`vaults\` is a list of at most ${maximumVaults}`);
  }
  const vaults = value.map((each: unknown) => vaultOf(caip2, each, tokens));
  if (new Set(vaults.map(({ address }) => address)).size < vaults.length) {
    wrong(`${caip2}: a vault is listed twice`);
  }
  return vaults;
}

export function swapsOf(caip2: string, value: unknown): SwapContracts | undefined {
  if (value === undefined) return undefined;
  const where = `${caip2}: \`swaps\``;
  requireEthereum(caip2, where);
  const members = ['router', 'quoter', 'wrappedCoin', 'feeTiers', 'swapGas'];
  const given = membersOf(value, where, members);
  const addressOf = (member: string): string => {
    const found = given[member];
    const address = typeof found === 'string' ? evmContractOf(found) : undefined;
    return address ?? wrong(`${where} has the \`${member}\` of a contract`);
  };
  const { feeTiers = usualFeeTiers } = given;
  const isTier = (tier: unknown): tier is number => {
    return Number.isSafeInteger(tier) && Number(tier) >= 1 && Number(tier) <= 999_999;
  };
  const isList = Array.isArray(feeTiers) && feeTiers.length >= 1 && feeTiers.length <= 8;
  if (!isList || !feeTiers.every(isTier)) {
    return wrong(`${where}: \`feeTiers\` is a list of 1 to 8 integers from 1 to 999999`);
  }
  const { usual, least: minimum, most: maximum } = swapGas;
  const gas = integerOf(given['swapGas'], { minimum, maximum }, where, 'swapGas');
  return {
    router: addressOf('router'),
    quoter: addressOf('quoter'),
    wrappedCoin: addressOf('wrappedCoin'),
    feeTiers,
    swapGas: gas ?? usual,
  };
}

export function rewardsOf(caip2: string, value: unknown): Rewards | undefined {
  if (value === undefined) return undefined;
  const where = `${caip2}: \`rewards\``;
  requireEthereum(caip2, where);
  const given = membersOf(value, where, ['distributor', 'source']);
  const { distributor, source } = given;
  const address = typeof distributor === 'string' ? evmContractOf(distributor) : undefined;
  const url = typeof source === 'string' ? URL.parse(source) : undefined;
  const isOfWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!isOfWeb || url?.username !== '' || url.search !== '' || url.hash !== '') {
    return wrong(`${where} has the \`source\`: an https or http address without a query`);
  }
  return {
    distributor: address ?? wrong(`${where} has the \`distributor\` of a contract`),
    source: url.href.replace(/\/+$/, ''),
  };
}

function vaultOf(caip2: string, value: unknown, tokens: readonly Listed[]): Vault {
  const where = `${caip2}: each of \`vaults\``;
  const members = ['address', 'asset', 'name', 'curator', 'provider', 'depositGas'];
  const given = membersOf(value, where, members);
  const addressOf = (member: string): string => {
    const found = given[member];
    const address = typeof found === 'string' ? evmContractOf(found) : undefined;
    return address ?? wrong(`${where} has the \`${member}\` of a contract`);
  };
  const address = addressOf('address');
  const asset = addressOf('asset');
  const token = tokens.find(({ contract }) => contract === asset);
  if (token === undefined) wrong(`${where} has an \`asset\` that \`tokens\` lists`);
  const { name, curator = '', provider = 'UNSPECIFIED' } = given;
  const isText = (text: unknown): text is string =>
    typeof text === 'string' && /^[ -~]{0,64}$/.test(text);
  if (!isText(name) || name === '' || !isText(curator)) {
    wrong(`${where} has a \`name\` and perhaps a \`curator\` of 1 to 64 ASCII characters`);
  }
  const known = vaultProviders.find((each) => each === `EARN_PROVIDER_${provider}`);
  if (known === undefined) wrong(`${where} has the \`provider\` MORPHO, AAVE or KAMINO, or none`);
  const { usual, least: minimum, most: maximum } = depositGas;
  const gas = integerOf(given['depositGas'], { minimum, maximum }, where, 'depositGas');
  return {
    address,
    caip19: token.caip19,
    name,
    curator,
    provider: known,
    depositGas: gas ?? usual,
  };
}

function requireEthereum(caip2: string, where: string): void {
  if (!caip2.startsWith('eip155:')) wrong(`${where} is for chains of Ethereum`);
}
