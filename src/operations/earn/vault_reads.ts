// Reads of vaults for answers, chain by chain.

import type { ContractRead } from '../../core/balances/evm_questions.ts';
import { erc4626 } from '../../core/markets/vaults.ts';
import type { QueryServices } from '../services.ts';
import { type ConfiguredVault, requireValue } from './configured_vaults.ts';

type External = Pick<QueryServices, 'external'>;

/** Returns the vaults with the tokens that they manage. Raises `vault_unreadable`. */
export async function readTotals(
  vaults: readonly ConfiguredVault[],
  services: External,
): Promise<readonly (ConfiguredVault & { readonly total: bigint })[]> {
  const totals = await readAll(vaults, ({ contracts }) => erc4626.reads.total(contracts), services);
  return vaults.map((vault, i) => ({ ...vault, total: requireValue(totals[i], vault) }));
}

/** Returns the vaults in which an address has shares, with the tokens that they are worth. */
export async function readPositions(
  vaults: readonly ConfiguredVault[],
  owner: string,
  services: External,
): Promise<readonly (ConfiguredVault & { readonly worth: bigint })[]> {
  const shares = await readAll(
    vaults,
    ({ contracts }) => erc4626.reads.shares(contracts, owner),
    services,
  );
  const held = vaults.flatMap((vault, i) => {
    const count = requireValue(shares[i], vault);
    return count === 0n ? [] : [{ ...vault, count }];
  });
  const worth = await readAll(
    held,
    ({ contracts, count }) => erc4626.reads.worth(contracts, count),
    services,
  );
  return held.map(({ count: _count, ...vault }, i) => {
    return { ...vault, worth: requireValue(worth[i], vault) };
  });
}

/** Returns one value of each vault, in their order. */
async function readAll<V extends ConfiguredVault>(
  vaults: readonly V[],
  callOf: (vault: V) => ContractRead,
  { external }: External,
): Promise<readonly (bigint | undefined)[]> {
  const byChain = [...Map.groupBy(vaults, ({ caip2 }) => caip2)];
  const values = await Promise.all(
    byChain.map(async ([caip2, ofChain]) => {
      const calls = ofChain.map(callOf);
      const answers = await external.fetchContractValues({ caip2, calls });
      return ofChain.map((vault, i) => [vault, answers[i]] as const);
    }),
  );
  const byVault = new Map(values.flat());
  return vaults.map((vault) => byVault.get(vault));
}
