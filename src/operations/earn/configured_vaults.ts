// The vaults of the deployment, and their names in requests.

import { amountText } from '../../core/balances/amount_text.ts';
import type { Asset } from '../../core/balances/chains.ts';
import { type Vault, vaultProviders } from '../../core/balances/market_contracts.ts';
import { assert, fail, failField } from '../../core/errors/errors.ts';
import type { DeployedChain, Deployment } from '../../core/external/external_services.ts';
import type { VaultContracts } from '../../core/markets/vaults.ts';
import type { OrganizationDraft, OrganizationView } from '../../core/organization/state.ts';
import { answerText, object, oneOf, optional, text } from '../../core/schema/schema.ts';
import { chainOf } from '../balances/chain_of.ts';

/** A vault with its chain, its token and their contracts. */
export type ConfiguredVault = Vault & {
  readonly caip2: string;
  readonly asset: Asset;
  readonly contracts: VaultContracts;
};

/** The member that selects a vault. Without a wrapper, the vault itself is the target of deposits. */
export const wrapperAddress = () => text({ minimum: 42, maximum: 42 });
type NamedChain = {
  readonly chainCaip2?: string | undefined;
  readonly caip2?: string | undefined;
};

/** The chain of a vault or of rewards. Clients spell the member in two ways. */
export const vaultChain = () => {
  const name = () => optional(text({ minimum: 1, maximum: 64 }));
  return { chainCaip2: name(), caip2: name() };
};

/** The protocol behind a vault. */
export const provider = () => oneOf(vaultProviders);

/** Returns the display of an amount. The service knows no prices. */
export const displayOf = (amount: bigint, { decimals }: Pick<Asset, 'decimals'>) => ({
  usd: '',
  crypto: amountText(String(amount), decimals),
});

/** Returns the vaults of all chains, in the order of the setting. Raises `earn_not_configured`. */
export function configuredVaults({
  chains,
}: Pick<Deployment, 'chains'>): readonly ConfiguredVault[] {
  const all = chains.flatMap((chain) => chain.vaults.map((vault) => configured(chain, vault)));
  return all.length === 0 ? fail('earn_not_configured') : all;
}

function configured({ caip2, assets }: DeployedChain, vault: Vault): ConfiguredVault {
  const asset = assets.find(({ caip19 }) => caip19 === vault.caip19);
  assert(asset !== undefined, 'the token of a vault is one of its chain');
  const token = asset.caip19.slice(asset.caip19.lastIndexOf(':') + 1);
  return { ...vault, caip2, asset, contracts: { vault: vault.address, token } };
}

/** Returns the configured chain in a request, by either spelling or both. Raises `field_invalid`. */
export function namedChain(
  named: NamedChain,
  deployment: Pick<Deployment, 'chains'>,
): DeployedChain {
  const field = 'parameters.chainCaip2';
  const names = [named.chainCaip2, named.caip2].filter((name) => name !== undefined);
  const [name] = names;
  if (name === undefined || new Set(names).size > 1) failField(field, 'expected one chain');
  return chainOf(deployment, name, { family: 'eip155:', field });
}

/** Returns the vault in a request. Raises `earn_not_configured`, `field_invalid`. */
export function vaultOf(
  named: NamedChain & { readonly wrapperAddress: string },
  deployment: Pick<Deployment, 'chains'>,
): ConfiguredVault {
  const all = configuredVaults(deployment);
  const { caip2 } = namedChain(named, deployment);
  const address = named.wrapperAddress.toLowerCase();
  const found = all.find((vault) => vault.caip2 === caip2 && vault.address === address);
  const expected = `expected a vault that the operator configured on ${caip2}`;
  return found ?? failField('parameters.wrapperAddress', expected);
}

/** Vaults that a filter selects; an absent or empty member selects all. */
export function selectVaults(
  {
    provider = 'EARN_PROVIDER_UNSPECIFIED',
    caip19,
  }: {
    readonly provider?: string | undefined;
    readonly caip19?: string | undefined;
  },
  deployment: Pick<Deployment, 'chains'>,
): readonly ConfiguredVault[] {
  // Addresses in CAIP-19 may have mixed case.
  const asset = caip19?.toLowerCase() ?? '';
  return configuredVaults(deployment).filter(
    (vault) =>
      (provider === 'EARN_PROVIDER_UNSPECIFIED' || vault.provider === provider) &&
      (asset === '' || vault.asset.caip19 === asset),
  );
}

/** Returns the members of a vault in all answers. */
export function shownVault({ address, asset, ...vault }: ConfiguredVault) {
  const provider = vaultProviders.find((name) => name === vault.provider);
  assert(provider !== undefined, 'the setting names a known protocol, or none');
  return { vaultAddress: address, provider, caip19: asset.caip19 };
}

/**
 * Returns the members of a vault in both lists. Typed clients require yield and liquidity, which the service
 * does not know.
 */
export const listedVault = (vault: ConfiguredVault & { readonly total: bigint }) => ({
  ...shownVault(vault),
  display: displayOf(vault.total, vault.asset),
  name: vault.name,
  curator: vault.curator,
  apyPct: '',
  liquidity: '',
  forceDeallocatableLiquidity: '',
});

export const listedVaultShapes = () => ({
  vaultAddress: answerText(),
  provider: provider(),
  caip19: answerText(),
  display: object({ usd: answerText(), crypto: answerText() }),
  name: answerText(),
  curator: answerText(),
  apyPct: answerText(),
  liquidity: answerText(),
  forceDeallocatableLiquidity: answerText(),
});

/** Returns a value of a vault. Raises `vault_unreadable` without a value. */
export function requireValue(
  value: bigint | undefined,
  { address, caip2 }: ConfiguredVault,
): bigint {
  return value ?? fail('vault_unreadable', { address, caip2 });
}

/** Returns the vaults that the organization or its parent has closed for deposits. */
export async function closedVaultsOf(
  { head }: OrganizationView,
  parent: () => Promise<OrganizationView | undefined>,
): Promise<ReadonlySet<string>> {
  const above = (await parent())?.head.closedVaults ?? [];
  return new Set([...(head.closedVaults ?? []), ...above]);
}

/** Sets whether a vault accepts deposits of the organization. Drops vaults that are no longer configured. */
export function setDeposits(
  address: string,
  isClosed: boolean,
  of: {
    readonly organization: OrganizationDraft;
    readonly vaults: readonly ConfiguredVault[];
    readonly now: number;
  },
): void {
  const { organization, vaults, now } = of;
  const known = new Set(vaults.map((vault) => vault.address));
  const others = (organization.head.closedVaults ?? []).filter(
    (each) => each !== address && known.has(each),
  );
  const closedVaults = isClosed ? [...others, address] : others;
  organization.setHead({ closedVaults, updatedAtMs: now });
}
